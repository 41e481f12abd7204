// The log names a row's fields as the database does, and an entry's as its form does: said here as the screens say them.
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { labels, t } from '../messages';

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const classNames: Readonly<Record<string, string | undefined>> = t.log.classNames;

/** A row may be of a class that another version of the programs wrote: it is told as what it is, none that is known. */
export const className = (klasa: string): string => classNames[klasa] ?? t.log.unknownClass(klasa);

export function fieldName(klasa: string, naziv: string): string {
  const field = camel(naziv);
  const key = `${camel(klasa)}.${field}`;
  const texts: Readonly<Record<string, string>> = labels;
  const { fieldNames } = t.log;
  return fieldNames[key] ?? texts[key] ?? texts[key.replace(/Id$/, 'ID')] ?? fieldNames[field] ?? naziv;
}

export function fieldValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value);
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? formatDateTime(value) : value;
}
