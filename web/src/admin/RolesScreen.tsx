// Roles: their data, the rights that they give, and the workers who have them (B 2.6).
import { at } from '../api/address';
import { api } from '../api/client';
import type { Schema } from '../schema';
import type { RoleRow } from '../api/types';
import { isEditable } from '../crud/CrudDialog';
import { CrudScreen } from '../crud/CrudScreen';
import { CrudTable, YES_NO, yesNo } from '../crud/CrudTable';
import { LinkList } from '../crud/LinkList';
import { firstMissing } from '../crud/useForm';
import { useListing } from '../crud/useListing';
import { t } from '../messages';
import { LoadFailed } from '../ui/states';

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
        { field: 'pacijenti', body: ({ pacijenti }) => text.patients[pacijenti], filter: PATIENTS },
        'opis',
        'numerickaVrednost',
        { field: 'sveUstanove', body: ({ sveUstanove }) => yesNo(sveUstanove), filter: YES_NO },
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
    <LinkList<Schema<'ApplicationRight'>>
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
  const listing = useListing<Schema<'RoleWorker'>>(at('/api/roles/{id}/workers', { id: role }));
  if (listing.error) return <LoadFailed error={listing.error} retry={listing.retry} />;
  return <CrudTable resource="worker" title={text.workers} columns={['ime', 'prezime']} listing={listing} />;
}
