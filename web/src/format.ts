// Dates, times and numbers as people here write them, and back to the server's texts. No time zone is ever applied:
// a date is a calendar date, and the server's instants arrive as local wall time.
import { format, isValid, parse } from 'date-fns';

export const EMPTY = '—';

const SERVER_DATE = 'yyyy-MM-dd';
const SERVER_MINUTE = 'yyyy-MM-dd HH:mm';

/** As the server writes days and minutes: read without the library, since a long form has hundreds of them. */
const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d).*)?$/;

function readWritten(text: string): Date | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (WRITTEN.exec(text) ?? [])
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const value = new Date(year, month - 1, day, hour, minute);
  const isThatDay = value.getFullYear() === year && value.getMonth() === month - 1 && value.getDate() === day;
  return isThatDay && value.getHours() === hour && value.getMinutes() === minute ? value : null;
}

function read(text: string | null | undefined): Date | null {
  if (!text) return null;
  const written = readWritten(text);
  if (written) return written;
  const [date = '', time = '00:00'] = text.split(/[ T]/);
  const value = parse(`${date} ${time.slice(0, 5)}`, SERVER_MINUTE, new Date(0));
  return isValid(value) ? value : null;
}

const shown = (text: string | null | undefined, pattern: string) => {
  const value = read(text);
  return value ? format(value, pattern) : EMPTY;
};

/** `2026-03-05` -> `05.03.2026.` */
export const formatDate = (text: string | null | undefined) => shown(text, 'dd.MM.yyyy.');
/** `2026-03-05 14:30` -> `05.03.2026. 14:30` */
export const formatDateTime = (text: string | null | undefined) => shown(text, 'dd.MM.yyyy. HH:mm');
/** `2026-03-05 14:30` -> `14:30` */
export const formatTime = (text: string | null | undefined) => shown(text, 'HH:mm');

/** The server's text as a Date for a calendar widget, and back. */
export const fromServer = read;
export const toServerDate = (value: Date | null | undefined) => (value && isValid(value) ? format(value, SERVER_DATE) : null);
export const toServerDateTime = (value: Date | null | undefined) => (value && isValid(value) ? format(value, SERVER_MINUTE) : null);

/** The digits of a number that is not negative, before and after its decimal sign. */
function digitsOf(size: number): [whole: string, fraction: string] {
  const [digits = '', exponent = '0'] = String(size).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const by = Number(exponent);
  if (by < 0) return ['0', `${'0'.repeat(-by - 1)}${whole}${fraction}`];
  return [whole + fraction.slice(0, by).padEnd(by, '0'), fraction.slice(by)];
}

/** How many decimals a number is written with. */
export const decimalsOf = (value: number): number => digitsOf(Math.abs(value))[1].length;

const signed = (value: number, whole: string, fraction: string): string => `${value < 0 ? '-' : ''}${whole}${fraction && ','}${fraction}`;

/** 1234.5 -> `1234,5`: as it is typed. */
export const plainNumber = (value: number): string => signed(value, ...digitsOf(Math.abs(value)));

/** 1234.5 -> `1.234,5`: all the digits that are stored, the same on every screen, and as the server writes it (`domain/src/shown.rs`). */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return EMPTY;
  const [whole, fraction] = digitsOf(Math.abs(value));
  return signed(value, whole.replace(/\B(?=(\d{3})+$)/g, '.'), fraction);
}

/** 1536 -> `1,5 KB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${formatNumber(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power] ?? 'B'}`;
}

/** A sentence that ends with one point: a date has its point already. */
export const ended = (words: string): string => (words.endsWith('.') ? words : `${words}.`);
