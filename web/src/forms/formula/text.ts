/** Values in words: `concat`, `join`, and results of text fields. */
import type { One } from './many';
import { PLACES, clean, decimalText, halfAway } from './round';
import type { Expr } from './tree';
import { CivilDate, CivilMoment, CivilTime, type Value, asText, textValue } from './value';

/** As many decimals as a field can be entered with. */
const ENTERED = 10;

/** All decimals where they end within those of an entered number, else two, as a result is stored; infinity is 0. */
function numberText(number: number): string {
  const places = halfAway(number, ENTERED) === clean(number) ? ENTERED : PLACES;
  return decimalText(Number.isFinite(number) ? number : 0, places).replace('.', ',');
}

/** The text of a value as a clinician reads it; null is blank. */
export function textOf(value: Value): string | null {
  if (typeof value === 'number') return numberText(value);
  if (value instanceof CivilDate) return dayText(value);
  if (value instanceof CivilTime) return value.toString();
  if (value instanceof CivilMoment) return `${dayText(value.date)} ${value.time.toString()}`;
  return asText(value);
}

const dayText = (day: CivilDate): string =>
  day
    .toString()
    .split('-')
    .reverse()
    .map((part) => `${part}.`)
    .join('');

type Evaluated = (arg: Expr) => Value;

/** Needs all of its values. */
export function concat(args: readonly Expr[], evaluated: Evaluated): Value {
  const parts = args.map((arg) => part(arg, evaluated));
  return parts.every((text) => text !== null) ? textValue(parts.join('')) : null;
}

/** The first value between those of the others that are there. */
export function join([between, ...rest]: readonly Expr[], evaluated: Evaluated, each: (arg: Expr) => readonly One[]): Value {
  const there = rest
    .flatMap(each)
    .map(([value]) => textOf(value))
    .filter((text) => text !== null);
  const separator = between ? part(between, evaluated) : null;
  return there.length === 0 || separator === null ? null : textValue(there.join(separator));
}

/** A literal stands as it is, though it be nothing but a space. */
const part = (arg: Expr, evaluated: Evaluated): string | null => (arg.t === 'text' ? arg.v : textOf(evaluated(arg)));
