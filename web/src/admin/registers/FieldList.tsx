// The fields of a form in their order, and the dialog of one (B 2.3).
import { useState } from 'react';
import { useList, useRecords } from '../../api/hooks';
import type { FormFieldRow } from '../../api/types';
import type { Mode } from '../../crud/CrudDialog';
import { useCrud } from '../../crud/useCrud';
import { t } from '../../messages';
import { LoadFailed } from '../../ui/states';
import { EMPTY_FIELD } from './fieldKinds';
import { FieldDialog } from './FieldDialog';
import { OtherFieldsContext, useOtherFields } from './formula/otherFields';
import { RecordList } from './RecordList';

/** Between two neighbours there is room for another. */
const STEP = 10;

export function FieldList({ form }: { form: number }) {
  const crud = useCrud<FormFieldRow>('/api/form-fields', { tipSkupaAtributa: form });
  const [dialog, setDialog] = useState<{ mode: Mode; field: FormFieldRow } | null>(null);
  const { data: last } = useList('/api/form-fields', { tipSkupaAtributa: form, sort: '-redosled', size: 1 });
  // A field is edited among all of its form: it stands in one of them, or is drawn on it.
  const fields = useRecords<FormFieldRow>(dialog ? '/api/form-fields' : null, { tipSkupaAtributa: form });
  const others = useOtherFields(dialog ? form : null);
  const next = (last?.data[0]?.redosled ?? 0) + STEP;
  return (
    <>
      <RecordList
        crud={crud}
        path="/api/form-fields"
        scope={{ tipSkupaAtributa: form }}
        resource="formField"
        title={t.registerForms.fields}
        columns={['redosled', 'sifra', 'naziv', 'tipAtributaNaziv', 'nadredjeniAtributUTipuSkupaNaziv']}
        paging={{ rows: 15, rowsPerPageOptions: [5, 10, 15, 20] }}
        onOpen={(mode, record) => setDialog({ mode, field: record ?? { ...EMPTY_FIELD, tipSkupaAtributaID: form, redosled: next } })}
      />
      {dialog && fields.error && !fields.data && <LoadFailed error={fields.error} retry={() => void fields.mutate()} />}
      {dialog && fields.data && (
        <OtherFieldsContext value={others}>
          <FieldDialog {...dialog} fields={fields.data.data} crud={crud} onClose={() => setDialog(null)} />
        </OtherFieldsContext>
      )}
    </>
  );
}
