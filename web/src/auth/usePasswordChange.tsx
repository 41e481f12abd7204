import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import { useWorker } from '../api/session';
import { bindFields } from '../crud/bindFields';
import { firstMissing, useForm, type Problem } from '../crud/useForm';
import { t } from '../messages';
import { useFaultFocus } from '../ui/formFocus';
import { useToast } from '../ui/toast';

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

interface PasswordChange {
  formId: string;
  fields: ReactNode;
  /** What is wrong with no field in particular. */
  failure: string | null;
  changed: boolean;
  busy: boolean;
  save: (event: SyntheticEvent) => Promise<void>;
}

/** The form that changes the own password; the server ends the worker's other sessions. */
export function usePasswordChange(onDone: () => void): PasswordChange {
  const { id } = useWorker();
  const form = useForm(EMPTY);
  const field = bindFields(form, 'passwordChange');
  const formId = useId();
  useFaultFocus(formId, form.problem);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

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
      onDone();
    } catch (error) {
      const named = error instanceof ApiError && error.field && error.field in EMPTY ? (error.field as keyof Passwords) : null;
      form.fail({ field: named, message: messageOf(error) });
      toast.failure(t.profile.passwordFailed, error);
      setBusy(false);
    }
  }

  const fields = (
    <>
      {field.password('staraLozinka', { required: true, autoComplete: 'current-password', autoFocus: true })}
      {field.password('novaLozinka', { required: true, help: t.profile.passwordHelp })}
      {field.password('potvrdaLozinke', { required: true })}
    </>
  );
  return { formId, fields, failure: form.problem?.field === null ? form.problem.message : null, changed: form.changed, busy, save };
}
