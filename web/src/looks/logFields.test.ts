import { expect, it } from 'vitest';
import { fieldName, fieldValue } from './logFields';

it('says fields as the screens do, and an item of a form by its own name', () => {
  expect(fieldName('patient', 'datum_rodjenja')).toBe('Datum rođenja');
  expect(fieldName('worker', 'ustanova_id')).toBe('Ustanova');
  expect(fieldName('entry', 'Broj bolnih zglobova (TJC28)')).toBe('Broj bolnih zglobova (TJC28)');
});

it('says values as people read them, and a blank is no number', () => {
  expect([null, '', true, false, 3.5, '2026-03-05', 'Sva prava', [1]].map(fieldValue)).toEqual([
    '—',
    '—',
    'Da',
    'Ne',
    '3,5',
    '05.03.2026.',
    'Sva prava',
    '[1]',
  ]);
});
