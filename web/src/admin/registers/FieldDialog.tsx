// The dialog of one field (B 3).
import { useList } from '../../api/hooks';
import type { AttributeType, EnumItem, FormFieldRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import { CrudDialog, isEditable, type Mode } from '../../crud/CrudDialog';
import type { Crud } from '../../crud/useCrud';
import { firstMissing, useForm } from '../../crud/useForm';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { useToast } from '../../ui/toast';
import { FieldFields } from './FieldFields';
import { FormulaWarnings, type FormulaWarning } from './FormulaWarnings';
import { fieldOfKind, HOLDERS } from './fieldKinds';
import style from './registers.module.css';

const text = t.registerForms;
/** All types that there are (B 7). */
const TYPES = 5000;

interface Props {
  mode: Mode;
  field: FormFieldRow;
  crud: Crud<FormFieldRow>;
  onClose: () => void;
}

export function FieldDialog({ mode, field: opened, crud, onClose }: Props) {
  const form = useForm(opened, !isEditable(mode));
  const field = bindFields<FormFieldRow, 'formField'>(form, 'formField');
  const { data: types } = useList<AttributeType>('/api/attribute-types', { size: TYPES });
  const parent = crud.rows.find(({ id }) => id === form.record.nadredjeniAtributUTipuSkupaID);
  const type = types?.data.find(({ id }) => id === form.record.tipAtributaID);
  const kindOf = (row: FormFieldRow | undefined) => row?.tipVrednostiAtributaNumVrednost;
  const kind = type ? type.tipVrednostiAtributa : opened.tipAtributaID === form.record.tipAtributaID ? kindOf(opened) : undefined;
  const { data: items } = useList<EnumItem>(kind === ValueType.Set ? '/api/enum-items' : null, { tipAtributa: form.record.tipAtributaID });
  const typeChoices = (types?.data ?? []).map(({ id, naziv, nazivTipaVrednostiAtributa }) => ({
    value: id,
    label: `${naziv} (${nazivTipaVrednostiAtributa})`,
  }));
  const holders = crud.rows
    .filter((row) => row.id !== form.record.id && kindOf(row) !== undefined && HOLDERS.includes(kindOf(row) as ValueType))
    .map(({ id, naziv, tipAtributaNaziv }) => ({ value: id, label: `${naziv} (${tipAtributaNaziv ?? ''})` }));
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
      read={mode === 'update' ? () => crud.read(opened.id) : undefined}
      onClose={onClose}
      maximized
    >
      <div className={style.form}>
        <FieldFields
          form={form}
          kind={kind}
          fields={crud.rows}
          parent={parent}
          items={items?.data.map(({ id, naziv }) => ({ value: id, label: naziv })) ?? []}
          type={field.select('tipAtributaID', typeChoices, { required: true })}
          order={field.number('redosled', { required: true })}
          holder={field.select('nadredjeniAtributUTipuSkupaID', holders)}
          warnings={<FormulaWarnings record={form.record} isNew={mode === 'create'} />}
        />
      </div>
    </CrudDialog>
  );
}
