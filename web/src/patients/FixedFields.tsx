// The fixed fields of the search, those that the installation shows, and the number of results.
import { bindFields, type Choice } from '../crud/bindFields';
import type { EditedRecord } from '../crud/useForm';
import { t } from '../messages';
import type { Schema } from '../schema';
import { COUNTS, type SearchCriteria } from './criteria';
import style from './search.module.css';
import type { SearchSetup } from './types';

const SEXES = [
  { value: -1 as const, label: t.patients.search.anySex },
  { value: 0 as const, label: t.common.female },
  { value: 1 as const, label: t.common.male },
];
const STATUSES = (Object.keys(t.patientStatus.statuses) as Schema<'PatientStatus'>[]).map((value) => ({
  value,
  label: t.patientStatus.statuses[value],
}));
const COUNT_CHOICES: Choice<number>[] = COUNTS.map((value) => ({ value, label: value === -1 ? t.patients.search.all : String(value) }));

export function FixedFields({ form, shown }: { form: EditedRecord<SearchCriteria>; shown: SearchSetup['kriterijumi'] }) {
  const fields = bindFields(form, 'search');
  return (
    <div className={style.fixed}>
      {shown.prezime && fields.text('prezime')}
      {shown.ime && fields.text('ime')}
      {shown.JMBG && fields.text('jmbg', { inputMode: 'numeric', maxLength: 13 })}
      {shown.LBO && fields.text('lbo', { inputMode: 'numeric', maxLength: 11 })}
      {shown.godinaOd && fields.number('godinaOd', { year: true })}
      {shown.godinaDo && fields.number('godinaDo', { year: true })}
      {shown.pol && fields.select('pol', SEXES, { clearable: false })}
      {fields.select('status', STATUSES, { unchosen: t.patientStatus.anyStatus })}
      {fields.select('brojRezultata', COUNT_CHOICES, { clearable: false })}
    </div>
  );
}
