// Tiles on a grid of twelve columns: moved and sized by steps, never over one another, never outside.
import type { Schema } from '../../schema';

export type Tile = Schema<'BoardTile'>;
export type Place = Pick<Tile, 'x' | 'y' | 'sirina' | 'visina'>;

export const COLUMNS = 12;
export const MOST_TILES = 24;
const MOST_HEIGHT = 12;
const MOST_ROW = 240;

const overlap = (one: Place, other: Place) =>
  one.x < other.x + other.sirina && other.x < one.x + one.sirina && one.y < other.y + other.visina && other.y < one.y + one.visina;

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** A place on the grid, as near as it may be. */
export function fitted({ x, y, sirina, visina }: Place): Place {
  const wide = within(sirina, 1, COLUMNS);
  const high = within(visina, 1, MOST_HEIGHT);
  return { x: within(x, 0, COLUMNS - wide), y: within(y, 0, MOST_ROW - high), sirina: wide, visina: high };
}

/** The tiles with one of them at another place; those that it would lie on move down, and those that they would lie on. */
export function placed(tiles: readonly Tile[], id: string, place: Place): Tile[] {
  const moved = fitted(place);
  const settled: Tile[] = tiles.filter((tile) => tile.id === id).map((tile) => ({ ...tile, ...moved }));
  const others = tiles.filter((tile) => tile.id !== id).sort((a, b) => a.y - b.y || a.x - b.x);
  for (const tile of others) {
    let y = tile.y;
    for (
      let below = settled.find((one) => overlap(one, { ...tile, y }));
      below;
      below = settled.find((one) => overlap(one, { ...tile, y }))
    )
      y = below.y + below.visina;
    settled.push({ ...tile, y });
  }
  // In the order in which they were, so that nothing jumps in the reading order either.
  return tiles.map(({ id: known }) => settled.find((tile) => tile.id === known)).filter((tile) => tile !== undefined);
}

/** What a key does to a tile: arrows move it, with Shift they size it. */
export function stepped(place: Place, key: string, sizes: boolean): Place | null {
  const { x, y, sirina, visina } = place;
  switch (key) {
    case 'ArrowLeft':
      return sizes ? { ...place, sirina: sirina - 1 } : { ...place, x: x - 1 };
    case 'ArrowRight':
      return sizes ? { ...place, sirina: sirina + 1 } : { ...place, x: x + 1 };
    case 'ArrowUp':
      return sizes ? { ...place, visina: visina - 1 } : { ...place, y: y - 1 };
    case 'ArrowDown':
      return sizes ? { ...place, visina: visina + 1 } : { ...place, y: y + 1 };
    default:
      return null;
  }
}

/** The first free place of this size, from the top. */
export function freePlace(tiles: readonly Tile[], sirina = 6, visina = 4): Place {
  for (let y = 0; ; y += 1)
    for (let x = 0; x + sirina <= COLUMNS; x += 1) {
      const place = { x, y, sirina, visina };
      if (!tiles.some((tile) => overlap(tile, place))) return place;
    }
}
