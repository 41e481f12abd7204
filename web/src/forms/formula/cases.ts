/** The tables that the server's tests read too. */
import { ValueType } from '../valueType';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Schema } from '../../schema';
import type { Subject } from './around';
import type { FormulaField, Stored } from './form';
import type { Formula, Item } from './tree';

interface PatientCase {
  born: string;
  male: boolean;
}

interface PreviousCase {
  examined: string;
  values: Record<string, Stored>;
}

interface AroundCase {
  examined: string | null;
  patient: PatientCase | null;
  previous: PreviousCase | null;
  /** Those before it, oldest first. */
  earlier?: PreviousCase[];
  /** Other forms of the register. */
  others?: { fields: { id: number; sifra: string; tip: Schema<'ValueType'>; items?: Item[] }[]; entries: PreviousCase[] }[];
}

export interface Cases {
  today: string;
  examined: string;
  patient: PatientCase;
  previous: PreviousCase;
  evaluate: {
    name: string;
    formula: string;
    values?: Record<string, Stored>;
    fields?: Record<string, { tip: Schema<'ValueType'>; items?: Item[] }>;
    tip?: Schema<'ValueType'>;
    items?: Item[];
    result: Stored;
  }[];
  forms: {
    name: string;
    fields: {
      id: number;
      sifra?: string;
      parent?: number;
      tip: Schema<'ValueType'>;
      items?: Item[];
      racunanje?: string;
      prikaz?: string;
      sekcija?: number;
    }[];
    steps: { around?: AroundCase; entered: Record<string, Stored>; values: Record<string, Stored>; hidden: number[] }[];
  }[];
  random: { name: string; formula: string; inputs: { code: string; low: number; high: number; decimals: number; blank: number }[] }[];
}

interface Generated {
  trees: Record<string, Formula>;
  sums: Record<string, number[]>;
  functions: string[];
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../../../domain', name), 'utf8'));
}

export const cases = read('formula-cases.json') as Cases;
export const generated = read('formula-generated.json') as Generated;

/** The tree that the server made of the text. */
export function tree(text: string): Formula {
  const formula = generated.trees[text];
  if (!formula) throw new Error(`formula-generated.json has no tree of: ${text}`);
  return formula;
}

/** A number without a code, alone on its form. */
export const plainField: FormulaField = {
  id: 0,
  sifra: null,
  parent: null,
  tip: ValueType.Number,
  items: [],
  racunanje: null,
  prikaz: null,
};

/** What the table says of the patient and of the entry before. */
const entryOf = ({ examined, values }: PreviousCase) => ({ datumUnosa: examined, vrednosti: values });

export const subjectOf = ({ patient, previous, earlier = [], others = [] }: Omit<AroundCase, 'examined'>): Subject<Stored> => ({
  patient: patient && { datumRodjenja: patient.born, polTrenutni: patient.male, polNaRodjenju: !patient.male },
  others: [...earlier, ...(previous ? [previous] : [])].map(entryOf),
  otherForms: others.map(({ fields, entries }) => ({
    polja: fields.map(({ items = [], ...field }) => ({ ...field, stavke: items })),
    unosi: entries.map(entryOf),
  })),
});
