/**
 * A time of day, and a day with a time, to the minute, by the clock of Belgrade; `domain/src/clock.rs` counts the same way. Between two
 * moments lie the minutes that passed, also in the two nights of a year in which the clock is moved.
 */
import { CivilDate } from './date';

const DAY = 24 * 60;
/** Before 1983 the clock was not moved. */
const FIRST_SUMMER = 1983;
/** Until 1995 the summer of the clock ended in September. */
const SUMMER_UNTIL_OCTOBER = 1996;
const WINTER = 60;
const SUMMER = 120;
/** The clock is moved at three, in minutes of the day. */
const MOVED_AT = 3 * 60;
const DAYS_1970 = CivilDate.parse('1970-01-01')?.days ?? 0;

const ofDay = (minutes: number): number => ((minutes % DAY) + DAY) % DAY;
const padded = (part: number): string => String(part).padStart(2, '0');

export class CivilTime {
  private constructor(
    /** Since midnight. */
    readonly minutes: number,
  ) {}

  /** Exactly `HH:MM`. */
  static parse(text: string): CivilTime | null {
    if (!/^\d{2}:\d{2}$/.test(text)) return null;
    const [hour, minute] = [Number(text.slice(0, 2)), Number(text.slice(3))];
    return hour > 23 || minute > 59 ? null : new CivilTime(hour * 60 + minute);
  }

  /** The time of day so many minutes after midnight, of whatever day. */
  static at(minutes: number): CivilTime {
    return new CivilTime(ofDay(minutes));
  }

  /** To another time, which is of the next day where it is earlier. */
  minutesTo(other: CivilTime): number {
    return ofDay(other.minutes - this.minutes);
  }

  plus(minutes: number): CivilTime {
    return CivilTime.at(this.minutes + minutes);
  }

  toString(): string {
    return `${padded(Math.floor(this.minutes / 60))}:${padded(this.minutes % 60)}`;
  }
}

export class CivilMoment {
  constructor(
    readonly date: CivilDate,
    readonly time: CivilTime,
  ) {}

  /** Exactly `YYYY-MM-DDTHH:MM`; between the day and the time may also be a space. */
  static parse(text: string): CivilMoment | null {
    if (!/^.{10}[T ]/.test(text)) return null;
    const [date, time] = [CivilDate.parse(text.slice(0, 10)), CivilTime.parse(text.slice(11))];
    return date && time && new CivilMoment(date, time);
  }

  /** By the wall clock, by which moments are ordered. */
  get wallMinutes(): number {
    return (this.date.days - DAYS_1970) * DAY + this.time.minutes;
  }

  /** That have passed: a difference of two is what passed between them. */
  get instantMinutes(): number {
    return this.wallMinutes - ahead(this);
  }

  plus(minutes: number): CivilMoment | null {
    const instant = this.instantMinutes + minutes;
    const inSummer = atWall(instant + SUMMER);
    if (!inSummer) return null;
    return ahead(inSummer) === SUMMER ? inSummer : atWall(instant + WINTER);
  }

  toString(): string {
    return `${this.date.toString()}T${this.time.toString()}`;
  }
}

const FIRST_DAY = CivilDate.parse('1970-01-01');

function atWall(minutes: number): CivilMoment | null {
  const date = FIRST_DAY?.plus(Math.floor(minutes / DAY)) ?? null;
  return date && new CivilMoment(date, CivilTime.at(minutes));
}

/** Minutes that the clock is ahead of UTC. An hour that comes twice is the first one; one that does not come is winter's. */
function ahead({ date, time }: CivilMoment): number {
  if (date.year < FIRST_SUMMER) return WINTER;
  const at = date.days * DAY + time.minutes;
  const ends = date.year < SUMMER_UNTIL_OCTOBER ? lastSunday(date.year, '09-30') : lastSunday(date.year, '10-31');
  const isSummer = at >= lastSunday(date.year, '03-31') * DAY + MOVED_AT && at < ends * DAY + MOVED_AT;
  return isSummer ? SUMMER : WINTER;
}

/** The days of the last Sunday of the month that ends so; 1 January 1970 was a Thursday. */
function lastSunday(year: number, last: string): number {
  const days = CivilDate.parse(`${String(year).padStart(4, '0')}-${last}`)?.days ?? 0;
  return days - ((((days - DAYS_1970 + 4) % 7) + 7) % 7);
}
