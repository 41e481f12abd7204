/** A form as formulas see it: which fields show, and what the calculated ones hold. The server does the same on save. */
import { ValueType } from '../valueType';
import type { Schema } from '../../schema';
import { type Days, type OtherEntry, type Subject, earlierOf, previousOf } from './around';
import { type Context, evaluate } from './evaluate';
import { clean, shownNumber } from './round';
import { type FormulaRow, Rows, cellsOf } from './rows';
import { textOf } from './text';
import { asksForHistory, type Formula, type Item } from './tree';
import {
  CivilDate,
  CivilMoment,
  CivilTime,
  type Value,
  asDate,
  asMoment,
  asNumber,
  asTime,
  asTruth,
  isItems,
  numberValue,
  textValue,
} from './value';

/** A value as an entry stores it: true or false, a number, a text, a list of item ids, `YYYY-MM-DD`, `HH:MM`, `YYYY-MM-DDTHH:MM`; null is blank. */
export type Stored = boolean | number | string | number[] | null;

export interface FormulaField {
  id: number;
  sifra: string | null;
  /** The tab or panel that the field lies in. */
  parent: number | null;
  /** The value type: 1 choice, 2 number, 3 text, 4 set, 5 date, 14 time, 15 moment; formulas see no value of others. */
  tip: Schema<'ValueType'>;
  /** Of a set, in the order in which it lists them. */
  items: readonly Item[];
  racunanje: Formula | null;
  prikaz: Formula | null;
  /** The section that repeats whose column it is: it has a value in each row, and none of its own. */
  sekcija?: number | null;
}

export interface Evaluation {
  /** The value of each calculated field by id; null where it is blank or the field is hidden. */
  values: Map<number, Stored>;
  /** Fields that a display formula hides: their own, or that of a tab or panel around them. */
  hidden: Set<number>;
  /** What formulas make of the rows of a section whose columns have some. */
  rowsOf: (section: number) => SectionResults | undefined;
}

/** What formulas make of one row: the results of its columns by their ids, and the columns whose cells do not show. */
export interface RowResults {
  readonly values: Readonly<Record<string, Stored>>;
  readonly hidden: ReadonlySet<number>;
}

/** Of the rows of a section, by their ids. */
export type SectionResults = ReadonlyMap<number, RowResults>;

/** A cell of a column with a formula. */
interface Cell {
  stored: Stored;
  seen: Value;
  hidden: boolean;
}

/**
 * A form that keeps what its formulas made of the answers, and after a change evaluates only what depends on it. Each field comes after
 * those it depends on. A hidden field is blank to all others, since saving clears it; a display formula that is blank hides; a calculated
 * field is seen unrounded, as if the two formulas were one.
 */
export class LiveForm {
  readonly values: Evaluation['values'] = new Map();
  readonly hidden: Evaluation['hidden'] = new Set();
  private readonly order: readonly FormulaField[];
  private readonly placeOf: ReadonlyMap<number, number>;
  /** By place in the order: the places of those that read the field or lie in it. All are later ones, since the server refuses circles. */
  private readonly dependents: readonly (readonly number[])[];
  private readonly seen = new Map<string, Value>();
  private readonly stored: Stored[] = [];
  /** Results before they are rounded. */
  private readonly computed: Value[] = [];
  private readonly stale: Uint8Array;
  private readonly sections: ReadonlySet<number>;
  /** By place in the order: the cells of a column with a formula. */
  private readonly cells: Cell[][] = [];
  private readonly results = new Map<number, SectionResults>();
  /** By section: its columns with formulas. */
  private readonly columns = new Map<number, FormulaField[]>();
  private readonly rows = new Rows();
  private context: Context;
  private readonly readsHistory: boolean;

  constructor(
    fields: readonly FormulaField[],
    private readonly subject: Subject<Stored> = {},
  ) {
    this.order = inOrder(fields);
    this.readsHistory = fields.some(({ racunanje, prikaz }) => [racunanje, prikaz].some((one) => one !== null && asksForHistory(one)));
    this.context = this.contextOn({ today: '' });
    this.sections = new Set(fields.flatMap(({ sekcija }) => sekcija ?? []));
    this.placeOf = new Map(this.order.map(({ id }, place) => [id, place]));
    this.dependents = dependentsOf(this.order, this.placeOf);
    this.stale = new Uint8Array(this.order.length);
    for (const field of this.order) {
      if (!field.sekcija || !(field.racunanje ?? field.prikaz)) continue;
      this.columns.set(field.sekcija, [...(this.columns.get(field.sekcija) ?? []), field]);
    }
  }

  /** What formulas make of the rows of this section; another object once something of it is another. */
  readonly rowsOf = (section: number): SectionResults | undefined => this.results.get(section);

  /** Evaluates everything. */
  all(entered: ReadonlyMap<number, Stored>, days: Days): Evaluation {
    this.context = this.contextOn(days);
    this.stale.fill(1);
    this.settle(entered, 0);
    return this;
  }

  /**
   * Evaluates what depends on the answer to one field, the only one that has changed, or on the days where they have; the ids of fields
   * that are another now. With the examination's date the previous entry changes too.
   */
  after(id: number, entered: ReadonlyMap<number, Stored>, days: Days): number[] {
    const next = this.contextOn(days);
    const sameDays = next.today === this.context.today && String(next.examined) === String(this.context.examined);
    const from = sameDays ? this.placeOf.get(id) : 0;
    if (from === undefined) return [];
    if (!sameDays) {
      this.context = next;
      this.stale.fill(1);
    }
    this.stale[this.placeOf.get(id) ?? from] = 1;
    return this.settle(entered, from);
  }

  private contextOn({ today, examined = null }: Days): Context {
    const date = CivilDate.parse(examined ?? '');
    const before = previousOf(this.subject.others ?? [], date);
    const earlier = this.readsHistory ? earlierOf(this.subject.others ?? [], date) : [];
    const ofOthers = this.readOtherForms(date);
    return {
      values: this.seen,
      previous: new Map([...(before ? valuesOf(this.order, before) : []), ...ofOthers.previous]),
      earlier: [...earlier.map((entry) => valuesOf(this.order, entry)), ...ofOthers.earlier],
      visitsBefore: earlier.length,
      today,
      examined: date,
      patient: this.subject.patient ?? null,
      previousDate: CivilDate.parse(before?.datumUnosa ?? ''),
      rows: this.rows,
      row: null,
      place: 0,
      ofColumn: false,
    };
  }

  /** What other forms hold by this day: that of the same day stands among the values. */
  private readOtherForms(date: CivilDate | null): { previous: [string, Value][]; earlier: Map<string, Value>[] } {
    const read = { previous: [] as [string, Value][], earlier: [] as Map<string, Value>[] };
    for (const { polja, unosi } of this.subject.otherForms ?? []) {
      const fields = polja.map(({ id, sifra, tip, stavke }) => ({ id, sifra, tip, items: stavke }));
      const sameDay = date && unosi.find(({ datumUnosa }) => datumUnosa === date.toString());
      for (const { sifra } of fields) this.seen.delete(sifra);
      if (sameDay) for (const [code, value] of valuesOf(fields, sameDay)) this.seen.set(code, value);
      const before = previousOf(unosi, date);
      if (before) read.previous.push(...valuesOf(fields, before));
      read.earlier.push(...earlierOf(unosi, date).map((entry) => valuesOf(fields, entry)));
    }
    return read;
  }

  private settle(entered: ReadonlyMap<number, Stored>, from: number): number[] {
    const changed: number[] = [];
    for (let place = this.stale.indexOf(1, from); place !== -1; place = this.stale.indexOf(1, place + 1)) {
      this.stale[place] = 0;
      const field = this.order[place];
      if (!field || !this.evaluate(field, place, entered)) continue;
      changed.push(field.id);
      for (const dependent of this.dependents[place] ?? []) this.stale[dependent] = 1;
    }
    return changed;
  }

  /** Whether the cells of a column with a formula are others than before. Their rows may be new ones, so all are filled. */
  private evaluateColumn(field: FormulaField, section: number, place: number, entered: ReadonlyMap<number, Stored>): boolean {
    const isAroundHidden = field.parent !== null && this.hidden.has(field.parent);
    const wasHidden = this.hidden.has(field.id);
    if (isAroundHidden) this.hidden.add(field.id);
    else this.hidden.delete(field.id);
    const rows = isAroundHidden ? null : (entered.get(section) ?? null);
    const known = this.rows.inSection(section);
    const cells = cellsOf(rows).map((typed, at) => this.cell(field, typed, known[at] ?? null, at));
    this.rows.fillWith(
      field,
      section,
      cells.map(({ seen }) => seen),
    );
    const before = this.cells[place];
    this.cells[place] = cells;
    const isSettled =
      wasHidden === isAroundHidden &&
      before?.length === cells.length &&
      cells.every((cell, at) => {
        const was = before[at];
        return was && was.hidden === cell.hidden && isSame(was.stored, cell.stored) && isSameResult(was.seen, cell.seen);
      });
    this.take(section, rows);
    return !isSettled;
  }

  private cell(field: FormulaField, typed: Readonly<Record<string, Stored>>, row: FormulaRow | null, place: number): Cell {
    const context: Context = { ...this.context, row, place, ofColumn: true };
    if (field.prikaz && asTruth(evaluate(field.prikaz.expr, context)) !== true) return { stored: null, seen: null, hidden: true };
    if (!field.racunanje) {
      const stored = typed[field.id] ?? null;
      return { stored, seen: valueOf(field, stored), hidden: false };
    }
    const computed = evaluate(field.racunanje.expr, context);
    const stored = result(field, computed);
    return { stored, seen: seenOf(field, computed, stored), hidden: false };
  }

  /** Puts the cells of a section's columns together, row by row; a row of which nothing is another keeps its object. */
  private take(section: number, rows: Stored): void {
    const before = this.results.get(section);
    const columns = this.columns.get(section) ?? [];
    const now = new Map<number, RowResults>();
    for (const [at, id] of idsOf(rows).entries()) {
      const values: Record<string, Stored> = {};
      const hidden = new Set<number>();
      for (const column of columns) {
        const cell = this.cells[this.placeOf.get(column.id) ?? -1]?.[at];
        if (cell?.hidden) hidden.add(column.id);
        if (column.racunanje) values[column.id] = cell?.stored ?? null;
      }
      const was = before?.get(id);
      // The same set while it says the same: whoever draws what is asked is not told of results.
      const next = { values, hidden: was && areSameSets(was.hidden, hidden) ? was.hidden : hidden };
      now.set(id, was && areSameResults(was, next) ? was : next);
    }
    const isSettled = before?.size === now.size && [...now].every(([id, one]) => before.get(id) === one);
    if (!isSettled) this.results.set(section, now);
  }

  /** Whether the field's value or visibility is another than before. */
  private evaluate(field: FormulaField, place: number, entered: ReadonlyMap<number, Stored>): boolean {
    if (field.sekcija && (field.racunanje ?? field.prikaz)) return this.evaluateColumn(field, field.sekcija, place, entered);
    const { context } = this;
    const shown = field.prikaz === null || asTruth(evaluate(field.prikaz.expr, context)) === true;
    const hidden = (field.parent !== null && this.hidden.has(field.parent)) || !shown;
    let stored: Stored = null;
    let computed: Value = null;
    if (!hidden && field.racunanje) {
      computed = evaluate(field.racunanje.expr, context);
      stored = result(field, computed);
    } else if (!hidden) {
      // A column is another one whenever the rows are others.
      stored = entered.get(field.sekcija ?? field.id) ?? null;
    }
    const isSettled = place in this.stored && hidden === this.hidden.has(field.id);
    if (isSettled && isSame(stored, this.stored[place] ?? null) && isSameResult(computed, this.computed[place] ?? null)) return false;
    this.stored[place] = stored;
    this.computed[place] = computed;
    if (this.sections.has(field.id)) this.rows.take(field, stored);
    else if (field.sekcija) this.rows.fill(field, field.sekcija, stored, (cell) => valueOf(field, cell));
    else if (field.sifra !== null) this.seen.set(field.sifra, hidden ? null : seenOf(field, computed, stored));
    if (hidden) this.hidden.add(field.id);
    else this.hidden.delete(field.id);
    if (field.racunanje) this.values.set(field.id, stored);
    return true;
  }
}

/** Evaluates all formulas of a form once. */
export const evaluateForm = (
  fields: readonly FormulaField[],
  entered: ReadonlyMap<number, Stored>,
  days: Days,
  subject: Subject<Stored> = {},
): Evaluation => new LiveForm(fields, subject).all(entered, days);

/** The ids of the rows of a stored value, in their order. */
const idsOf = (rows: unknown): number[] =>
  Array.isArray(rows)
    ? (rows as { id: number; v?: unknown }[]).flatMap(({ id, v }) => (typeof v === 'object' && v !== null ? [id] : []))
    : [];

const areSameSets = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((column) => other.has(column));

const areSameResults = (one: RowResults, other: RowResults): boolean =>
  one.hidden === other.hidden && Object.entries(one.values).every(([column, value]) => isSame(value, other.values[column] ?? null));

function isSame(one: Stored, other: Stored): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((item, i) => item === other[i]);
  return Object.is(one, other);
}

/** Whether two results that are stored alike are alike to other formulas. */
function isSameResult(one: Value, other: Value): boolean {
  return typeof one === typeof other && (typeof one !== 'number' || Object.is(one, other));
}

type Readable = Pick<FormulaField, 'id' | 'sifra' | 'tip' | 'items'>;

/** What an entry holds of these fields, by their codes. */
const valuesOf = (fields: readonly Readable[], { vrednosti }: OtherEntry<Stored>): Map<string, Value> =>
  new Map(fields.flatMap((field) => (field.sifra === null ? [] : [[field.sifra, valueOf(field, vrednosti[field.id] ?? null)] as const])));

function dependentsOf(order: readonly FormulaField[], placeOf: ReadonlyMap<number, number>): number[][] {
  const placeOfCode = new Map(order.flatMap(({ sifra }, place) => (sifra === null ? [] : [[sifra, place] as const])));
  const dependents: number[][] = order.map(() => []);
  for (const [place, { parent, racunanje, prikaz }] of order.entries()) {
    const around = parent === null ? undefined : placeOf.get(parent);
    const read = [...(racunanje?.deps ?? []), ...(prikaz?.deps ?? [])].map((code) => placeOfCode.get(code));
    for (const on of new Set([around, ...read])) {
      if (on !== undefined) dependents[on]?.push(place);
    }
  }
  return dependents;
}

/** A stored value as formulas see it; one that does not fit the field's type is blank. */
function valueOf({ tip, items }: Pick<FormulaField, 'tip' | 'items'>, stored: Stored): Value {
  if (tip === ValueType.Choice && typeof stored === 'boolean') return Number(stored);
  if (tip === ValueType.Number && typeof stored === 'number') return numberValue(stored);
  if (tip === ValueType.Text && typeof stored === 'string') return textValue(stored);
  if (tip === ValueType.Set && Array.isArray(stored)) {
    const chosen = items.filter((item) => stored.includes(item.id));
    return chosen.length > 0 ? chosen : null;
  }
  if (tip === ValueType.Date && typeof stored === 'string') return CivilDate.parse(stored);
  if (tip === ValueType.Time && typeof stored === 'string') return CivilTime.parse(stored);
  if (tip === ValueType.Moment && typeof stored === 'string') return CivilMoment.parse(stored);
  return null;
}

/** A value as the field would store it, were it a result: a number is rounded. */
export const asResult = (field: FormulaField, stored: Stored): Stored => result(field, valueOf(field, stored));

/** What a text field shows and other formulas still see as what it is. */
const isShownAsText = (value: Value): boolean =>
  typeof value === 'number' || value instanceof CivilDate || value instanceof CivilTime || value instanceof CivilMoment;

/** What other formulas see of a field. */
function seenOf(field: FormulaField, computed: Value, stored: Stored): Value {
  if (field.racunanje && field.tip === ValueType.Number) return numberValue(asNumber(computed));
  if (field.racunanje && field.tip === ValueType.Text && isShownAsText(computed)) return computed;
  return valueOf(field, stored);
}

/** A result as the field stores it; one that does not fit the field's type is null. */
function result({ tip, items }: FormulaField, value: Value): Stored {
  switch (tip) {
    case ValueType.Choice:
      return asTruth(value);
    case ValueType.Number: {
      const number = asNumber(value);
      return Number.isNaN(number) ? null : shownNumber(number);
    }
    case ValueType.Text:
      return textOf(value);
    case ValueType.Set: {
      if (isItems(value)) return value.filter((item) => items.some((own) => own.id === item.id)).map((item) => item.id);
      const fits = (item: Item) =>
        typeof value === 'number' ? item.numVrednost === clean(value) || item.numVrednost === shownNumber(value) : item.naziv === value;
      const item = items.find(fits);
      return item ? [item.id] : null;
    }
    case ValueType.Date:
      return asDate(value)?.toString() ?? null;
    case ValueType.Time:
      return asTime(value)?.toString() ?? null;
    case ValueType.Moment:
      return asMoment(value)?.toString() ?? null;
    default:
      return null;
  }
}

/** Each field after those it waits for: the fields its formulas read, and the tab or panel around it. */
function inOrder(fields: readonly FormulaField[]): FormulaField[] {
  const byCode = new Map(fields.flatMap((field) => (field.sifra === null ? [] : [[field.sifra, field] as const])));
  const byId = new Map(fields.map((field) => [field.id, field]));
  const met = new Set<FormulaField>();
  const order: FormulaField[] = [];
  const visit = (field: FormulaField | undefined) => {
    if (!field || met.has(field)) return;
    met.add(field);
    if (field.parent !== null) visit(byId.get(field.parent));
    for (const formula of [field.racunanje, field.prikaz]) {
      for (const code of formula?.deps ?? []) visit(byCode.get(code));
    }
    order.push(field);
  };
  for (const field of fields) visit(field);
  return order;
}
