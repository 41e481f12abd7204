import { expect, it } from 'vitest';
import type { EntryField } from './types';
import { valueText } from './values';

const field = (tvaNumVrednost: number, jedinica: string | null = null, decimaleBrojneVrednosti: number | null = null): EntryField => ({
  id: 1, naziv: 'Polje', tvaNumVrednost, tipAtributa: { jedinica, decimaleBrojneVrednosti }, enumStavkeSve: [{ id: 1, naziv: 'Prvi' }, { id: 2, naziv: 'Ponovljeni' }],
});

it.each([
  [field(1), false, 'Ne'],
  [field(1), null, '—'],
  [field(2, 'kg/m²', 1), 33.30293, '33,3 kg/m²'],
  [field(2), 2108, '2.108'],
  [field(2, 'god.'), null, '—'],
  [field(3), 'žuč', 'žuč'],
  [field(4), [2, 1], 'Prvi, Ponovljeni'],
  [field(4), [], '—'],
  [field(5), '2026-03-05', '05.03.2026.'],
])('shows %# as %s', (shape, value, text) => {
  expect(valueText(shape, value)).toBe(text);
});
