import { expect, it } from 'vitest';
import { across, countMarks, isOutside, numbersOf, ownSteps, rowsOfDays, stepsWithZero, stretchesOf, withRoom } from './plot';

it('an axis has a range of its own, with round steps around the values', () => {
  expect(ownSteps(2.1, 5.45)).toEqual([2, 4, 6]);
  expect(ownSteps(0.8, 99)).toEqual([0, 50, 100]);
  expect(ownSteps(61, 74)).toEqual([60, 65, 70, 75]);
  expect(ownSteps(-2.5, -1.9)).toEqual([-2.5, -2, -1.5]);
  expect(ownSteps(3, 3)).toEqual([3, 3.5]);
});

it('a chart has round steps over its highest value and under its lowest', () => {
  expect(stepsWithZero(2, 7.3)).toEqual([0, 2, 4, 6, 8]);
  expect(stepsWithZero(0.1, 0.38)).toEqual([0, 0.2, 0.4]);
  expect(stepsWithZero(-3.1, 1.2)).toEqual([-4, -3, -2, -1, 0, 1, 2]);
  expect(stepsWithZero(-3.1, -2.5)).toEqual([-4, -3, -2, -1, 0]);
  expect(stepsWithZero(0, 0)).toEqual([0, 0.2]);
});

it('a chart writes only the dates that do not run into each other', () => {
  const at = (...middles: number[]) => middles.map((middle) => ({ middle }));
  expect(withRoom(at(100, 150, 195, 196, 300))).toEqual(at(100, 196, 300));
  expect(withRoom(at(100, 196, 250, 300)), 'the last one is there').toEqual(at(100, 196, 300));
  expect(withRoom(at(100, 150)), 'the first one is, where there is room for one').toEqual(at(100));
});

it('days stand in proportion, a single one in the middle', () => {
  const x = across(['2026-01-01', '2026-01-11'], 10, 100);
  expect([x('2026-01-01'), x('2026-01-06'), x('2026-01-11')]).toEqual([10, 60, 110]);
  expect(across(['2026-01-01'], 10, 100)('2026-01-01')).toBe(60);
});

it('a bound that is missing is none', () => {
  expect([isOutside(9, null, 5), isOutside(1, null, 5), isOutside(1, 2, null), isOutside(9, null, null)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('a therapy lasts until the visit that has another; without any it ends', () => {
  const at = (date: string, text: string) => ({ date, text });
  expect(
    stretchesOf([at('2025-01-01', 'Metotreksat'), at('2025-04-01', 'Metotreksat'), at('2025-07-01', ''), at('2025-10-01', 'Leflunomid')]),
  ).toEqual([
    { from: '2025-01-01', to: '2025-07-01', text: 'Metotreksat' },
    { from: '2025-10-01', to: '2025-10-01', text: 'Leflunomid' },
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
