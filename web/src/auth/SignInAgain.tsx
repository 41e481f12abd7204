// The session ended while someone works: the password, or a new sign-in at the hospital's provider, is asked over the page, and the calls
// that wait go on.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { ApiError, messageOf } from '../api/client';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import { PasswordInput } from '../ui/PasswordInput';
import style from './auth.module.css';
import { useToast } from '../ui/toast';
import { CodeInput } from './CodeInput';
import { signInWith } from './externalSignIn';
import { ProveAgain } from './ProveAgain';
import { signedInAgain, usePasswordIsAsked } from '../api/reauthentication';
import { useSession } from '../api/session';
import type { SignedInWorker } from '../api/types';
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
      <Question worker={worker} locked={locked} />
    </Dialog>
  );
}

function Question({ worker, locked }: { worker: SignedInWorker; locked: boolean }) {
  const [byPassword, setByPassword] = useState(!worker.spoljna);
  const { externalSignIn } = t;
  if (!byPassword) {
    const lead = locked ? externalSignIn.lockedLead : externalSignIn.againLead;
    return <AtProvider worker={worker} lead={lead} onPassword={() => setByPassword(true)} />;
  }
  const lead = locked ? t.account.lockedLead : t.signIn.againLead;
  return <PasswordForm username={worker.username} imePrezime={worker.imePrezime} lead={lead} />;
}

const SignOutInstead = () => <Button type="button" label={t.menu.signOut} severity="secondary" text onClick={() => void signOut()} />;

function AtProvider({ worker, lead, onPassword }: { worker: SignedInWorker; lead: string; onPassword: () => void }) {
  /** Proved at the provider, and Regix asks for its own second step. */
  const [proved, setProved] = useState<string | null>(null);
  async function enter(code: string) {
    try {
      await signInWith(code, '', worker.id);
      signedInAgain();
    } catch (error) {
      if (!asksForCode(error)) throw error;
      setProved(code);
    }
  }
  if (proved !== null) return <SecondStep code={proved} worker={worker} onLost={() => setProved(null)} />;
  return (
    <ProveAgain away={<SignOutInstead />} onProved={enter} onPassword={onPassword}>
      <p>{lead}</p>
      <Who worker={worker} />
    </ProveAgain>
  );
}

function Who({ worker: { imePrezime, username } }: { worker: Pick<SignedInWorker, 'imePrezime' | 'username'> }) {
  return (
    <p className={style.who}>
      <strong>{imePrezime}</strong> <span>{username}</span>
    </p>
  );
}

function SecondStep({ code, worker, onLost }: { code: string; worker: SignedInWorker; onLost: () => void }) {
  const [secondStep, setSecondStep] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    setProblem(secondStep.trim() ? null : t.account.missingCode);
    if (!secondStep.trim()) return;
    setBusy(true);
    try {
      await signInWith(code, secondStep, worker.id);
      signedInAgain();
    } catch (error) {
      setBusy(false);
      if (asksForCode(error)) return setProblem(messageOf(error));
      toast.failure(t.signIn.failed, error);
      // What the provider has said is over: it is asked again.
      if (error instanceof ApiError && error.status === 410) onLost();
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className={style.again} noValidate>
      <Who worker={worker} />
      <CodeInput value={secondStep} onChange={setSecondStep} error={problem} lead={t.externalSignIn.codeLead} />
      <div className={style.againActions}>
        <SignOutInstead />
        <Button type="submit" label={t.signIn.continue} loading={busy} />
      </div>
    </form>
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
      <Who worker={{ imePrezime, username }} />
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
        <SignOutInstead />
        <Button type="submit" label={t.signIn.continue} loading={busy} />
      </div>
    </form>
  );
}
