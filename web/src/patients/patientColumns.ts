// Which of a patient's fields are shown, in what order: one list for the page and for the history.
import type { Schema } from '../schema';
import { EMPTY, formatDate } from '../format';
import { sexName } from './values';

export type PatientField = keyof Schema<'PatientInput'>;

export const shownPatientFields = (flags: Schema<'PatientParameters'> | undefined): PatientField[] => {
  const optional = (shown: boolean | undefined, field: PatientField) => (shown ? [field] : []);
  return [
    'ime',
    'prezime',
    'datumRodjenja',
    'jmbg',
    'lbo',
    ...optional(flags?.prikazPacijentImeRoditelja, 'imeRoditelja'),
    'polTrenutni',
    ...optional(!flags?.prikazPacijentPrikazJednogPola, 'polNaRodjenju'),
    'kontaktTelefon',
    'mobilniTelefon',
    ...optional(flags?.prikazPacijentZanimanje, 'zanimanje'),
    ...optional(flags?.prikazPacijentStrucnaSprema, 'strucnaSprema'),
    ...optional(flags?.prikazPacijentRadnoMesto, 'radnoMesto'),
    'adresa',
    'brojKartona',
    ...optional(flags?.prikazPacijentMedicinskaNapomena, 'medicinskaNapomena'),
    ...optional(flags?.prikazPacijentAdministrativnaNapomena, 'administrativnaNapomena'),
    'email',
  ];
};

/** A field of a record as a person reads it. */
export function fieldText(record: Schema<'PatientInput'>, field: PatientField, sex = sexName): string {
  if (field === 'datumRodjenja') return formatDate(record.datumRodjenja);
  if (field === 'polTrenutni' || field === 'polNaRodjenju') return sex(record[field]);
  return record[field] ?? EMPTY;
}
