import { expect, it } from 'vitest';
import { countMarks, isOutside, numbersOf, rowsOfDays } from './plot';

it('a bound that is missing is none', () => {
  expect([isOutside(9, null, 5), isOutside(1, null, 5), isOutside(1, 2, null), isOutside(9, null, null)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('a number in another unit is not drawn beside those of today, and a former formula is told of', () => {
  const line = { oznaka: 'Masa', sifra: 'masa', boja: '#000000' };
  const former = { razlog: 'formula', jedinica: null };
  const points = [
    { naziv: 'Pregled', date: '2025-01-01', vrednosti: { masa: 72_000 }, zastareli: { masa: { razlog: 'jedinica', jedinica: 'g' } } },
    { naziv: 'Pregled', date: '2025-02-01', vrednosti: { masa: 73 }, zastareli: { masa: former } },
    { naziv: 'Pregled', date: '2025-03-01', vrednosti: { masa: 74 } },
  ];
  expect(numbersOf(points, line)).toEqual([
    { date: '2025-02-01', value: 73, mark: former },
    { date: '2025-03-01', value: 74 },
  ]);
  expect(countMarks([line], points)).toEqual({ otherUnits: 1, formerFormula: 1 });
  expect(countMarks([{ ...line, sifra: 'visina' }], points)).toEqual({ otherUnits: 0, formerFormula: 0 });
});

it('the forms of one day are one row, but for two that say the same measure', () => {
  const point = (naziv: string, vrednosti: Record<string, unknown>) => ({ naziv, date: '2026-05-04', vrednosti });
  const [joints, laboratory, again] = [
    point('Zglobovi', { das28: 3.1 }),
    point('Laboratorija', { crp: 12 }),
    point('Zglobovi', { das28: 2.8 }),
  ];
  expect(rowsOfDays([joints, laboratory, again])).toEqual([
    { naziv: 'Zglobovi, Laboratorija', date: '2026-05-04', vrednosti: { das28: 3.1, crp: 12 }, zastareli: {} },
    again,
  ]);
});
