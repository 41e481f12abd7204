import { expect, it } from 'vitest';
import { addressOf, askedIn } from './address';

it('an address is read back as what it was made from, and nothing of it goes to a server', () => {
  const shared = { values: { od: '2026-01-01', izbor: ['a&b', 'č=1'], prazno: '' }, register: 4 };
  const address = addressOf(7, shared);
  const [path, hash = ''] = address.split('#');
  expect(path).toBe('/prikazIzvestaja/7');
  expect(askedIn(hash, new Set(['izbor']))).toEqual({ values: { od: '2026-01-01', izbor: ['a&b', 'č=1'] }, register: 4 });
});

it('an address that asks for nothing is the report itself', () => {
  expect(addressOf(7, { values: {}, register: null })).toBe('/prikazIzvestaja/7');
  expect(askedIn('', new Set())).toEqual({ values: {}, register: null });
  expect(askedIn('#x=1&registar=abc', new Set())).toEqual({ values: {}, register: null });
});
