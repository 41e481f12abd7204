// What was typed and is not saved yet: kept on the server and on this device, offered again, gone after a save.
import { at } from '../../api/address';
import { api, ApiError } from '../../api/client';
import { session } from '../../api/session';
import { fromServer } from '../../format';
import { valueText } from '../../patients/values';
import type { Stored } from '../../forms/formula';
import { isBlankRow, rowsOf, stored, type Row } from '../../forms/rows';
import { CivilMoment, CivilTime } from '../../forms/formula/clock';
import { ValueType } from '../../forms/valueType';
import { newKey } from '../../api/key';
import { asDraft, beforeSignOut, forget, keep, keepNow, kept, type Draft } from '../../drafts/draftStorage';
import { DATE, DOCTOR, sameStored, tidy, type EntryStore, type Head } from '../model/store';
import type { Answers, KeptDrafts } from '../target';
import { isEntered, isSection, type FormField, type Values } from '../model/types';

export type { Draft } from '../../drafts/draftStorage';

const path = (key: string) => at('/api/entry-drafts/{kljuc}', { kljuc: key });

/** A draft that no open window is typing; it is this window's until it is let go. */
export interface FoundDraft {
  key: string;
  draft: Draft;
  letGo: () => void;
}

/** What windows say to each other of a draft: asked whose it is, the one that has it answers. */
const WHOSE = 'čiji je nacrt';
const MINE = 'moj je';

/**
 * Makes a draft this window's alone; null where another window has it. Windows that are gone, however they went, have none: one
 * that is just closing holds its lock for a while, but answers no more.
 */
function claim(key: string, wait: number): Promise<(() => void) | null> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return Promise.resolve(() => undefined);
  const name = `regix.nacrt.${session.current()?.id ?? 0}.${key}`;
  const others = new BroadcastChannel(name);
  const unwanted = new AbortController();
  return new Promise((resolve) => {
    const giveUp = () => {
      clearTimeout(timer);
      others.close();
      unwanted.abort();
      resolve(null);
    };
    const timer = setTimeout(giveUp, wait);
    others.onmessage = ({ data }) => data === MINE && giveUp();
    const hold = () => {
      // Chromium does not hear of a signal that comes while it is still on its way to the lock: that one comes all the same, later.
      if (unwanted.signal.aborted) return undefined;
      clearTimeout(timer);
      return new Promise<void>((end) => {
        const tell = () => others.postMessage(MINE);
        others.onmessage = ({ data }) => data === WHOSE && tell();
        // Those who asked before it was this window's.
        tell();
        resolve(() => {
          others.close();
          end();
        });
      });
    };
    locks.request(name, { signal: unwanted.signal }, hold).catch(giveUp);
    others.postMessage(WHOSE);
  });
}

async function remote(asked: Promise<KeptDrafts>): Promise<[string, Draft][]> {
  try {
    const { data } = await asked;
    return data.flatMap(({ kljuc, sadrzaj }) => {
      const draft = asDraft(sadrzaj);
      return draft ? [[kljuc, draft] as [string, Draft]] : [];
    });
  } catch (error) {
    // Without the server there is what this device kept.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** A window that was just closed may hold its drafts for so long on a slow computer. */
const DYING_WINDOW = 5_000;

/** The worker's drafts of the entry by key: those of this device and the server's, of two copies the newer. */
export async function gather({ here, drafts }: Pick<Answers, 'here' | 'drafts'>): Promise<Map<string, Draft>> {
  const [all, there] = [new Map(await here), await remote(drafts)];
  for (const [key, draft] of there) {
    if (draft.vreme > (all.get(key)?.vreme ?? 0)) all.set(key, draft);
  }
  return all;
}

/** Those of them that no other window is typing, newest first. */
export async function claimed(drafts: ReadonlyMap<string, Draft>): Promise<FoundDraft[]> {
  const worker = session.current()?.id ?? 0;
  const found = await Promise.all(
    [...drafts].map(async ([key, draft]) => {
      const letGo = await claim(key, DYING_WINDOW);
      // What the window that had it typed last, after it was gathered.
      const last = letGo && (await kept(worker, key)).get(key);
      return { key, draft: last && last.vreme > draft.vreme ? last : draft, letGo };
    }),
  );
  return found.filter((one): one is FoundDraft => one.letGo !== null).sort((a, b) => b.draft.vreme - a.draft.vreme);
}

export function discardDraft({ key, letGo }: FoundDraft): void {
  const worker = session.current()?.id;
  if (worker !== undefined) void forget(worker, key);
  api.delete(path(key)).catch(() => undefined);
  letGo();
}

const draftHead = ({ datumUnosa, radnikOdgovoran }: Draft): Head => ({ datumUnosa, radnikOdgovoran });
const loadedHead = (draft: Draft): Head => ({ datumUnosa: draft.osnovaDatumUnosa, radnikOdgovoran: draft.osnovaRadnikOdgovoran });

const reader =
  (values: Values, head: Head) =>
  (id: number): Stored =>
    (id === DATE ? head.datumUnosa : id === DOCTOR ? head.radnikOdgovoran : tidy(values[id])) ?? null;

/** What may be answered: the header, and the fields that the form has today. */
const asked = (store: EntryStore): number[] => [DATE, DOCTOR, ...store.fields.filter(isEntered).map(({ id }) => id)];

/** Whether a draft edited anything that the loaded entry does not say yet. */
export function differs(draft: Draft, store: EntryStore): boolean {
  const [was, mine] = [reader(draft.osnova, loadedHead(draft)), reader(draft.vrednosti, draftHead(draft))];
  return asked(store).some((id) => !sameStored(mine(id), was(id)) && !sameStored(mine(id), store.baseValue(id)));
}

/** The day of the visit for which a draft was typed; null where it has none that can be read. */
export function visitOf({ datumUnosa, osnovaDatumUnosa }: Draft, isNew: boolean): string | null {
  const day = isNew ? datumUnosa : osnovaDatumUnosa;
  return fromServer(day) ? day : null;
}

/** Whether a draft was typed for another visit than the one on the screen; where that one has no day yet, it takes the draft's. */
export function isOfAnotherVisit(draft: Draft, isNew: boolean, atHand: string | null): boolean {
  return atHand !== null && visitOf(draft, isNew) !== atHand;
}

/** Whether anything but the day was typed, whatever visit it was for. */
export function isTyped(draft: Draft, store: EntryStore): boolean {
  const [was, mine] = [reader(draft.osnova, loadedHead(draft)), reader(draft.vrednosti, draftHead(draft))];
  const answered = asked(store).some((id) => id !== DATE && !sameStored(mine(id), was(id)));
  return answered || Object.keys(draft.uneto ?? {}).length > 0 || (draft.potvrdjeno ?? []).length > 0;
}

/**
 * A draft of a new visit as one of another day. It is another save, so it gets another key; first values that were only confirmed
 * were those of its own day, and are taken and confirmed anew.
 */
export function movedTo(day: string, draft: Draft): Draft {
  const isEdited = (id: number) => !sameStored(draft.vrednosti[id], draft.osnova[id]);
  const potvrdjeno = (draft.potvrdjeno ?? []).filter(isEdited);
  return { ...draft, datumUnosa: day, osnovaDatumUnosa: day, kljuc: null, potvrdjeno };
}

interface Both {
  values: Values;
  head: Head;
}

/**
 * A draft over what is loaded: what it edited stands, what it left alone is as others saved it since. Where both edited the same
 * answer, the base stays the draft's, so that the save shows both.
 */
export function laidOver(draft: Draft, store: EntryStore): { mine: Both; base: Both } {
  const [was, my] = [reader(draft.osnova, loadedHead(draft)), reader(draft.vrednosti, draftHead(draft))];
  const [mine, base] = [new Map<number, Stored>(), new Map<number, Stored>()];
  for (const id of asked(store)) {
    const their = store.baseValue(id);
    // A value taken from before and confirmed as it stood; what was typed stands against what others saved.
    const confirmed = sameStored(my(id), was(id)) && (draft.potvrdjeno?.includes(id) ?? false);
    const untouched = (!confirmed && sameStored(my(id), was(id))) || sameStored(my(id), their);
    mine.set(id, untouched ? their : my(id));
    base.set(id, untouched || confirmed || sameStored(their, was(id)) ? their : was(id));
  }
  return { mine: split(mine), base: split(base) };
}

/**
 * What two who began one visit had in common before either typed: nothing that was typed or confirmed here, so that it stands against
 * what the other one saved. A box says No before anybody ticks it.
 */
export function sharedStart(store: EntryStore): Both {
  const settled = new Set(store.settledIds());
  const isOwn = (id: number) => !store.boxes.has(id) && (settled.has(id) || !sameStored(store.value(id), store.baseValue(id)));
  return split(new Map(asked(store).map((id) => [id, isOwn(id) ? null : store.baseValue(id)])));
}

function split(answers: ReadonlyMap<number, Stored>): Both {
  const [date, doctor] = [answers.get(DATE), answers.get(DOCTOR)];
  return {
    values: Object.fromEntries([...answers].filter(([id]) => id > 0)),
    head: { datumUnosa: typeof date === 'string' ? date : null, radnikOdgovoran: typeof doctor === 'number' ? doctor : null },
  };
}

/** Everything that is not saved, as a draft; null while nothing is. `vreme`: when it was typed. */
export function draftOf(store: EntryStore, pacijentID: number, vreme: number): Draft | null {
  if (!store.isDirty()) return null;
  const { verzija, kljuc } = store.basis();
  const { datumUnosa: osnovaDatumUnosa, radnikOdgovoran: osnovaRadnikOdgovoran } = store.baseHead();
  const base = { osnova: store.baseValues(), osnovaDatumUnosa, osnovaRadnikOdgovoran };
  const { obrazac } = store;
  const kept = { vreme, pacijentID, vrednosti: store.values(), ...store.head(), ...base, verzija, kljuc };
  return { ...kept, potvrdjeno: store.settledIds(), obrazac, uneto: typedTexts(store), unetoU: store.typedUnits() };
}

function typedTexts(store: EntryStore): Record<string, string> {
  const typed = store.fields.filter((field) => isEntered(field) && !sameStored(store.value(field.id), store.baseValue(field.id)));
  const filled = typed.filter(({ id }) => tidy(store.value(id)) !== null);
  return Object.fromEntries(filled.map((field) => [field.id, `${field.naziv}: ${valueText(field, store.value(field.id))}`]));
}

/** What a draft typed into fields that the form on the screen does not have. */
export const goneFrom = ({ uneto }: Draft, store: EntryStore): string[] =>
  Object.entries(uneto ?? {}).flatMap(([id, told]) => (store.byId.has(Number(id)) ? [] : [told]));

/** A number, date or time that is none: it only stands in a hidden field, since no save passes over it elsewhere. */
const isUnread = ({ tvaNumVrednost }: FormField, value: Stored): boolean =>
  (tvaNumVrednost === ValueType.Number && typeof value !== 'number') ||
  (tvaNumVrednost === ValueType.Date && !(typeof value === 'string' && fromServer(value))) ||
  (tvaNumVrednost === ValueType.Time && !(typeof value === 'string' && CivilTime.parse(value))) ||
  (tvaNumVrednost === ValueType.Moment && !(typeof value === 'string' && CivilMoment.parse(value)));

/** Blank rows are no rows. */
const sendableRows = ({ kolone = [] }: FormField, value: Stored): Row[] =>
  rowsOf(value)
    .map(({ id, v }) => ({ id, v: sendable(kolone, v) }))
    .filter((row) => !isBlankRow(row));

/** Values that may be sent: of fields that the form has, none blank. */
export function sendable(fields: readonly FormField[], values: Readonly<Values>): Values {
  const sent: [string, Stored][] = [];
  for (const field of fields.filter(isEntered)) {
    const value = tidy(values[field.id]);
    if (isSection(field)) {
      const rows = sendableRows(field, value);
      if (rows.length > 0) sent.push([String(field.id), stored(rows)]);
    } else if (value !== null && !isUnread(field, value)) sent.push([String(field.id), value]);
  }
  return Object.fromEntries(sent);
}

/** After the last key; while keys keep coming, this long after the first of them. */
const LOCAL_AFTER = 250;
const LOCAL_WITHIN = 1_000;
const REMOTE_AFTER = 3_000;
const REMOTE_AGAIN = 15_000;

/** Keeps the draft of this window while its entry is open: at once enough on the device, a little later on the server. */
export class DraftKeeper {
  private soon: ReturnType<typeof setTimeout> | undefined;
  /** When `soon` must be at the latest. */
  private due: number | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();
  private paused = false;
  private closed = false;
  private letGo: (() => void) | null = null;
  private key: string;
  private typed = 0;
  private readonly worker = session.current()?.id;
  private readonly forgetFlush: () => void;

  constructor(
    of: string,
    private readonly pacijentID: number,
    /** What to keep, given when it was typed; null while nothing was. */
    private readonly content: (vreme: number) => Draft | null,
  ) {
    this.key = `${of}.${newKey()}`;
    this.forgetFlush = beforeSignOut(this.flush);
    void this.hold();
  }

  private async hold(): Promise<void> {
    const letGo = await claim(this.key, REMOTE_AFTER);
    if (this.closed || this.letGo) letGo?.();
    else this.letGo = letGo;
  }

  /** The worker who opened the form is the one who is signed in: nobody else gets these answers. */
  isOwn(): boolean {
    return this.worker !== undefined && session.current()?.id === this.worker;
  }

  /** Names the draft on the server. */
  name(): string {
    return this.key;
  }

  /** Goes on with a draft that was found, in its place. */
  adopt({ key, draft, letGo }: FoundDraft): void {
    this.letGo?.();
    this.key = key;
    this.letGo = letGo;
    this.typed = draft.vreme;
    this.keepSoon();
  }

  readonly changed = (): void => {
    if (this.paused) return;
    this.typed = Date.now();
    this.keepSoon();
  };

  private keepSoon(): void {
    const now = performance.now();
    this.due ??= now + LOCAL_WITHIN;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => void this.keep(), Math.min(LOCAL_AFTER, this.due - now));
    this.later ??= setTimeout(() => this.send(), REMOTE_AFTER);
  }

  private async keep(): Promise<void> {
    clearTimeout(this.soon);
    this.soon = this.due = undefined;
    if (this.paused || this.worker === undefined || !this.isOwn()) return;
    const draft = this.content(this.typed);
    await (draft ? keep(this.worker, this.key, draft) : forget(this.worker, this.key));
  }

  /** The device's copy, at once: the page may be closing. */
  readonly flush = (): void => {
    if (this.paused || this.worker === undefined || !this.isOwn()) return;
    const draft = this.content(this.typed);
    if (draft) keepNow(this.worker, this.key, draft);
  };

  private send(): void {
    this.later = undefined;
    if (this.paused || !this.isOwn()) return;
    const draft = this.content(this.typed);
    const call = draft ? api.put(path(this.key), { pacijentID: this.pacijentID, sadrzaj: draft }) : api.delete(path(this.key));
    this.sending = call.catch((error: unknown) => {
      const passing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (passing && !this.paused && !this.closed) this.later ??= setTimeout(() => this.send(), REMOTE_AGAIN);
    });
  }

  /** Before a save: nothing more is sent that could arrive after it. */
  async pause(): Promise<void> {
    await this.keep();
    this.paused = true;
    clearTimeout(this.later);
    this.later = undefined;
    await this.sending;
  }

  /** After a save that failed: what is typed is kept again. */
  resume(): void {
    this.paused = false;
    this.keepSoon();
  }

  /** After a save; the server has dropped its own copy with it. */
  done(): void {
    clearTimeout(this.soon);
    clearTimeout(this.later);
    this.soon = this.due = this.later = undefined;
    if (this.worker !== undefined) void forget(this.worker, this.key);
    this.paused = false;
  }

  /** After the entry was deleted. */
  discard(): void {
    this.done();
    api.delete(path(this.key)).catch(() => undefined);
  }

  close(): void {
    this.closed = true;
    if (this.soon !== undefined) void this.keep();
    if (this.later !== undefined) {
      clearTimeout(this.later);
      this.send();
    }
    this.forgetFlush();
    this.letGo?.();
  }
}
