// Who has signed in at the hospital's provider proves there again who she is, in a window of its own; the page under the dialog stays as
// it is. A password, for who has one, is a click away.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import style from './auth.module.css';
import { proveInWindow } from './externalSignIn';

const text = t.externalSignIn;

interface Props {
  children: ReactNode;
  /** What stands at the left of the buttons. */
  away: ReactNode;
  /** Does what the code is good for. */
  onProved: (code: string) => Promise<unknown>;
  onPassword: () => void;
}

export function ProveAgain({ children, away, onProved, onPassword }: Props) {
  const { data: application } = useApi('/api/application');
  const [waiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const asked = useRef<AbortController>(undefined);
  useEffect(() => () => asked.current?.abort(), []);

  async function prove() {
    asked.current?.abort();
    const mine = (asked.current = new AbortController());
    setFailure(null);
    setWaiting(true);
    try {
      await onProved(await proveInWindow(mine.signal));
    } catch (error) {
      // Whoever asks anew has given this one up.
      if (mine.signal.aborted) return;
      setFailure(messageOf(error));
    }
    setWaiting(false);
  }

  return (
    <div className={style.again}>
      {children}
      <p role="status">{waiting ? text.waiting : text.elsewhere}</p>
      {failure && <Message severity="error" text={failure} role="alert" />}
      <Button
        type="button"
        label={application?.spoljnaPrijava ?? t.signIn.button}
        icon="pi pi-external-link"
        onClick={() => void prove()}
        autoFocus
      />
      <div className={style.againActions}>
        {away}
        <Button type="button" label={text.typePassword} severity="secondary" text onClick={onPassword} />
      </div>
    </div>
  );
}
