import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { blankField, blankType, type FormDocument } from './model';
import { shownFormFields, shownId, trialStore } from './preview';

const FORM: FormDocument = {
  naziv: 'Pregled',
  polja: [
    { ...blankField(7, 1, 'Masa'), sifra: 'masa' },
    { ...blankField(-1, 1, 'Dvostruko'), sifra: 'dvostruko', formulaZaRacunanje: '$(masa) * 2' },
  ],
  tipovi: [blankType(1, ValueType.Number, 'Broj')],
  stavke: [],
  pravila: [],
};
const TWICE = {
  v: 1,
  deps: ['masa'],
  expr: {
    t: 'call' as const,
    f: 'mul' as const,
    args: [
      { t: 'field' as const, code: 'masa' },
      { t: 'number' as const, v: 2 },
    ],
  },
};
const TRIAL = { datumUnosa: '2026-01-01', datumRodjenja: '1970-01-01', muski: true };

it('computes with the formulas that the server has read, of fields too that are not stored yet', () => {
  const fields = shownFormFields(FORM, { '-1': { racunanje: TWICE, prikaz: null, obavezan: null } });
  const store = trialStore(fields, [], { 7: 4, 99: 1 }, TRIAL);
  expect(store.value(shownId(-1))).toBe(8);
  store.set(7, 5);
  expect(store.value(shownId(-1))).toBe(10);
});

it('a formula with a fault is blank, and its field is not typed into', () => {
  const [, twice] = shownFormFields(FORM, {});
  expect(twice?.formulaZaRacunanje).not.toBeNull();
  expect(trialStore(shownFormFields(FORM, {}), [], { 7: 4 }, TRIAL).value(shownId(-1))).toBeNull();
});
