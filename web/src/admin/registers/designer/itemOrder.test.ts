import { expect, it } from 'vitest';
import { beside, type Beside } from './itemOrder';
import { blankItem } from './model';

const ITEMS = ['a', 'b', 'c', 'd'].map((naziv, index) => blankItem(index + 1, 7, naziv, index + 1));
const after = (moved: number, place: Beside) =>
  beside(ITEMS, moved, place)
    .map(({ naziv }) => naziv)
    .join('');

it('an item is put before or behind another one, up and down, and keeps its number', () => {
  expect(after(4, { at: 1, where: 'before' })).toBe('dabc');
  expect(after(1, { at: 3, where: 'after' })).toBe('bcad');
  expect(after(1, { at: 3, where: 'before' })).toBe('bacd');
  expect(beside(ITEMS, 4, { at: 1, where: 'before' })[0]).toEqual(ITEMS[3]);
});

it('none is lost where one is put beside itself or beside what is gone', () => {
  expect(after(2, { at: 2, where: 'after' })).toBe('abcd');
  expect(after(2, { at: 9, where: 'after' })).toBe('abcd');
  expect(after(9, { at: 2, where: 'after' })).toBe('abcd');
});
