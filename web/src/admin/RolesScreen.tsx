// Roles: their data, the rights that they give, and the workers who have them (B 2.6).
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { api } from '../api/client';
import { useList } from '../api/hooks';
import type { ApplicationRight, RoleRow, RoleWorker } from '../api/types';
import { isEditable } from '../crud/CrudDialog';
import { CrudScreen } from '../crud/CrudScreen';
import { LinkList } from '../crud/LinkList';
import { firstMissing } from '../crud/useForm';
import { label, t } from '../messages';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';

const text = t.admin.roles;
const EMPTY: RoleRow = {
  id: 0,
  ime: '',
  opis: null,
  numerickaVrednost: null,
  mozeBitiOdgovoran: false,
  drugiFaktor: false,
  pacijenti: 'ne',
  sveUstanove: false,
};
const PATIENTS = (['ne', 'uvid', 'izmena'] as const).map((value) => ({ value, label: text.patients[value] }));

export default function RolesScreen() {
  return (
    <CrudScreen<RoleRow, 'role'>
      path="/api/roles"
      resource="role"
      title={text.title}
      what={text.what}
      name={({ ime }) => ime}
      empty={EMPTY}
      columns={[
        'ime',
        { field: 'pacijenti', text: ({ pacijenti }) => text.patients[pacijenti] },
        'opis',
        'numerickaVrednost',
        { field: 'sveUstanove', text: ({ sveUstanove }) => (sveUstanove ? t.common.yes : t.common.no) },
      ]}
      validate={(role) => firstMissing(role, [['ime', text.missingIme]])}
      fields={(field) => (
        <>
          {field.text('ime', { required: true })}
          {field.number('numerickaVrednost')}
          {field.toggle('mozeBitiOdgovoran', { help: text.responsibleHelp })}
          {field.toggle('drugiFaktor', { help: text.secondFactorHelp })}
          {field.select('pacijenti', PATIENTS, { clearable: false, help: text.patientsHelp })}
          {field.toggle('sveUstanove', { help: text.everywhereHelp })}
          {field.area('opis')}
        </>
      )}
      tabs={({ id }, mode) => [
        { title: text.rights, disabled: mode === 'create', content: <Rights role={id} disabled={!isEditable(mode)} /> },
        { title: text.workers, disabled: mode === 'create', content: <Workers role={id} /> },
      ]}
    />
  );
}

function Rights({ role, disabled }: { role: number; disabled: boolean }) {
  return (
    <LinkList<ApplicationRight>
      path="/api/application-rights"
      of={{ uloga: role }}
      name={({ naziv }) => naziv}
      disabled={disabled}
      add={(id) => api.post('/api/role-rights', { uloga: role, aplikativnoPravo: id })}
      remove={(ids) => api.post('/api/role-rights-delete', { ulogaID: role, aplikativnaPravaID: ids })}
    />
  );
}

function Workers({ role }: { role: number }) {
  const { data, error, mutate } = useList<RoleWorker>(`/api/roles/${String(role)}/workers`);
  if (!data) return error ? <LoadFailed error={error} retry={() => void mutate()} /> : <Loading />;
  return (
    <DataTable
      {...tableDefaults}
      value={data.data}
      dataKey="id"
      pt={{ table: { 'aria-label': text.workers } }}
      emptyMessage={<EmptyState title={t.common.empty} />}
    >
      <Column field="ime" header={label('worker.ime')} sortable />
      <Column field="prezime" header={label('worker.prezime')} sortable />
    </DataTable>
  );
}
