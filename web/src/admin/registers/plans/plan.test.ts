import { expect, it } from 'vitest';
import { nextItem, placeOf } from './plan';

it('begins at the inclusion and goes on as the last visit does', () => {
  const first = nextItem([]);
  expect(first).toMatchObject({ sifra: 'P1', pomeraj: 0, jedinica: 'mesec' });
  expect(nextItem([{ ...first, pomeraj: 3, prozorPre: 7 }])).toMatchObject({ sifra: 'P2', pomeraj: 6, prozorPre: 7 });
  expect(nextItem([{ ...first, sifra: 'P2', pomeraj: 30, jedinica: 'dan' }])).toMatchObject({ sifra: 'P3', pomeraj: 60 });
});

it('finds the visit that a fault is about', () => {
  expect(placeOf('stavke.2.prozorPre')).toEqual({ place: 2, property: 'prozorPre' });
  expect(placeOf('stavke')).toBeNull();
});
