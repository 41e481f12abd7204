/** A day of the calendar. */
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

  /** So many months later, on the month's last day where it lacks this one; null outside the years 1 to 9999. */
  plusMonths(months: number): CivilDate | null {
    const counted = this.year * 12 + this.month - 1 + months;
    const [year, month] = [Math.floor(counted / 12), (((counted % 12) + 12) % 12) + 1];
    return year >= 1 && year <= 9999 ? new CivilDate(year, month, Math.min(this.day, daysInMonth(year, month))) : null;
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
