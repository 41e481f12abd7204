import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useId, useState, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import { useWorker } from '../api/session';
import { bindFields } from '../crud/bindFields';
import { firstMissing, useForm, type Problem } from '../crud/useForm';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useFaultFocus } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './profile.module.css';

const EMPTY = { staraLozinka: '', novaLozinka: '', potvrdaLozinke: '' };
type Passwords = typeof EMPTY;

function validate(record: Passwords): Problem<Passwords> | null {
  const missing = firstMissing(record, [
    ['staraLozinka', t.profile.missingOld],
    ['novaLozinka', t.profile.missingNew],
    ['potvrdaLozinke', t.profile.missingConfirmation],
  ]);
  if (missing) return missing;
  return record.novaLozinka === record.potvrdaLozinke ? null : { field: 'potvrdaLozinke', message: t.profile.mismatch };
}

/** Changes the own password; the server ends the worker's other sessions. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const { id } = useWorker();
  const form = useForm(EMPTY);
  const field = bindFields(form, 'passwordChange');
  const formId = useId();
  useFaultFocus(formId, form.problem);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const confirm = useConfirm();

  async function close() {
    if (busy) return;
    if (!form.changed || (await confirm({ message: t.crud.discardQuestion, accept: t.crud.discard, danger: true }))) onClose();
  }

  async function save(event: SyntheticEvent) {
    event.preventDefault();
    const problem = validate(form.record);
    form.fail(problem);
    if (problem) return;
    setBusy(true);
    toast.clear();
    try {
      await api.post('/api/worker-password-change', { radnikID: id, ...form.record, isAdmin: false });
      toast.success(t.profile.passwordChanged, t.profile.passwordChangedHelp);
      onClose();
    } catch (error) {
      const named = error instanceof ApiError && error.field && error.field in EMPTY ? (error.field as keyof Passwords) : null;
      form.fail({ field: named, message: messageOf(error) });
      toast.failure(t.profile.passwordFailed, error);
      setBusy(false);
    }
  }

  return (
    <Dialog visible onHide={() => void close()} header={t.profile.changePassword} style={{ width: 'min(28rem, 94vw)' }} draggable={false}>
      <form id={formId} onSubmit={(event) => void save(event)} className={style.passwords} noValidate>
        {field.password('staraLozinka', { required: true, autoComplete: 'current-password', autoFocus: true })}
        {field.password('novaLozinka', { required: true })}
        {field.password('potvrdaLozinke', { required: true })}
        {form.problem?.field === null && <Message severity="error" text={form.problem.message} />}
        <div className={style.actions}>
          <Button type="submit" label={t.profile.changePassword} loading={busy} />
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={() => void close()} />
        </div>
      </form>
    </Dialog>
  );
}
