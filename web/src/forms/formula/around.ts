/** What a formula may know besides the form's own values. Dates are `YYYY-MM-DD`. */
import type { Schema } from '../../schema';
import type { Item } from './tree';
import { CivilDate } from './value';

/** The days that a formula may ask for. */
export interface Days {
  /** By the clock of Belgrade. */
  today: string;
  /** The examination's date, once it is known. */
  examined?: string | null;
}

/** Of a patient everything is known; an example may say less. */
export interface FormulaPatient {
  datumRodjenja: string | null;
  /** Whether male, now and at birth. */
  polTrenutni: boolean | null;
  polNaRodjenju: boolean | null;
}

/** Another entry of the patient and form: its values by field id, as they are stored. */
export interface OtherEntry<Stored> {
  datumUnosa: string;
  vrednosti: Readonly<Record<string, Stored>>;
}

/** A field of another form, by the code that formulas name it with: the form's, a dot and its own. */
export interface OtherFormField {
  id: number;
  sifra: string;
  tip: Schema<'ValueType'>;
  /** Items of a set. */
  stavke: readonly Item[];
}

/** Another form of the register whose fields formulas name. */
export interface OtherForm<Stored> {
  polja: readonly OtherFormField[];
  /** At most one entry a day. */
  unosi: readonly OtherEntry<Stored>[];
}

/** Whose form it is. */
export interface Subject<Stored> {
  patient?: FormulaPatient | null;
  /** At most one entry a day. */
  others?: readonly OtherEntry<Stored>[];
  otherForms?: readonly OtherForm<Stored>[];
}

/** All entries with an earlier examination date, oldest first. */
export function earlierOf<Stored>(others: readonly OtherEntry<Stored>[], examined: CivilDate | null): OtherEntry<Stored>[] {
  if (!examined) return [];
  const earlier = others.filter(({ datumUnosa }) => datumUnosa < examined.toString());
  return earlier.sort((one, other) => (one.datumUnosa < other.datumUnosa ? -1 : Number(one.datumUnosa > other.datumUnosa)));
}

/** The newest entry with an earlier examination date. */
export function previousOf<Stored>(others: readonly OtherEntry<Stored>[], examined: CivilDate | null): OtherEntry<Stored> | null {
  if (!examined) return null;
  const earlier = others.filter(({ datumUnosa }) => datumUnosa < examined.toString());
  return earlier.reduce<OtherEntry<Stored> | null>(
    (newest, entry) => (newest && newest.datumUnosa >= entry.datumUnosa ? newest : entry),
    null,
  );
}
