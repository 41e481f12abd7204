import { expect, it } from 'vitest';
import { constant, constantOf, detail, direct, targetName, columnTarget, translationOf, translationText, type Mapping } from './mapping';

const MAPPING: Mapping = {
  file: { encoding: 'auto', delimiter: 'auto', dates: ['DD.MM.YYYY.'], blank: [], items: '|' },
  patient: {
    key: 'jmbg',
    existing: 'keep',
    shared_lbo: 'refuse',
    institution: { constant: 'Klinika' },
    fields: { jmbg: 'jmbg', ime: 'ime' },
  },
  entries: [],
};

it('a column goes to one place, and what was there goes nowhere', () => {
  const moved = direct(MAPPING, 'ime', { patient: 'prezime' });
  expect(moved.patient.fields).toEqual({ jmbg: 'jmbg', prezime: 'ime' });
  expect(direct(moved, 'jmbg', { patient: 'prezime' }).patient.fields).toEqual({ prezime: 'jmbg' });
  expect(direct(moved, 'ime', null).patient.fields).toEqual({ jmbg: 'jmbg' });
});

it('a form comes with its first column and goes with its last, and its key follows the day', () => {
  const field = direct(MAPPING, 'hr', { form: 'pregled', field: 'puls' });
  const dated = direct(field, 'dan', { form: 'pregled', date: true });
  expect(dated.entries).toEqual([
    { form: 'pregled', key: ['jmbg', 'dan'], existing: 'keep', hidden: 'refuse', date: 'dan', fields: { puls: 'hr' } },
  ]);
  const other = direct(dated, 'datum', { form: 'pregled', date: true });
  expect(other.entries[0]?.key).toEqual(['jmbg', 'datum']);
  expect(direct(direct(other, 'datum', null), 'hr', null).entries).toEqual([]);
});

it('columns of a section go to its rows, and the section goes with its last one', () => {
  const lek = { form: 'pregled', section: 'lekovi', field: 'lek' };
  const one = direct(MAPPING, 'naziv leka', lek);
  const two = direct(one, 'doza mg', { ...lek, field: 'doza' });
  expect(two.entries[0]?.rows).toEqual({ lekovi: { lek: 'naziv leka', doza: 'doza mg' } });
  expect(targetName(columnTarget(two, 'doza mg')?.target ?? null)).toBe('r:pregled:lekovi:doza');
  expect(direct(two, 'doza mg', null).entries[0]?.rows).toEqual({ lekovi: { lek: 'naziv leka' } });
  expect(direct(one, 'naziv leka', null).entries).toEqual([]);
  expect(direct(direct(one, 'hr', { form: 'pregled', field: 'puls' }), 'naziv leka', null).entries[0]).not.toHaveProperty('rows');
});

it('an item of a set has a column of its own, and the field goes with the last of them', () => {
  const sign = (item: string) => ({ form: 'pregled', field: 'znaci', item });
  const two = direct(direct(MAPPING, 'znaci___1', sign('1')), 'znaci___2', sign('2'));
  expect(two.entries[0]?.fields).toEqual({ znaci: { columns: { znaci___1: '1', znaci___2: '2' } } });
  expect(targetName(columnTarget(two, 'znaci___2')?.target ?? null)).toBe('i:pregled:znaci:2');
  expect(direct(two, 'drugi', sign('2')).entries[0]?.fields).toEqual({ znaci: { columns: { znaci___1: '1', drugi: '2' } } });
  expect(direct(two, 'znaci___1', null).entries[0]?.fields).toEqual({ znaci: { columns: { znaci___2: '2' } } });
  expect(direct(direct(two, 'znaci___1', null), 'znaci___2', null).entries).toEqual([]);
  expect(direct(two, 'svi', { form: 'pregled', field: 'znaci' }).entries[0]?.fields).toEqual({ znaci: 'svi' });
});

it('a constant stands for every line until it is taken away', () => {
  const said = constant(MAPPING, { form: 'pregled', date: true }, '01.02.2024.');
  expect(constantOf(said.entries[0]?.date ?? '')).toBe('01.02.2024.');
  expect(said.entries[0]?.key).toEqual(['jmbg']);
  expect(constant(said, { form: 'pregled', date: true }, undefined).entries).toEqual([]);
  expect(constant(MAPPING, { patient: 'ime' }, 'Ana').patient.fields).toEqual({ jmbg: 'jmbg', ime: { constant: 'Ana' } });
});

it('details stay with their column and nothing is written of what is not said', () => {
  const told = detail(MAPPING, { patient: 'ime' }, { column: 'ime', default: 'N', round: false, translate: {} });
  expect(told.patient.fields.ime).toEqual({ column: 'ime', default: 'N' });
  expect(detail(told, { patient: 'ime' }, { column: 'ime', default: '' }).patient.fields.ime).toBe('ime');
  expect(targetName(columnTarget(told, 'ime')?.target ?? null)).toBe('p:ime');
});

it('translations are read as they are written', () => {
  expect(translationOf('1 = M\n2=Ž\n\n9')).toEqual({ '1': 'M', '2': 'Ž', '9': '' });
  expect(translationText({ '1': 'M', '9': '' })).toBe('1 = M\n9 = ');
});
