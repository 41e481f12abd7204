// Which lines of a table are before the reader: groups that are folded show their header and their total, and of a long table only the part
// in sight is drawn.
import type { Reply } from '../../schema';

export type ScreenGroup = Reply<'ScreenGroup'>;
export type ScreenLine = Reply<'ScreenLine'>;

/** Rows that follow one another: of lines as they lie, or the two of a folded group. */
export interface Segment {
  /** Among the rows that are to be seen. */
  first: number;
  length: number;
  /** The line of its first row. */
  from: number;
  /** The place of the group that is folded here. */
  group: number | null;
}

/** A row that is to be seen. */
export type VisibleRow = { kind: 'line'; line: number; group: number | null } | { kind: 'folded'; group: number; part: 'header' | 'total' };

/** `groups` in the order of their first lines; one within another follows it. */
export function segmentsOf(lines: number, groups: readonly ScreenGroup[], folded: ReadonlySet<number>): Segment[] {
  const segments: Segment[] = [];
  let line = 0;
  let first = 0;
  const push = (length: number, from: number, group: number | null) => {
    if (length <= 0) return;
    segments.push({ first, length, from, group });
    first += length;
  };
  groups.forEach(({ od, doLinije, zbir }, place) => {
    if (!folded.has(place) || od < line) return;
    push(od - line, line, null);
    push(zbir ? 2 : 1, od, place);
    line = doLinije;
  });
  push(lines - line, line, null);
  return segments;
}

export const countOf = (segments: readonly Segment[]): number => {
  const last = segments.at(-1);
  return last ? last.first + last.length : 0;
};

/** The row at this place; none beyond the last. `headers` are the groups by the lines of their headers. */
export function rowAt(segments: readonly Segment[], index: number, headers: ReadonlyMap<number, number>): VisibleRow | null {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.first ?? Infinity) <= index) low = middle;
    else high = middle - 1;
  }
  const segment = segments[low];
  if (!segment || index < segment.first || index >= segment.first + segment.length) return null;
  const within = index - segment.first;
  if (segment.group !== null) return { kind: 'folded', group: segment.group, part: within === 0 ? 'header' : 'total' };
  const line = segment.from + within;
  return { kind: 'line', line, group: headers.get(line) ?? null };
}

/** Rows that are drawn, measured and left together. */
export const ROWS_OF_PART = 40;
/** Of a part that nobody has measured yet, in pixels a row. */
const USUAL_ROW = 34;
/** As much is drawn above and below what is in sight. */
const MARGIN = 600;

export interface Window {
  /** The parts that are drawn. */
  from: number;
  to: number;
  above: number;
  below: number;
}

/** The parts in sight, and the room of the others. `heights` are those that were measured. */
export function windowOf(rows: number, heights: ReadonlyMap<number, number>, top: number, visible: number): Window {
  const parts = Math.ceil(rows / ROWS_OF_PART);
  const heightOf = (part: number) => heights.get(part) ?? Math.min(ROWS_OF_PART, rows - part * ROWS_OF_PART) * USUAL_ROW;
  let from = 0;
  let above = 0;
  while (from < parts - 1 && above + heightOf(from) < top - MARGIN) {
    above += heightOf(from);
    from += 1;
  }
  let to = from;
  let end = above;
  while (to < parts && end < top + visible + MARGIN) {
    end += heightOf(to);
    to += 1;
  }
  let below = 0;
  for (let part = to; part < parts; part += 1) below += heightOf(part);
  return { from, to, above, below };
}

/** The width of a text in digits: letters are narrower, and what stands between numbers is narrow. */
const roomOf = (text: string) =>
  Array.from(text).reduce((sum, letter) => sum + (/[.,;:[\]() ]/.test(letter) ? 0.6 : /[\p{Lu}\d]/u.test(letter) ? 1 : 0.9), 0);

/** The width of each column in letters: that of its longest words among the first lines, within bounds. */
export function widthsOf(heads: readonly string[], lines: readonly ScreenLine[]): number[] {
  return heads.map((head, column) => {
    const longest = (text: string) => Math.max(0, ...text.split(/\s+/).map(roomOf));
    const cells = lines.filter(({ vrsta }) => vrsta === 'red').map(({ celije }) => celije[column] ?? '');
    const widest = Math.max(0, ...cells.map((cell) => Math.min(roomOf(cell), 36)));
    return Math.ceil(Math.min(40, Math.max(6, longest(head), widest))) + 3;
  });
}
