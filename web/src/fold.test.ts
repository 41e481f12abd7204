import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contains, fold } from './fold';

// The table that the server and the database are tested with.
const cases = readFileSync('../domain/fold-cases.csv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [string, string]);

it.each(cases)('%s folds to %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

it('finds a part of a name in any spelling', () => {
  expect(contains('Đorđe Čubrilović', ' djordje ')).toBe(true);
  expect(contains('Đorđe Čubrilović', 'чубр')).toBe(true);
  expect(contains('Đorđe', 'marko')).toBe(false);
  expect(contains(null, 'x')).toBe(false);
  expect(contains(null, '')).toBe(true);
  expect(contains(2016, '16')).toBe(true);
});
