// A dangerous change asks for the password once more, or for a new sign-in at the hospital's provider, over the form, which stays as it
// is.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useState, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import { answerConfirmation, useConfirmation } from '../api/confirmation';
import { useSession } from '../api/session';
import type { SignedInWorker } from '../api/types';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import { PasswordInput } from '../ui/PasswordInput';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './auth.module.css';
import { ProveAgain } from './ProveAgain';

const text = t.confirmPassword;

export function ConfirmPassword() {
  const message = useConfirmation();
  const worker = useSession();
  if (message === null || !worker) return null;
  return <Question worker={worker} message={message} />;
}

function Question({ worker, message }: { worker: SignedInWorker; message: string }) {
  const [byPassword, setByPassword] = useState(!worker.spoljna);
  return (
    <Dialog
      visible
      onHide={() => answerConfirmation(false)}
      header={byPassword ? text.title : t.externalSignIn.confirmTitle}
      style={{ width: 'min(28rem, 94vw)' }}
      draggable={false}
    >
      {byPassword ? (
        <PasswordForm username={worker.username} message={message} />
      ) : (
        <AtProvider message={message} onPassword={() => setByPassword(true)} />
      )}
    </Dialog>
  );
}

function AtProvider({ message, onPassword }: { message: string; onPassword: () => void }) {
  useFocusReturn();
  return (
    <ProveAgain
      away={<Button type="button" label={t.common.cancel} severity="secondary" text onClick={() => answerConfirmation(false)} />}
      onProved={async (code) => {
        await api.post('/api/session/confirm', { spoljniKod: code });
        answerConfirmation(true);
      }}
      onPassword={onPassword}
    >
      <Message severity="warn" text={message} className={style.what ?? ''} />
    </ProveAgain>
  );
}

function PasswordForm({ username, message }: { username: string; message: string }) {
  const [lozinka, setLozinka] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useFocusReturn();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    // React passes events of a dialog on to the form that it stands over.
    event.stopPropagation();
    setFailure(null);
    setFault(lozinka ? null : text.missing);
    if (!lozinka) return;
    setBusy(true);
    try {
      await api.post('/api/session/confirm', { lozinka });
      answerConfirmation(true);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.field === 'lozinka') setFault(error.message);
      else setFailure(messageOf(error));
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className={style.again} noValidate>
      <Message severity="warn" text={message} className={style.what ?? ''} />
      <input type="hidden" name="username" value={username} autoComplete="username" />
      <Field label={label('login.password')} required error={fault}>
        {(control) => (
          <PasswordInput
            {...control}
            value={lozinka}
            onChange={(e) => setLozinka(e.target.value)}
            autoComplete="current-password"
            autoFocus
          />
        )}
      </Field>
      {failure && <Message severity="error" text={failure} role="alert" />}
      <div className={style.againActions}>
        <Button type="button" label={t.common.cancel} severity="secondary" text onClick={() => answerConfirmation(false)} />
        <Button type="submit" label={text.confirm} loading={busy} />
      </div>
    </form>
  );
}
