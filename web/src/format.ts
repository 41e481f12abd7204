// Dates, times and numbers as people here write them, and back to the server's texts. No time zone is ever applied:
// a date is a calendar date, and the server's instants arrive as local wall time.
import { format, isValid, parse } from 'date-fns';

export const EMPTY = '—';

const SERVER_DATE = 'yyyy-MM-dd';
const SERVER_MINUTE = 'yyyy-MM-dd HH:mm';

function read(text: string | null | undefined): Date | null {
  if (!text) return null;
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

/** By `decimals`: to make one takes longer than to write a hundred numbers with it. */
/** Made only for numbers that need rounding: on a slow processor the first one takes 50 ms. */
const numberFormats = new Map<number | undefined, Intl.NumberFormat>();

/** 1234.5 -> `1.234,50`; without `decimals`, as many as the number has, up to six. */
export function formatNumber(value: number | null | undefined, decimals?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return EMPTY;
  const [whole = '', fraction = ''] = String(Math.abs(value)).split('.');
  if (/^\d+$/.test(whole) && /^\d*$/.test(fraction) && fraction.length <= (decimals ?? 6)) {
    const shown = fraction.padEnd(decimals ?? 0, '0');
    return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')}${shown && ','}${shown}`;
  }
  let numberFormat = numberFormats.get(decimals);
  if (!numberFormat) {
    numberFormat = new Intl.NumberFormat('sr-Latn-RS', { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 6 });
    numberFormats.set(decimals, numberFormat);
  }
  return numberFormat.format(value);
}

/** 1536 -> `1,5 KB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${formatNumber(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power] ?? 'B'}`;
}
