/** The value of a tree, by the rules of `domain/src/formula`: blank stays blank unless the function handles it. */
import { exp, ln, log10, pow } from './ieee';
import { halfAway } from './round';
import type { Expr, FunctionName } from './tree';
import { CivilDate, type Value, asDate, asNumber, asTruth, compare, isItems, numberValue, textValue, truthValue } from './value';

/** What a formula may look at. */
export interface Context {
  /** By code; what is missing is blank. */
  values: ReadonlyMap<string, Value>;
  /** The day by the clock of Belgrade, `YYYY-MM-DD`. */
  today: string;
}

/** The value of `expr`, not rounded yet. */
export function evaluate(expr: Expr, context: Context): Value {
  switch (expr.t) {
    case 'number':
      return numberValue(expr.v);
    case 'text':
      return textValue(expr.v);
    case 'field':
      return context.values.get(expr.code) ?? null;
    case 'item':
      return numberValue(asNumber(context.values.get(expr.code) ?? null));
    case 'call': {
      if (expr.f === 'today') return CivilDate.parse(context.today);
      if (expr.f === 'if') return chosenBranch(expr.args, context);
      return FUNCTIONS[expr.f](expr.args.map((arg) => evaluate(arg, context)));
    }
  }
}

function chosenBranch([condition, then, otherwise]: Expr[], context: Context): Value {
  const holds = condition ? asTruth(evaluate(condition, context)) : null;
  if (holds === null) return null;
  const branch = holds ? then : otherwise;
  return branch ? evaluate(branch, context) : null;
}

type Apply = (args: Value[]) => Value;

/** The server has checked how many values each call has. */
const FUNCTIONS: Record<Exclude<FunctionName, 'if' | 'today'>, Apply> = {
  add: (args) => numberValue(args.map(asNumber).reduce((sum, x) => sum + x)),
  sub: (args) => (args.every((arg) => arg instanceof CivilDate) ? daysBetween(args[1], args[0]) : of2(args, (a, b) => a - b)),
  mul: (args) => numberValue(args.map(asNumber).reduce((product, x) => product * x)),
  div: (args) => of2(args, (a, b) => a / b),
  rem: (args) => of2(args, (a, b) => a % b),
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
  floor: (args) => of1(args, Math.floor),
  ceil: (args) => of1(args, Math.ceil),
  round: ([value = null, places = 0]) => {
    const wanted = asNumber(places);
    return Number.isNaN(wanted) ? null : numberValue(halfAway(asNumber(value), Math.trunc(Math.min(Math.max(wanted, 0), 10))));
  },
  min: (args) => ofPresent(args, (least, x) => (x < least ? x : least)),
  max: (args) => ofPresent(args, (most, x) => (x > most ? x : most)),
  sum: (args) => numberValue(args.map(asNumber).reduce((sum, x) => sum + x)),
  avg: (args) => numberValue(asNumber(ofPresent(args, (sum, x) => sum + x)) / present(args).length),
  count: (args) => args.filter((arg) => arg !== null).length,
  isblank: ([arg = null]) => truthValue(arg === null),
  selected: ([value = null, wanted = null]) => truthValue(isSelected(value, wanted)),
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
};

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

/** The numbers that are there. */
function present(args: Value[]): number[] {
  return args.map(asNumber).filter((number) => !Number.isNaN(number));
}

function ofPresent(args: Value[], join: (a: number, b: number) => number): Value {
  const numbers = present(args);
  return numbers.length === 0 ? null : numberValue(numbers.reduce(join));
}

/** Whether the item with this number or name is chosen; a value that is no set is compared as it is. */
function isSelected(value: Value, wanted: Value): boolean {
  if (!isItems(value)) return compare(value, wanted) === 0;
  if (typeof wanted === 'string') return value.some((item) => item.naziv === wanted);
  const number = asNumber(wanted);
  return value.some((item) => item.numVrednost === number);
}

function daysBetween(from: Value | undefined, to: Value | undefined): number | null {
  const [first, last] = [asDate(from ?? null), asDate(to ?? null)];
  return first && last ? last.days - first.days : null;
}

/** Whole months; who was born on 29 February is a year older on 1 March. Null where `to` comes first. */
function monthsBetween([from = null, to = null]: Value[]): number | null {
  const [first, last] = [asDate(from), asDate(to)];
  if (!first || !last || last.days < first.days) return null;
  return (last.year - first.year) * 12 + last.month - first.month - Number(last.day < first.day);
}
