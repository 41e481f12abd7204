// What a save is refused for, fault by fault; entry.test.ts has the order of the whole.
import { expect, it } from 'vitest';
import type { Schema } from '../../schema';
import { storedFiles } from '../../files/attached';
import { stored, type Row } from '../../forms/rows';
import { ValueType } from '../../forms/valueType';
import { formField as field } from '../../testing/formField';
import { dateFault, examinedFault, faults, toBeCleared } from './rules';
import { EntryStore, type Basis } from './store';
import type { FormField, FormRule, Values } from './types';

const DAYS = { from: '1970-02-01', to: '2026-11-22' };
const NEW: Basis = { unosID: null, verzija: null, kljuc: 'k' };
const SAVED: Basis = { unosID: 7, verzija: 1, kljuc: 'k' };
const store = (fields: FormField[], values: Values = {}, basis = NEW, rules: FormRule[] = [], datumUnosa = '2026-03-05') =>
  new EntryStore(fields, values, { datumUnosa, radnikOdgovoran: 2 }, basis, {}, [], '', rules);
const found = (form: EntryStore) => [...faults(form, false, DAYS)];
const above5 = {
  v: 1,
  deps: ['f1'],
  expr: {
    t: 'call',
    f: 'gt',
    args: [
      { t: 'field', code: 'f1' },
      { t: 'number', v: 5 },
    ],
  },
} as FormRule['formula'];

const visits = field(1, ValueType.Panel, {
  naziv: 'Posete',
  najviseRedova: 2,
  kolone: [field(11, ValueType.Number), field(12, ValueType.Text, { naziv: 'Nalaz', opciono: false })],
});
const rows = (...cells: Row['v'][]) => stored(cells.map((v, at) => ({ id: at + 1, v })));
const missing: [number, string] = [1, 'Posete, 1. red: Niste uneli stavku sa nazivom: Nalaz.'];

it('a row of a table is asked for what it must have when it is new or changed, and not as it was saved', () => {
  expect(found(store([visits], { 1: rows({ 11: 5 }) }))).toEqual([missing]);
  const saved = store([visits], { 1: rows({ 11: 5 }) }, SAVED);
  expect(found(saved)).toEqual([]);
  saved.set(1, rows({ 11: 6 }));
  expect(found(saved)).toEqual([missing]);
  saved.set(1, rows({ 11: 6, 12: 'uredan' }));
  expect(found(saved)).toEqual([]);
});

it('numbers are told before dates and files, and those before tables, wherever they lie', () => {
  const date = field(2, ValueType.Date);
  const files = field(3, ValueType.File, { tipAtributa: { fajlovi: { najviseFajlova: 1, najviseMegabajta: null, vrsteFajlova: null } } });
  const number = field(4, ValueType.Number, { tipAtributa: { gornjaGranicaBrojneVrednosti: 28 } });
  const file = (id: number) => ({ id, naziv: 'nalaz.pdf', velicina: 1, tip: 'pdf', sha256: String(id) }) as Schema<'EntryFile'>;
  const form = store([visits, files, date, number], {
    1: rows({ 11: 'pet', 12: 'uredan' }),
    2: '1919-12-31',
    4: 29,
  });
  form.set(3, storedFiles([file(1), file(2)]));
  expect(found(form).map(([id]) => id)).toEqual([4, 2, 3, 1]);
});

it('a time and a moment are told what they are not, with their names', () => {
  const fields = [field(1, ValueType.Time, { naziv: 'Buđenje' }), field(2, ValueType.Moment, { naziv: 'Dolazak' })];
  const of = (values: Values) => found(store(fields, values)).map(([, message]) => message);
  expect(of({ 1: '06:10', 2: '2026-03-05T23:50' })).toEqual([]);
  expect(of({ 1: '25:00', 2: '2026-03-05T' })).toEqual([
    'Stavka sa nazivom: Buđenje nije vreme oblika ČČ:MM.',
    'Stavka sa nazivom: Dolazak nije datum sa vremenom.',
  ]);
  expect(of({ 2: 'T08:00' })).toEqual(['Stavka sa nazivom: Dolazak nije datum sa vremenom.']);
  expect(of({ 2: '2206-03-05T08:00' })).toEqual(['Stavka sa nazivom: Dolazak nije između 1920. i 2030. godine.']);
});

it('a required item that is missing is asked for, and what a rule says of it is not', () => {
  const says = { id: 1, uslov: '', poruka: 'Nalaz se upisuje.', vrsta: 'greska', polje: 'f2', formula: above5 } as FormRule;
  const form = store([field(1, ValueType.Number), field(2, ValueType.Text, { opciono: false })], { 1: 6 }, NEW, [says]);
  expect(found(form)).toEqual([[2, 'Niste uneli stavku sa nazivom: Polje 2.']]);
  form.set(2, 'uredan');
  expect(found(form)).toEqual([[2, 'Polje 2: Nalaz se upisuje.']]);
});

it('the day of a new entry is asked about however it came there', () => {
  expect(examinedFault(store([], {}, NEW, [], '2029-01-01'), DAYS)).toBe(
    'Datum pregleda ne može biti u budućnosti (danas je 22.11.2026.).',
  );
  expect(examinedFault(store([], {}, SAVED, [], '2029-01-01'), DAYS)).toBeNull();
  expect(dateFault(null, DAYS, null)).toBe('Niste uneli datum pregleda.');
});

it('a save clears no hidden field that holds nothing', () => {
  const fields = [1, 2].map((id) => field(id + 1, ValueType.Text, { formulaZaPrikaz: above5 }));
  const form = store([field(1, ValueType.Number), ...fields], { 1: 2, 2: 'uredan' }, SAVED);
  expect(toBeCleared(form, false).map(({ id }) => id)).toEqual([2]);
});

it('what lies in a panel that the form has no more is asked for', () => {
  const lost = field(1, ValueType.Text, { opciono: false, naredjeniAUTS: 99 });
  expect(found(store([lost])).map(([id]) => id)).toEqual([1]);
});
