// Connection pools of every running process: how busy they are, and the cleaning of one by its name (A 2.13).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { InputText } from 'primereact/inputtext';
import { useState, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useToast } from '../ui/toast';
import { Maintenance } from './Maintenance';
import style from './maintenance.module.css';

const text = t.maintenance;
/** Processes say every few seconds how busy they are. */
const REFRESH_MS = 5_000;

export default function ConnectionsScreen() {
  const { data, error, mutate } = useApi('/api/konekcije', { refreshInterval: REFRESH_MS });
  const [source, setSource] = useState('');
  return (
    <Maintenance title={text.connections} lead={text.connectionsLead}>
      <Panel>
        <Cleaning source={source} setSource={setSource} cleaned={() => mutate()} />
      </Panel>
      <Panel flush>
        {data ? (
          <PoolTable pools={data.data} choose={setSource} />
        ) : error ? (
          <LoadFailed title={text.connectionsFailed} error={error} retry={() => void mutate()} />
        ) : (
          <Loading lines={6} />
        )}
      </Panel>
    </Maintenance>
  );
}

function Cleaning({
  source,
  setSource,
  cleaned,
}: {
  source: string;
  setSource: (source: string) => void;
  cleaned: () => Promise<unknown>;
}) {
  const [refused, setRefused] = useState<{ source: string; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

  async function clean(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault();
    const input = event.currentTarget.querySelector('input');
    toast.clear();
    if (!source.trim()) {
      setRefused({ source, message: text.missingSource });
      input?.focus();
      return toast.error(text.cleanFailed, text.missingSource);
    }
    setBusy(true);
    try {
      await api.post('/api/ciscenje-pula-konekcija', { dataSource: source });
      setRefused(null);
      toast.success(text.cleaned(source.trim()));
      // The next one may be cleaned while the table is read anew.
      void cleaned();
    } catch (error) {
      if (error instanceof ApiError && error.field === 'dataSource') {
        setRefused({ source, message: messageOf(error) });
        input?.focus();
      }
      toast.failure(text.cleanFailed, error);
    }
    setBusy(false);
  }

  return (
    <form className={style.source} onSubmit={(event) => void clean(event)} noValidate>
      <Field label={text.source} required error={refused?.source === source ? refused.message : null} help={text.sourceHelp}>
        {(control) => (
          <InputText {...control} value={source} onChange={(e) => setSource(e.target.value)} autoComplete="off" spellCheck={false} />
        )}
      </Field>
      <Button type="submit" label={text.clean} icon="pi pi-refresh" loading={busy} />
    </form>
  );
}

function PoolTable({ pools, choose }: { pools: Schema<'ConnectionPool'>[]; choose: (source: string) => void }) {
  return (
    <DataTable
      {...tableDefaults}
      value={pools}
      dataKey="naziv"
      pt={{ table: { 'aria-label': text.connections } }}
      emptyMessage={<EmptyState title={t.common.empty} />}
    >
      <Column field="naziv" header={label('connection.naziv')} sortable className={style.name} />
      <Column
        field="zauzeto"
        header={label('connection.zauzeto')}
        sortable
        className={style.narrow}
        body={({ zauzeto, najvise }: Schema<'ConnectionPool'>) => text.busyOf(zauzeto, najvise)}
      />
      <Column
        header={<span className="sr-only">{t.table.actions}</span>}
        className={style.narrow}
        body={({ naziv }: Schema<'ConnectionPool'>) => (
          <Button label={text.choose} text aria-label={text.chooseSource(naziv)} onClick={() => choose(naziv)} />
        )}
      />
    </DataTable>
  );
}
