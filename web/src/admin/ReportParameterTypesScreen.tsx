// Types of report parameters: their kind, and the query or the value behind it (B 2.11).
import { InputNumber } from 'primereact/inputnumber';
import { useApi } from '../api/hooks';
import type { ReportParameterTypeRow } from '../api/types';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { label, t } from '../messages';
import { Kind } from '../reports/types';
import { Field } from '../ui/Field';
import style from './admin.module.css';

const text = t.admin.reportParameterTypes;
const EMPTY: ReportParameterTypeRow = { id: 0, naziv: '', tipRecnika: null, upit: null, link: null, logged: false };

const choices = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
const DYNAMIC = choices(text.dynamic);
const LINKS = choices(text.link);

export default function ReportParameterTypesScreen() {
  const { data: kinds } = useApi('/api/report-parameter-kinds');
  return (
    <CrudScreen<ReportParameterTypeRow, 'reportParameterType'>
      path="/api/report-parameter-types"
      resource="reportParameterType"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={EMPTY}
      columns={['naziv', 'tipRecnikaNaziv', 'sqlNumVrednost', 'upit']}
      validate={(type) =>
        firstMissing(type, [
          ['naziv', text.missingNaziv],
          ['tipRecnika', text.missingKind],
        ])
      }
      fields={(field, _mode, { tipRecnika }) => (
        <>
          {field.text('naziv', { required: true })}
          {field.select('tipRecnika', kinds?.data.map(({ numVrednost, naziv }) => ({ value: numVrednost, label: naziv })) ?? [], {
            required: true,
          })}
          <NumericValue value={tipRecnika} />
          <div className={style.query}>
            {tipRecnika === Kind.DynamicHidden
              ? field.select('upit', DYNAMIC, { required: true, help: text.queryOfDynamic })
              : field.area('upit', {
                  required: tipRecnika === Kind.Set,
                  rows: 6,
                  help: tipRecnika === Kind.Set ? text.queryOfSet : text.queryUnused,
                })}
          </div>
          {field.select('link', LINKS, { help: text.linkHelp })}
          {field.toggle('logged')}
        </>
      )}
    />
  );
}

/** The number of the kind: the database derives it (B 3, sqlNumVrednost). */
const NumericValue = ({ value }: { value: number | null }) => (
  <Field label={label('reportParameterType.sqlNumVrednost')} help={text.numberHelp}>
    {({ id, 'aria-describedby': note }) => <InputNumber inputId={id} aria-describedby={note} value={value} disabled />}
  </Field>
);
