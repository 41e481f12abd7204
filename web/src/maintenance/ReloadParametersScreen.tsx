// Every parameter of the system as a record, and the word to all processes to read them anew (A 2.13).
import { Button } from 'primereact/button';
import { useState } from 'react';
import { api } from '../api/client';
import { useList } from '../api/hooks';
import type { ParameterRow } from '../api/types';
import { CrudList } from '../crud/CrudScreen';
import { useReload } from '../crud/useCrud';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import { Maintenance } from './Maintenance';
import style from './maintenance.module.css';

const text = t.maintenance;
const PATH = '/api/parameters';
const EMPTY: ParameterRow = { id: 0, naziv: '', vrednost: '', opis: null };

export default function ReloadParametersScreen() {
  const { data } = useList(PATH);
  const reload = useReload(PATH);
  // Saving under a name that exists would change that parameter (A 7): here one is made anew.
  const isTaken = ({ id, naziv }: ParameterRow) => data?.data.some((other) => other.id !== id && other.naziv === naziv.trim());
  return (
    <Maintenance title={text.parameters} lead={text.parametersLead} actions={<Refresh reload={reload} />}>
      <div className={style.steady}>
        <CrudList<ParameterRow, 'parameter'>
          path={PATH}
          resource="parameter"
          title={text.parameters}
          what={text.parameter}
          name={({ naziv }) => naziv}
          empty={EMPTY}
          columns={['naziv', 'vrednost', 'opis']}
          validate={(parameter) =>
            firstMissing(parameter, [
              ['naziv', text.missingNaziv],
              ['vrednost', text.missingVrednost],
            ]) ?? (isTaken(parameter) ? { field: 'naziv', message: text.taken } : null)
          }
          fields={(field) => (
            <>
              {field.text('naziv', { required: true })}
              {field.text('vrednost', { required: true })}
              {field.area('opis')}
            </>
          )}
        />
      </div>
    </Maintenance>
  );
}

function Refresh({ reload }: { reload: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  async function refresh() {
    setBusy(true);
    toast.clear();
    try {
      await api.post('/api/reload-parametara');
      await reload();
      toast.success(text.refreshed);
    } catch (error) {
      toast.failure(text.refreshFailed, error);
    }
    setBusy(false);
  }
  return <Button label={text.refresh} icon="pi pi-refresh" outlined loading={busy} onClick={() => void refresh()} />;
}
