// What is known of values over time beside their drawing, which the server makes: in which order, what compares with what, and the bounds
// that are normal.

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

export const isOutside = (value: number, low: number | null | undefined, high: number | null | undefined): boolean =>
  value < (low ?? -Infinity) || value > (high ?? Infinity);
