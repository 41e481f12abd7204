/**
 * Functions of many values. A field that is blank is passed over; any other blank leaves no result, since what it would have been is
 * not known. An argument that reads columns of a section stands for its values in the rows.
 */
import { add } from './round';
import { type Comparison, type Expr, type FunctionName, asRow, isAsked } from './tree';
import { CivilDate, CivilMoment, CivilTime, type Value, asDate, asMoment, asNumber, asTime, asTruth, compare, numberValue } from './value';

const OF_MANY = {
  min: (numbers) => numbers.reduce((least, x) => (x < least ? x : least)),
  max: (numbers) => numbers.reduce((most, x) => (x > most ? x : most)),
  avg: mean,
  median: (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    const [below = 0, middle = 0] = sorted.slice((sorted.length - 1) >> 1);
    return sorted.length % 2 === 1 ? below : add(below, middle) / 2;
  },
  // Of a sample: divided by one less than there are. One value has none.
  sd: (numbers) => {
    if (numbers.length < 2) return NaN;
    const middle = mean(numbers);
    const squares = numbers.map((x) => add(x, -middle)).reduce((sum, off) => sum + off * off, 0);
    return Math.sqrt(squares / (numbers.length - 1));
  },
} satisfies Partial<Record<FunctionName, (numbers: number[]) => number>>;

export type FunctionOfMany = keyof typeof OF_MANY;

export const isOfMany = (name: FunctionName): name is FunctionOfMany => name in OF_MANY;

/** A value of an argument, and whether it is passed over while it is blank. */
export type One = readonly [value: Value, mayBePassedOver: boolean];

/** Where something was passed over, constants alone are nothing to answer with. */
export function ofMany(name: FunctionOfMany, args: readonly Expr[], each: (arg: Expr) => readonly One[]): Value {
  const numbers: number[] = [];
  let [passed, read] = [false, false];
  for (const arg of args) {
    for (const [value, passable] of each(arg)) {
      if (value === null && passable) {
        passed = true;
        continue;
      }
      const number = asNumber(value);
      if (Number.isNaN(number)) return null;
      numbers.push(number);
      read ||= !isConstant(arg);
    }
  }
  return numbers.length === 0 || (passed && !read) ? null : numberValue(OF_MANY[name](numbers));
}

/** The earliest or latest of dates, times or moments; null where two do not compare. */
export function extreme(name: 'earliest' | 'latest', args: readonly Expr[], each: (arg: Expr) => readonly One[]): Value {
  let best: Value = null;
  let [passed, read] = [false, false];
  for (const arg of args) {
    for (const [value, passable] of each(arg)) {
      if (value === null && passable) {
        passed = true;
        continue;
      }
      const one = ofCalendar(value);
      if (one === null) return null;
      read ||= !isConstant(arg);
      if (best === null) {
        best = one;
        continue;
      }
      const order = compare(one, best);
      if (Number.isNaN(order)) return null;
      if (name === 'latest' ? order > 0 : order < 0) best = one;
    }
  }
  return passed && !read ? null : best;
}

/** A date, a time or a moment, also one that is written as a text. */
function ofCalendar(value: Value): Value {
  if (value instanceof CivilDate || value instanceof CivilTime || value instanceof CivilMoment) return value;
  return typeof value === 'string' ? (asMoment(value) ?? asDate(value) ?? asTime(value)) : null;
}

/** How many conditions hold, or how many values stand as the first argument asks. Blanks are treated as above. */
export function countif(
  args: readonly Expr[],
  each: (arg: Expr) => readonly One[],
  rowHolds: (value: Value, row: Comparison) => boolean | null,
): Value {
  const row = asRow(args[0]);
  let [there, holding] = [0, 0];
  for (const [value, passable] of (row ? args.slice(1) : args).flatMap(each)) {
    if (value === null && passable) continue;
    const holds = row ? rowHolds(value, row) : asTruth(value);
    if (holds === null) return null;
    there += 1;
    holding += Number(holds);
  }
  return there === 0 ? null : holding;
}

/** A field, or a function that passes over fields itself. */
export function mayBePassedOver(arg: Expr): boolean {
  if (arg.t !== 'call') return arg.t === 'field' || arg.t === 'item';
  if (arg.f === 'first_row' || arg.f === 'last_row') return arg.args.every(mayBePassedOver);
  return isOfMany(arg.f) || arg.f === 'earliest' || arg.f === 'latest' || isAsked(arg.f);
}

/** Whether it is the same in every entry and on every day. */
function isConstant(arg: Expr): boolean {
  if (arg.t === 'call') return !isAsked(arg.f) && arg.args.every(isConstant);
  return arg.t === 'number' || arg.t === 'text' || arg.t === 'code';
}

function mean(numbers: number[]): number {
  return numbers.reduce(add) / numbers.length;
}
