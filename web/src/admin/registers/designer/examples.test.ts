// Examples are computed in the browser as the server computes them.
import { expect, it } from 'vitest';
import type { Expr, Formula, FunctionName } from '../../../forms/formula';
import { formField } from '../../../testing/formField';
import { ValueType } from '../../../forms/valueType';
import { askedBy, comesOut, naming, outcomeOf, type Example } from './examples';

const field = (code: string): Expr => ({ t: 'field', code });
const call = (f: string, ...args: Expr[]): Expr => ({ t: 'call', f: f as FunctionName, args });
const formula = (expr: Expr, deps: string[], prev: string[] = []): Formula => ({ v: 1, deps, prev, expr });
const ITEMS = [
  { id: 71, naziv: 'metotreksat', numVrednost: 1, aktivan: true },
  { id: 72, naziv: 'leflunomid', numVrednost: 3, aktivan: true },
];

const section = formField(1, ValueType.Panel, {
  sifra: 'terapija',
  najviseRedova: 50,
  kolone: [
    formField(2, ValueType.Set, { sifra: 'lek', naredjeniAUTS: 1, enumStavkeSve: ITEMS }),
    formField(3, ValueType.Number, { sifra: 'doza', naredjeniAUTS: 1 }),
  ],
});
const masa = formField(4, ValueType.Number, { sifra: 'masa' });
const poKilogramu = formField(5, ValueType.Number, {
  sifra: 'poKilogramu',
  formulaZaRacunanje: formula(call('div', call('sum', field('doza')), field('masa')), ['doza', 'masa']),
});
const trend = formField(6, ValueType.Number, {
  sifra: 'trend',
  formulaZaRacunanje: formula(
    call('add', call('sub', field('poKilogramu'), call('previous', field('masa'))), call('patient_sex')),
    ['poKilogramu'],
    ['masa'],
  ),
});
const FIELDS = [section, masa, poKilogramu, trend];
const right = (example: Example, own = poKilogramu) => comesOut(outcomeOf(FIELDS, own, example));

it('compares the result as it is stored, over rows too', () => {
  const redovi = [
    { lek: 'metotreksat', doza: 10 },
    { lek: [3], doza: 15 },
  ];
  expect(right({ ulazi: { masa: 70 }, redovi, rezultat: 0.36 })).toBe(true);
  expect(right({ ulazi: { masa: 70 }, redovi, rezultat: 0.3571 })).toBe(true);
  expect(right({ ulazi: { masa: 70 }, redovi, rezultat: 0.35 })).toBe(false);
  expect(right({ ulazi: { masa: 70 }, rezultat: null })).toBe(true);
});

it('names what it cannot read', () => {
  const problem = (example: Example) => outcomeOf(FIELDS, poKilogramu, example).problem;
  expect(problem({ ulazi: { nema: 1 } })).toBe('nema polja sa šifrom „nema”.');
  expect(problem({ ulazi: { doza: 1 } })).toBe('polje „doza” je u sekciji koja se ponavlja, pa se navodi u redovima.');
  expect(problem({ redovi: [{ lek: 'aspirin' }] })).toBe('polje „lek” nema stavku „aspirin”.');
  expect(problem({ redovi: [{ masa: 1 }] })).toBe('polje „masa” nije u sekciji koja se ponavlja.');
  expect(problem({ ulazi: { masa: 'pet' } })).toBe('vrednost polja „masa” nije broj.');
  expect(problem({ ulazi: { poKilogramu: 1 } })).toBe('rezultat polja se ne navodi među ulazima.');
  expect(problem({ prethodno: { masa: 1 } })).toBe('uz vrednosti prethodnog unosa navodi se i njegov datum.');
});

it('a calculated input is computed unless it is given, and what is asked of the patient and before is given too', () => {
  const okolnosti = { datumPregleda: '2026-01-01', prethodniDatum: '2025-01-01', pol: true };
  const example = { ulazi: { poKilogramu: 5 }, prethodno: { masa: 2 }, okolnosti, rezultat: 4 };
  expect(right(example, trend)).toBe(true);
  expect(right({ ...example, ulazi: { masa: 2 }, redovi: [{ doza: 10 }] }, trend)).toBe(true);
  const asked = askedBy(FIELDS, trend);
  expect(asked.fields.map(({ sifra }) => sifra)).toEqual(['masa', 'poKilogramu']);
  expect(asked.sections.map(({ columns }) => columns.map(({ sifra }) => sifra))).toEqual([['doza']]);
  expect(asked.before.map(({ sifra }) => sifra)).toEqual(['masa']);
  expect([...asked.circumstances].sort()).toEqual(['datumPregleda', 'pol', 'prethodniDatum']);
});

it('a copy of the fields is what its example names', () => {
  const codes = new Map([['masa', 'masa2']]);
  expect(naming({ ulazi: { masa: 1, visina: 2 }, redovi: [{ masa: 3 }], rezultat: 5 }, codes)).toEqual({
    ulazi: { masa2: 1, visina: 2 },
    redovi: [{ masa2: 3 }],
    rezultat: 5,
  });
});

it('takes days of the years that the form itself would take', () => {
  const problem = (example: Example) => outcomeOf(FIELDS, poKilogramu, example).problem;
  expect(problem({ okolnosti: { datumPregleda: '2206-03-05' }, rezultat: null })).toBe('datum pregleda nije između 1920. i 2030. godine.');
  expect(problem({ okolnosti: { datumRodjenja: '0001-01-01' }, rezultat: null })).toBe('datum rođenja nije između 1900. i 2030. godine.');
  expect(problem({ okolnosti: { datumRodjenja: '1905-01-01' }, rezultat: null })).toBeNull();
  const dan = formField(9, ValueType.Date, { sifra: 'dan' });
  const told = outcomeOf([...FIELDS, dan], poKilogramu, { ulazi: { dan: '0206-03-05' }, rezultat: null });
  expect(told.problem).toBe('vrednost polja „dan” nije između 1920. i 2030. godine.');
});
