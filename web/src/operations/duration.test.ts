import { expect, it } from 'vitest';
import { duration } from './duration';

it('tells the two largest units, and none that is zero', () => {
  expect([0, 59.6, 61, 3_600, 3_725, 90_000, 172_800].map(duration)).toEqual([
    '0 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 h 2 min',
    '1 d 1 h',
    '2 d',
  ]);
});
