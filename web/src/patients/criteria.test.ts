import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { searchSetup } from '../testing/patients';
import {
  boxesOf,
  emptyForm,
  emptyRow,
  keepSearch,
  keptSearch,
  misreadRow,
  operatorsOf,
  searchRequest,
  takesValue,
  unfinishedRow,
  withItem,
  type CriterionRow,
} from './criteria';
import type { SearchField, SearchSetup } from './types';

const field = (id: number, tipVrednosti: Schema<'ValueType'>): SearchField => ({
  id,
  naziv: `Polje ${id}`,
  tipUnosaID: 1,
  tipVrednosti,
  jedinica: null,
  stavke: [],
});
const setup: SearchSetup = {
  ...searchSetup,
  polja: [field(1, 1), field(2, 2), field(3, 3)],
};
const row = (veza: 'i' | 'ili', change: Partial<CriterionRow> = {}): CriterionRow => ({
  ...emptyRow(),
  veza,
  poljeID: 2,
  operator: '>',
  vrednost: '1',
  ...change,
});

it('puts rows joined by "i" into one box and opens the next with "ili"', () => {
  expect(boxesOf([row('i'), row('i'), row('ili'), row('i'), row('ili')])).toEqual([0, 0, 1, 1, 2]);
  expect(boxesOf([row('ili'), row('i')])).toEqual([0, 0]);
});

it('offers the operators of the item’s type', () => {
  expect(operatorsOf(field(1, 2))).toEqual(['>', '<', '=', '!=', '<=', '>=', 'popunjeno', 'nijePopunjeno']);
  expect(operatorsOf(field(1, 3))).toEqual(['=', '!=', 'sadrzi', 'neSadrzi', 'pocinje', 'zavrsava', 'popunjeno', 'nijePopunjeno']);
  expect(operatorsOf(field(1, 14))).toEqual(operatorsOf(field(1, 5)));
  expect(operatorsOf(field(1, 15))).toEqual(operatorsOf(field(1, 5)));
  expect(operatorsOf(field(1, 4))).toEqual(['izabrano', 'nijeIzabrano', 'popunjeno', 'nijePopunjeno']);
});

it('keeps operator and value when the new item is of the same type, and only then', () => {
  const before = row('i', { vrednost: '80' });
  expect(withItem(before, field(9, 2), field(2, 2))).toMatchObject({ poljeID: 9, operator: '>', vrednost: '80' });
  expect(withItem(before, field(3, 3), field(2, 2))).toMatchObject({ poljeID: 3, operator: 'sadrzi', vrednost: '' });
  expect(withItem(before, field(1, 1), field(2, 2))).toMatchObject({ operator: 'izabrano', vrednost: '1' });
});

it('names the date of a row that nobody can mean', () => {
  const of = (vrednost: string) => misreadRow([row('i', { poljeID: 5, operator: '>=', vrednost })], { polja: [field(5, 5)] });
  expect(of('2206-03-05')?.message).toBe('Polje 5 nije između 1920. i 2030. godine.');
  expect(of('0001-01-01')?.message).toBe('Polje 5 nije između 1920. i 2030. godine.');
  expect(of('2026-03-05')).toBeNull();
});

it('finds the row that is begun and not whole, and passes over an empty one', () => {
  const half = row('i', { vrednost: '  ' });
  expect(unfinishedRow([row('i'), half])).toBe(half);
  expect(unfinishedRow([emptyRow(), row('i')])).toBeUndefined();
});

it('takes a criterion on what is filled without a value', () => {
  expect(unfinishedRow([row('i', { operator: 'nijePopunjeno', vrednost: '' })])).toBeUndefined();
  expect([takesValue('popunjeno', field(2, 2)), takesValue('>', field(2, 2)), takesValue('izabrano', field(1, 1))]).toEqual([
    false,
    true,
    false,
  ]);
});

it('begins with the scope of the register, and sends the one that was chosen', () => {
  expect([emptyForm(setup).opseg, emptyForm({ ...setup, prikazTekucihUnosaKodPretrage: true }).opseg]).toEqual([
    'biloKojiUnos',
    'najnovijiUnos',
  ]);
  expect(searchRequest(7, { ...emptyForm(setup), opseg: 'istiUnos' }).opsegUslova).toBe('istiUnos');
});

it('sends no empty row, and no link on the first row that is sent', () => {
  const { redPretrage } = searchRequest(7, { ...emptyForm(setup), redovi: [emptyRow(), row('ili'), row('ili')] });
  expect(redPretrage.map(({ veza }) => veza)).toEqual([null, 'ili']);
});

it('asks for all results with -1, and for 200 where the register wants a number that is not offered', () => {
  expect(searchRequest(7, { ...emptyForm(setup), brojRezultata: -1 })).toMatchObject({ sviRezultati: true, brojRezultatePretrage: -1 });
  expect(emptyForm({ ...setup, brojRezultataUPretrazi: 300 }).brojRezultata).toBe(200);
});

it('gives back what was typed, without the items that are gone', () => {
  const form = { ...emptyForm(setup), ime: 'Đorđe', redovi: [row('i'), row('i', { poljeID: 99 })] };
  keepSearch(2, 7, { form, request: searchRequest(7, form) });
  expect(keptSearch(2, setup).form).toMatchObject({ ime: 'Đorđe', redovi: [{ poljeID: 2 }] });
  expect(keptSearch(3, setup).form.ime).toBe('');
  sessionStorage.setItem('regix.pretraga.2.7', '{');
  expect(keptSearch(2, setup)).toMatchObject({ form: { ime: '' }, request: null });
});
