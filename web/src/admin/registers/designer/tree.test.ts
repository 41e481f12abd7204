import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { blankField, blankType, type FormDocument } from './model';
import { addField, copy, fits, freeCode, outermost, put, remove, rows, step } from './tree';

const TYPES = [blankType(1, ValueType.Number, 'Broj'), blankType(2, ValueType.Panel, 'Panel'), blankType(3, ValueType.Text, 'Tekst')];

/** a, panel P (b, panel Q (c)), d */
const field = (id: number, naziv: string, type: number, parent: number | null = null) => ({
  ...blankField(id, type, naziv),
  sifra: naziv,
  nadredjeniAtributUTipuSkupaID: parent,
});
const FORM: FormDocument = {
  naziv: 'Pregled',
  polja: [field(1, 'a', 1), field(2, 'P', 2), field(3, 'b', 1, 2), field(4, 'Q', 2, 2), field(5, 'c', 1, 4), field(6, 'd', 1)],
  tipovi: TYPES,
  stavke: [],
  pravila: [],
};

/** `P(b Q(c))` */
function told(document: FormDocument): string {
  const of = (parent: number | null): string =>
    document.polja
      .filter((one) => one.nadredjeniAtributUTipuSkupaID === parent)
      .map(({ id, naziv }) => naziv + (of(id) ? `(${of(id)})` : ''))
      .join(' ');
  return of(null);
}

it('rows say how deep and at which place each field stands, without those in a closed panel', () => {
  expect(rows(FORM).map(({ field, level, place, of }) => [field.naziv, level, place, of])).toEqual([
    ['a', 1, 1, 3],
    ['P', 1, 2, 3],
    ['b', 2, 1, 2],
    ['Q', 2, 2, 2],
    ['c', 3, 1, 1],
    ['d', 1, 3, 3],
  ]);
  expect(rows(FORM, new Set([2])).map(({ field }) => field.naziv)).toEqual(['a', 'P', 'd']);
});

it('a step moves over a neighbour, out of a panel and into the one before', () => {
  expect(told(step(FORM, [6], 'up'))).toBe('a d P(b Q(c))');
  expect(told(step(FORM, [1], 'down'))).toBe('P(b Q(c)) a d');
  expect(told(step(FORM, [3], 'out'))).toBe('a P(Q(c)) b d');
  expect(told(step(FORM, [6], 'in'))).toBe('a P(b Q(c) d)');
  expect(told(step(FORM, [5], 'out'))).toBe('a P(b Q c) d');
});

it('where there is no such step nothing changes', () => {
  expect(step(FORM, [1], 'up')).toBe(FORM);
  expect(step(FORM, [6], 'down')).toBe(FORM);
  expect(step(FORM, [1], 'out')).toBe(FORM);
  expect(step(FORM, [2], 'in')).toBe(FORM);
  expect(step(FORM, [], 'up')).toBe(FORM);
});

it('several move together, and what stands in a chosen panel goes with it', () => {
  expect(outermost(FORM, [2, 3, 6]).map(({ naziv }) => naziv)).toEqual(['P', 'd']);
  expect(told(step(FORM, [2, 3, 6], 'up'))).toBe('P(b Q(c)) d a');
  expect(told(put(FORM, [1, 6], { at: 4, where: 'inside' }))).toBe('P(b Q(c a d))');
  expect(told(put(FORM, [6], { at: 3, where: 'before' }))).toBe('a P(d b Q(c))');
});

it('nothing is put into itself, nor into a field that holds none', () => {
  expect(fits(FORM, [2], { at: 5, where: 'after' })).toBe(false);
  expect(fits(FORM, [6], { at: 1, where: 'inside' })).toBe(false);
  expect(put(FORM, [2], { at: 4, where: 'inside' })).toBe(FORM);
});

it('a panel goes with all that stands in it', () => {
  expect(told(remove(FORM, [4]))).toBe('a P(b) d');
  expect(told(remove(FORM, [2]))).toBe('a d');
});

it('a copy has ids and codes of its own, and formulas in it read the copies', () => {
  const form = { ...FORM, polja: FORM.polja.map((one) => (one.id === 5 ? { ...one, formulaZaRacunanje: '$(b) + $!( a ) + $(b)' } : one)) };
  const { document, ids } = copy(form, [2]);
  expect(told(document)).toBe('a P(b Q(c)) P(b Q(c)) d');
  const copied = document.polja.filter(({ id }) => id < 0);
  expect(copied.map(({ sifra }) => sifra)).toEqual(['P_2', 'b_2', 'Q_2', 'c_2']);
  expect(copied.at(-1)?.formulaZaRacunanje).toBe('$(b_2) + $!( a ) + $(b_2)');
  expect(ids).toEqual([copied[0]?.id]);
  expect(freeCode(new Set(['x', 'x_2']), 'x')).toBe('x_3');
  expect(freeCode(new Set(['x_2']), 'x_2')).toBe('x_3');
});

it('a new field comes behind the chosen one, or into a chosen panel', () => {
  expect(told(addField(FORM, 1, ValueType.Text, 'novo').document)).toBe('a novo P(b Q(c)) d');
  expect(told(addField(FORM, 4, ValueType.Text, 'novo').document)).toBe('a P(b Q(c novo)) d');
  expect(told(addField(FORM, null, ValueType.Text, 'novo').document)).toBe('a P(b Q(c)) d novo');
});

it('a new number has a type of its own, a new text shares one', () => {
  const number = addField(FORM, 1, ValueType.Number, 'novi');
  expect(number.document.tipovi.at(-1)).toMatchObject({ id: -1, naziv: 'Broj', tipVrednostiAtributa: ValueType.Number });
  expect(addField(FORM, 1, ValueType.Text, 'novi').document.tipovi).toBe(TYPES);
});

it('a field is added in the panel that is chosen, or beside it where another panel is asked for', () => {
  expect(told(addField(FORM, 2, ValueType.Panel, 'R').document)).toBe('a P(b Q(c) R) d');
  expect(told(addField(FORM, 2, ValueType.Panel, 'R', true).document)).toBe('a P(b Q(c)) R d');
  expect(told(addField(FORM, 3, ValueType.Number, 'e', true).document)).toBe('a P(b e Q(c)) d');
});
