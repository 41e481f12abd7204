import { describe, expect, it } from 'vitest';
import { readJmbg } from './jmbg';
import { changes, emptyPatient, filledByJmbg, jmbgWarnings, overtaken, patientProblem } from './patientForm';
import type { PatientInput } from './types';

const whole: PatientInput = {
  ...emptyPatient, ime: 'Žika', prezime: 'Đurić', datumRodjenja: '1970-01-01', jmbg: '0101970710001', lbo: '12345678901', polTrenutni: true, kontaktTelefon: '011/1234567',
};

describe('a JMBG', () => {
  it.each([
    ['0101970710001', { datumRodjenja: '1970-01-01', pol: true }],
    ['0601953726029', { datumRodjenja: '1953-01-06', pol: false }],
    ['0101970710007', 'Kontrolna cifra u JMBG nije ispravna.'],
    ['3102970710006', 'JMBG ne sadrži ispravan datum rođenja.'],
    ['2902970710006', 'JMBG ne sadrži ispravan datum rođenja.'],
    ['010197071000', 'JMBG mora imati tačno 13 cifara.'],
    ['01019707100011', 'JMBG mora imati tačno 13 cifara.'],
  ])('%s is read', (text, read) => {
    expect(readJmbg(text)).toEqual(read);
  });

  it('fills birth date and sexes that are blank', () => {
    expect(filledByJmbg(emptyPatient, '0101970710001')).toEqual({ datumRodjenja: '1970-01-01', polTrenutni: true, polNaRodjenju: true });
    expect(filledByJmbg({ ...emptyPatient, datumRodjenja: '1980-05-05' }, '0101970710001')).not.toHaveProperty('datumRodjenja');
    expect(filledByJmbg(emptyPatient, '0101970')).toEqual({});
  });

  it('corrects what the mistyped one had filled, and nothing that was typed by hand', () => {
    const mistyped = { ...whole, jmbg: '0101970710001', polNaRodjenju: false };
    expect(filledByJmbg(mistyped, '0601953726029')).toEqual({ datumRodjenja: '1953-01-06', polTrenutni: false });
  });

  it('that contradicts the birth date or the sex is a warning', () => {
    expect(jmbgWarnings(whole)).toEqual({});
    expect(jmbgWarnings({ ...whole, datumRodjenja: '1971-01-01', polTrenutni: false })).toEqual({
      datumRodjenja: 'Datum rođenja se ne slaže sa JMBG.', polTrenutni: 'Pol se ne slaže sa JMBG.',
    });
  });
});

it('lets a whole record pass', () => {
  expect(patientProblem(whole)).toBeNull();
});

it.each<[Partial<PatientInput>, keyof PatientInput, string]>([
  [{ ime: '  ' }, 'ime', 'Niste uneli ime.'],
  [{ prezime: null }, 'prezime', 'Niste uneli prezime.'],
  [{ datumRodjenja: null }, 'datumRodjenja', 'Niste uneli datum rođenja.'],
  [{ datumRodjenja: '1899-12-31' }, 'datumRodjenja', 'Datum rođenja mora biti između 1900. godine i današnjeg dana.'],
  [{ datumRodjenja: '2999-01-01' }, 'datumRodjenja', 'Datum rođenja mora biti između 1900. godine i današnjeg dana.'],
  [{ jmbg: '' }, 'jmbg', 'Niste uneli JMBG.'],
  [{ lbo: '' }, 'lbo', 'Niste uneli LBO.'],
  [{ lbo: '123' }, 'lbo', 'LBO mora imati 11 cifara.'],
  [{ polTrenutni: null }, 'polTrenutni', 'Niste izabrali pol.'],
  [{ kontaktTelefon: '' }, 'kontaktTelefon', 'Niste uneli kontakt telefon.'],
  [{ kontaktTelefon: '011/12345' }, 'kontaktTelefon', 'Kontakt telefon nije u formatu XXX/XXXXXXYY.'],
  [{ mobilniTelefon: '06/1234567' }, 'mobilniTelefon', 'Mobilni telefon nije u formatu XXX/XXXXXXYY.'],
  [{ email: 'bez-adrese' }, 'email', 'E-mail adresa nije ispravna.'],
])('refuses %j at %s', (change, field, message) => {
  expect(patientProblem({ ...whole, ...change })).toEqual({ field, message });
});

it('is overtaken where two people changed one field to different values', () => {
  const now = { ...whole, adresa: 'Njihova', zanimanje: 'pekar', email: 'isti@primer.rs' };
  const mine = changes(whole, { ...whole, adresa: 'Moja', radnoMesto: 'pekara', email: 'isti@primer.rs' });
  expect(mine).toEqual({ adresa: 'Moja', radnoMesto: 'pekara', email: 'isti@primer.rs' });
  expect(overtaken(whole, mine, now)).toEqual(['adresa']);
});
