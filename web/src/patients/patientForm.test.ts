import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema';
import { knownJmbg, bareNumber, readJmbg } from './jmbg';
import { changes, emptyPatient, filledByJmbg, jmbgWarnings, overtaken, patientProblems, withPlainNumbers } from './patientForm';

const whole: Schema<'PatientInput'> = {
  ...emptyPatient,
  ime: 'Žika',
  prezime: 'Đurić',
  datumRodjenja: '1970-01-01',
  jmbg: '0101970710001',
  lbo: '12345678901',
  polTrenutni: true,
  kontaktTelefon: '011/1234567',
};

interface Cases {
  right: { why: string; text: string; datumRodjenja: string; pol: boolean }[];
  wrong: { why: string; text: string; fault: 'shape' | 'date' | 'check' }[];
  plain: { typed: string; plain: string }[];
}
/** The server's tests read the same table. */
const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../../../domain/jmbg-cases.json'), 'utf8')) as Cases;
const FAULTS = {
  shape: 'JMBG mora imati tačno 13 cifara.',
  date: 'JMBG ne sadrži ispravan datum rođenja.',
  check: 'Kontrolna cifra u JMBG nije ispravna.',
};

describe('a JMBG', () => {
  it.each(cases.right)('that is right is read: $why', ({ text, datumRodjenja, pol }) => {
    expect(readJmbg(text)).toEqual({ datumRodjenja, pol });
  });

  it.each(cases.wrong)('that is wrong says why: $why', ({ text, fault }) => {
    expect(readJmbg(text)).toBe(FAULTS[fault]);
  });

  it.each(cases.plain)('typed as "$typed" is taken without what stands between its digits', ({ typed, plain }) => {
    expect(bareNumber(typed)).toBe(plain);
  });

  it('is known only where it is whole and right', () => {
    expect(knownJmbg('01.01.970 710001')).toEqual({ datumRodjenja: '1970-01-01', pol: true });
    for (const wrong of [null, '', '0101970', '3102970710001', '0101970710002']) expect(knownJmbg(wrong)).toBeNull();
  });

  it('fills birth date and sexes that are blank', () => {
    expect(filledByJmbg(emptyPatient, '0101970710001', null)).toEqual({
      datumRodjenja: '1970-01-01',
      polTrenutni: true,
      polNaRodjenju: true,
    });
    expect(filledByJmbg({ ...emptyPatient, datumRodjenja: '1980-05-05' }, '0101970710001', null)).not.toHaveProperty('datumRodjenja');
    expect(filledByJmbg(emptyPatient, '0101970', null)).toEqual({});
  });

  it('corrects what the mistyped one had filled, and nothing that was typed by hand', () => {
    const mistyped = { ...whole, jmbg: '0101970710001', polNaRodjenju: false };
    const before = knownJmbg('0101970710001');
    expect(filledByJmbg({ ...mistyped, jmbg: '06' }, '0601953726029', before)).toEqual({ datumRodjenja: '1953-01-06', polTrenutni: false });
  });

  it('that contradicts the birth date or the sex is told beside them', () => {
    expect(jmbgWarnings(whole)).toEqual({});
    expect(jmbgWarnings({ ...whole, datumRodjenja: '1971-01-01', polTrenutni: false })).toEqual({
      datumRodjenja: 'Datum rođenja se ne slaže sa JMBG.',
      polTrenutni: 'Pol se ne slaže sa JMBG.',
    });
  });
});

it('lets a whole record pass, however its numbers were typed', () => {
  expect(patientProblems(whole)).toEqual([]);
  const typed = { ...whole, jmbg: '0101970 71 0001', lbo: '123-456-789.01' };
  expect(patientProblems(typed)).toEqual([]);
  expect(withPlainNumbers(typed)).toEqual(whole);
});

it('tells everything that is missing at once, in the order of the specification', () => {
  expect(patientProblems({ ...emptyPatient, email: 'nije' }).map(({ field }) => field)).toEqual([
    'ime',
    'prezime',
    'datumRodjenja',
    'jmbg',
    'lbo',
    'polTrenutni',
    'kontaktTelefon',
    'email',
  ]);
});

it.each<[Partial<Schema<'PatientInput'>>, keyof Schema<'PatientInput'>, string]>([
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
  expect(patientProblems({ ...whole, ...change })).toEqual([{ field, message }]);
});

it('is overtaken where two people changed one field to different values', () => {
  const now = { ...whole, adresa: 'Njihova', zanimanje: 'pekar', email: 'isti@primer.rs' };
  const mine = changes(whole, { ...whole, adresa: 'Moja', radnoMesto: 'pekara', email: 'isti@primer.rs' });
  expect(mine).toEqual({ adresa: 'Moja', radnoMesto: 'pekara', email: 'isti@primer.rs' });
  expect(overtaken(whole, mine, now)).toEqual(['adresa']);
});
