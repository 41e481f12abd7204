// Places on a drawing of values over time: days from left to right, axes of round steps, the bounds that are normal.

import type { Mark } from '../marks';

/** What the configuration says of one line: its name, the code of its values and its colour. */
export interface ChartLine {
  oznaka: string;
  sifra: string;
  boja: string;
}

/** Why a value does not compare with its neighbours. */
export type PointMark = Omit<Mark, 'polje'>;

/** One entry's values by code, and the marks of some of them. */
export interface ChartPoint {
  naziv: string;
  date: string;
  vrednosti: Record<string, unknown>;
  zastareli?: Record<string, PointMark>;
}

export interface Dot {
  date: string;
  value: number;
  mark?: PointMark | undefined;
}

export const byDate = (points: readonly ChartPoint[]): ChartPoint[] => [...points].sort((a, b) => a.date.localeCompare(b.date));

/** The forms of one day are one row of a table; where two say the same measure, each keeps its own. */
export function rowsOfDays(points: readonly ChartPoint[]): ChartPoint[] {
  const rows: ChartPoint[] = [];
  for (const point of points) {
    const before = rows.at(-1);
    if (before?.date === point.date && !Object.keys(point.vrednosti).some((code) => code in before.vrednosti)) {
      rows[rows.length - 1] = {
        date: point.date,
        naziv: before.naziv === point.naziv ? point.naziv : `${before.naziv}, ${point.naziv}`,
        vrednosti: { ...before.vrednosti, ...point.vrednosti },
        zastareli: { ...before.zastareli, ...point.zastareli },
      };
    } else {
      rows.push(point);
    }
  }
  return rows;
}

const isOtherUnit = (mark: PointMark | undefined) => mark?.razlog === 'jedinica';

/** What is drawn: on an axis of today's unit a number of another unit would say what it is not, so the table alone has it. */
export const numbersOf = (points: readonly ChartPoint[], { sifra }: ChartLine): Dot[] =>
  points.flatMap(({ date, vrednosti: { [sifra]: value }, zastareli: { [sifra]: mark } = {} }) =>
    typeof value === 'number' && !isOtherUnit(mark) ? [{ date, value, mark }] : [],
  );

/** How many values of these lines are marked: left out of the drawing, and drawn with a mark. */
export function countMarks(lines: readonly ChartLine[], points: readonly ChartPoint[]) {
  const marks = points.flatMap(({ vrednosti, zastareli = {} }) =>
    lines.flatMap(({ sifra }) => (typeof vrednosti[sifra] === 'number' && zastareli[sifra] ? [zastareli[sifra]] : [])),
  );
  const otherUnits = marks.filter(isOtherUnit).length;
  return { otherUnits, formerFormula: marks.length - otherUnits };
}

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** From the first day to the last across a width; a single day stands in the middle. */
export function across(dates: readonly string[], from: number, width: number): (date: string) => number {
  const days = dates.map(dayOf);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return (date) => from + (last > first ? ((dayOf(date) - first) / (last - first)) * width : width / 2);
}

/** From the lowest step of an axis, at the bottom, to the highest. */
export function upwards(steps: readonly number[], from: number, height: number): (value: number) => number {
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1];
  return (value) => from + height * (1 - (value - bottom) / (top - bottom));
}

const rounded = (value: number) => Number(value.toPrecision(12));

/** From below the lowest value to above the highest, by the next round number that is at least so wide. */
function roundSteps(lowest: number, highest: number, wide: number): number[] {
  const power = 10 ** Math.floor(Math.log10(wide));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= wide) ?? 10) * power;
  const from = Math.floor(rounded(lowest / step));
  const to = Math.max(Math.ceil(rounded(highest / step)), from + 1);
  return Array.from({ length: to - from + 1 }, (_, i) => rounded((from + i) * step));
}

/** About five steps, zero among them. */
export function stepsWithZero(lowest: number, highest: number): number[] {
  const [low, high] = [Math.min(lowest, 0), Math.max(highest, 0)];
  return roundSteps(low, high, Math.max(high - low, 1) / 5);
}

/** About three steps, on a range of the measure's own. */
export const ownSteps = (lowest: number, highest: number): number[] =>
  roundSteps(lowest, highest, (highest - lowest || Math.max(Math.abs(highest), 1) / 2) / 3);

/** Lines so much larger than the others that one axis would press those flat: they have the axis on the right. */
const MAGNITUDE = 3;

/** Codes of the lines on the right, so divided that the flattest line is as high on its axis as it can be. */
export function onTheRight(lines: readonly ChartLine[], points: readonly ChartPoint[]): ReadonlySet<string> {
  const sorted = lines
    .map((line) => ({ sifra: line.sifra, most: Math.max(0, ...numbersOf(points, line).map(({ value }) => Math.abs(value))) }))
    .filter(({ most }) => most > 0)
    .sort((a, b) => a.most - b.most);
  const most = (at: number) => sorted[at]?.most ?? 0;
  const last = sorted.length - 1;
  if (last < 1 || most(last) < MAGNITUDE * most(0)) return new Set();
  const flattest = (split: number) => Math.min(most(0) / most(split - 1), most(split) / most(last));
  const splits = sorted.slice(1).map((_, i) => i + 1);
  const best = splits.reduce((one, other) => (flattest(other) >= flattest(one) ? other : one));
  return new Set(sorted.slice(best).map(({ sifra }) => sifra));
}

/** The width of a date with the room after it. */
const DATE = 96;

/** Dates that can stand beside each other: the first and the last, where both have room, and between them from the first on. */
export function withRoom<T extends { middle: number }>(dates: readonly T[]): T[] {
  const last = dates.at(-1);
  const kept: T[] = [];
  for (const date of dates) {
    const before = kept.at(-1);
    const isFree = !before || date.middle - before.middle >= DATE;
    if (isFree && (!before || !last || date === last || last.middle - date.middle >= DATE)) kept.push(date);
  }
  return kept;
}

/** Where dates are written: under their points, but for those that would leave the drawing. */
export function datesUnder(dates: readonly string[], x: (date: string) => number, left: number, right: number) {
  const place = (date: string) => {
    const at = x(date);
    if (at - DATE / 2 < left) return { date, at, anchor: 'start', middle: at + DATE / 2 } as const;
    if (at + DATE / 2 > right) return { date, at, anchor: 'end', middle: at - DATE / 2 } as const;
    return { date, at, anchor: 'middle', middle: at } as const;
  };
  return withRoom([...new Set(dates)].map(place));
}

export const isOutside = (value: number, low: number | null | undefined, high: number | null | undefined): boolean =>
  value < (low ?? -Infinity) || value > (high ?? Infinity);

/** The same text at one date after another is one stretch; it lasts until the next other one. */
export function stretchesOf(points: readonly { date: string; text: string }[]): { from: string; to: string; text: string }[] {
  const found: { from: string; to: string; text: string }[] = [];
  for (const { date, text } of points) {
    const last = found.at(-1);
    if (last) last.to = date;
    if (last?.text !== text) found.push({ from: date, to: date, text });
  }
  return found.filter(({ text }) => text !== '');
}
