// What must be done in the own account before the site opens.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useEffect } from 'react';
import { api } from '../api/client';
import { session } from '../api/session';
import type { SignedInWorker } from '../api/types';
import { t } from '../messages';
import { applyTheme } from '../theme/theme';
import { Brand } from '../ui/Brand';
import { SponsorStrip } from '../ui/SponsorStrip';
import style from './auth.module.css';
import { SecondFactorSetup } from './SecondFactorSetup';
import { signOut } from './signIn';
import { usePasswordChange } from './usePasswordChange';

/** What the server says now of the worker: there may be another duty, or none. */
const askAgain = () => void session.follow(() => api.get('/api/session'));

interface Props {
  worker: SignedInWorker;
  duty: NonNullable<SignedInWorker['obaveza']>;
  product: string;
}

export function DutyScreen({ worker, duty, product }: Props) {
  useEffect(() => applyTheme(worker.theme), [worker.theme]);
  const title = t.account.duty[duty];
  return (
    <div className={style.screen}>
      <title>{`${title} – ${product}`}</title>
      <main className={style.card}>
        <Brand name={product} large />
        <h1>{title}</h1>
        <p className={style.lead}>{t.account.duty[`${duty}Lead`]}</p>
        {duty === 'lozinka' ? <NewPassword /> : <SecondFactorSetup onDone={askAgain} />}
        <Button type="button" label={t.menu.signOut} severity="secondary" text onClick={() => void signOut()} />
      </main>
      <SponsorStrip />
    </div>
  );
}

function NewPassword() {
  const { formId, fields, failure, busy, save } = usePasswordChange(askAgain);
  return (
    <form id={formId} onSubmit={(event) => void save(event)} noValidate>
      {fields}
      {failure && <Message severity="error" text={failure} role="alert" />}
      <Button type="submit" label={t.profile.changePassword} loading={busy} />
    </form>
  );
}
