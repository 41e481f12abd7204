// The session ended while someone works: the password is asked over the page, and the calls that wait go on.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../api/client';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import style from './auth.module.css';
import { CodeInput } from './CodeInput';
import { PasswordInput } from './PasswordInput';
import { signedInAgain, usePasswordIsAsked } from '../api/reauthentication';
import { useSession } from '../api/session';
import { asksForCode, signIn, signOut } from './signIn';

export function SignInAgain() {
  const asked = usePasswordIsAsked();
  const worker = useSession();
  const token = worker?.token;
  const locked = worker?.zakljucano === true;
  const asking = useRef<string>(undefined);
  // In another tab somebody has signed in again meanwhile.
  useEffect(() => {
    if (!asked && !locked) asking.current = undefined;
    else if (asking.current === undefined) asking.current = token;
    else if (asked && !locked && asking.current !== token) signedInAgain();
  }, [asked, locked, token]);
  if (!worker || !(asked || locked)) return null;
  return (
    <Dialog
      visible
      maskClassName={locked ? (style.locked ?? '') : ''}
      closable={false}
      onHide={() => undefined}
      header={locked ? t.account.locked : t.signIn.again}
      style={{ width: 'min(26rem, 94vw)' }}
      draggable={false}
    >
      <PasswordForm username={worker.username} imePrezime={worker.imePrezime} lead={locked ? t.account.lockedLead : t.signIn.againLead} />
    </Dialog>
  );
}

function PasswordForm({ username, imePrezime, lead }: { username: string; imePrezime: string; lead: string }) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const [code, setCode] = useState<string | null>(null);
  const [codeProblem, setCodeProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    // React passes events of a dialog on to the form that it stands over.
    event.stopPropagation();
    setFailure(null);
    setMissing(!password);
    setCodeProblem(code === '' ? t.account.missingCode : null);
    if (!password || code === '') return;
    setBusy(true);
    try {
      await signIn(username, password, code ?? '');
      signedInAgain();
    } catch (error) {
      setBusy(false);
      if (!asksForCode(error)) setFailure(messageOf(error));
      else if (code !== null) setCodeProblem(messageOf(error));
      else setCode('');
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className={style.again} noValidate>
      <p>{lead}</p>
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
      {code !== null && <CodeInput value={code} onChange={setCode} error={codeProblem} />}
      {failure && <Message severity="error" text={failure} role="alert" />}
      <div className={style.againActions}>
        <Button type="button" label={t.menu.signOut} severity="secondary" text onClick={() => void signOut()} />
        <Button type="submit" label={t.signIn.continue} loading={busy} />
      </div>
    </form>
  );
}
