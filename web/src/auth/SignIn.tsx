// The sign-in screen: all that is shown while nobody is signed in (A 2.3).
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { label, t } from '../messages';
import { Brand } from '../ui/Brand';
import { PasswordInput } from '../ui/PasswordInput';
import { SponsorStrip } from '../ui/SponsorStrip';
import { applyTheme } from '../theme/theme';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import style from './auth.module.css';
import { CodeInput } from './CodeInput';
import { leaveForProvider } from './externalSignIn';
import { asksForCode, enter, signIn } from './signIn';

type Problem = { at: 'username' | 'password' | 'code' | 'form'; text: string };

export function SignIn({ notice }: { notice?: string }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  /** Of the second step, once the server has asked for it. */
  const [code, setCode] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(notice ? { at: 'form', text: notice } : null);
  const [busy, setBusy] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const id = useId();
  useFaultFocus(id, problem);
  const { data: application } = useApi('/api/application');
  const product = application?.nazivAplikacije ?? t.product;

  useEffect(() => {
    applyTheme(null);
    name.current?.focus();
  }, []);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!username.trim()) return setProblem({ at: 'username', text: t.signIn.missingUsername });
    if (!password) return setProblem({ at: 'password', text: t.signIn.missingPassword });
    if (code !== null && !code.trim()) return setProblem({ at: 'code', text: t.account.missingCode });
    setProblem(null);
    setBusy(true);
    try {
      await signIn(username.trim(), password, code ?? '');
      await enter();
    } catch (error) {
      setBusy(false);
      if (!asksForCode(error)) return setProblem({ at: 'form', text: messageOf(error) });
      if (code !== null) return setProblem({ at: 'code', text: messageOf(error) });
      setCode('');
    }
  }

  const errorAt = (at: Problem['at']) => (problem?.at === at ? problem.text : null);
  return (
    <div className={style.screen}>
      <title>{`${t.signIn.title} – ${product}`}</title>
      <main className={style.card}>
        <Brand name={product} large />
        <h1>{t.signIn.title}</h1>
        <p className={style.lead}>{t.signIn.lead}</p>
        <form id={id} onSubmit={(event) => void submit(event)} noValidate>
          <Field label={label('login.username')} required error={errorAt('username')}>
            {(control) => (
              <InputText
                {...control}
                ref={name}
                value={username}
                onChange={(e) => {
                  setUsername(e.target.value);
                  setCode(null);
                }}
                autoComplete="username"
                autoCapitalize="off"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label={label('login.password')} required error={errorAt('password')}>
            {(control) => (
              <PasswordInput {...control} value={password} onChange={(e) => setPassword(e.target.value)} autoComplete="current-password" />
            )}
          </Field>
          {code !== null && <CodeInput value={code} onChange={setCode} error={errorAt('code')} />}
          {problem?.at === 'form' && <Message severity="error" text={problem.text} role="alert" />}
          <Button type="submit" label={t.signIn.button} loading={busy} />
        </form>
        {application?.spoljnaPrijava && (
          <>
            <p className={style.or}>{t.externalSignIn.or}</p>
            <Button type="button" label={application.spoljnaPrijava} severity="secondary" outlined onClick={leaveForProvider} />
          </>
        )}
      </main>
      <SponsorStrip />
    </div>
  );
}
