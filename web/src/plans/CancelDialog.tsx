// Why a visit is called off.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './plans.module.css';

const text = t.plans.strip;
const SHORTEST = 3;

export function CancelDialog({ visit, onClose, onDone }: { visit: number; onClose: () => void; onDone: () => void }) {
  useFocusReturn();
  const [razlog, setRazlog] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (razlog.trim().length < SHORTEST) return setError(text.reasonMissing);
    setBusy(true);
    try {
      await api.post(at('/api/planned-visits/{id}/cancel', { id: visit }), { razlog });
      return onDone();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.cancelTitle}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      onShow={() => focusFirst(id)}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={text.cancel} severity="danger" loading={busy} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} noValidate>
        <Field label={text.reason} required error={error}>
          {(control) => (
            <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
