import { describe, expect, it } from 'vitest';
import { t } from '../messages';
import { scale } from './Chart';
import { differs, sendable } from './draft';
import { arrange } from './form';
import { cleanHtml } from './InfoButton';
import { readNumber } from './inputs';
import { blankRelevant, faults, toBeCleared } from './rules';
import { DATE, DOCTOR, EntryStore, same } from './store';
import { Kind, type Field, type Values } from './types';

const field = (id: number, kind: Kind, more: Partial<Field> = {}): Field => ({
  id, sifra: `f${id}`, naziv: `Polje ${id}`, redosled: id, tvaNumVrednost: kind, naredjeniAUTS: null, formulaZaPrikaz: null, formulaZaRacunanje: null,
  opciono: true, relevantno: false, prikazujeSe: true, imaCekBox: false, radioButton: false, multiselect: false, vertikalniPrikaz: false,
  ispisujeSeLabela: true, enumStavkeSve: [], grafik: null, tipAtributa: {}, ...more,
});
const NEW = { unosID: null, verzija: null, kljuc: null, uncertain: false };
const store = (fields: Field[], values: Values = {}) => new EntryStore(fields, values, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, NEW);
const code = (name: string) => ({ t: 'field', code: name }) as const;
const twice = { v: 1, deps: ['f1'], expr: { t: 'call', f: 'mul', args: [code('f1'), { t: 'number', v: 2 }] } } as const;
const whenOver5 = { v: 1, deps: ['f1'], expr: { t: 'call', f: 'gt', args: [code('f1'), { t: 'number', v: 5 }] } } as const;
const formula = (of: unknown) => of as Field['formulaZaPrikaz'];

describe('answers', () => {
  const fields = [field(1, Kind.Number), field(2, Kind.Number, { formulaZaRacunanje: formula(twice) }), field(3, Kind.Text, { formulaZaPrikaz: formula(whenOver5) }), field(4, Kind.Text)];

  it('recompute what depends on them, and tell only the fields that change', () => {
    const form = store(fields, { 1: 3 });
    const told: number[] = [];
    for (const { id } of fields) form.subscribe(id, () => told.push(id));
    form.set(1, 4);
    expect(form.value(2)).toBe(8);
    expect(told).toEqual([1, 2]);
    form.set(1, 6);
    expect(form.state(3).hidden).toBe(false);
    expect(told).toEqual([1, 2, 1, 2, 3]);
  });

  it('are unsaved until they are back to what was loaded', () => {
    const form = store(fields, { 1: 3 });
    form.set(1, 4);
    expect(form.isDirty()).toBe(true);
    form.set(1, 3);
    expect(form.isDirty()).toBe(false);
    form.set(DATE, '2026-03-06');
    expect(form.isDirty()).toBe(true);
  });

  it('stay while hidden, and are named before a save clears them; an untouched initial value is not', () => {
    const form = store(fields, { 1: 9, 3: 'početno' });
    form.set(1, 2);
    expect(form.value(3)).toBe('početno');
    expect(toBeCleared(form, true)).toEqual([]);
    expect(toBeCleared(form, false).map(({ id }) => id)).toEqual([3]);
  });
});

describe('a save', () => {
  it('asks for required items, then bounds, then the date, then the doctor', () => {
    const bounded = { tipAtributa: { donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 28 } };
    const form = store([field(1, Kind.Number, bounded), field(2, Kind.Text, { opciono: false }), field(3, Kind.Choice, { opciono: false }), field(4, Kind.Number)], { 1: 29, 4: 'pet' });
    form.set(DATE, null);
    form.set(DOCTOR, null);
    expect([...faults(form, true)]).toEqual([
      [2, 'Niste uneli stavku sa nazivom: Polje 2.'],
      [1, 'Stavka sa nazivom: Polje 1 nije u opsegu (0) - (28)'],
      [4, 'Stavka sa nazivom: Polje 4 nije broj.'],
      [DATE, 'Niste uneli datum pregleda.'],
      [DOCTOR, 'Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.'],
    ]);
    expect(faults(form, false).has(DOCTOR)).toBe(false);
  });

  it('finds relevant items that are blank, but never a choice', () => {
    const form = store([field(1, Kind.Text, { relevantno: true }), field(2, Kind.Choice, { relevantno: true }), field(3, Kind.Text, { relevantno: true, prikazujeSe: false })]);
    expect(blankRelevant(form).map(({ id }) => id)).toEqual([1]);
  });

  it('sends no blanks, no calculated values, and nothing of fields that the form does not have', () => {
    const fields = [field(1, Kind.Number), field(2, Kind.Number, { formulaZaRacunanje: formula(twice) }), field(3, Kind.Set), field(4, Kind.Text)];
    expect(sendable(fields, { 1: 0, 2: 4, 3: [], 4: '  ', 99: 'staro' })).toEqual({ 1: 0 });
  });
});

it('a draft is offered only where it says something else than the entry', () => {
  const form = store([field(1, Kind.Set)], { 1: [3, 4] });
  const draft = { vreme: 0, vrednosti: { 1: [4, 3] }, osnova: {}, verzija: 1, kljuc: null, datumUnosa: '2026-03-05', radnikOdgovoran: 2 };
  expect(differs(draft, form)).toBe(false);
  expect(differs({ ...draft, vrednosti: { 1: [4] } }, form)).toBe(true);
});

it('numbers are read with a comma or a point; anything else stays as typed', () => {
  expect(['7,5', '7.5', ' -2 ', '', '1.2.3', 'pet'].map(readNumber)).toEqual([7.5, 7.5, -2, null, '1.2.3', 'pet']);
});

it('fields lie in their panels by order; one whose panel is gone lies at the top', () => {
  const inside = arrange([field(3, Kind.Text, { naredjeniAUTS: 1 }), field(2, Kind.Text, { naredjeniAUTS: 1 }), field(1, Kind.Panel), field(4, Kind.Text, { naredjeniAUTS: 77 })]);
  expect(inside(null).map(({ id }) => id)).toEqual([1, 4]);
  expect(inside(1).map(({ id }) => id)).toEqual([2, 3]);
});

it('info texts lose whatever could run', () => {
  expect(cleanHtml('<b onclick="x()">C</b><script>x()</script><img src=x onerror="x()"><a href="javascript:x()">a</a>')).toBe('<b>C</b><img src="x"><a>a</a>');
});

it('a chart has round steps over its highest value', () => {
  expect(scale(7.3)).toEqual([0, 2, 4, 6, 8]);
  expect(scale(0.38)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
});

it('blank answers are all the same', () => {
  expect(same(null, []) && same(undefined, ' ') && !same(false, null)).toBe(true);
  expect(t.entries.range(null, '3,2')).toBe('do 3,2');
});
