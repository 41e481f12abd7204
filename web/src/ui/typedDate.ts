// A date as somebody types it.
import { fromServer } from '../format';
import { t } from '../messages';

/** The years that date pickers offer (A 9). */
export const YEARS = { from: 1920, to: 2030 };
/** Of a day that may also be one of birth. */
export const YEARS_OF_LIFE = { from: 1900, to: 2030 };

/** The end of a sentence that begins with what the day is called; null where it lies in these years, or is no day. */
export function outside(years: typeof YEARS, day: string | null | undefined): string | null {
  if (!fromServer(day)) return null;
  const year = Number(day?.slice(0, 4));
  return year < years.from || year > years.to ? t.common.outOfYears(years.from, years.to) : null;
}

const SHAPES = [
  /^(?<day>\d{1,2})[\s./-]+(?<month>\d{1,2})[\s./-]+(?<year>\d{4})[\s.]*$/,
  /^(?<day>\d\d)(?<month>\d\d)(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
];

/** `5.3.2026`, `05. 03. 2026.`, `05/03/2026`, `05032026` and `2026-03-05` -> `2026-03-05`; null where it is no day of the calendar. */
export function typedDate(text: string): string | null {
  const { day, month, year } = SHAPES.map((shape) => shape.exec(text.trim())?.groups).find(Boolean) ?? {};
  if (!day || !month || !year || !/^(18|19|20)/.test(year)) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return fromServer(date) ? date : null;
}
