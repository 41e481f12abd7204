// Drafts on this device. IndexedDB keeps them when the browser is killed; localStorage takes the last word of a page that closes.
// They are patients' data: gone after a save and at the sign-out, and never older than three days.
import { at } from '../api/address';
import { session } from '../api/session';
import type { Stored } from '../forms/formula';
import type { TypedAll } from '../forms/units';

export interface Draft {
  vreme: number;
  pacijentID: number;
  /** What the form was called. */
  naziv?: string;
  vrednosti: Record<string, Stored>;
  datumUnosa: string | null;
  radnikOdgovoran: number | null;
  /** All of it as it was loaded, and its version: a save tells by them whose edit is whose. */
  osnova: Record<string, Stored>;
  osnovaDatumUnosa: string | null;
  osnovaRadnikOdgovoran: number | null;
  verzija: number | null;
  /** Of the save that was or would be next: if it did arrive, a later one does not do it again. */
  kljuc: string | null;
  /** Fields whose first values were confirmed or changed. */
  potvrdjeno?: number[];
  /** Names the description of the form by which it was typed. */
  obrazac?: string;
  /** What was typed, in words, by field: the form may lose the field. */
  uneto?: Record<string, string>;
  /** What of it was typed in other units than the fields' own. */
  unetoU?: TypedAll;
}

const PREFIX = 'regix.nacrt.';
const STORE = 'nacrti';
const LONGEST_KEPT = 3 * 24 * 60 * 60 * 1000;
/** A server that is away must not keep anybody from signing out. */
const LONGEST_HANDOVER = 5_000;

/** On a shared device each worker has drafts of their own; `key` names the entry and the window. */
const nameOf = (worker: number, key: string) => `${PREFIX}${worker}.${key}`;

export const asDraft = (value: unknown): Draft | null =>
  typeof value === 'object' && value !== null && 'vrednosti' in value && 'osnova' in value && 'vreme' in value ? (value as Draft) : null;

let database: Promise<IDBDatabase | null> | undefined;

/** None where the browser has no IndexedDB or forbids it: localStorage does alone then. */
function open(): Promise<IDBDatabase | null> {
  database ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open('regix', 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return database;
}

/** One transaction; false where it was not carried out. */
async function transact(mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<boolean> {
  const db = await open();
  return new Promise((resolve) => {
    try {
      if (!db) return resolve(false);
      const transaction = db.transaction(STORE, mode);
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = transaction.onerror = () => resolve(false);
      work(transaction.objectStore(STORE));
      if (mode === 'readwrite') transaction.commit();
    } catch {
      resolve(false);
    }
  });
}

/** At once, for a page that is closing. */
export function keepNow(worker: number, key: string, draft: Draft): void {
  try {
    localStorage.setItem(nameOf(worker, key), JSON.stringify(draft));
  } catch {
    // A full or forbidden store of the browser: the server's copy remains.
  }
}

export async function keep(worker: number, key: string, draft: Draft): Promise<void> {
  const name = nameOf(worker, key);
  if (await transact('readwrite', (store) => store.put(draft, name))) localStorage.removeItem(name);
  else keepNow(worker, key, draft);
}

export async function forget(worker: number, key: string): Promise<void> {
  const name = nameOf(worker, key);
  localStorage.removeItem(name);
  await transact('readwrite', (store) => store.delete(name));
}

/** Everything under names that begin so; of two copies the newer. */
async function under(prefix: string): Promise<Map<string, Draft>> {
  const found = new Map<string, Draft>();
  const add = (name: string, value: unknown) => {
    const draft = asDraft(value);
    if (draft && draft.vreme >= (found.get(name)?.vreme ?? 0)) found.set(name, draft);
  };
  await transact('readonly', (store) => {
    store.openCursor(IDBKeyRange.bound(prefix, `${prefix}\uffff`)).onsuccess = (event) => {
      const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
      if (!cursor) return;
      add(cursor.key as string, cursor.value);
      cursor.continue();
    };
  });
  for (const name of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
    try {
      add(name, JSON.parse(localStorage.getItem(name) ?? 'null'));
    } catch {
      localStorage.removeItem(name);
    }
  }
  return found;
}

/** The worker's drafts whose keys begin so, by key. */
export async function kept(worker: number, key: string): Promise<Map<string, Draft>> {
  const own = nameOf(worker, '');
  return new Map([...(await under(own + key))].map(([name, draft]) => [name.slice(own.length), draft]));
}

/** Whoever's they are: what is too old goes. */
export async function sweepDrafts(now = Date.now()): Promise<void> {
  for (const [name, { vreme }] of await under(PREFIX)) {
    if (vreme > now - LONGEST_KEPT) continue;
    localStorage.removeItem(name);
    await transact('readwrite', (store) => store.delete(name));
  }
}

/** None that is too old: such a one is on its way out. */
function youngOnes(found: Map<string, Draft>): Map<string, Draft> {
  void sweepDrafts();
  const since = Date.now() - LONGEST_KEPT;
  return new Map([...found].filter(([, { vreme }]) => vreme > since));
}

/** The worker's drafts of one entry, by key. */
export const keptOf = async (worker: number, entry: string): Promise<Map<string, Draft>> => youngOnes(await kept(worker, `${entry}.`));

/** The worker's drafts of one patient, by key. */
export async function keptOfPatient(worker: number, patient: number): Promise<Map<string, Draft>> {
  const found = youngOnes(await kept(worker, ''));
  return new Map([...found].filter(([, { pacijentID }]) => pacijentID === patient));
}

const closing = new Set<() => void>();

/** Has the open form say its last word before its worker signs out. */
export function beforeSignOut(flush: () => void): () => void {
  closing.add(flush);
  return () => closing.delete(flush);
}

/** Before the sign-out: what is not saved goes to the server, and from this device. What does not arrive stays its three days. */
export async function handOver(): Promise<void> {
  const worker = session.current();
  if (!worker) return;
  closing.forEach((flush) => flush());
  const signal = AbortSignal.timeout(LONGEST_HANDOVER);
  const headers = { 'Content-Type': 'application/json', Authorization: `Regix ${worker.token}` };
  const send = async ([key, draft]: [string, Draft]) => {
    const body = JSON.stringify({ pacijentID: draft.pacijentID, sadrzaj: draft });
    const { ok } = await fetch(at('/api/entry-drafts/{kljuc}', { kljuc: key }), { method: 'PUT', headers, body, signal });
    if (ok) await forget(worker.id, key);
  };
  await Promise.allSettled([...(await kept(worker.id, ''))].map(send));
}
