// The log names a row's fields as the database does, and an entry's as its form does: said here as the screens say them.
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { labels, t } from '../messages';

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function fieldName(klasa: string, naziv: string): string {
  const key = `${camel(klasa)}.${camel(naziv)}`;
  const texts: Readonly<Record<string, string>> = labels;
  return texts[key] ?? texts[key.replace(/Id$/, 'ID')] ?? naziv;
}

export function fieldValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? formatDateTime(value) : value;
}
