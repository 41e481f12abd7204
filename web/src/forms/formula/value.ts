/** Values that a formula computes with, and how one kind is read as another. */
import { add, clean } from './round';
import type { Item } from './tree';

/** Null is blank; a choice is 1 or 0; a list holds the chosen items of a set and is never empty. */
export type Value = null | number | string | ItemCode | CivilDate | readonly Item[];

/** The code of an item of a set, by which a formula names it. */
export class ItemCode {
  constructor(readonly code: string) {}
}

export class CivilDate {
  private constructor(
    readonly year: number,
    readonly month: number,
    readonly day: number,
  ) {}

  /** Exactly `YYYY-MM-DD`, a day that exists. */
  static parse(text: string): CivilDate | null {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
    const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
    return new CivilDate(year, month, day);
  }

  /** Days since an arbitrary first day. Years begin in March here, so that the leap day is the last. */
  get days(): number {
    const year = this.month > 2 ? this.year : this.year - 1;
    const month = (this.month + 9) % 12;
    return (
      365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + Math.floor((153 * month + 2) / 5) + this.day
    );
  }

  /** So many days later; null outside the years 1 to 9999. */
  plus(days: number): CivilDate | null {
    const moved = new Date(Date.UTC(2000, 2, 1) + (this.days - MARCH_2000 + days) * DAY);
    const year = moved.getUTCFullYear();
    return year >= 1 && year <= 9999 ? new CivilDate(year, moved.getUTCMonth() + 1, moved.getUTCDate()) : null;
  }

  toString(): string {
    const padded = (part: number, width: number) => String(part).padStart(width, '0');
    return `${padded(this.year, 4)}-${padded(this.month, 2)}-${padded(this.day, 2)}`;
  }
}

const DAY = 86_400_000;
/** The count of days on 1 March 2000. */
const MARCH_2000 = CivilDate.parse('2000-03-01')?.days ?? 0;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
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

/** A date, or a text `YYYY-MM-DD`. */
export function asDate(value: Value): CivilDate | null {
  if (value instanceof CivilDate) return value;
  return typeof value === 'string' ? CivilDate.parse(trimmed(value)) : null;
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
