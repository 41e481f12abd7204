// Asks for a reason of at least ten characters, which the other side reads.
import { InputTextarea } from 'primereact/inputtextarea';
import { useState } from 'react';
import { t } from '../../messages';
import { DeedDialog } from '../../ui/DeedDialog';
import { Field } from '../../ui/Field';
import style from './merging.module.css';

const text = t.merging;
export const SHORTEST_REASON = 10;

interface Props {
  title: string;
  accept: string;
  onClose: () => void;
  give: (reason: string) => Promise<void>;
}

export function ReasonDialog({ title, accept, onClose, give }: Props) {
  const [reason, setReason] = useState('');
  return (
    <DeedDialog
      title={title}
      accept={accept}
      className={style.dialog}
      missing={() => (reason.trim().length < SHORTEST_REASON ? text.reasonMissing : null)}
      deed={() => give(reason)}
      onClose={onClose}
    >
      {(fault) => (
        <Field label={text.reason} required error={fault} help={text.reasonHelp}>
          {(control) => (
            <InputTextarea {...control} value={reason} rows={3} autoResize onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      )}
    </DeedDialog>
  );
}
