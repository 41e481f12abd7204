// Rules of quality of a register, and the runs that look by them.
import { Dropdown } from 'primereact/dropdown';
import { useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi, useList } from '../api/hooks';
import type { QualityRuleRow } from '../api/types';
import type { Fields } from '../crud/bindFields';
import { CrudList } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import type { Reply, Schema } from '../schema';
import { Field } from '../ui/Field';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { QualityRuns } from './QualityRuns';

const text = t.quality.rules;
const KINDS = (Object.entries(t.quality.kinds) as [Schema<'QualityKind'>, string][]).map(([value, label]) => ({ value, label }));
const SEVERITIES = (Object.entries(t.quality.severities) as [Schema<'QualitySeverity'>, string][]).map(([value, label]) => ({
  value,
  label,
}));

const OF_NUMBERS: readonly Schema<'QualityKind'>[] = ['granice', 'skok', 'jedinica'];
const OF_DATES: readonly Schema<'QualityKind'>[] = ['redosled', 'posleSmrti', 'preRodjenja', 'posleDanas'];
const WITHOUT_FIELD: readonly Schema<'QualityKind'>[] = ['istiDan', 'pravilaFormulara'];

const empty = (register: number): QualityRuleRow => ({
  id: 0,
  registarID: register,
  formID: null,
  naziv: '',
  poruka: null,
  vrsta: 'obavezno',
  tezina: 'upozorenje',
  poljeID: null,
  drugoPoljeID: null,
  donjaGranica: null,
  gornjaGranica: null,
  razlika: null,
  dana: null,
  formula: null,
});

export default function QualityRulesScreen() {
  const [address, setAddress] = useSearchParams();
  const { data: registers } = useList('/api/registers');
  const known = registers?.data ?? [];
  const register = known.find(({ id }) => String(id) === address.get('registar'))?.id ?? known[0]?.id ?? null;
  return (
    <Page title={text.title} lead={text.lead} actions={<GuideButton page="quality" />}>
      <Panel>
        <Field label={t.quality.register}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={register}
              options={known.map(({ id, naziv }) => ({ value: id, label: naziv }))}
              onChange={({ value }: { value: number }) => setAddress({ registar: String(value) })}
            />
          )}
        </Field>
      </Panel>
      {register !== null && <Rules key={register} register={register} />}
    </Page>
  );
}

function Rules({ register }: { register: number }) {
  const { data: forms } = useApi(at('/api/registers/{id}/quality-fields', { id: register }));
  return (
    <>
      <CrudList<QualityRuleRow, 'qualityRule'>
        path="/api/quality-rules"
        scope={{ registar: register }}
        resource="qualityRule"
        title={text.title}
        what={text.what}
        name={({ naziv }) => naziv}
        empty={empty(register)}
        columns={[
          'naziv',
          { field: 'vrsta', body: ({ vrsta }) => t.quality.kinds[vrsta], filter: false },
          { field: 'tezina', body: ({ tezina }) => t.quality.severities[tezina], filter: false },
          'poruka',
        ]}
        validate={(rule) => firstMissing(rule, [['naziv', text.missingNaziv]])}
        fields={(field, _, rule) => <RuleFields field={field} rule={rule} forms={forms?.data ?? []} />}
      />
      <QualityRuns register={register} />
    </>
  );
}

interface RuleFieldsProps {
  field: Fields<QualityRuleRow, 'qualityRule'>;
  rule: QualityRuleRow;
  forms: readonly Reply<'RuledForm'>[];
}

/** Only what the kind asks for. */
function RuleFields({ field, rule: { vrsta, formID }, forms }: RuleFieldsProps) {
  const own = forms.find(({ id }) => id === formID)?.polja ?? [];
  const isDate = (type: ValueType) => type === ValueType.Date || type === ValueType.Moment;
  const fits = ({ tvaNumVrednost }: { tvaNumVrednost: ValueType }) =>
    OF_NUMBERS.includes(vrsta) ? tvaNumVrednost === ValueType.Number : OF_DATES.includes(vrsta) ? isDate(tvaNumVrednost) : true;
  const choiceOf = ({ id, naziv, sifra }: { id: number; naziv: string; sifra?: string | null }) => ({
    value: id,
    label: sifra ? `${naziv} (${sifra})` : naziv,
  });
  return (
    <>
      {field.text('naziv', { required: true, maxLength: 120 })}
      {field.select('vrsta', KINDS, { required: true, filter: false })}
      {field.select('tezina', SEVERITIES, { required: true })}
      {field.select(
        'formID',
        forms.map(({ id, naziv }) => ({ value: id, label: naziv })),
        { unchosen: text.everyForm },
      )}
      {formID != null &&
        !WITHOUT_FIELD.includes(vrsta) &&
        field.select('poljeID', own.filter(fits).map(choiceOf), { unchosen: text.everyField })}
      {formID != null && vrsta === 'redosled' && field.select('drugoPoljeID', own.filter(fits).map(choiceOf))}
      {vrsta === 'granice' && field.number('donjaGranica', { decimals: 6, help: text.bounds })}
      {vrsta === 'granice' && field.number('gornjaGranica', { decimals: 6 })}
      {vrsta === 'skok' && field.number('razlika', { decimals: 6, required: true })}
      {vrsta === 'skok' && field.number('dana', { help: text.days })}
      {vrsta === 'formula' && field.area('formula', { required: true, help: text.formula })}
      {field.area('poruka', { help: text.own, maxLength: 500, rows: 2 })}
    </>
  );
}
