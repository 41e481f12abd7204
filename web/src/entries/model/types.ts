// An entry as the screen holds it: the API's records, with the parts that its description leaves open.
import { closerTo } from '../../api/closer';
import type { Schema } from '../../schema';
import type { ChartLine } from '../../charts/plot';
import type { Formula, OtherEntry, OtherForm, Stored } from '../../forms/formula';
import type { TypedAll, TypedIn, TypedRows } from '../../forms/units';
import { hasValue } from '../../forms/valueType';

export type Values = Record<string, Stored>;

export type { TypedAll, TypedRows };

export const isTypedIn = (typed: TypedIn | TypedRows | null | undefined): typed is TypedIn => typeof typed?.broj === 'number';

export interface SetItem {
  id: number;
  naziv: string;
  /** Its weight, where it has one. */
  numVrednost: number | null;
  /** Its code, where formulas may name it so. */
  sifra?: string | null;
  /** A retired item stays readable where it was chosen. */
  aktivan: boolean;
}

type Refined = 'formulaZaPrikaz' | 'formulaZaRacunanje' | 'obavezanAko' | 'grafik' | 'enumStavkeSve' | 'kolone';

export interface FormField extends Omit<Schema<'EntryField'>, Refined> {
  formulaZaPrikaz: Formula | null;
  formulaZaRacunanje: Formula | null;
  obavezanAko: Formula | null;
  grafik: ChartLine[] | null;
  enumStavkeSve: SetItem[];
  /** Of a section that repeats. */
  kolone?: FormField[] | undefined;
}

/** Where its condition holds, its message is told; as an error it refuses the save. */
export interface FormRule extends Omit<Schema<'EntryRule'>, 'formula'> {
  formula: Formula;
}

export interface Display extends Omit<
  Schema<'Display'>,
  'autsiArray' | 'pravila' | 'vrednosti' | 'drugiUnosi' | 'drugiFormulari' | 'unetoU'
> {
  unetoU: TypedAll;
  autsiArray: FormField[];
  pravila: FormRule[];
  /** For formulas that ask for the previous entry. */
  drugiUnosi: OtherEntry<Stored>[];
  /** For formulas that name fields of other forms. */
  drugiFormulari: OtherForm<Stored>[];
  vrednosti: Values;
}

export interface SavedEntry extends Omit<Schema<'SavedEntry'>, 'vrednosti'> {
  vrednosti: Values;
}

export interface Clash extends Omit<Schema<'ClashAnswer'>, 'vrednosti' | 'spojeno' | 'sukobi'> {
  vrednosti: Values;
  /** All that does not clash, by field id, `datumUnosa` and `radnikOdgovoran`. */
  spojeno: Values;
  sukobi: { polje: string; naziv: string; moje: Stored; njihovo: Stored }[];
}
/** What earlier entries held last of a field: being asked for, not told, nothing, or a value. */
export type Previous = 'loading' | 'failed' | 'none' | Schema<'PreviousValue'>;

/** A panel that is a table: its rows are one value. */
export const isSection = ({ najviseRedova }: FormField): boolean => typeof najviseRedova === 'number';
export const holdsValue = (field: FormField): boolean => hasValue(field.tvaNumVrednost) || isSection(field);
export const isCalculated = ({ formulaZaRacunanje }: FormField): boolean => Boolean(formulaZaRacunanje);
/** What a person may fill. */
export const isEntered = (field: FormField): boolean => holdsValue(field) && !isCalculated(field);

/** Values that were stored in another unit than the form has now, with that unit. */
export const formerUnitsOf = (marks: Display['zastareli']): ReadonlyMap<number, string | null> =>
  new Map(marks.filter(({ razlog }) => razlog === 'jedinica').map(({ polje, jedinica }) => [polje, jedinica ?? null]));

/** 409: the configuration changed since these results were stored, and a save would replace them. */
export interface Rewritten {
  message: string;
  rezultati: { polje: number; naziv: string; sacuvano: Stored; danas: Stored }[];
}

export const asDisplay = closerTo<Display>();
export const asSaved = closerTo<SavedEntry>();
export const asClash = closerTo<Clash>();
export const asRewritten = closerTo<Rewritten>();
