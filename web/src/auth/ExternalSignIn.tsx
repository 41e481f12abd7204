// /spoljna-prijava: where the browser comes back to from the hospital's provider. The address is wiped before anything else happens.
import { Button } from 'primereact/button';
import { ProgressSpinner } from 'primereact/progressspinner';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../api/client';
import { t } from '../messages';
import { Brand } from '../ui/Brand';
import style from './auth.module.css';
import { CodeInput } from './CodeInput';
import { readOutcome, report, signInWith, type SignInOutcome } from './externalSignIn';
import { SignIn } from './SignIn';
import { asksForCode, enter } from './signIn';

export function ExternalSignIn() {
  const [outcome] = useState(() => readOutcome(window.location.hash));
  const [failure, setFailure] = useState(outcome.failure);
  useEffect(() => window.history.replaceState(null, '', outcome.page), [outcome]);
  if (outcome.mark) return <OfWindow outcome={outcome} />;
  if (failure || !outcome.code) return <SignIn {...(failure && { notice: failure })} />;
  return <Exchange code={outcome.code} onFailure={setFailure} />;
}

/** A page waits in another window, and does the rest. */
function OfWindow({ outcome }: { outcome: SignInOutcome }) {
  useEffect(() => {
    report(outcome);
    window.close();
  }, [outcome]);
  return (
    <Waiting>
      <p>{t.externalSignIn.done}</p>
    </Waiting>
  );
}

function Waiting({ children }: { children: React.ReactNode }) {
  return (
    <div className={style.screen}>
      <title>{`${t.signIn.title} – ${t.product}`}</title>
      <main className={style.waiting}>{children}</main>
    </div>
  );
}

function Exchange({ code, onFailure }: { code: string; onFailure: (text: string) => void }) {
  const [secondStep, setSecondStep] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const started = useRef(false);

  async function exchange(given: string | null) {
    setBusy(true);
    try {
      await signInWith(code, given ?? '');
      await enter();
    } catch (error) {
      setBusy(false);
      if (!asksForCode(error)) return onFailure(messageOf(error));
      if (given !== null) setProblem(messageOf(error));
      setSecondStep(given ?? '');
    }
  }
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void exchange(null);
  });

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setProblem(secondStep?.trim() ? null : t.account.missingCode);
    if (secondStep?.trim()) await exchange(secondStep);
  }

  if (secondStep === null) {
    return (
      <Waiting>
        <ProgressSpinner aria-label={t.externalSignIn.underway} />
        <p>{t.externalSignIn.underway}</p>
      </Waiting>
    );
  }
  return (
    <div className={style.screen}>
      <title>{`${t.signIn.title} – ${t.product}`}</title>
      <main className={style.card}>
        <Brand name={t.product} large />
        <h1>{t.signIn.title}</h1>
        <form onSubmit={(event) => void submit(event)} noValidate>
          <CodeInput value={secondStep} onChange={setSecondStep} error={problem} lead={t.externalSignIn.codeLead} />
          <Button type="submit" label={t.signIn.button} loading={busy} />
        </form>
      </main>
    </div>
  );
}
