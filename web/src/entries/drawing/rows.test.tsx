import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import type { Schema } from '../../schema';
import type { Expr, Formula, FunctionName } from '../../forms/formula';
import { rowsOf, sameRows, stored } from '../../forms/rows';
import { show as render } from '../../testing/fakeApi';
import { formField } from '../../testing/formField';
import { draftOf, laidOver, sendable } from '../drafts/draft';
import { faults, toBeCleared } from '../model/rules';
import { DATE, EntryStore } from '../model/store';
import type { FormField, Values } from '../model/types';
import { OpenEntryContext, undrawn } from './form';
import { Inside } from './parts';

const DAYS = { from: '1970-01-01', to: '2030-01-01' };
const column = (id: number, kind: Schema<'ValueType'>, naziv: string, more: Partial<FormField> = {}) =>
  formField(id, kind, { naziv, naredjeniAUTS: 1, ...more });
const bounded = { tipAtributa: { donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 100 } };
const SECTION = formField(1, ValueType.Panel, {
  naziv: 'Terapija',
  najviseRedova: 3,
  kolone: [column(2, ValueType.Text, 'Lek', { opciono: false }), column(3, ValueType.Number, 'Doza', bounded)],
});

const opened = (values: Values = {}) =>
  new EntryStore(
    [SECTION, formField(4, ValueType.Text)],
    values,
    { datumUnosa: '2026-01-01', radnikOdgovoran: null },
    { unosID: null, verzija: null, kljuc: 'k' },
  );
const rows = (...all: [number, Record<string, unknown>][]) => stored(all.map(([id, v]) => ({ id, v })) as never);

function show(values: Values = {}, readOnly = false): EntryStore {
  const store = opened(values);
  render(
    <OpenEntryContext value={{ ...undrawn(store), readOnly, formerUnits: new Map(), pacijentID: 1, tsaID: 1, registarID: 1 }}>
      <Inside of={null} />
    </OpenEntryContext>,
  );
  return store;
}

const cell = (name: string) => screen.getByRole('textbox', { name });
const type = (name: string, value: string) => fireEvent.change(cell(name), { target: { value } });
const said = (store: EntryStore) => rowsOf(store.value(1)).map(({ v }) => v);

describe('a section that repeats', () => {
  it('draws a row that is not in sight as soon as the keyboard comes to it', () => {
    show({ 1: rows(...Array.from({ length: 9 }, (_, n): [number, Record<string, unknown>] => [n + 1, { 2: `Lek ${n}` }])) });
    expect(screen.queryByRole('textbox', { name: 'Lek, 7. red' })).toBeNull();
    fireEvent.keyDown(cell('Lek, 6. red'), { key: 'Enter' });
    expect(cell('Lek, 7. red')).toHaveFocus();
  });

  it('takes rows by the keyboard: Enter goes down and adds a row, Tab from the last cell too', () => {
    const store = show();
    expect(screen.getByText('Nema redova.')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Dodaj red: Terapija' }));
    expect(cell('Lek, 1. red')).toHaveFocus();
    type('Lek, 1. red', 'Aspirin');
    fireEvent.keyDown(cell('Lek, 1. red'), { key: 'Enter' });
    expect(cell('Lek, 2. red')).toHaveFocus();
    type('Lek, 2. red', 'Insulin');
    type('Doza, 2. red', '7,5');
    fireEvent.keyDown(cell('Doza, 2. red'), { key: 'Tab' });
    expect(cell('Lek, 3. red')).toHaveFocus();
    fireEvent.keyDown(cell('Lek, 1. red'), { key: 'Enter' });
    expect(cell('Lek, 2. red')).toHaveFocus();
    expect(said(store)).toEqual([{ 2: 'Aspirin' }, { 2: 'Insulin', 3: 7.5 }, {}]);
    expect(screen.getByRole('button', { name: 'Dodaj red: Terapija' })).toBeDisabled();
  });

  it('adds no second blank row', () => {
    const store = show();
    fireEvent.click(screen.getByRole('button', { name: 'Dodaj red: Terapija' }));
    fireEvent.keyDown(cell('Lek, 1. red'), { key: 'Enter' });
    fireEvent.keyDown(cell('Doza, 1. red'), { key: 'Tab' });
    expect(said(store)).toHaveLength(1);
  });

  it('gives a removed row back to its place', () => {
    const store = show({ 1: rows([1, { 2: 'A' }], [2, { 2: 'B' }], [3, { 2: 'C' }]) });
    fireEvent.click(screen.getByRole('button', { name: 'Ukloni 2. red: Terapija' }));
    expect(said(store)).toEqual([{ 2: 'A' }, { 2: 'C' }]);
    expect(cell('Lek, 2. red')).toHaveFocus();
    fireEvent.click(within(screen.getByRole('status')).getByRole('button', { name: 'Vrati red' }));
    expect(said(store)).toEqual([{ 2: 'A' }, { 2: 'B' }, { 2: 'C' }]);
    fireEvent.keyDown(cell('Lek, 1. red'), { key: 'Delete', ctrlKey: true });
    expect(said(store)).toEqual([{ 2: 'B' }, { 2: 'C' }]);
    expect(store.isDirty()).toBe(true);
  });

  it('says at the save which row and column is wrong, and marks the cell', () => {
    const store = show({ 1: rows([1, { 2: 'A', 3: 5 }], [2, { 3: 101 }]) });
    const found = faults(store, false, DAYS);
    expect(found.get(1)).toBe('Terapija, 2. red: Doza nije u opsegu (0) - (100)');
    act(() => store.fail(found));
    expect(screen.getByRole('alert')).toHaveTextContent('Terapija, 2. red');
    expect(cell('Doza, 2. red')).toHaveAttribute('aria-invalid', 'true');
    expect(cell('Doza, 1. red')).toHaveAttribute('aria-invalid', 'false');
    store.set(1, rows([1, { 2: 'A' }], [2, { 3: 10 }], [3, {}]));
    expect(faults(store, false, DAYS).get(1)).toBe('Terapija, 2. red: Niste uneli stavku sa nazivom: Lek.');
  });

  it('is only read by who may not change the entry', () => {
    show({ 1: rows([1, { 2: 'A' }]) }, true);
    expect(cell('Lek, 1. red')).toBeDisabled();
    expect(screen.queryByRole('button', { name: /red: Terapija/ })).toBeNull();
  });
});

describe('a column with a formula', () => {
  const field = (code: string): Expr => ({ t: 'field', code });
  const formula = (f: FunctionName, args: Expr[], deps: string[]): Formula => ({ v: 1, deps, expr: { t: 'call', f, args } });
  const section = formField(1, ValueType.Panel, {
    naziv: 'Terapija',
    najviseRedova: 3,
    kolone: [
      column(2, ValueType.Number, 'Doza', { sifra: 'doza', ...bounded }),
      column(3, ValueType.Number, 'Dvostruko', {
        sifra: 'dvostruko',
        formulaZaRacunanje: formula('add', [field('doza'), field('doza')], ['doza']),
      }),
      column(4, ValueType.Text, 'Razlog', {
        opciono: false,
        formulaZaPrikaz: formula('gt', [field('doza'), { t: 'number', v: 10 }], ['doza']),
      }),
    ],
  });
  const of = (values: Values) =>
    new EntryStore([section], values, { datumUnosa: '2026-01-01', radnikOdgovoran: null }, { unosID: null, verzija: null, kljuc: 'k' });

  it('shows the result of each row, asks where its condition holds, and sends what was typed alone', () => {
    const store = of({ 1: rows([1, { 2: 5, 3: 999 }], [2, { 2: 20 }]) });
    render(
      <OpenEntryContext value={{ ...undrawn(store), readOnly: false, formerUnits: new Map(), pacijentID: 1, tsaID: 1, registarID: 1 }}>
        <Inside of={null} />
      </OpenEntryContext>,
    );
    const results = () => screen.getAllByRole('status', { name: /^Dvostruko/ }).map(({ textContent }) => textContent);
    expect(results()).toEqual(['10', '40']);
    expect(screen.queryByRole('textbox', { name: 'Razlog, 1. red' })).toBeNull();
    expect(faults(store, false, DAYS).get(1)).toBe('Terapija, 2. red: Niste uneli stavku sa nazivom: Razlog.');
    type('Razlog, 2. red', 'bol');
    expect(faults(store, false, DAYS).size).toBe(0);
    expect(sendable(store.fields, store.values())).toEqual({
      1: [
        { id: 1, v: { 2: 5 } },
        { id: 2, v: { 2: 20, 4: 'bol' } },
      ],
    });
    expect(toBeCleared(store, true)).toEqual([]);
    type('Doza, 2. red', '7');
    expect(results()).toEqual(['10', '14']);
    expect(toBeCleared(store, true)).toEqual([section]);
    type('Doza, 1. red', '101');
    expect(results()[0]).toBe('—');
  });
});

describe('rows', () => {
  it('are the same whatever is blank, and in whatever order they stand', () => {
    expect(sameRows(rows([1, { 2: 'A' }], [2, {}]), rows([1, { 2: 'A', 3: null }]))).toBe(true);
    expect(sameRows(rows([1, { 2: [5, 6] }]), rows([1, { 2: [6, 5] }]))).toBe(true);
    expect(sameRows(rows([1, { 2: 'A' }]), rows([2, { 2: 'A' }]))).toBe(false);
    expect(sameRows(rows([1, { 2: 'A' }]), null)).toBe(false);
  });

  it('are sent without what is blank; a blank row alone is no change and no draft', () => {
    const store = opened();
    store.set(1, rows([1, {}]));
    expect(store.isDirty()).toBe(false);
    expect(draftOf(store, 1, 0)).toBeNull();
    store.set(1, rows([1, {}], [2, { 2: 'A', 3: null }]));
    expect(sendable(store.fields, store.values())).toEqual({ 1: [{ id: 2, v: { 2: 'A' } }] });
  });

  it('stand in a draft as they were typed, and are told in words', () => {
    const store = opened();
    store.set(1, rows([1, { 2: 'A', 3: 'pet' }]));
    store.set(DATE, '2026-01-02');
    const draft = draftOf(store, 1, 0);
    if (!draft) throw new Error('no draft');
    expect(draft.uneto).toEqual({ 1: 'Terapija: 1) Lek: A' });
    expect(laidOver(draft, opened()).mine.values[1]).toEqual([{ id: 1, v: { 2: 'A', 3: 'pet' } }]);
  });
});
