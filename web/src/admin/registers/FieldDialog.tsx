// The dialog of one field (B 3).
import { at } from '../../api/address';
import { api } from '../../api/client';
import type { Schema } from '../../schema';
import { useApi, useList } from '../../api/hooks';
import type { FormFieldRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import { CrudDialog, isEditable, type Mode } from '../../crud/CrudDialog';
import type { Crud } from '../../crud/useCrud';
import { firstMissing, useForm } from '../../crud/useForm';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { useToast } from '../../ui/toast';
import { FieldFields } from './FieldFields';
import { FormulaWarnings } from './FormulaWarnings';
import { fieldOfKind, HOLDERS } from './fieldKinds';
import style from './registers.module.css';

const text = t.registerForms;
const typePath = (id: number) => at('/api/attribute-types/{id}', { id });
interface Props {
  mode: Mode;
  field: FormFieldRow;
  /** All of its form. */
  fields: readonly FormFieldRow[];
  crud: Crud<FormFieldRow>;
  onClose: () => void;
}

export function FieldDialog({ mode, field: opened, fields, crud, onClose }: Props) {
  const form = useForm(opened, !isEditable(mode));
  const field = bindFields<FormFieldRow, 'formField'>(form, 'formField');
  const chosen = form.record.tipAtributaID;
  const { data: type } = useApi(chosen === null ? null : typePath(chosen));
  const parent = fields.find(({ id }) => id === form.record.nadredjeniAtributUTipuSkupaID);
  const kindOf = (row: FormFieldRow | undefined) => row?.tipVrednostiAtributaNumVrednost;
  const kind = type ? type.tipVrednostiAtributa : opened.tipAtributaID === form.record.tipAtributaID ? kindOf(opened) : undefined;
  const { data: items } = useList(kind === ValueType.Set ? '/api/enum-items' : null, { tipAtributa: form.record.tipAtributaID });
  const holders = fields
    .filter((row) => row.id !== form.record.id && kindOf(row) !== undefined && HOLDERS.includes(kindOf(row) as Schema<'ValueType'>))
    .map(({ id, naziv, tipAtributaNaziv }) => ({ value: id, label: `${naziv} (${tipAtributaNaziv ?? ''})` }));
  /** A field that is saved before its new type has come waits for it. */
  const fitted = async (record: FormFieldRow) => {
    const of = kind ?? (chosen === null ? undefined : (await api.get(typePath(chosen))).tipVrednostiAtributa);
    return of ? fieldOfKind(record, of, kindOf(parent)) : record;
  };
  const toast = useToast();
  const write = ({ id, ...rest }: FormFieldRow) =>
    mode === 'create' ? crud.create({ ...rest, tipSkupaAtributaID: null }) : mode === 'update' ? crud.update(id, rest) : crud.remove(id);
  const act = async (record: FormFieldRow) => {
    const { upozorenja = [] } = ((await write(record)) ?? {}) as { upozorenja?: Schema<'FormulaWarning'>[] };
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
      act={async (record) => act(await fitted(record))}
      read={mode === 'update' ? () => crud.read(opened.id) : undefined}
      onClose={onClose}
      maximized
    >
      <div className={style.form}>
        <FieldFields
          form={form}
          kind={kind}
          fields={fields}
          parent={parent}
          items={items?.data.map(({ id, naziv }) => ({ value: id, label: naziv })) ?? []}
          type={field.found<Schema<'AttributeType'>>(
            'tipAtributaID',
            { path: '/api/attribute-types', name: ({ naziv, nazivTipaVrednostiAtributa }) => `${naziv} (${nazivTipaVrednostiAtributa})` },
            { required: true },
          )}
          order={field.number('redosled', { required: true })}
          holder={field.select('nadredjeniAtributUTipuSkupaID', holders)}
          warnings={<FormulaWarnings record={form.record} isNew={mode === 'create'} />}
        />
      </div>
    </CrudDialog>
  );
}
