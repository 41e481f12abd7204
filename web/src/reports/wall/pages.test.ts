import { expect, it } from 'vitest';
import { pagesOf } from './pages';

const tile = (id: string, x: number, y: number, visina: number) => ({ id, x, y, sirina: 6, visina });
const shown = (tiles: ReturnType<typeof tile>[]) =>
  pagesOf(tiles).map(({ tiles, from, rows }) => [tiles.map(({ id }) => id).join(''), from, rows]);

it('a page has as many rows as can be read, and the next one begins with the tile that did not fit', () => {
  expect(shown([tile('c', 0, 4, 4), tile('a', 0, 0, 4), tile('b', 6, 0, 4), tile('d', 0, 8, 3)])).toEqual([
    ['abc', 0, 8],
    ['d', 8, 3],
  ]);
});

it('a tile that is higher than a page has one of its own', () => {
  expect(shown([tile('a', 0, 0, 12), tile('b', 6, 0, 3), tile('c', 0, 12, 3)])).toEqual([
    ['a', 0, 12],
    ['b', 0, 3],
    ['c', 12, 3],
  ]);
});

it('every tile stands on one page, where none overlaps another', () => {
  const tiles = Array.from({ length: 24 }, (_, i) => tile(String(i), (i % 2) * 6, Math.floor(i / 2) * 5, 1 + (i % 5)));
  const pages = pagesOf(tiles);
  expect(pages.flatMap((page) => page.tiles)).toHaveLength(24);
  for (const { tiles, from, rows } of pages) for (const { y, visina } of tiles) expect(y >= from && y + visina <= from + rows).toBe(true);
});

it('an empty board has no page', () => expect(pagesOf([])).toEqual([]));
