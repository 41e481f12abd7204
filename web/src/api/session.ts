// The stored login record, shared by all tabs of this browser.
import { useSyncExternalStore } from 'react';
import type { SignedInWorker } from './types';

const KEY = 'regix.ulogovaniRadnik';
/** What a tab keeps while its worker is signed in: texts of searches, which name patients. */
const OF_TAB = 'regix.';

let text: string | null | undefined;
let worker: SignedInWorker | null = null;
/** How often the record has changed: an answer that was asked for before the last change is older than it. */
let changes = 0;
const underway = new Set<Promise<unknown>>();
const listeners = new Set<() => void>();

/** Without a token and a full name nobody is signed in (A 2.1). */
function parse(stored: string | null): SignedInWorker | null {
  try {
    const record = JSON.parse(stored ?? 'null') as Partial<SignedInWorker> | null;
    if (!record?.token || !record.imePrezime) return null;
    // A record of an earlier version says nothing of patients: the server does, at the next call.
    return {
      ...(record as SignedInWorker),
      prava: Array.isArray(record.prava) ? record.prava : [],
      pacijenti: record.pacijenti ?? 'izmena',
    };
  } catch {
    return null;
  }
}

function current(): SignedInWorker | null {
  const stored = localStorage.getItem(KEY);
  if (stored !== text) {
    text = stored;
    worker = parse(stored);
  }
  return worker;
}

/** Nobody is signed in: nothing that was searched for stays in this tab. */
function forget(): void {
  for (const name of Object.keys(sessionStorage).filter((name) => name.startsWith(OF_TAB))) sessionStorage.removeItem(name);
}

function keep(record: SignedInWorker | null): void {
  if (record) localStorage.setItem(KEY, JSON.stringify(record));
  else localStorage.removeItem(KEY);
  if (!record) forget();
  changes += 1;
}

function store(record: SignedInWorker | null): void {
  keep(record);
  listeners.forEach((tell) => tell());
}

// One listener for all: told one by one, a screen would be drawn once without its worker before the shell takes it away.
window.addEventListener('storage', () => {
  // Another tab has signed out.
  if (!current()) forget();
  changes += 1;
  listeners.forEach((tell) => tell());
});
if (!current()) forget();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type Known = Omit<SignedInWorker, 'token'>;

export const session = {
  current,
  /**
   * Where nobody was, the page is loaded anew: until then it stays as it is, since what would be drawn could be clicked and lost.
   * A worker who signs in again goes on with the page that is there.
   */
  start: (record: SignedInWorker) => (current() ? store(record) : keep(record)),
  /** Changes what is known about the signed-in worker; the token stays. */
  update: (change: Partial<Known>) => {
    const known = current();
    if (known) store({ ...known, ...change });
  },
  /** A change made here that is on its way to the server: until it is there, the server does not know better. */
  saving: <T>(write: Promise<T>): Promise<T> => {
    underway.add(write);
    return write.finally(() => underway.delete(write));
  },
  /** Takes what the server says of the worker. What was said before a change made here would take it back: it is asked again. */
  follow: async (ask: () => Promise<Known>): Promise<Known> => {
    for (;;) {
      await Promise.allSettled(underway);
      const asked = changes;
      const record = await ask();
      if (!current()) return record;
      if (changes === asked && underway.size === 0) {
        session.update(record);
        return record;
      }
    }
  },
  end: () => store(null),
};

export const useSession = (): SignedInWorker | null => useSyncExternalStore(subscribe, current);

/** For screens inside the shell, where somebody is always signed in. */
export function useWorker(): SignedInWorker {
  const record = useSession();
  if (!record) throw new Error('useWorker outside the signed-in shell');
  return record;
}
