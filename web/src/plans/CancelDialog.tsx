// Why a visit is called off.
import { InputTextarea } from 'primereact/inputtextarea';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { t } from '../messages';
import { DeedDialog } from '../ui/DeedDialog';
import { Field } from '../ui/Field';
import style from './plans.module.css';

const text = t.plans.strip;
const SHORTEST = 3;

export function CancelDialog({ visit, onClose, onDone }: { visit: number; onClose: () => void; onDone: () => void }) {
  const [razlog, setRazlog] = useState('');
  return (
    <DeedDialog
      title={text.cancelTitle}
      accept={text.cancel}
      severity="danger"
      className={style.dialog}
      missing={() => (razlog.trim().length < SHORTEST ? text.reasonMissing : null)}
      deed={async () => {
        await api.post(at('/api/planned-visits/{id}/cancel', { id: visit }), { razlog });
        onDone();
      }}
      onClose={onClose}
    >
      {(fault) => (
        <Field label={text.reason} required error={fault}>
          {(control) => (
            <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />
          )}
        </Field>
      )}
    </DeedDialog>
  );
}
