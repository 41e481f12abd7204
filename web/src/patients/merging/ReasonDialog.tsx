// Asks for a reason of at least ten characters, which the other side reads.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../api/client';
import { t } from '../../messages';
import { Field } from '../../ui/Field';
import { focusFirst } from '../../ui/formFocus';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './merging.module.css';

const text = t.merging;
export const SHORTEST_REASON = 10;

export function ReasonDialog({
  title,
  accept,
  onClose,
  give,
}: {
  title: string;
  accept: string;
  onClose: () => void;
  give: (reason: string) => Promise<void>;
}) {
  useFocusReturn();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (reason.trim().length < SHORTEST_REASON) return setError(text.reasonMissing);
    setBusy(true);
    try {
      return await give(reason);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={title}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      onShow={() => focusFirst(id)}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={accept} loading={busy} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} noValidate>
        <Field label={text.reason} required error={error} help={text.reasonHelp}>
          {(control) => (
            <InputTextarea {...control} value={reason} rows={3} autoResize onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
