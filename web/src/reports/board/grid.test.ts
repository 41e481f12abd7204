import { expect, it } from 'vitest';
import { fitted, freePlace, placed, stepped, type Tile } from './grid';

const tile = (id: string, x: number, y: number, sirina = 4, visina = 3): Tile => ({
  id,
  izvestajID: 7,
  spisak: null,
  pretragaID: null,
  registarID: null,
  naslov: null,
  blok: 0,
  vrednosti: {},
  x,
  y,
  sirina,
  visina,
});
const at = (tiles: readonly Tile[]) => Object.fromEntries(tiles.map(({ id, x, y, sirina, visina }) => [id, [x, y, sirina, visina]]));

it('a tile stays on the grid', () => {
  expect(fitted({ x: 11, y: -3, sirina: 4, visina: 99 })).toEqual({ x: 8, y: 0, sirina: 4, visina: 12 });
  expect(fitted({ x: 3, y: 2, sirina: 0, visina: 0 })).toEqual({ x: 3, y: 2, sirina: 1, visina: 1 });
});

it('what a tile is put on moves down, and what that moves on too', () => {
  const tiles = [tile('a', 0, 0), tile('b', 4, 0), tile('c', 4, 3)];
  expect(at(placed(tiles, 'a', { x: 4, y: 0, sirina: 4, visina: 3 }))).toEqual({ a: [4, 0, 4, 3], b: [4, 3, 4, 3], c: [4, 6, 4, 3] });
  expect(placed(tiles, 'c', { x: 0, y: 9, sirina: 4, visina: 3 }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('no two of many tiles lie on one another, wherever one is put', () => {
  const tiles = Array.from({ length: 12 }, (_, i) => tile(String(i), (i % 3) * 4, Math.floor(i / 3) * 3));
  for (let step = 0; step < 200; step += 1) {
    const moved = placed(tiles, String(step % 12), {
      x: (step * 7) % 12,
      y: (step * 5) % 9,
      sirina: 1 + (step % 9),
      visina: 1 + (step % 6),
    });
    const cells = moved.flatMap(({ x, y, sirina, visina }) =>
      Array.from({ length: sirina * visina }, (_, i) => `${x + (i % sirina)},${y + Math.floor(i / sirina)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  }
});

it('arrows move, and with Shift they size', () => {
  const place = { x: 4, y: 2, sirina: 4, visina: 3 };
  expect(stepped(place, 'ArrowLeft', false)).toEqual({ ...place, x: 3 });
  expect(stepped(place, 'ArrowDown', true)).toEqual({ ...place, visina: 4 });
  expect(stepped(place, 'Enter', false)).toBeNull();
});

it('a new tile stands in the first place that is free', () => {
  expect(freePlace([])).toEqual({ x: 0, y: 0, sirina: 6, visina: 4 });
  expect(freePlace([tile('a', 0, 0, 6, 4)])).toEqual({ x: 6, y: 0, sirina: 6, visina: 4 });
  expect(freePlace([tile('a', 0, 0, 12, 2)])).toEqual({ x: 0, y: 2, sirina: 6, visina: 4 });
});
