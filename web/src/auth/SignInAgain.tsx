// The session ended while someone works: the password is asked over the page, and the calls that wait go on.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../api/client';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import style from './auth.module.css';
import { PasswordInput } from './PasswordInput';
import { signedInAgain, usePasswordIsAsked } from '../api/reauthentication';
import { useSession } from '../api/session';
import { signIn, signOut } from './signIn';

export function SignInAgain() {
  const asked = usePasswordIsAsked();
  const worker = useSession();
  if (!asked || !worker) return null;
  return (
    <Dialog
      visible
      closable={false}
      onHide={() => undefined}
      header={t.signIn.again}
      style={{ width: 'min(26rem, 94vw)' }}
      draggable={false}
    >
      <PasswordForm username={worker.username} imePrezime={worker.imePrezime} />
    </Dialog>
  );
}

function PasswordForm({ username, imePrezime }: { username: string; imePrezime: string }) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    // React passes events of a dialog on to the form that it stands over.
    event.stopPropagation();
    setFailure(null);
    setMissing(!password);
    if (!password) return;
    setBusy(true);
    try {
      await signIn(username, password);
      signedInAgain();
    } catch (error) {
      setBusy(false);
      setFailure(messageOf(error));
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className={style.again} noValidate>
      <p>{t.signIn.againLead}</p>
      <p className={style.who}>
        <strong>{imePrezime}</strong> <span>{username}</span>
      </p>
      <input type="hidden" name="username" value={username} autoComplete="username" />
      <Field label={label('login.password')} required error={missing ? t.signIn.missingPassword : null}>
        {(control) => (
          <PasswordInput
            {...control}
            value={password}
            onChange={(e) => setPassword(e.target.value)}
            autoComplete="current-password"
            autoFocus
          />
        )}
      </Field>
      {failure && <Message severity="error" text={failure} role="alert" />}
      <div className={style.againActions}>
        <Button type="button" label={t.menu.signOut} severity="secondary" text onClick={() => void signOut()} />
        <Button type="submit" label={t.signIn.continue} loading={busy} />
      </div>
    </form>
  );
}
