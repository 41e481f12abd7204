// The pages in which a wall shows a board: tiles from the top down, as many rows of the grid as fit.
import type { Place } from '../board/grid';

export interface WallPage<T> {
  tiles: readonly T[];
  /** The row of the board with which it begins. */
  from: number;
  rows: number;
}

/** Rows of one page: of more nobody reads anything from the other end of a room. */
export const ROWS_OF_PAGE = 8;

export function pagesOf<T extends Place>(tiles: readonly T[]): WallPage<T>[] {
  const pages: { tiles: T[]; from: number; rows: number }[] = [];
  for (const tile of [...tiles].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const page = pages.at(-1);
    const rows = page ? Math.max(page.rows, tile.y + tile.visina - page.from) : 0;
    if (page && rows <= ROWS_OF_PAGE) {
      page.tiles.push(tile);
      page.rows = rows;
    } else {
      pages.push({ tiles: [tile], from: tile.y, rows: tile.visina });
    }
  }
  return pages;
}
