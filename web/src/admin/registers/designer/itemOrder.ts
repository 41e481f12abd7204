// The order in which a set's items are offered.
import type { Reply } from '../../../schema';

/** Where a moved item goes: beside another one. */
export interface Beside {
  at: number;
  where: 'before' | 'after';
}

/** The items with one of them put beside another. */
export function beside(items: readonly Reply<'DraftItem'>[], moved: number, { at, where }: Beside): Reply<'DraftItem'>[] {
  const item = items.find(({ id }) => id === moved);
  const left = items.filter(({ id }) => id !== moved);
  const place = left.findIndex(({ id }) => id === at);
  if (!item || place < 0) return [...items];
  left.splice(where === 'before' ? place : place + 1, 0, item);
  return left;
}
