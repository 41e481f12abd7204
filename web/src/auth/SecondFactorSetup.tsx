// Setting up the second step: the password, the telephone's first code, and the codes for the day on which it is lost.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf, saveFile } from '../api/client';
import { useWorker } from '../api/session';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import { PasswordInput } from '../ui/PasswordInput';
import style from './auth.module.css';

interface Offer {
  tajna: string;
  slika: string;
}

export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const [offer, setOffer] = useState<Offer | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (offer) return <FirstCode offer={offer} onConfirmed={setCodes} />;
  return <PasswordFirst verb={t.account.next} act={async (lozinka) => setOffer(await api.post('/api/second-factor', { lozinka }))} />;
}

interface StepProps {
  /** What stands above the input. */
  children?: ReactNode;
  name: string;
  verb: string;
  missing: string;
  danger?: boolean;
  act: (text: string) => Promise<unknown>;
  input: (control: object, text: string, change: (text: string) => void) => ReactNode;
}

/** One input and one button; what the server says of the input stands under it. */
function Step({ children, name, verb, missing, danger = false, act, input }: StepProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    setFailure(null);
    setProblem(text.trim() ? null : missing);
    if (!text.trim()) return;
    setBusy(true);
    try {
      await act(text);
    } catch (error) {
      if (error instanceof ApiError && error.field) setProblem(error.message);
      else setFailure(messageOf(error));
    }
    setBusy(false);
  }

  return (
    <form className={style.setup} onSubmit={(event) => void submit(event)} noValidate>
      {children}
      <Field label={name} required error={problem}>
        {(control) => input(control, text, setText)}
      </Field>
      {failure && <Message severity="error" text={failure} role="alert" />}
      <div className={style.setupActions}>
        <Button type="submit" label={verb} severity={danger ? 'danger' : undefined} loading={busy} />
      </div>
    </form>
  );
}

/** Who sits at an open session is not yet its worker: the password is asked first, or the server asks for a new sign-in. */
export function PasswordFirst(props: Pick<StepProps, 'verb' | 'danger' | 'act'>) {
  return useWorker().spoljna ? <SignInFirst {...props} /> : <PasswordStep {...props} />;
}

function SignInFirst({ verb, danger = false, act }: Pick<StepProps, 'verb' | 'danger' | 'act'>) {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function go() {
    setFailure(null);
    setBusy(true);
    try {
      await act('');
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  }
  return (
    <div className={style.setup}>
      <p>{t.externalSignIn.proveFirst}</p>
      {failure && <Message severity="error" text={failure} role="alert" />}
      <div className={style.setupActions}>
        <Button type="button" label={verb} severity={danger ? 'danger' : undefined} loading={busy} onClick={() => void go()} autoFocus />
      </div>
    </div>
  );
}

function PasswordStep({ verb, danger, act }: Pick<StepProps, 'verb' | 'danger' | 'act'>) {
  return (
    <Step
      name={label('login.password')}
      verb={verb}
      danger={danger}
      missing={t.signIn.missingPassword}
      act={act}
      input={(control, text, change) => (
        <PasswordInput {...control} value={text} onChange={(e) => change(e.target.value)} autoComplete="current-password" autoFocus />
      )}
    >
      <p>{t.account.passwordLead}</p>
    </Step>
  );
}

function FirstCode({ offer, onConfirmed }: { offer: Offer; onConfirmed: (codes: string[]) => void }) {
  return (
    <Step
      name={t.account.shown}
      verb={t.account.confirm}
      missing={t.account.missingCode}
      act={async (kod) => onConfirmed((await api.post('/api/second-factor/confirm', { kod })).kodovi)}
      input={(control, text, change) => (
        <InputText
          {...control}
          value={text}
          onChange={(e) => change(e.target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
    >
      <p>{t.account.scan}</p>
      <img className={style.qr} src={offer.slika} alt={t.account.picture} />
      <p>
        {t.account.byHand} <code className={style.key}>{offer.tajna}</code>
      </p>
    </Step>
  );
}

/** Shown once: the server keeps no more than their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const save = () => saveFile({ name: 'regix-rezervni-kodovi.txt', content: new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }) });
  return (
    <div className={style.setup}>
      <h3>{t.account.codesTitle}</h3>
      <p>{t.account.codesLead}</p>
      <ul className={style.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={style.setupActions}>
        <Button type="button" label={t.account.kept} onClick={onDone} autoFocus />
        <Button type="button" label={t.account.download} severity="secondary" outlined onClick={save} />
      </div>
    </div>
  );
}
