// The properties of one field, grouped; what its kind of value has (B 3). The dialog of a field and the designer of a form show them.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import type { ReactNode } from 'react';
import type { Schema } from '../../schema';
import type { FormFieldRow } from '../../api/types';
import { bindFields, type Choice } from '../../crud/bindFields';
import type { EditedRecord } from '../../crud/useForm';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { ChartLines } from './ChartLines';
import { DotPlace } from './DotPlace';
import { has, isDot } from './fieldKinds';
import { FormulaInput } from './formula/FormulaInput';
import { Group } from './RecordForm';
import style from './registers.module.css';

const text = t.registerForms;
const YES_NO = [
  { value: true, label: t.common.yes },
  { value: false, label: t.common.no },
];

const EXPORT_MARKS = (Object.keys(text.exportMarks) as (keyof typeof text.exportMarks)[]).map((value) => ({
  value,
  label: text.exportMarks[value],
}));

const statuses = t.patientStatus.statuses;
const STATUSES = (Object.keys(statuses) as (keyof typeof statuses)[]).map((value) => ({ value, label: statuses[value] }));

/** How many examples stand with the formula: a change of it is refused while one does not come out. */
function KeptExamples({ form }: { form: EditedRecord<FormFieldRow> }) {
  const count = form.record.primeri?.length ?? 0;
  if (count === 0) return null;
  const told = form.problem?.field === 'primeri' ? form.problem.message : null;
  return (
    <div className={style.warnings}>
      <p className={style.question}>{t.formExamples.kept(count)}</p>
      {told && <Message severity="error" text={told} />}
      {!form.disabled && (
        <div>
          <Button
            type="button"
            label={t.formExamples.removeAll}
            icon="pi pi-trash"
            size="small"
            outlined
            onClick={() => form.set('primeri', null)}
          />
        </div>
      )}
    </div>
  );
}

type FormulaName = 'formulaZaPrikaz' | 'formulaZaRacunanje' | 'obavezanAko';

/** How a first value that is no text is written. */
function firstValueHelp(kind: Schema<'ValueType'> | undefined): { help?: string } {
  if (kind === ValueType.Date) return { help: text.dateHelp };
  if (kind === ValueType.Time) return { help: text.timeHelp };
  return kind === ValueType.Moment ? { help: text.momentHelp } : {};
}

interface Props {
  form: EditedRecord<FormFieldRow>;
  kind: Schema<'ValueType'> | undefined;
  fields: readonly FormFieldRow[];
  parent: FormFieldRow | undefined;
  /** Said below its name. */
  nameHelp?: string;
  /** Of a set. */
  items: readonly Choice<number>[];
  /** Where its type, its place in the order and what it stands in are chosen. */
  type: ReactNode;
  order?: ReactNode;
  holder?: ReactNode;
  /** Where in its formulas faults were noticed: places of characters, from one. */
  places?: Partial<Record<FormulaName, number>>;
  /** Said below the formulas. */
  warnings: ReactNode;
  /** What is kept with the formula, where it can be changed. */
  examples?: ReactNode;
}

export function FieldFields({ form, kind, fields, parent, nameHelp, items, type, order, holder, places = {}, warnings, examples }: Props) {
  const field = bindFields<FormFieldRow, 'formField'>(form, 'formField');
  const parentKind = parent?.tipVrednostiAtributaNumVrednost;
  const of = (name: keyof FormFieldRow) => kind !== undefined && has(name, kind, parentKind);
  const dot = kind !== undefined && isDot(kind, parentKind);
  const isValue = of('opcioni');
  const formula = (name: FormulaName, help: string) =>
    field.custom(name, { help }, (control) => (
      <FormulaInput
        {...control}
        name={name}
        value={form.record[name] ?? ''}
        fields={fields}
        place={places[name] ?? null}
        disabled={form.disabled}
        onChange={(value) => form.set(name, value)}
      />
    ));
  return (
    <>
      <Group title={text.basic}>
        {type}
        {field.text('naziv', { required: true, help: nameHelp })}
        {order}
        {field.text('sifra', { help: text.codeHelp })}
        {field.text('sifraVeza')}
        {holder}
        {field.area('napomena')}
        {field.area('napomenaDizajnera', { help: text.designerNoteHelp })}
        {of('oznakaIzvoza') && field.select('oznakaIzvoza', EXPORT_MARKS, { help: text.exportMarkHelp })}
        {field.area('htmlInfo', { help: text.htmlHelp })}
      </Group>
      {kind === undefined && <p className={style.question}>{text.chooseType}</p>}
      {kind !== undefined && (
        <Group title={text.display}>
          {field.toggle('prikazujeSe', kind === ValueType.Tab ? { help: text.shownHelp } : {})}
          {field.toggle('ispisujeSeLabela')}
          {of('vertikalniPrikaz') && field.toggle('vertikalniPrikaz')}
          {of('prikaziPrethodnu') && !parent?.ponavljaSe && field.toggle('prikaziPrethodnu', { help: text.previousHelp })}
          {of('radioButton') && field.toggle('radioButton')}
          {of('imaCekBox') && field.toggle('imaCekBox')}
          {of('multiselect') && field.toggle('multiselect')}
          {of('ponavljaSe') && field.toggle('ponavljaSe', { help: text.repeatsHelp })}
          {of('ponavljaSe') && form.record.ponavljaSe && field.number('najviseRedova', { help: text.mostRowsHelp })}
        </Group>
      )}
      {isValue && (
        <>
          <Group title={text.input}>
            {field.toggle('opcioni')}
            {of('obavezanAko') && formula('obavezanAko', text.requiredIfHelp)}
            {field.toggle('pretrazujeSe')}
            {field.toggle('relevantni', { help: text.relevantHelp })}
            {of('postavljaStatus') && !parent?.ponavljaSe && field.select('postavljaStatus', STATUSES, { help: text.setsStatusHelp })}
          </Group>
          {of('upitInicijalnaVrednost') && (
            <Group title={text.initial}>
              {field.toggle('inicijalnoPoslednjaPopunjenaVrednost', { help: text.lastHelp })}
              {of('inicijalnaBooleanVrednost') && field.select('inicijalnaBooleanVrednost', YES_NO)}
              {of('inicijalnaBrojnaVrednost') && !dot && field.number('inicijalnaBrojnaVrednost', { decimals: 10 })}
              {of('inicijalnaStringVrednost') && field.text('inicijalnaStringVrednost', firstValueHelp(kind))}
              {of('inicijalnaEnumStavkaID') && field.select('inicijalnaEnumStavkaID', items)}
              {field.area('upitInicijalnaVrednost', { help: text.queryHelp })}
            </Group>
          )}
        </>
      )}
      {kind !== undefined && (
        <Group title={text.formulas} roomy>
          {formula('formulaZaPrikaz', text.displayHelp)}
          {of('formulaZaRacunanje') && formula('formulaZaRacunanje', text.calculationHelp)}
          {warnings}
          {of('formulaZaRacunanje') && (examples ?? <KeptExamples form={form} />)}
        </Group>
      )}
      {of('donjaReferentnaBrojnaVrednost') && (
        <Group title={text.references}>
          {field.number('donjaReferentnaBrojnaVrednost', { decimals: 10 })}
          {field.number('gornjaReferentnaBrojnaVrednost', { decimals: 10 })}
        </Group>
      )}
      {of('backgroundImage') && <Group title={text.picture}>{field.image('backgroundImage')}</Group>}
      {dot && parent && <DotPlace form={form} parent={parent} fields={fields} />}
      {of('grafik') && <ChartLines form={form} />}
    </>
  );
}
