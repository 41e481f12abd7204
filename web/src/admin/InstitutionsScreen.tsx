// Institutions (B 2.7).
import type { InstitutionRow } from '../api/types';
import { isEditable } from '../crud/CrudDialog';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';
import { InstitutionLogo } from './InstitutionLogo';

const text = t.admin.institutions;
const EMPTY: InstitutionRow = { id: 0, naziv: '', sifra: null, adresa: null, telefon: null, username: null, password: null };

export default function InstitutionsScreen() {
  return (
    <CrudScreen<InstitutionRow, 'institution'>
      path="/api/institutions"
      resource="institution"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={EMPTY}
      why={({ menja }) => (menja ? undefined : text.notYours)}
      columns={['naziv', 'sifra', 'adresa', 'telefon']}
      validate={(institution) => firstMissing(institution, [['naziv', text.missingNaziv]])}
      fields={(field, mode) => (
        <>
          {field.text('naziv', { required: true })}
          {field.text('sifra')}
          {field.text('adresa')}
          {field.text('telefon', { inputMode: 'tel' })}
          {field.text('username')}
          {mode === 'create' && field.password('password')}
          {mode === 'update' && field.password('password', { help: text.keepPassword })}
        </>
      )}
      tabs={({ id, naziv }, mode) => [
        {
          title: text.logo,
          disabled: mode === 'create',
          content: <InstitutionLogo institution={id} name={naziv} disabled={!isEditable(mode)} />,
        },
      ]}
    />
  );
}
