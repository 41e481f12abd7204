// What was typed and is not saved yet: kept on the server and on this device, offered again, gone after a save.
import { api, ApiError } from '../api/client';
import { session } from '../auth/session';
import type { Stored } from '../forms/formula';
import { DATE, DOCTOR, same, tidy, type EntryStore } from './store';
import { isEntered, type Field, type Values } from './types';

export interface Draft {
  vreme: number;
  vrednosti: Values;
  /** Values as they were loaded, and their version: a save tells by them whose edit is whose. */
  osnova: Values;
  verzija: number | null;
  kljuc: string | null;
  datumUnosa: string | null;
  radnikOdgovoran: number | null;
}

/** On a shared device each worker has drafts of their own. */
const place = (key: string) => `regix.nacrt.${session.current()?.id ?? 0}.${key}`;
const path = (key: string) => `/api/entry-drafts/${key}`;

const asDraft = (value: unknown): Draft | null =>
  typeof value === 'object' && value !== null && 'vrednosti' in value && 'vreme' in value ? (value as Draft) : null;

function local(key: string): Draft | null {
  try {
    return asDraft(JSON.parse(localStorage.getItem(place(key)) ?? 'null'));
  } catch {
    return null;
  }
}

function keepLocal(key: string, draft: Draft): void {
  try {
    localStorage.setItem(place(key), JSON.stringify(draft));
  } catch {
    // A full or forbidden store of the browser: the server's copy remains.
  }
}

async function remote(key: string): Promise<Draft | null> {
  try {
    return asDraft((await api.get<{ sadrzaj: unknown }>(path(key))).sadrzaj);
  } catch (error) {
    // Without a draft, or without the server, there is what this device kept.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The newer of both copies. */
export async function findDraft(key: string): Promise<Draft | null> {
  const [here, there] = [local(key), await remote(key)];
  return here && there ? (here.vreme >= there.vreme ? here : there) : (here ?? there);
}

export function discardDraft(key: string): void {
  localStorage.removeItem(place(key));
  api.delete(path(key)).catch(() => undefined);
}

/** Whether a draft says anything that the loaded entry does not. Fields that the form no longer has are left out. */
export function differs(draft: Draft, store: EntryStore): boolean {
  if (!same(draft.datumUnosa, store.baseValue(DATE)) || !same(draft.radnikOdgovoran, store.baseValue(DOCTOR))) return true;
  return store.fields.some((field) => isEntered(field) && !same(draft.vrednosti[field.id], store.baseValue(field.id)));
}

/** Values that may be sent: of fields that the form has, none blank; a number that is none only stands in a hidden field. */
export function sendable(fields: readonly Field[], values: Values): Values {
  const kept: [string, Stored][] = [];
  for (const field of fields.filter(isEntered)) {
    const value = tidy(values[field.id]);
    if (value !== null && !(field.tvaNumVrednost === 2 && typeof value !== 'number')) kept.push([String(field.id), value]);
  }
  return Object.fromEntries(kept);
}

const LOCAL_AFTER = 400;
const REMOTE_AFTER = 3_000;
const REMOTE_AGAIN = 15_000;

/** Keeps drafts of one entry while it is open: at once enough on the device, a little later on the server. */
export class DraftKeeper {
  private soon: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();
  private paused = false;

  constructor(
    private readonly key: string,
    private readonly pacijentID: number,
    /** What to keep; null while nothing was typed. */
    private readonly content: () => Draft | null,
  ) {}

  readonly changed = (): void => {
    if (this.paused) return;
    this.soon ??= setTimeout(() => this.flush(), LOCAL_AFTER);
    this.later ??= setTimeout(() => this.send(), REMOTE_AFTER);
  };

  /** The device's copy, now: the page may be closing. */
  readonly flush = (): void => {
    clearTimeout(this.soon);
    this.soon = undefined;
    if (this.paused) return;
    const draft = this.content();
    if (draft) keepLocal(this.key, draft);
    else localStorage.removeItem(place(this.key));
  };

  private send(): void {
    this.later = undefined;
    const draft = this.content();
    if (this.paused) return;
    const call = draft ? api.put(path(this.key), { pacijentID: this.pacijentID, sadrzaj: draft }) : api.delete(path(this.key));
    this.sending = call.catch((error: unknown) => {
      const passing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (passing && !this.paused) this.later ??= setTimeout(() => this.send(), REMOTE_AGAIN);
    });
  }

  /** Before a save: nothing more is sent that could arrive after it. */
  async pause(): Promise<void> {
    this.flush();
    this.paused = true;
    clearTimeout(this.later);
    this.later = undefined;
    await this.sending;
  }

  /** After a save that failed: what is typed is kept again. */
  resume(): void {
    this.paused = false;
    this.changed();
  }

  /** After a save or a deletion; the server has dropped its own copy. */
  done(): void {
    clearTimeout(this.soon);
    clearTimeout(this.later);
    this.soon = this.later = undefined;
    localStorage.removeItem(place(this.key));
    this.paused = false;
  }

  close(): void {
    if (this.soon !== undefined) this.flush();
    if (this.later !== undefined) {
      clearTimeout(this.later);
      this.send();
    }
  }
}
