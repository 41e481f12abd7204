// Typed and not saved: another screen is left for after a question only, and the browser asks before the window closes.
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { session } from '../api/session';
import { t } from '../messages';
import { useConfirm } from './confirm';
import { useAskedBeforeLeaving } from './leaving';

/** Gives what is called once all of it is saved. */
export function useUnsaved(isDirty: boolean): () => void {
  const confirm = useConfirm();
  const saved = useRef(false);
  useAskedBeforeLeaving(() => isDirty && !saved.current);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && !saved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({ message: t.crud.discardQuestion, accept: t.crud.discard, danger: true }).then((leave) =>
      leave ? blocker.proceed() : blocker.reset(),
    );
  }, [blocker, confirm]);
  useEffect(() => {
    if (!isDirty) return;
    // Who has signed out has answered already.
    const ask = (event: BeforeUnloadEvent) => {
      if (session.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
  return () => {
    saved.current = true;
  };
}
