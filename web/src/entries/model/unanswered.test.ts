// What nobody typed for a new entry: its constant first values wait, and a picture that nobody used says nothing.
import { describe, expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import { formField as field } from '../../testing/formField';
import { EntryStore } from './store';
import type { FormField } from './types';

const NEW = { unosID: null, verzija: null, kljuc: 'k' };
const store = (fields: FormField[]) => new EntryStore(fields, {}, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, NEW);
const code = (name: string) => ({ t: 'field', code: name }) as const;
const formula = (of: unknown) => of as FormField['formulaZaPrikaz'];

describe('a constant first value', () => {
  const fields = [field(1, ValueType.Number, { opciono: false }), field(2, ValueType.Number)];
  const constants = [1, 2].map((polje) => ({ polje, izvor: 'obrazac' as const }));
  const fresh = () => new EntryStore(fields, { 1: 10, 2: 0 }, { datumUnosa: '2026-06-01', radnikOdgovoran: 2 }, NEW, {}, constants);
  const waiting = (form: EntryStore) => form.awaiting().map(({ id }) => id);

  it('waits for whoever fills the form, required or not', () => {
    const form = fresh();
    expect(waiting(form)).toEqual([1, 2]);
    expect(form.isDirty()).toBe(false);
    form.confirm([1]);
    form.set(2, 5);
    expect(waiting(form)).toEqual([]);
  });

  it('stays another day, and stays confirmed', () => {
    const form = fresh();
    form.confirm([1]);
    form.takeAnew({ 1: 10, 2: 0 }, constants);
    expect(form.values()).toEqual({ 1: 10, 2: 0 });
    expect(waiting(form)).toEqual([2]);
  });
});

describe('a picture', () => {
  const dot = (id: number, picture = 1) =>
    field(id, ValueType.Choice, { naredjeniAUTS: picture, imageCoordinateX: id, imageCoordinateY: 1, imaCekBox: true });
  const marked = { v: 1, deps: ['f11', 'f12'], expr: { t: 'call', f: 'countif', args: [code('f11'), code('f12')] } } as const;
  const fields = [
    field(1, ValueType.Image, { backgroundImage: 'iVBOR' }),
    dot(11),
    dot(12),
    field(2, ValueType.Image),
    dot(21, 2),
    field(31, ValueType.Choice),
    field(32, ValueType.Number, { formulaZaRacunanje: formula(marked) }),
  ];
  const beside = { 21: false, 31: false };

  it('that nobody used says nothing, and what counts its dots is blank', () => {
    const form = store(fields);
    expect(form.values()).toEqual(beside);
    expect(form.value(32)).toBeNull();
    form.set(31, true);
    expect(form.values()).toEqual({ 21: false, 31: true });
  });

  it('answers all its dots once one is marked, and none once the last mark is gone', () => {
    const form = store(fields);
    form.markDot(12, true);
    expect(form.values()).toEqual({ ...beside, 11: false, 12: true });
    expect(form.value(32)).toBe(1);
    form.markDot(11, true);
    form.markDot(12, false);
    expect(form.values()).toEqual({ ...beside, 11: true, 12: false });
    form.markDot(11, false);
    expect(form.values()).toEqual(beside);
    expect(form.value(32)).toBeNull();
  });

  it('is answered with none by a word, which is a change that would be lost, and taken back', () => {
    const form = store(fields);
    form.setNone(1, true);
    expect(form.values()).toEqual({ ...beside, 11: false, 12: false });
    expect(form.value(32)).toBe(0);
    expect(form.isDirty()).toBe(true);
    form.setNone(1, false);
    expect(form.values()).toEqual(beside);
    expect(form.isDirty()).toBe(false);
  });

  it('of an entry from before keeps what it has', () => {
    const kept = { 11: false, 12: false, 21: false, 31: false };
    const form = new EntryStore(fields, kept, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, { unosID: 5, verzija: 1, kljuc: 'k' });
    form.set(31, true);
    expect(form.values()).toEqual({ ...kept, 31: true });
    expect(form.value(32)).toBe(0);
    form.setNone(1, false);
    expect(form.values()).toEqual({ 21: false, 31: true });
    expect(form.isDirty()).toBe(true);
  });
});
