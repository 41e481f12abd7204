/** Values that a formula computes with, and how one kind is read as another. */
import { CivilMoment, CivilTime } from './clock';
import { CivilDate } from './date';
import { add, clean } from './round';
import type { Item } from './tree';

export { CivilMoment, CivilTime } from './clock';
export { CivilDate } from './date';

/** Null is blank; a choice is 1 or 0; a list holds the chosen items of a set and is never empty. */
export type Value = null | number | string | ItemCode | CivilDate | CivilTime | CivilMoment | readonly Item[];

/** The code of an item of a set, by which a formula names it. */
export class ItemCode {
  constructor(readonly code: string) {}
}

export function isItems(value: Value): value is readonly Item[] {
  return Array.isArray(value);
}

/** What is not a number is blank. */
export function numberValue(number: number): Value {
  return Number.isNaN(number) ? null : number;
}

/** A text of nothing but white space is blank. */
export function textValue(text: string): Value {
  return trimmed(text) === '' ? null : text;
}

export function truthValue(truth: boolean | null): Value {
  return truth === null ? null : Number(truth);
}

/** NaN is blank: also a text that is not a number, and a date. Several chosen items are their sum, which one without a weight has not. */
export function asNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return numberIn(value);
  return isItems(value) ? value.reduce((sum, item) => add(sum, item.numVrednost ?? NaN), 0) : NaN;
}

/** A date, the day of a moment, or a text `YYYY-MM-DD`. */
export function asDate(value: Value): CivilDate | null {
  if (value instanceof CivilDate) return value;
  if (value instanceof CivilMoment) return value.date;
  return typeof value === 'string' ? CivilDate.parse(trimmed(value)) : null;
}

/** A time of day, or a text `HH:MM`. That of a moment is asked for by `time_of`. */
export function asTime(value: Value): CivilTime | null {
  if (value instanceof CivilTime) return value;
  return typeof value === 'string' ? CivilTime.parse(trimmed(value)) : null;
}

/** A day with a time, or a text `YYYY-MM-DDTHH:MM`. */
export function asMoment(value: Value): CivilMoment | null {
  if (value instanceof CivilMoment) return value;
  return typeof value === 'string' ? CivilMoment.parse(trimmed(value)) : null;
}

/** The text, or the names of the chosen items, a comma between them. */
export function asText(value: Value): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof ItemCode) return value.code;
  return isItems(value) ? value.map((item) => item.naziv).join(', ') : null;
}

/** Whether a condition holds; null is blank. */
export function asTruth(value: Value): boolean | null {
  if (value === null) return null;
  return typeof value === 'number' ? value !== 0 : true;
}

/** Negative, zero or positive as one value is less than, equal to or more than the other, numbers without noise; NaN is blank. */
export function compare(a: Value, b: Value): number {
  if (a === null || b === null) return NaN;
  if (isItems(a) && b instanceof ItemCode) return isOnly(a, b) ? 0 : -1;
  if (isItems(b) && a instanceof ItemCode) return isOnly(b, a) ? 0 : -1;
  if (a instanceof CivilMoment || b instanceof CivilMoment) {
    // Beside a date a moment is its day.
    const [one, other] = [asMoment(a), asMoment(b)];
    if (one && other) return one.wallMinutes - other.wallMinutes;
    return (asDate(a)?.days ?? NaN) - (asDate(b)?.days ?? NaN);
  }
  if (a instanceof CivilTime || b instanceof CivilTime) return (asTime(a)?.minutes ?? NaN) - (asTime(b)?.minutes ?? NaN);
  if (a instanceof CivilDate || b instanceof CivilDate) return (asDate(a)?.days ?? NaN) - (asDate(b)?.days ?? NaN);
  if (typeof a === 'number' || typeof b === 'number') {
    const [x, y] = [clean(asNumber(a)), clean(asNumber(b))];
    return Number.isNaN(x) || Number.isNaN(y) ? NaN : Number(x > y) - Number(x < y);
  }
  return compareTexts(asText(a) ?? '', asText(b) ?? '');
}

/** Whether it is the code of the only chosen item. */
function isOnly(items: readonly Item[], { code }: ItemCode): boolean {
  return items.length === 1 && items[0]?.sifra === code;
}

/** By code points, as the server does; JavaScript's own `<` goes by halves of them. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [i, letter] of left.entries()) {
    const difference = (letter.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** `12`, `-1.5`, `2,5`, `.5`, `1e3`, with white space around it; NaN for anything else. */
export function numberIn(text: string): number {
  const bare = trimmed(text);
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?$/.test(bare) ? Number(bare.replace(',', '.')) : NaN;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
