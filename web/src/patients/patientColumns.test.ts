import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { shownPatientFields, type PatientField } from './patientColumns';

const off: Schema<'PatientParameters'> = {
  prikazPacijentImeRoditelja: false,
  prikazPacijentPrikazJednogPola: false,
  prikazPacijentRadnoMesto: false,
  prikazPacijentStrucnaSprema: false,
  prikazPacijentZanimanje: false,
  prikazPacijentAdministrativnaNapomena: false,
  prikazPacijentMedicinskaNapomena: false,
};
const OPTIONAL: readonly (readonly [keyof Schema<'PatientParameters'>, PatientField])[] = [
  ['prikazPacijentImeRoditelja', 'imeRoditelja'],
  ['prikazPacijentRadnoMesto', 'radnoMesto'],
  ['prikazPacijentStrucnaSprema', 'strucnaSprema'],
  ['prikazPacijentZanimanje', 'zanimanje'],
  ['prikazPacijentAdministrativnaNapomena', 'administrativnaNapomena'],
  ['prikazPacijentMedicinskaNapomena', 'medicinskaNapomena'],
];

it.each(OPTIONAL)('%s shows %s, and only it', (flag, field) => {
  expect(shownPatientFields(off)).not.toContain(field);
  expect(shownPatientFields({ ...off, [flag]: true }).filter((shown) => !shownPatientFields(off).includes(shown))).toEqual([field]);
});

it('one sex only hides the sex at birth', () => {
  expect(shownPatientFields(off)).toContain('polNaRodjenju');
  expect(shownPatientFields({ ...off, prikazPacijentPrikazJednogPola: true })).not.toContain('polNaRodjenju');
});

it('shows the rest always', () => {
  expect(shownPatientFields(off)).toEqual([
    'ime',
    'prezime',
    'datumRodjenja',
    'jmbg',
    'lbo',
    'polTrenutni',
    'polNaRodjenju',
    'kontaktTelefon',
    'mobilniTelefon',
    'adresa',
    'brojKartona',
    'email',
  ]);
});
