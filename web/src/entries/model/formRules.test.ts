import { expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import { formField as field } from '../../testing/formField';
import { faults } from './rules';
import { ABOVE, EntryStore, type Basis } from './store';
import type { FormField, FormRule, Values } from './types';

const code = (name: string) => ({ t: 'field', code: name }) as const;
const over = (name: string, v: number) =>
  ({ v: 1, deps: [name], expr: { t: 'call', f: 'gt', args: [code(name), { t: 'number', v }] } }) as FormRule['formula'];
const twice = { v: 1, deps: ['f1'], expr: { t: 'call', f: 'mul', args: [code('f1'), { t: 'number', v: 2 }] } } as FormRule['formula'];
const whenYes = { v: 1, deps: ['f4'], expr: code('f4') } as FormRule['formula'];

const NEW: Basis = { unosID: null, verzija: null, kljuc: 'k' };
const SAVED: Basis = { unosID: 7, verzija: 1, kljuc: 'k' };
const DAYS = { from: '1970-02-01', to: '2026-11-22' };
const FIELDS: FormField[] = [
  field(1, ValueType.Number),
  field(2, ValueType.Number, { formulaZaRacunanje: twice }),
  field(3, ValueType.Text, { obavezanAko: over('f1', 5), formulaZaPrikaz: whenYes }),
  field(4, ValueType.Choice, { radioButton: true }),
];
const rule = (id: number, of: FormRule['formula'], more: Partial<FormRule> = {}): FormRule => ({
  id,
  uslov: '',
  poruka: `Pravilo ${String(id)}`,
  vrsta: 'greska',
  polje: 'f1',
  formula: of,
  ...more,
});
const store = (rules: FormRule[], basis = NEW, values: Values = {}) =>
  new EntryStore(FIELDS, values, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, basis, {}, [], '', rules);
const found = (form: EntryStore) => [...faults(form, false, DAYS)];

it('a broken error is told at its field while one types, and refuses the save; a warning only is told', () => {
  const form = store([rule(1, over('f2', 10)), rule(2, over('f1', 3), { vrsta: 'upozorenje' })]);
  const told: string[][] = [];
  form.subscribe(1, () => told.push(form.state(1).told.map(({ poruka, refuses }) => `${poruka} ${String(refuses)}`)));
  expect(form.state(1).told).toEqual([]);
  form.set(1, 4);
  form.set(1, 6);
  expect(told).toEqual([['Pravilo 2 false'], ['Pravilo 1 true', 'Pravilo 2 false']]);
  expect(found(form)).toEqual([[1, 'Polje 1: Pravilo 1']]);
  form.set(1, null);
  expect(found(form)).toEqual([]);
});

it('a rule beside no field that shows is told above the form', () => {
  const form = store([rule(1, over('f1', 10), { polje: null }), rule(2, over('f1', 20), { polje: 'f3' })]);
  let times = 0;
  form.subscribe(ABOVE, () => (times += 1));
  form.set(1, 11);
  expect(form.toldAbove().map(({ id }) => id)).toEqual([1]);
  form.set(1, 21);
  expect(form.toldAbove().map(({ id }) => id)).toEqual([1, 2]);
  form.set(4, true);
  expect([form.toldAbove().map(({ id }) => id), form.state(3).told.map(({ id }) => id)]).toEqual([[1], [2]]);
  expect(times).toBe(3);
  expect(found(form).map(([id]) => id)).toEqual([3, ABOVE]);
});

it('of an entry that is there only a rule is held that reads something that was changed', () => {
  const form = store([rule(1, over('f2', 10))], SAVED, { 1: 8, 2: 16 });
  expect(form.state(1).told).toEqual([{ id: 1, poruka: 'Pravilo 1', refuses: false }]);
  form.set(4, true);
  expect(found(form).filter(([id]) => id === 1)).toEqual([]);
  form.set(1, 9);
  expect(form.state(1).told).toEqual([{ id: 1, poruka: 'Pravilo 1', refuses: true }]);
  expect(found(form).filter(([id]) => id === 1)).toEqual([[1, 'Polje 1: Pravilo 1']]);
  form.set(1, 8);
  expect(form.state(1).told[0]?.refuses).toBe(false);
});

it('a value is required where its condition holds and the field shows', () => {
  const form = store([]);
  form.set(1, 6);
  expect([form.isRequired(3), found(form)]).toEqual([true, []]);
  form.set(4, true);
  expect(form.state(3).required).toBe(true);
  expect(found(form)).toEqual([[3, 'Niste uneli stavku sa nazivom: Polje 3.']]);
  form.set(1, 5);
  expect([form.state(3).required, found(form)]).toEqual([false, []]);
});
