// The fields of a form in their order, and the dialog of one (B 2.3).
import { useState } from 'react';
import type { FormFieldRow } from '../../api/types';
import type { Mode } from '../../crud/CrudDialog';
import { useCrud } from '../../crud/useCrud';
import { t } from '../../messages';
import { EMPTY_FIELD } from './fieldKinds';
import { FieldDialog } from './FieldDialog';
import { RecordList } from './RecordList';

/** Between two neighbours there is room for another. */
const STEP = 10;

export function FieldList({ form }: { form: number }) {
  const crud = useCrud<FormFieldRow>('/api/form-fields', { tipSkupaAtributa: form });
  const [dialog, setDialog] = useState<{ mode: Mode; field: FormFieldRow } | null>(null);
  const last = Math.max(0, ...crud.rows.map(({ redosled }) => redosled ?? 0));
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
        onOpen={(mode, record) => setDialog({ mode, field: record ?? { ...EMPTY_FIELD, tipSkupaAtributaID: form, redosled: last + STEP } })}
      />
      {dialog && <FieldDialog {...dialog} crud={crud} onClose={() => setDialog(null)} />}
    </>
  );
}
