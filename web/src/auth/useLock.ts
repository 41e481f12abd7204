import { useEffect } from 'react';
import { forgetRest, restedFor } from '../api/touch';
import { lock } from './signIn';

const LOOK_EVERY = 5_000;

/** Locks the screen where nobody has touched it for so many minutes; 0: never. */
export function useLock(minutes: number): void {
  useEffect(() => {
    if (!minutes) return;
    const look = () => {
      if (restedFor() < minutes * 60_000) return;
      forgetRest();
      void lock();
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    // A computer that wakes up has not run its timers.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [minutes]);
}
