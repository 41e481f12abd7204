// Dates, times and numbers as people here write them, and back to the server's texts. No time zone is ever applied:
// a date is a calendar date, and the server's instants arrive as local wall time.
import { format, isValid } from 'date-fns';

export const EMPTY = '—';

const SERVER_DATE = 'yyyy-MM-dd';
const SERVER_MINUTE = 'yyyy-MM-dd HH:mm';

/**
 * As the server writes days and minutes, and nothing else: a library that reads `1-11-26` makes the year 1 of it. Without the library
 * also since a long form has hundreds of them.
 */
const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d).*)?$/;
const WRITTEN_TIME = /[ T](\d\d:\d\d)/;

function read(text: string | null | undefined): Date | null {
  if (!text) return null;
  const written = WRITTEN.exec(text);
  if (!written) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = written.slice(1).map((part: string | undefined) => Number(part ?? 0));
  // A year before 100 is that year, and none of the last century.
  const value = new Date(0);
  value.setFullYear(year, month - 1, day);
  value.setHours(hour, minute, 0, 0);
  const isThatDay = value.getFullYear() === year && value.getMonth() === month - 1 && value.getDate() === day;
  return isThatDay && hour < 24 && minute < 60 ? value : null;
}

const shown = (text: string | null | undefined, pattern: string) => {
  const value = read(text);
  return value ? format(value, pattern) : EMPTY;
};

/** `2026-03-05` -> `05.03.2026.` */
export const formatDate = (text: string | null | undefined) => shown(text, 'dd.MM.yyyy.');
/** `2026-03-05 14:30` -> `05.03.2026. 14:30`; the time as it is written, also in the hour that the clock of this computer leaves out. */
export function formatDateTime(text: string | null | undefined): string {
  const day = formatDate(text);
  return day === EMPTY ? EMPTY : `${day} ${WRITTEN_TIME.exec(text ?? '')?.[1] ?? '00:00'}`;
}
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

/** The sign that people read; what programs read and what is typed has a hyphen. */
const MINUS = '−';

const signed = (minus: string, value: number, whole: string, fraction: string): string =>
  `${value < 0 ? minus : ''}${whole}${fraction && ','}${fraction}`;

/** 1234.5 -> `1234,5`: as it is typed. */
export const plainNumber = (value: number): string => signed('-', value, ...digitsOf(Math.abs(value)));

/** 1234.5 -> `1.234,5`: all the digits that are stored, the same on every screen, and as the server writes it (`domain/src/shown.rs`). */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return EMPTY;
  const [whole, fraction] = digitsOf(Math.abs(value));
  return signed(MINUS, value, whole.replace(/\B(?=(\d{3})+$)/g, '.'), fraction);
}

/** 1536 -> `1,5 KB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${formatNumber(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power] ?? 'B'}`;
}

/** A sentence that ends with one point: a date has its point already. */
export const ended = (words: string): string => (words.endsWith('.') ? words : `${words}.`);
