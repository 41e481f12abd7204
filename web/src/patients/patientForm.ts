// Rules of a patient's form (A 5), in the order in which it shows its fields, and what a JMBG fills in.
import type { Schema } from '../schema';
import { firstMissing, type Problem } from '../crud/useForm';
import { toServerDate } from '../format';
import { isWrittenAddress } from '../mailAddress';
import { t } from '../messages';
import { knownJmbg, bareNumber, readJmbg, type Jmbg } from './jmbg';

const text = t.patients.form;

export const emptyPatient: Schema<'PatientInput'> = {
  ime: null,
  prezime: null,
  imeRoditelja: null,
  datumRodjenja: null,
  jmbg: null,
  lbo: null,
  polTrenutni: null,
  polNaRodjenju: null,
  adresa: null,
  brojKartona: null,
  kontaktTelefon: null,
  email: null,
  mobilniTelefon: null,
  zanimanje: null,
  strucnaSprema: null,
  radnoMesto: null,
  medicinskaNapomena: null,
  administrativnaNapomena: null,
};

export const inputOf = (patient: Schema<'Patient'>): Schema<'PatientInput'> =>
  Object.fromEntries(
    Object.keys(emptyPatient).map((key) => [key, patient[key as keyof Schema<'PatientInput'>]]),
  ) as unknown as Schema<'PatientInput'>;

/** What one record says otherwise than another. */
export const changes = (from: Schema<'PatientInput'>, to: Schema<'PatientInput'>): Partial<Schema<'PatientInput'>> =>
  Object.fromEntries(Object.entries(to).filter(([field, value]) => value !== from[field as keyof Schema<'PatientInput'>]));

/** Fields that both changed, and not to the same. */
export function overtaken(
  from: Schema<'PatientInput'>,
  mine: Partial<Schema<'PatientInput'>>,
  now: Schema<'PatientInput'>,
): (keyof Schema<'PatientInput'>)[] {
  const theirs = changes(from, now);
  return (Object.keys(mine) as (keyof Schema<'PatientInput'>)[]).filter((field) => field in theirs && theirs[field] !== mine[field]);
}

/** Nobody is born before it, as the server says. */
export const FIRST_BIRTH = '1900-01-01';

const PHONE = /^\d{3}\/\d{6,8}$/;

/** A number as it is stored (`064/1234567`), however its parts were typed; text of another shape as it is. */
export function phoneText(typed: string): string {
  const digits = typed.replace(/[\s.()-]/g, '').replace(/^(\+|00)381/, '0');
  return /^0\d{8,10}$/.test(digits) ? `${digits.slice(0, 3)}/${digits.slice(3)}` : typed;
}

type Rule = (patient: Schema<'PatientInput'>) => Problem<Schema<'PatientInput'>> | null;

const filled = (value: string | null): string | null => value?.trim() || null;
const missing =
  (field: keyof typeof text.missing): Rule =>
  (patient) =>
    firstMissing(patient, [[field, text.missing[field]]]);
const shape =
  (field: keyof Schema<'PatientInput'>, isRight: (value: string) => boolean, message: string): Rule =>
  (patient) => {
    const value = filled(patient[field] as string | null);
    return value === null || isRight(value) ? null : { field, message };
  };
const jmbg: Rule = (patient) => {
  const number = filled(patient.jmbg);
  const read = number === null ? null : readJmbg(bareNumber(number));
  return typeof read === 'string' ? { field: 'jmbg', message: read } : null;
};

const RULES: readonly Rule[] = [
  missing('ime'),
  missing('prezime'),
  missing('datumRodjenja'),
  shape('datumRodjenja', (value) => value >= FIRST_BIRTH && value <= (toServerDate(new Date()) ?? ''), text.birthRange),
  missing('jmbg'),
  jmbg,
  missing('lbo'),
  shape('lbo', (value) => /^\d{11}$/.test(bareNumber(value)), text.lboShape),
  missing('polTrenutni'),
  missing('kontaktTelefon'),
  shape('kontaktTelefon', (value) => PHONE.test(phoneText(value)), text.phone),
  shape('mobilniTelefon', (value) => PHONE.test(phoneText(value)), text.mobile),
  shape('email', isWrittenAddress, text.email),
];

/** What is wrong with the record: the first broken rule of each field, in the order of the specification. */
export function patientProblems(patient: Schema<'PatientInput'>): Problem<Schema<'PatientInput'>>[] {
  const found = RULES.map((rule) => rule(patient)).filter((problem) => problem !== null);
  return found.filter(({ field }, i) => found.findIndex((other) => other.field === field) === i);
}

/** The numbers as they are stored, however they were typed. */
export const withPlainNumbers = (patient: Schema<'PatientInput'>): Schema<'PatientInput'> => ({
  ...patient,
  jmbg: patient.jmbg === null ? null : bareNumber(patient.jmbg),
  lbo: patient.lbo === null ? null : bareNumber(patient.lbo),
  kontaktTelefon: patient.kontaktTelefon == null ? null : phoneText(patient.kontaktTelefon),
  mobilniTelefon: patient.mobilniTelefon == null ? null : phoneText(patient.mobilniTelefon),
});

/**
 * What a newly typed JMBG fills: fields that are blank, or that say what the JMBG read last says. `before` is that one: while a
 * number is typed over another, what stands in the box is none for a while.
 */
export function filledByJmbg(patient: Schema<'PatientInput'>, typed: string, before: Jmbg | null): Partial<Schema<'PatientInput'>> {
  const now = knownJmbg(typed);
  if (!now) return {};
  const free = <V>(value: V | null, earlier: V | undefined) => value === null || value === earlier;
  return {
    ...(free(patient.datumRodjenja, before?.datumRodjenja) && { datumRodjenja: now.datumRodjenja }),
    ...(free(patient.polTrenutni, before?.pol) && { polTrenutni: now.pol }),
    ...(free(patient.polNaRodjenju, before?.pol) && { polNaRodjenju: now.pol }),
  };
}

/** Oddities that a person confirms before they are saved. */
export function jmbgWarnings({ jmbg: number, datumRodjenja, polTrenutni }: Schema<'PatientInput'>): {
  datumRodjenja?: string;
  polTrenutni?: string;
} {
  const read = knownJmbg(number);
  return {
    ...(read && datumRodjenja && datumRodjenja !== read.datumRodjenja && { datumRodjenja: text.dateMismatch }),
    ...(read && polTrenutni !== null && polTrenutni !== read.pol && { polTrenutni: text.sexMismatch }),
  };
}
