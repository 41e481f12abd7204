/** The value of a tree, by the rules of `domain/src/formula`: blank stays blank unless the function handles it. */
import { exp, ln, log10, pow } from './ieee';
import type { FormulaPatient } from './around';
import { type FunctionOfMany, type One, countif, extreme, isOfMany, mayBePassedOver, ofMany } from './many';
import { add, clean, halfAway, remainder } from './round';
import { type FormulaRow, type Rows, decidedByRows } from './rows';
import { concat, join, textOf } from './text';
import { type AskedFunction, type Comparison, type Expr, type FunctionName, type OfHistory, type OfRows, isAsked, isOfRows } from './tree';
import {
  CivilDate,
  CivilMoment,
  ItemCode,
  type Value,
  asDate,
  asMoment,
  asNumber,
  asTime,
  asTruth,
  compare,
  isItems,
  numberValue,
  textValue,
  truthValue,
} from './value';

/** What a formula may look at. */
export interface Context {
  /** By code; what is missing is blank. */
  values: ReadonlyMap<string, Value>;
  /** Those of the previous entry, likewise. */
  previous: ReadonlyMap<string, Value>;
  /** Those of all earlier entries, oldest first; none where no formula asks for them. */
  earlier: readonly ReadonlyMap<string, Value>[];
  /** Days before this one with an entry of the form. */
  visitsBefore: number;
  /** The day by the clock of Belgrade, `YYYY-MM-DD`. */
  today: string;
  examined: CivilDate | null;
  patient: FormulaPatient | null;
  previousDate: CivilDate | null;
  rows: Rows;
  /** The row in which a part of the formula is evaluated: its cells stand before all other values. */
  row: FormulaRow | null;
  /** Its place among those of its section, from 0. */
  place: number;
  /** Whether the formula is a column's: functions of many then read the cells of the one row, and only those asked of rows read others. */
  ofColumn: boolean;
}

function valueAt(code: string, { row, values }: Context): Value {
  return (row?.has(code) ? row.get(code) : values.get(code)) ?? null;
}

/** The value of `expr`, not rounded yet. */
export function evaluate(expr: Expr, context: Context): Value {
  switch (expr.t) {
    case 'number':
      return numberValue(expr.v);
    case 'text':
      return textValue(expr.v);
    case 'code':
      return new ItemCode(expr.v);
    case 'field':
      return valueAt(expr.code, context);
    case 'item':
      return numberValue(asNumber(valueAt(expr.code, context)));
    case 'call': {
      const { f, args } = expr;
      const evaluated = (arg: Expr) => evaluate(arg, context);
      const each = (arg: Expr) => eachOf(arg, context);
      if (isAsked(f)) return asked(f, args, context);
      if (isOfRows(f)) return ofRows(f, args, context);
      if (f === 'if') return chosenBranch(args, context);
      if (f === 'lookup') return found(args, context);
      if (f === 'concat') return concat(args, evaluated);
      if (f === 'join') return join(args, evaluated, each);
      if (f === 'coalesce') return firstThere(args, context);
      if (f === 'earliest' || f === 'latest') return extreme(f, args, each);
      if (f === 'countif') return countif(args, each, (value, row) => rowHolds(value, row, context));
      if (isOfMany(f)) return ofMany(f, args, each);
      if (f === 'sum' || f === 'count') return FUNCTIONS[f](args.flatMap(each).map(([value]) => value));
      return FUNCTIONS[f](args.map(evaluated));
    }
  }
}

/** The value of `arg` in each row; null where it reads no column. */
function inRows(arg: Expr, context: Context): Value[] | null {
  const code = context.rows.columnIn(arg, context.ofColumn);
  return code === null ? null : context.rows.of(code).map((row, place) => evaluate(arg, { ...context, row, place }));
}

/** The values that an argument of many stands for. A section without rows is one blank that is passed over. */
function eachOf(arg: Expr, context: Context): readonly One[] {
  const values = context.ofColumn ? null : inRows(arg, context);
  if (values === null) return [[evaluate(arg, context), mayBePassedOver(arg)]];
  if (values.length === 0) return [[null, true]];
  return values.map((value) => [value, mayBePassedOver(arg)] as const);
}

function ofRows(name: OfRows, [arg]: readonly Expr[], context: Context): Value {
  if (!arg) return null;
  if (name === 'row_count') return arg.t === 'field' ? context.rows.of(arg.code).length : 0;
  const values = inRows(arg, context) ?? [];
  switch (name) {
    case 'first_row':
      return values[0] ?? null;
    case 'last_row':
      return values[values.length - 1] ?? null;
    case 'any_row':
      return truthValue(decidedByRows(values, true));
    case 'every_row':
      return truthValue(decidedByRows(values, false));
  }
}

function asked(name: AskedFunction, [arg]: readonly Expr[], context: Context): Value {
  const { patient } = context;
  switch (name) {
    case 'today':
      return CivilDate.parse(context.today);
    case 'examined':
      return context.examined;
    case 'patient_sex':
      return truthValue(patient?.polTrenutni ?? null);
    case 'patient_sex_at_birth':
      return truthValue(patient?.polNaRodjenju ?? null);
    case 'patient_born':
      return CivilDate.parse(patient?.datumRodjenja ?? '');
    case 'previous':
      return arg ? evaluate(arg, { ...context, values: context.previous, row: null }) : null;
    case 'previous_date':
      return context.previousDate;
    case 'visit_number':
      return context.examined ? context.visitsBefore + 1 : null;
    case 'row_number':
      return context.row ? context.place + 1 : null;
    case 'first_earlier':
    case 'last_earlier':
    case 'least_earlier':
    case 'greatest_earlier':
      return arg ? ofHistory(name, arg, context) : null;
  }
}

/** What a field had first in the earlier entries, its last, its least or its greatest there; blank ones are passed over. */
function ofHistory(name: OfHistory, arg: Expr, context: Context): Value {
  const there = context.earlier.map((values) => evaluate(arg, { ...context, values, row: null })).filter((value) => value !== null);
  const [first = null, ...rest] = there;
  if (name === 'first_earlier') return first;
  if (name === 'last_earlier') return there.at(-1) ?? null;
  let best = first;
  for (const value of rest) {
    const order = compare(value, best);
    if (Number.isNaN(order)) return null;
    if (name === 'least_earlier' ? order < 0 : order > 0) best = value;
  }
  return best;
}

/** The value beside the first row of a table that the looked up value fits: `[x, row, value, row, value, …, else?]`. */
function found([lookedUp, ...rows]: readonly Expr[], context: Context): Value {
  const value = lookedUp ? evaluate(lookedUp, context) : null;
  if (value === null) return null;
  for (let i = 0; i < rows.length; i += 2) {
    const [row, beside] = [rows[i], rows[i + 1]];
    if (!row) return null;
    if (!beside) return evaluate(row, context);
    const holds = row.t === 'call' ? rowHolds(value, row, context) : null;
    if (holds === null) return null;
    if (holds) return evaluate(beside, context);
  }
  return null;
}

/** Whether `value` stands as `row` asks; null is blank. */
function rowHolds(value: Value, { f, args: [bound] }: Comparison, context: Context): boolean | null {
  const holds = HOLDS[f];
  const order = bound ? compare(value, evaluate(bound, context)) : NaN;
  return Number.isNaN(order) || !holds ? null : holds(order);
}

const HOLDS: Partial<Record<FunctionName, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
};

function chosenBranch([condition, then, otherwise]: Expr[], context: Context): Value {
  const holds = condition ? asTruth(evaluate(condition, context)) : null;
  if (holds === null) return null;
  const branch = holds ? then : otherwise;
  return branch ? evaluate(branch, context) : null;
}

type Apply = (args: Value[]) => Value;

/** The server has checked how many values each call has. */
const FUNCTIONS: Record<
  Exclude<
    FunctionName,
    AskedFunction | OfRows | FunctionOfMany | 'if' | 'lookup' | 'concat' | 'join' | 'countif' | 'coalesce' | 'earliest' | 'latest'
  >,
  Apply
> = {
  add: (args) => (args.some((arg) => arg instanceof CivilDate) ? moved(args) : added(args)),
  sub: ([from = null, less = null]) => {
    if (!(from instanceof CivilDate)) return numberValue(add(asNumber(from), -asNumber(less)));
    return less instanceof CivilDate ? daysBetween(less, from) : shifted(from, -asNumber(less));
  },
  mul: (args) => numberValue(args.map(asNumber).reduce((product, x) => product * x)),
  div: (args) => of2(args, (a, b) => a / b),
  rem: (args) => of2(args, remainder),
  neg: (args) => of1(args, (a) => -a),
  lt: (args) => compared(args, (order) => order < 0),
  le: (args) => compared(args, (order) => order <= 0),
  gt: (args) => compared(args, (order) => order > 0),
  ge: (args) => compared(args, (order) => order >= 0),
  eq: (args) => compared(args, (order) => order === 0),
  ne: (args) => compared(args, (order) => order !== 0),
  and: (args) => decided(args, false),
  or: (args) => decided(args, true),
  not: ([arg = null]) => {
    const holds = asTruth(arg);
    return truthValue(holds === null ? null : !holds);
  },
  sqrt: (args) => of1(args, Math.sqrt),
  ln: (args) => of1(args, ln),
  log10: (args) => of1(args, log10),
  exp: (args) => of1(args, exp),
  pow: (args) => of2(args, (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : pow(a, b))),
  abs: (args) => of1(args, Math.abs),
  floor: (args) => of1(args, (a) => Math.floor(clean(a))),
  ceil: (args) => of1(args, (a) => Math.ceil(clean(a))),
  round: ([value = null, places = 0]) => {
    const wanted = asNumber(places);
    return Number.isNaN(wanted) ? null : numberValue(halfAway(asNumber(value), Math.trunc(Math.min(Math.max(wanted, 0), 10))));
  },
  sum: added,
  count: (args) => args.reduce<number>((count, arg) => count + counted(arg), 0),
  isblank: ([arg = null]) => truthValue(arg === null),
  selected: anyOf,
  anyof: anyOf,
  age: (args) => {
    const months = monthsBetween(args);
    return months === null ? null : Math.trunc(months / 12);
  },
  age_months: monthsBetween,
  age_days: ([from = null, to = null]) => {
    const days = daysBetween(from, to);
    return days === null || days < 0 ? null : days;
  },
  days_between: ([from, to]) => daysBetween(from, to),
  add_days: ([date = null, days = null]) => shifted(asDate(date), asNumber(days)),
  minutes_between: ([from = null, to = null]) => minutesBetween(from, to),
  hours_between: ([from = null, to = null]) => {
    const minutes = minutesBetween(from, to);
    return minutes === null ? null : minutes / 60;
  },
  add_minutes: ([value = null, by = null]) => later(value, asNumber(by)),
  add_months: ([date = null, by = null]) => monthsLater(asDate(date), asNumber(by)),
  date_of: ([value = null]) => asDate(value),
  time_of: ([value = null]) => asMoment(value)?.time ?? asTime(value),
  date_time: ([date = null, time = null]) => {
    const [day, of] = [asDate(date), asTime(time)];
    return day && of && new CivilMoment(day, of);
  },
  year: ([date = null]) => asDate(date)?.year ?? null,
  month: ([date = null]) => asDate(date)?.month ?? null,
  interpolate: (args) => interpolated(args.map(asNumber)),
  length: ([value = null]) => {
    const text = textOf(value);
    return text === null ? null : Array.from(text).length;
  },
  contains: ([value = null, part = null]) => {
    const [text, sought] = [textOf(value), textOf(part)];
    return text === null || sought === null ? null : truthValue(text.includes(sought));
  },
};

function added(args: Value[]): Value {
  return numberValue(args.map(asNumber).reduce(add));
}

function of1([a = null]: Value[], apply: (a: number) => number): Value {
  return numberValue(apply(asNumber(a)));
}

function of2([a = null, b = null]: Value[], apply: (a: number, b: number) => number): Value {
  return numberValue(apply(asNumber(a), asNumber(b)));
}

function compared([a = null, b = null]: Value[], holds: (order: number) => boolean): Value {
  const order = compare(a, b);
  return Number.isNaN(order) ? null : truthValue(holds(order));
}

/** And, or: one side equal to `decisive` decides, whatever the others are; else one blank makes the answer blank. */
function decided(args: Value[], decisive: boolean): Value {
  const truths = args.map(asTruth);
  if (truths.includes(decisive)) return truthValue(decisive);
  return truths.includes(null) ? null : truthValue(!decisive);
}

function anyOf([value = null, ...wanted]: Value[]): Value {
  return truthValue(wanted.some((one) => isSelected(value, one)));
}

/** How many values it is: each chosen item of a set is one. */
function counted(value: Value): number {
  return isItems(value) ? value.length : Number(value !== null);
}

/** Whether the item with this number, code or name is chosen; a value that is no set is compared as it is. */
function isSelected(value: Value, wanted: Value): boolean {
  if (!isItems(value)) return compare(value, wanted) === 0;
  if (wanted instanceof ItemCode) return value.some((item) => item.sifra === wanted.code);
  if (typeof wanted === 'string') return value.some((item) => item.naziv === wanted);
  const number = clean(asNumber(wanted));
  return value.some((item) => item.numVrednost === number);
}

/** A date and days, in any order; two dates have no sum. */
function moved([first = null, ...rest]: Value[]): Value {
  return rest.reduce((sum, arg) => {
    if (sum instanceof CivilDate) return shifted(sum, asNumber(arg));
    return arg instanceof CivilDate ? shifted(arg, asNumber(sum)) : numberValue(add(asNumber(sum), asNumber(arg)));
  }, first);
}

/** The date so many whole days later, a part of a day left out. */
function shifted(date: CivilDate | null, by: number): CivilDate | null {
  const days = Math.trunc(clean(by));
  return date === null || Number.isNaN(days) || Math.abs(days) > 4e6 ? null : date.plus(days);
}

function daysBetween(from: Value | undefined, to: Value | undefined): number | null {
  const [first, last] = [asDate(from ?? null), asDate(to ?? null)];
  return first && last ? last.days - first.days : null;
}

/** The first value that is there. */
function firstThere(args: readonly Expr[], context: Context): Value {
  for (const arg of args) {
    const value = evaluate(arg, context);
    if (value !== null) return value;
  }
  return null;
}

/** Of two times of day, or of two moments. */
function minutesBetween(from: Value, to: Value): number | null {
  const [first, last] = [asMoment(from), asMoment(to)];
  if (first && last) return last.instantMinutes - first.instantMinutes;
  const [one, other] = [asTime(from), asTime(to)];
  return one && other ? one.minutesTo(other) : null;
}

/** A time of day stays one, round the clock. A part of a minute is left out. */
function later(value: Value, by: number): Value {
  const minutes = Math.trunc(clean(by));
  if (Number.isNaN(minutes) || Math.abs(minutes) > 6e9) return null;
  const at = asMoment(value);
  return at ? at.plus(minutes) : (asTime(value)?.plus(minutes) ?? null);
}

/** The same day of the month so many whole months later, or the month's last day where it lacks that day. */
function monthsLater(date: CivilDate | null, by: number): CivilDate | null {
  const months = Math.trunc(clean(by));
  return date === null || Number.isNaN(months) || Math.abs(months) > 2e5 ? null : date.plusMonths(months);
}

/** On the line between two knots of the table `[x1, y1, x2, y2, …]`; null outside of it. */
function interpolated([x = NaN, ...table]: number[]): Value {
  if (Number.isNaN(x) || table.some(Number.isNaN)) return null;
  const at = clean(x);
  for (let i = 0; i + 3 < table.length; i += 2) {
    const [from = NaN, low = NaN, to = NaN, high = NaN] = table.slice(i, i + 4);
    const [first, last] = [clean(from), clean(to)];
    if (at < first || at > last) continue;
    if (at <= first) return low;
    if (at >= last) return high;
    return numberValue(add(low, (add(high, -low) * add(at, -first)) / add(last, -first)));
  }
  return null;
}

/** Whole months; who was born on 29 February is a year older on 1 March. Null where `to` comes first. */
function monthsBetween([from = null, to = null]: Value[]): number | null {
  const [first, last] = [asDate(from), asDate(to)];
  if (!first || !last || last.days < first.days) return null;
  return (last.year - first.year) * 12 + last.month - first.month - Number(last.day < first.day);
}
