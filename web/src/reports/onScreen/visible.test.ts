import { expect, it } from 'vitest';
import { countOf, ROWS_OF_PART, rowAt, segmentsOf, widthsOf, windowOf, type ScreenGroup, type ScreenLine } from './visible';

const line = (part: Partial<ScreenLine>): ScreenLine => ({
  vrsta: 'red',
  nivo: 0,
  tekst: '',
  celije: [],
  istaknuto: [],
  pretrage: [],
  ...part,
});
const group = (nivo: number, od: number, doLinije: number, hasTotal = true): ScreenGroup => ({
  nivo,
  od,
  doLinije,
  tekst: `Grupa ${String(od)}`,
  zbir: hasTotal ? line({ vrsta: 'zbir', nivo }) : null,
});
/** An outer group over two inner ones, then one more. */
const GROUPS = [group(0, 0, 12), group(1, 1, 6), group(1, 6, 11), group(0, 12, 20, false)];
const headers = new Map(GROUPS.map(({ od }, place) => [od, place]));
const rows = (folded: number[], lines = 21) => {
  const segments = segmentsOf(lines, GROUPS, new Set(folded));
  return Array.from({ length: countOf(segments) }, (_, index) => rowAt(segments, index, headers));
};

it('without folding every line is a row, and headers know their groups', () => {
  const all = rows([]);
  expect(all).toHaveLength(21);
  expect(all[6]).toEqual({ kind: 'line', line: 6, group: 2 });
  expect(all[7]).toEqual({ kind: 'line', line: 7, group: null });
});

it('a folded group is its header and its total, and hides the groups within', () => {
  expect(rows([0, 1])).toHaveLength(2 + 9);
  expect(rows([0])[0]).toEqual({ kind: 'folded', group: 0, part: 'header' });
  expect(rows([0])[1]).toEqual({ kind: 'folded', group: 0, part: 'total' });
  expect(rows([0])[2]).toEqual({ kind: 'line', line: 12, group: 3 });
  expect(rows([2]).slice(5, 9)).toEqual([
    { kind: 'line', line: 5, group: null },
    { kind: 'folded', group: 2, part: 'header' },
    { kind: 'folded', group: 2, part: 'total' },
    { kind: 'line', line: 11, group: null },
  ]);
  expect(rows([3]).at(-2), 'one without a total is its header alone').toEqual({ kind: 'folded', group: 3, part: 'header' });
  expect(rows([0, 3]).at(-1)).toEqual({ kind: 'line', line: 20, group: null });
});

it('there is no row beyond the last', () => {
  const segments = segmentsOf(3, [], new Set());
  expect(rowAt(segments, 3, new Map())).toBeNull();
  expect(rowAt([], 0, new Map())).toBeNull();
});

it('of a hundred thousand rows a few parts are drawn, wherever the reader is', () => {
  for (const top of [0, 1_000_000, 3_399_000, 99_000_000]) {
    const { from, to, above, below } = windowOf(100_000, new Map(), top, 600);
    expect((to - from) * ROWS_OF_PART).toBeLessThan(200);
    expect(to).toBeGreaterThan(from);
    const drawn = (to - from) * ROWS_OF_PART * 34;
    expect(above + drawn + below).toBe(100_000 * 34);
  }
  expect(windowOf(0, new Map(), 0, 600)).toEqual({ from: 0, to: 0, above: 0, below: 0 });
});

it('what was measured counts instead of what is usual', () => {
  const measured = new Map([[0, 10_000]]);
  expect(windowOf(1_000, measured, 0, 100).to).toBe(1);
  expect(windowOf(1_000, measured, 11_000, 100).above).toBe(10_000);
});

it('a column is as wide as its longest word or cell, within bounds', () => {
  const lines = [line({ celije: ['kratko', 'x'.repeat(90)] }), line({ vrsta: 'zbir', celije: ['zbir koji se ne broji nigde', ''] })];
  expect(widthsOf(['A', 'Veoma'], lines)).toEqual([9, 39]);
});
