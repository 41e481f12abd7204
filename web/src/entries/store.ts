// What is typed, what the formulas make of it, and what is wrong with it; each field is told of its own changes only.
import { LiveForm, type FormulaField, type Stored } from '../forms/formula';
import { isEntered, type Field, type Values } from './types';

/** The two answers of the header live beside the fields'. */
export const DATE = -1;
export const DOCTOR = -2;

export interface FieldState {
  value: Stored;
  error: string | null;
  /** Relevant and still blank after the worker went back to fill it. */
  marked: boolean;
}

/** A field to be brought into view: tabs and panels on its way open themselves. */
export interface FocusRequest {
  id: number;
  way: ReadonlySet<number>;
}

const NOTHING: FieldState = { value: null, error: null, marked: false };

/** Not in TypeScript's own description of the browser yet, nor in every browser. */
declare const Temporal: { Now: { plainDateISO: (zone: string) => { toString: () => string } } } | undefined;
const ZONE = 'Europe/Belgrade';
let formatter: Intl.DateTimeFormat | undefined;

/** The date in Belgrade. The formatter takes a tenth of a second to make on a slow processor, so it is made only where Temporal is missing. */
export function today(): string {
  if (typeof Temporal !== 'undefined') return Temporal.Now.plainDateISO(ZONE).toString();
  formatter ??= new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });
  return formatter.format(new Date());
}

/** Blank answers are one and the same, whatever they look like. */
export const tidy = (value: Stored | undefined): Stored => {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return null;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

export function same(one: Stored | undefined, other: Stored | undefined): boolean {
  const [a, b] = [tidy(one), tidy(other)];
  return Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item) => b.includes(item)) : a === b;
}

const formulaField = (field: Field): FormulaField => ({
  id: field.id,
  sifra: field.sifra ?? null,
  parent: field.naredjeniAUTS ?? null,
  tip: field.tvaNumVrednost,
  items: field.enumStavkeSve,
  racunanje: field.formulaZaRacunanje ?? null,
  prikaz: field.formulaZaPrikaz ?? null,
});

export interface Head {
  datumUnosa: string | null;
  radnikOdgovoran: number | null;
}

/** What a save builds on. */
export interface Basis {
  /** None until the first save. */
  unosID: number | null;
  verzija: number | null;
  /** Of the next save, and of its retries until one is answered: the server does it once. */
  kljuc: string;
}

const headOf = (answers: ReadonlyMap<number, Stored>): Head => {
  const [date, doctor] = [answers.get(DATE), answers.get(DOCTOR)];
  return { datumUnosa: typeof date === 'string' ? date : null, radnikOdgovoran: typeof doctor === 'number' ? doctor : null };
};

export class EntryStore {
  readonly byId: ReadonlyMap<number, Field>;
  private readonly live: LiveForm;
  private entered = new Map<number, Stored>();
  private base = new Map<number, Stored>();
  private errors = new Map<number, string>();
  private marked = new Set<number>();
  private states = new Map<number, FieldState>();
  private hidden = new Set<number>();
  private listeners = new Map<number, Set<() => void>>();
  private anyListeners = new Set<() => void>();
  private focusListeners = new Set<() => void>();
  private request: FocusRequest | null = null;

  constructor(
    readonly fields: readonly Field[],
    values: Values,
    head: Head,
    private basisNow: Basis,
  ) {
    this.byId = new Map(fields.map((field) => [field.id, field]));
    this.live = new LiveForm(fields.map(formulaField));
    this.rebase(values, head);
    this.replace(values, head);
  }

  /** What counts as unchanged from now on. */
  rebase(values: Values, head: Head): void {
    this.base = this.read(values, head);
  }

  /** Puts all answers in the place of those that are there. */
  replace(values: Values, head: Head): void {
    this.entered = this.read(values, head);
    this.errors.clear();
    this.marked.clear();
    this.live.all(this.entered, today());
    this.show(this.everything());
  }

  private read(values: Values, { datumUnosa, radnikOdgovoran }: Head): Map<number, Stored> {
    const read = new Map<number, Stored>();
    for (const field of this.fields) {
      const value = tidy(values[field.id]);
      if (isEntered(field) && value !== null) read.set(field.id, value);
    }
    if (datumUnosa !== null) read.set(DATE, datumUnosa);
    if (radnikOdgovoran !== null) read.set(DOCTOR, radnikOdgovoran);
    return read;
  }

  readonly set = (id: number, value: Stored): void => {
    const next = tidy(value);
    if (same(this.entered.get(id), next) && typeof next === typeof (this.entered.get(id) ?? null)) return;
    if (next === null) this.entered.delete(id);
    else this.entered.set(id, next);
    this.errors.delete(id);
    if (next !== null) this.marked.delete(id);
    this.show(new Set([id, ...this.live.after(id, this.entered, today())]));
    this.anyListeners.forEach((tell) => tell());
  };

  fail(errors: ReadonlyMap<number, string>): void {
    this.errors = new Map(errors);
    this.show(this.everything());
  }

  mark(ids: readonly number[]): void {
    this.marked = new Set(ids);
    this.show(this.everything());
  }

  readonly state = (id: number): FieldState => this.states.get(id) ?? NOTHING;
  /** Whether a display formula hides it, or something around it. */
  readonly isHidden = (id: number): boolean => this.hidden.has(id);
  value(id: number): Stored {
    return this.state(id).value;
  }
  baseValue(id: number): Stored {
    return this.base.get(id) ?? null;
  }

  head(): Head {
    return headOf(this.entered);
  }
  baseHead(): Head {
    return headOf(this.base);
  }

  build(on: Basis): void {
    this.basisNow = on;
  }
  basis(): Basis {
    return this.basisNow;
  }

  /** All that was entered, hidden fields too, by field id. */
  values(): Values {
    return this.collect(this.entered);
  }
  baseValues(): Values {
    return this.collect(this.base);
  }
  private collect(from: ReadonlyMap<number, Stored>): Values {
    return Object.fromEntries([...from].filter(([id]) => id > 0));
  }

  isDirty(): boolean {
    const ids = new Set([...this.entered.keys(), ...this.base.keys()]);
    return [...ids].some((id) => !same(this.entered.get(id), this.base.get(id)));
  }

  reveal(id: number): void {
    const way = new Set<number>([id]);
    for (let at = this.byId.get(id)?.naredjeniAUTS; at && !way.has(at); at = this.byId.get(at)?.naredjeniAUTS) way.add(at);
    this.request = { id, way };
    this.focusListeners.forEach((tell) => tell());
  }
  readonly wanted = (): FocusRequest | null => this.request;

  readonly subscribe = (id: number, listener: () => void): (() => void) => {
    const of = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, of.add(listener));
    return () => of.delete(listener);
  };
  /** Told of every answer that a person changes. */
  readonly onAnswer = (listener: () => void): (() => void) => {
    this.anyListeners.add(listener);
    return () => this.anyListeners.delete(listener);
  };
  readonly onFocusRequest = (listener: () => void): (() => void) => {
    this.focusListeners.add(listener);
    return () => this.focusListeners.delete(listener);
  };

  private everything(): Iterable<number> {
    return [DATE, DOCTOR, ...this.byId.keys()];
  }

  /** Takes over what formulas, answers and faults say of these fields, and tells those that are another now. */
  private show(ids: Iterable<number>): void {
    const { values, hidden } = this.live;
    const changed: number[] = [];
    for (const id of ids) {
      const value = values.has(id) ? (values.get(id) ?? null) : (this.entered.get(id) ?? null);
      const next: FieldState = { value, error: this.errors.get(id) ?? null, marked: this.marked.has(id) };
      const now = this.states.get(id);
      const unchanged = now && now.error === next.error && now.marked === next.marked && typeof now.value === typeof value && same(now.value, value);
      if (unchanged && hidden.has(id) === this.hidden.has(id)) continue;
      if (!unchanged) this.states.set(id, next);
      if (hidden.has(id)) this.hidden.add(id);
      else this.hidden.delete(id);
      changed.push(id);
    }
    for (const id of changed) this.listeners.get(id)?.forEach((tell) => tell());
  }
}
