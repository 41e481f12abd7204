// One question for the password, however many calls wait for it. The dialog itself is SignInAgain.
import { useSyncExternalStore } from 'react';

let waiting: { promise: Promise<void>; done: () => void } | null = null;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Resolves when the worker has signed in again; never when they leave instead, since the page is then reloaded. */
export function askForPassword(): Promise<void> {
  if (!waiting) {
    let done = () => {};
    const promise = new Promise<void>((resolve) => (done = resolve));
    waiting = { promise, done };
    tell();
  }
  return waiting.promise;
}

export function signedInAgain(): void {
  const { done } = waiting ?? {};
  waiting = null;
  tell();
  done?.();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePasswordIsAsked = (): boolean => useSyncExternalStore(subscribe, () => waiting !== null);
