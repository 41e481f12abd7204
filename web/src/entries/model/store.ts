// What is typed, what the formulas make of it, and what is wrong with it; each field is told of its own changes only.
import type { Schema } from '../../schema';
import { LiveForm, type Days, type FormulaField, type SectionResults, type Stored, type Subject } from '../../forms/formula';
import { areFiles, sameFiles } from '../../files/attached';
import { areRows, isBlankRow, rowsOf, sameRows, stored as storedRows } from '../../forms/rows';
import type { TypedIn } from '../../forms/units';
import { ValueType } from '../../forms/valueType';
import { today } from '../../today';
import { readByCode, conditionsOf, FormRules, ruleHolds, requiredResult, ruleResult, type ToldRule } from './formRules';
import { Pictures, tickBoxes } from './ticks';
import { TypedUnits } from './typedUnits';
import { Uploads } from './uploads';
import {
  isCalculated,
  isEntered,
  isSection,
  type FormField,
  type FormRule,
  type Previous,
  type TypedAll,
  type TypedRows,
  type Values,
} from './types';
import { valueFault } from './valueFault';

/** The two answers of the header live beside the fields'. */
export const DATE = -1;
export const DOCTOR = -2;
/** Where rules are told that stand beside no field. */
export const ABOVE = -3;

export interface FieldState {
  value: Stored;
  error: string | null;
  /** Relevant and still blank after the worker went back to fill it. */
  marked: boolean;
  /** The name of a wrong answer that a result is made of: the result is not shown. */
  because: string | null;
  /** The stored result, where today's formula gives another one of the same answers. */
  kept?: Stored | undefined;
  /** Whether nobody has changed what the result comes from: then the stored one is shown. */
  untouched?: boolean | undefined;
  /** Where the value was taken from, until the worker confirms or changes it. */
  taken: Schema<'FirstValue'> | null;
  /** Whether the condition holds under which a value is required. */
  required: boolean;
  /** Broken rules that are told beside it. */
  told: readonly ToldRule[];
  /** Of a field that tells it: what earlier entries held last. */
  previous?: Previous | undefined;
  /** What it is made of, where it was typed here in another unit; of a section by row and column. */
  typed?: TypedIn | TypedRows | undefined;
  /** Of a section: what formulas make of its rows. */
  results?: SectionResults | undefined;
  /** The same of the value that was loaded. */
  typedBefore?: TypedIn | TypedRows | undefined;
}

/** A field to be brought into view: tabs and panels on its way open themselves. */
export interface FocusRequest {
  id: number;
  way: ReadonlySet<number>;
}

const NO_RULE: readonly ToldRule[] = [];
const NOTHING: FieldState = { value: null, error: null, marked: false, because: null, taken: null, required: false, told: NO_RULE };

const sameRules = (one: readonly ToldRule[], other: readonly ToldRule[]): boolean =>
  one.length === other.length && one.every(({ id, refuses }, i) => id === other[i]?.id && refuses === other[i].refuses);

/** Blank answers are one and the same, whatever they look like. */
export const tidy = (value: Stored | undefined): Stored => {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return null;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

export function sameStored(one: Stored | undefined, other: Stored | undefined): boolean {
  const [a, b] = [tidy(one), tidy(other)];
  if (areRows(a) || areRows(b)) return sameRows(a, b);
  if (areFiles(a) || areFiles(b)) return sameFiles(a, b);
  return Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item) => b.includes(item)) : a === b;
}

const formulaField = (field: FormField): FormulaField => ({
  id: field.id,
  sifra: field.sifra ?? null,
  parent: field.naredjeniAUTS ?? null,
  tip: field.tvaNumVrednost,
  items: field.enumStavkeSve,
  racunanje: field.formulaZaRacunanje ?? null,
  prikaz: field.formulaZaPrikaz ?? null,
});

/** Columns of sections are read row by row. */
export const formulaFields = (fields: readonly FormField[]): FormulaField[] => [
  ...fields.map(formulaField),
  ...fields.flatMap(({ id, kolone = [] }) => kolone.map((column) => ({ ...formulaField(column), sekcija: id }))),
];

/** A number that is none, or may be two, is no answer to a formula. */
const isUnread = (field: FormField | undefined, value: Stored): boolean =>
  field?.tvaNumVrednost === ValueType.Number && typeof value === 'string';

/** By the id of each calculated field: the fields that people fill which it is made of, by way of other results too. */
function sourcesOf(fields: readonly FormField[]): Map<number, ReadonlySet<number>> {
  const byCode = readByCode(fields);
  const found = new Map<number, Set<number>>();
  const of = (field: FormField): ReadonlySet<number> => {
    const known = found.get(field.id);
    if (known) return known;
    const own = new Set<number>();
    found.set(field.id, own);
    for (const code of field.formulaZaRacunanje?.deps ?? []) {
      const read = byCode.get(code);
      if (!read) continue;
      if (isCalculated(read)) of(read).forEach((id) => own.add(id));
      else own.add(read.id);
    }
    return own;
  };
  for (const field of fields.filter(isCalculated)) of(field);
  return found;
}

/** The rows as a person typed them: results are computed here. */
function typedRows({ kolone = [] }: FormField, value: Stored): Stored {
  const results = new Set(kolone.filter(isCalculated).map(({ id }) => String(id)));
  if (results.size === 0) return value;
  const rows = rowsOf(value).map(({ id, v }) => ({
    id,
    v: Object.fromEntries(Object.entries(v).filter(([column]) => !results.has(column))),
  }));
  return storedRows(rows.filter((row) => !isBlankRow(row)));
}

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

const takenById = (taken: readonly Schema<'FirstValue'>[]): Map<number, Schema<'FirstValue'>> =>
  new Map(taken.map((one) => [one.polje, one]));

const headOf = (answers: ReadonlyMap<number, Stored>): Head => {
  const [date, doctor] = [answers.get(DATE), answers.get(DOCTOR)];
  return { datumUnosa: typeof date === 'string' ? date : null, radnikOdgovoran: typeof doctor === 'number' ? doctor : null };
};

export class EntryStore {
  readonly byId: ReadonlyMap<number, FormField>;
  private readonly live: LiveForm;
  /** By the id of a column. */
  private readonly sectionOf: ReadonlyMap<number, number>;
  /** Boxes that are answered with No while they have no tick; of a picture's dots only once it is used. */
  readonly boxes: ReadonlySet<number>;
  private readonly pictures: Pictures;
  private entered = new Map<number, Stored>();
  private base = new Map<number, Stored>();
  /** Results as they are stored, and as the formulas gave them of what is stored. */
  private stored = new Map<number, Stored>();
  private opened = new Map<number, Stored>();
  private errors = new Map<number, string>();
  private marked = new Set<number>();
  private taken = new Map<number, Schema<'FirstValue'>>();
  private readonly units: TypedUnits;
  private previous: ReadonlyMap<number, Schema<'PreviousValue'>> = new Map();
  private previousIs: 'loading' | 'failed' | 'told' = 'told';
  /** Fields that the worker confirmed or changed: they are taken from nowhere any more. */
  private settled = new Set<number>();
  private states = new Map<number, FieldState>();
  private hidden = new Set<number>();
  /** What is entered, as formulas may read it. */
  private readable = new Map<number, Stored>();
  /** What is wrong with answers as they stand now, told or not. */
  private wrong = new Map<number, string>();
  /** What a save waits for: files that are on their way, or did not arrive. */
  readonly uploads = new Uploads();
  private readonly sources: ReadonlyMap<number, ReadonlySet<number>>;
  private readonly results = new Map<number, number[]>();
  private listeners = new Map<number, Set<() => void>>();
  private anyListeners = new Set<() => void>();
  private focusListeners = new Set<() => void>();
  private takenListeners = new Set<() => void>();
  private request: FocusRequest | null = null;
  private readonly rules: FormRules;
  private above: readonly ToldRule[] = NO_RULE;

  constructor(
    readonly fields: readonly FormField[],
    values: Values,
    head: Head,
    private basisNow: Basis,
    subject: Subject<Stored> = {},
    taken: readonly Schema<'FirstValue'>[] = [],
    /** Names the description of the form that the fields are of. */
    readonly obrazac = '',
    rules: readonly FormRule[] = [],
  ) {
    this.taken = takenById(taken);
    this.byId = new Map(fields.map((field) => [field.id, field]));
    this.sectionOf = new Map(fields.flatMap(({ id, kolone = [] }) => kolone.map((column) => [column.id, id] as const)));
    this.boxes = tickBoxes(fields);
    this.pictures = new Pictures(fields);
    this.units = new TypedUnits(this.byId);
    this.rules = new FormRules(rules, fields);
    this.live = new LiveForm([...formulaFields(fields), ...conditionsOf(fields, rules)], subject);
    this.sources = sourcesOf(fields);
    for (const [result, sources] of this.sources) for (const id of sources) this.results.set(id, [...(this.results.get(id) ?? []), result]);
    this.rebase(values, head);
    this.replace(values, head);
  }

  /** What counts as unchanged from now on. */
  rebase(values: Values, head: Head): void {
    this.base = this.read(values, head);
    const results = this.basisNow.unosID === null ? [] : this.fields.filter(isCalculated);
    this.stored = new Map(results.map(({ id }) => [id, tidy(values[id])]));
    this.opened.clear();
    this.judge(this.entered.keys());
  }

  /** Puts all answers in the place of those that are there. */
  replace(values: Values, head: Head): void {
    this.entered = this.read(values, head);
    this.errors.clear();
    this.marked.clear();
    this.wrong.clear();
    this.computeAll();
    if (this.opened.size === 0 && !this.isDirty()) this.opened = new Map(this.live.values);
    this.show(this.everything());
  }

  private read(values: Values, { datumUnosa, radnikOdgovoran }: Head): Map<number, Stored> {
    const read = new Map<number, Stored>();
    for (const field of this.fields) {
      const value = tidy(isSection(field) ? typedRows(field, values[field.id] ?? null) : values[field.id]);
      if (isEntered(field) && value !== null) read.set(field.id, value);
    }
    if (this.basisNow.unosID === null) for (const id of this.pictures.unticked(this.boxes, (box) => read.has(box))) read.set(id, false);
    if (datumUnosa !== null) read.set(DATE, datumUnosa);
    if (radnikOdgovoran !== null) read.set(DOCTOR, radnikOdgovoran);
    return read;
  }

  /** First values of another day, and the doctor of its visit: they take the place of those that nobody confirmed or changed. */
  takeAnew(values: Values, taken: readonly Schema<'FirstValue'>[], doctor = this.head().radnikOdgovoran): void {
    const next = this.read(values, { ...this.head(), radnikOdgovoran: doctor });
    for (const id of [...this.fields.filter(isEntered).map((field) => field.id), DOCTOR]) {
      if (this.settled.has(id) || !sameStored(this.entered.get(id), this.base.get(id))) continue;
      const value = next.get(id);
      for (const answers of [this.base, this.entered]) {
        if (value === undefined) answers.delete(id);
        else answers.set(id, value);
      }
    }
    this.taken = takenById(taken);
    this.computeAll();
    this.show(this.everything());
  }

  /** The worker has seen these values and stands by them. */
  confirm(ids: readonly number[]): void {
    for (const id of ids) this.settled.add(id);
    this.show(ids);
    this.anyListeners.forEach((tell) => tell());
  }

  /** What earlier entries held last, by the day that the entry has now. */
  tellPrevious(told: readonly Schema<'PreviousValue'>[] | 'loading' | 'failed'): void {
    const before = this.previous;
    this.previousIs = typeof told === 'string' ? told : 'told';
    if (typeof told !== 'string') this.previous = new Map(told.map((one) => [one.polje, one]));
    const asking = this.fields.filter(({ prikaziPrethodnu }) => prikaziPrethodnu).map(({ id }) => id);
    this.show(new Set([...asking, ...before.keys(), ...this.previous.keys()].filter((id) => this.byId.has(id))));
  }

  private previousOf(id: number): Previous | undefined {
    const value = this.previous.get(id);
    // Where there is none, only a field that asks for it says so.
    if (!value && !this.byId.get(id)?.prikaziPrethodnu) return undefined;
    return this.previousIs === 'told' ? (value ?? 'none') : this.previousIs;
  }

  /** What of the loaded values was typed in other units, and what of those that are there now. */
  tellTyped(loaded: TypedAll | undefined, now: TypedAll | undefined): void {
    this.show(this.units.tell(loaded, now));
  }

  /** What was typed in other units and still stands, by field id. */
  typedUnits(): TypedAll {
    return this.units.standing(this.values());
  }

  /** After a save: everything is the entry's own. */
  forgetTaken(): void {
    this.units.settle();
    this.taken.clear();
    this.settled.clear();
    this.show(this.everything());
  }

  private computeAll(): void {
    this.judge(this.byId.keys());
    this.readable = new Map([...this.entered].filter(([id, value]) => !isUnread(this.byId.get(id), value)));
    this.live.all(this.readable, this.days());
    this.judge([...this.byId.keys()].filter((id) => this.live.rowsOf(id)));
  }

  private takenFrom(id: number): Schema<'FirstValue'> | null {
    const value = this.entered.get(id);
    return this.settled.has(id) || value === undefined || !sameStored(value, this.base.get(id)) ? null : (this.taken.get(id) ?? null);
  }

  /** Fields on the screen whose values wait for a confirmation, in the order of the form. */
  awaiting(): FormField[] {
    return this.taken.size === 0 ? [] : this.fields.filter(({ id }) => !this.hidden.has(id) && this.takenFrom(id) !== null);
  }

  /** Of the values taken from before, those that the worker confirmed or changed. */
  settledIds(): number[] {
    return [...this.settled].filter((id) => this.taken.has(id));
  }

  /** With the first change of an entry its blank boxes are what the save will make of them: No, for the formulas too. */
  private untick(): void {
    const blank = this.pictures.unticked(this.boxes, (id) => this.entered.has(id));
    if (blank.length === 0) return;
    for (const id of blank) this.entered.set(id, false);
    this.computeAll();
    this.show(this.everything());
  }

  /** Marks a dot, or takes its mark away. A picture that loses its last mark says nothing any more: nobody has said that there are none. */
  readonly markDot = (id: number, isMarked: boolean): void => {
    const dots = this.pictures.dotsBeside(id);
    if (isMarked || dots.some((dot) => dot !== id && this.entered.get(dot) === true)) this.set(id, isMarked);
    else this.answerAll(dots, null);
  };

  /** The worker says of a picture that nothing on it is to be marked, or takes that back. */
  readonly setNone = (picture: number, isNone: boolean): void => {
    const dots = this.pictures.dotsOf(picture);
    this.answerAll(isNone ? dots.filter((dot) => this.boxes.has(dot)) : dots, isNone ? false : null);
  };

  private answerAll(ids: readonly number[], value: boolean | null): void {
    this.untick();
    for (const id of ids) {
      if (value === null) this.entered.delete(id);
      else this.entered.set(id, value);
      this.settled.add(id);
    }
    this.computeAll();
    this.show(this.everything());
    this.anyListeners.forEach((tell) => tell());
  }

  /** `typed`: as it was typed in another unit; none: it is in the own one. */
  readonly set = (id: number, value: Stored, typed?: TypedIn): void => {
    const next = tidy(value);
    const isTypedAnew = this.units.set(id, typed, !sameStored(this.entered.get(id), next));
    // A blank row is nothing entered, but it is to be seen.
    const isRows = areRows(next) || areRows(this.entered.get(id));
    if (!isRows && !isTypedAnew && sameStored(this.entered.get(id), next) && typeof next === typeof (this.entered.get(id) ?? null)) return;
    this.untick();
    if (next === null) this.entered.delete(id);
    else this.entered.set(id, next);
    if (next === null || isUnread(this.byId.get(id), next)) this.readable.delete(id);
    else this.readable.set(id, next);
    this.errors.delete(id);
    this.settled.add(id);
    if (next !== null) this.marked.delete(id);
    const was = this.wrong.has(id);
    this.judge([id]);
    const results = was || this.wrong.has(id) ? (this.results.get(id) ?? []) : [];
    const after = this.live.after(id, this.readable, this.days());
    // A rule is held by what it reads, whether it was broken before or not.
    const held = this.rules.all.flatMap((rule) => this.rules.fieldOf(rule) ?? []);
    // What a condition hides in a row is known only now.
    if (this.live.rowsOf(id)) this.judge([id]);
    const changed = this.rules.ownersOf(after).map((one) => this.sectionOf.get(one) ?? one);
    this.show(new Set([id, ...changed, ...results, ...held]));
    // The first answer on a picture answers its other dots.
    if (this.pictures.dotsBeside(id).length > 0) this.untick();
    this.anyListeners.forEach((tell) => tell());
  };

  /** A cell of a section was typed in another unit (none: in its own), just before its row is set. */
  readonly typeCell = (section: number, row: number, column: number, typed: TypedIn | undefined): void =>
    this.units.setCell(section, row, column, typed);

  private days(): Days {
    return { today: today(), examined: this.head().datumUnosa };
  }

  fail(errors: ReadonlyMap<number, string>): void {
    this.errors = new Map(errors);
    this.show(this.everything());
  }

  /** The field is left: what is wrong with its answer is told. */
  leave(id: number): void {
    const fault = this.faultOf(id);
    if (fault === null || this.isHidden(id)) return;
    this.errors.set(id, fault);
    this.show([id]);
  }

  /** What is wrong with an answer. One that was saved and nobody touched is held to no rule that came after it. */
  faultOf(id: number): string | null {
    return this.wrong.get(id) ?? null;
  }

  private judge(ids: Iterable<number>): void {
    for (const id of [...ids]) {
      const field = this.byId.get(id);
      const value = this.entered.get(id) ?? null;
      const kept = this.basisNow.unosID === null ? null : (this.base.get(id) ?? null);
      const isUntouched = this.basisNow.unosID !== null && sameStored(value, kept);
      const fault =
        field && isEntered(field) && !isUntouched ? valueFault(field, value, this.units.of(id), kept, this.live.rowsOf(id)) : null;
      if (fault === null) this.wrong.delete(id);
      else this.wrong.set(id, fault);
    }
  }

  /** The wrong answer for which a result is not shown. */
  private becauseOf(id: number): string | null {
    if (this.wrong.size === 0) return null;
    for (const source of this.sources.get(id) ?? []) {
      if (this.wrong.has(source) && !this.live.hidden.has(source)) return this.byId.get(source)?.naziv ?? null;
    }
    return null;
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

  isRequired(id: number): boolean {
    const field = this.byId.get(id);
    return field !== undefined && (!field.opciono || ruleHolds(this.live.values, requiredResult(id)));
  }

  private toldOf(rule: FormRule): ToldRule {
    return { id: rule.id, poruka: rule.poruka, refuses: rule.vrsta === 'greska' && this.isHeld(rule) };
  }

  /** Whether it is this person's to keep: of an entry that is there already only where something that it reads was changed. */
  private isHeld(rule: FormRule): boolean {
    const isChanged = (id: number) => !sameStored(this.entered.get(id), this.base.get(id));
    return this.basisNow.unosID === null || this.rules.isTouched(rule, isChanged, isChanged(DATE));
  }

  private isBroken(rule: FormRule): boolean {
    return ruleHolds(this.live.values, ruleResult(rule.id));
  }

  /** Broken rules that refuse the save, with the field beside which each is told. */
  brokenRules(): { rule: FormRule; field: FormField | null }[] {
    return this.rules.all
      .filter((rule) => rule.vrsta === 'greska' && this.isBroken(rule) && this.isHeld(rule))
      .map((rule) => ({ rule, field: this.byId.get(this.rules.fieldOf(rule) ?? NaN) ?? null }));
  }

  /** Broken rules that stand beside no field that shows. */
  readonly toldAbove = (): readonly ToldRule[] => this.above;

  /** What formulas make of the rows of a section. */
  rowResults(id: number): SectionResults | undefined {
    return this.live.rowsOf(id);
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
    // A blank box that became No by itself is no change of the person's.
    const of = (answers: ReadonlyMap<number, Stored>, id: number) =>
      answers.get(id) ?? (this.boxes.has(id) && !this.settled.has(id) ? false : null);
    return this.uploads.any() || [...ids].some((id) => !sameStored(of(this.entered, id), of(this.base, id)));
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
  /** Told whenever another set of values may wait for a confirmation. */
  readonly onTaken = (listener: () => void): (() => void) => {
    this.takenListeners.add(listener);
    return () => this.takenListeners.delete(listener);
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
      const beside = this.rules.beside(id);
      const told = beside.length === 0 ? NO_RULE : beside.filter((rule) => this.isBroken(rule)).map((rule) => this.toldOf(rule));
      const because = values.has(id) ? this.becauseOf(id) : null;
      const value = because !== null ? null : values.has(id) ? (values.get(id) ?? null) : (this.entered.get(id) ?? null);
      const drifted = this.stored.has(id) && this.opened.has(id) && !sameStored(this.stored.get(id), this.opened.get(id));
      const next: FieldState = {
        value,
        error: this.errors.get(id) ?? null,
        marked: this.marked.has(id),
        because,
        taken: this.takenFrom(id),
        required: ruleHolds(values, requiredResult(id)),
        told,
        previous: this.previousOf(id),
        typed: this.units.of(id),
        results: this.live.rowsOf(id),
        typedBefore: this.units.before(id, sameStored(value, this.base.get(id))),
        ...(drifted && { kept: this.stored.get(id) ?? null, untouched: sameStored(values.get(id), this.opened.get(id)) }),
      };
      const now = this.states.get(id);
      const unchanged =
        now &&
        now.error === next.error &&
        now.marked === next.marked &&
        now.because === because &&
        now.taken === next.taken &&
        now.previous === next.previous &&
        now.typed === next.typed &&
        now.results === next.results &&
        now.typedBefore === next.typedBefore &&
        now.required === next.required &&
        sameRules(now.told, told) &&
        now.untouched === next.untouched &&
        sameStored(now.kept, next.kept) &&
        typeof now.value === typeof value &&
        (areRows(value) || areRows(now.value) ? now.value === value : sameStored(now.value, value));
      if (unchanged && hidden.has(id) === this.hidden.has(id)) continue;
      if (!unchanged) this.states.set(id, next);
      if (hidden.has(id)) this.hidden.add(id);
      else this.hidden.delete(id);
      changed.push(id);
    }
    const above = this.rules.all.filter((rule) => {
      const field = this.rules.fieldOf(rule);
      return (field === null || this.hidden.has(field)) && this.isBroken(rule);
    });
    const toldAbove = above.map((rule) => this.toldOf(rule));
    if (!sameRules(this.above, toldAbove)) {
      this.above = toldAbove;
      changed.push(ABOVE);
    }
    for (const id of changed) this.listeners.get(id)?.forEach((tell) => tell());
    if (changed.length > 0) this.takenListeners.forEach((tell) => tell());
  }
}
