// The dialog of one field, grouped; it shows what its kind of value has (B 3).
import { useList } from '../../api/hooks';
import type { AttributeType, EnumItem, FormFieldRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import { CrudDialog, isEditable, type Mode } from '../../crud/CrudDialog';
import type { Crud } from '../../crud/useCrud';
import { firstMissing, useForm, type Form } from '../../crud/useForm';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { useToast } from '../../ui/toast';
import { ChartLines } from './ChartLines';
import { DotPlace } from './DotPlace';
import { FormulaWarnings, type FormulaWarning } from './FormulaWarnings';
import { fieldOfKind, has, HOLDERS, isDot } from './fieldKinds';
import { Group } from './RecordForm';
import style from './registers.module.css';

const text = t.registerForms;
/** All types that there are (B 7). */
const TYPES = 5000;
const YES_NO = [
  { value: true, label: t.common.yes },
  { value: false, label: t.common.no },
];

interface Props {
  mode: Mode;
  field: FormFieldRow;
  crud: Crud<FormFieldRow>;
  onClose: () => void;
}

export function FieldDialog({ mode, field, crud, onClose }: Props) {
  const form = useForm(field, !isEditable(mode));
  const { data: types } = useList<AttributeType>('/api/attribute-types', { size: TYPES });
  const parent = crud.rows.find(({ id }) => id === form.record.nadredjeniAtributUTipuSkupaID);
  const type = types?.data.find(({ id }) => id === form.record.tipAtributaID);
  const kindOf = (row: FormFieldRow | undefined) => row?.tipVrednostiAtributaNumVrednost;
  const kind = type ? type.tipVrednostiAtributa : field.tipAtributaID === form.record.tipAtributaID ? kindOf(field) : undefined;
  const fitted = (record: FormFieldRow) => (kind ? fieldOfKind(record, kind, kindOf(parent)) : record);
  const toast = useToast();
  const write = ({ id, ...rest }: FormFieldRow) =>
    mode === 'create' ? crud.create({ ...rest, tipSkupaAtributaID: null }) : mode === 'update' ? crud.update(id, rest) : crud.remove(id);
  const act = async (record: FormFieldRow) => {
    const { upozorenja = [] } = ((await write(record)) ?? {}) as { upozorenja?: FormulaWarning[] };
    // The dialog closes with the save: who was faster than the warnings below the formulas reads them here.
    if (upozorenja.length > 0) toast.warn(text.savedWithWarnings, upozorenja.map(({ poruka }) => poruka).join(' '));
  };
  return (
    <CrudDialog
      mode={mode}
      what={text.field}
      name={({ naziv }) => naziv}
      form={form}
      validate={(record) =>
        firstMissing(record, [
          ['tipAtributaID', text.missingType],
          ['naziv', text.missingNaziv],
          ['redosled', text.missingOrder],
        ])
      }
      act={(record) => act(fitted(record))}
      onClose={onClose}
      maximized
    >
      <div className={style.form}>
        <Fields form={form} isNew={mode === 'create'} kind={kind} fields={crud.rows} parent={parent} types={types?.data ?? []} />
      </div>
    </CrudDialog>
  );
}

interface FieldsProps {
  form: Form<FormFieldRow>;
  isNew: boolean;
  kind: ValueType | undefined;
  fields: readonly FormFieldRow[];
  parent: FormFieldRow | undefined;
  types: readonly AttributeType[];
}

function Fields({ form, isNew, kind, fields, parent, types }: FieldsProps) {
  const field = bindFields<FormFieldRow, 'formField'>(form, 'formField');
  const { record } = form;
  const { data: items } = useList<EnumItem>(kind === ValueType.Set ? '/api/enum-items' : null, { tipAtributa: record.tipAtributaID });
  const parentKind = parent?.tipVrednostiAtributaNumVrednost;
  const of = (name: keyof FormFieldRow) => kind !== undefined && has(name, kind, parentKind);
  const dot = kind !== undefined && isDot(kind, parentKind);
  const isValue = of('opcioni');
  const holders = fields.filter(
    ({ id, tipVrednostiAtributaNumVrednost }) =>
      id !== record.id && tipVrednostiAtributaNumVrednost !== undefined && HOLDERS.includes(tipVrednostiAtributaNumVrednost),
  );
  const typeChoices = types.map(({ id, naziv, nazivTipaVrednostiAtributa }) => ({
    value: id,
    label: `${naziv} (${nazivTipaVrednostiAtributa})`,
  }));
  return (
    <>
      <Group title={text.basic}>
        {field.select('tipAtributaID', typeChoices, { required: true })}
        {field.text('naziv', { required: true })}
        {field.number('redosled', { required: true })}
        {field.text('sifra', { help: text.codeHelp })}
        {field.text('sifraVeza')}
        {field.select(
          'nadredjeniAtributUTipuSkupaID',
          holders.map(({ id, naziv, tipAtributaNaziv }) => ({ value: id, label: `${naziv} (${tipAtributaNaziv ?? ''})` })),
        )}
        {field.area('napomena')}
        {field.area('htmlInfo', { help: text.htmlHelp })}
      </Group>
      {kind === undefined && <p className={style.question}>{text.chooseType}</p>}
      {kind !== undefined && (
        <Group title={text.display}>
          {field.toggle('prikazujeSe', kind === ValueType.Tab ? { help: text.shownHelp } : {})}
          {field.toggle('ispisujeSeLabela')}
          {of('vertikalniPrikaz') && field.toggle('vertikalniPrikaz')}
          {of('radioButton') && field.toggle('radioButton')}
          {of('imaCekBox') && field.toggle('imaCekBox')}
          {of('multiselect') && field.toggle('multiselect')}
        </Group>
      )}
      {isValue && (
        <>
          <Group title={text.input}>
            {field.toggle('opcioni')}
            {field.toggle('pretrazujeSe')}
            {field.toggle('relevantni', { help: text.relevantHelp })}
          </Group>
          <Group title={text.initial}>
            {field.toggle('inicijalnoPoslednjaPopunjenaVrednost', { help: text.lastHelp })}
            {of('inicijalnaBooleanVrednost') && field.select('inicijalnaBooleanVrednost', YES_NO)}
            {of('inicijalnaBrojnaVrednost') && !dot && field.number('inicijalnaBrojnaVrednost', { decimals: 10 })}
            {of('inicijalnaStringVrednost') &&
              field.text('inicijalnaStringVrednost', kind === ValueType.Date ? { help: text.dateHelp } : {})}
            {of('inicijalnaEnumStavkaID') &&
              field.select('inicijalnaEnumStavkaID', items?.data.map(({ id, naziv }) => ({ value: id, label: naziv })) ?? [])}
            {field.area('upitInicijalnaVrednost', { help: text.queryHelp })}
          </Group>
        </>
      )}
      {kind !== undefined && (
        <Group title={text.formulas} roomy>
          {field.area('formulaZaPrikaz', { help: text.displayHelp })}
          {of('formulaZaRacunanje') && field.area('formulaZaRacunanje', { help: text.calculationHelp })}
          <FormulaWarnings record={record} isNew={isNew} />
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
