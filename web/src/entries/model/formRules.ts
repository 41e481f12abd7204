// The conditions of a form that are no field's value: its rules, and where a value is required. They are evaluated with the form, each as a
// result of its own that nothing reads and nothing saves.
import { asksForTheDay, type Formula, type FormulaField, type Stored } from '../../forms/formula';
import { ValueType } from '../../forms/valueType';
import { isCalculated, type FormField, type FormRule } from './types';

/** Below all ids of fields, and of the header's answers. */
const RULES = -1_000;
const REQUIRED = -2_000_000_000_000_000;

export const ruleResult = (rule: number): number => RULES - Math.abs(rule) * 2 - (rule < 0 ? 1 : 0);
export const requiredResult = (field: number): number => REQUIRED - field;

/** A broken rule as it is told. */
export interface ToldRule {
  id: number;
  poruka: string;
  /** Whether it refuses the save. */
  refuses: boolean;
}

const condition = (id: number, racunanje: Formula): FormulaField => ({
  id,
  sifra: null,
  parent: null,
  tip: ValueType.Choice,
  items: [],
  racunanje,
  prikaz: null,
});

export const conditionsOf = (fields: readonly FormField[], rules: readonly FormRule[]): FormulaField[] => [
  ...fields.flatMap(({ id, obavezanAko }) => (obavezanAko ? [condition(requiredResult(id), obavezanAko)] : [])),
  ...rules.map(({ id, formula }) => condition(ruleResult(id), formula)),
];

/** What formulas name by code: a field, or by a column of it the section that holds the rows. */
export const readByCode = (fields: readonly FormField[]): ReadonlyMap<string, FormField> =>
  new Map(fields.flatMap((field) => [field, ...(field.kolone ?? [])].flatMap(({ sifra }) => (sifra ? [[sifra, field] as const] : []))));

interface Read {
  /** Fields that people fill. */
  fields: ReadonlySet<number>;
  day: boolean;
}

/** What a formula is made of, by way of results too. */
function readBy(formula: Formula, byCode: ReadonlyMap<string, FormField>): Read {
  const [fields, results] = [new Set<number>(), new Set<number>()];
  const add = (of: Formula): boolean => {
    let day = asksForTheDay(of);
    for (const code of of.deps) {
      const field = byCode.get(code);
      if (!field) continue;
      if (!isCalculated(field)) fields.add(field.id);
      else if (field.formulaZaRacunanje && !results.has(field.id)) {
        results.add(field.id);
        day = add(field.formulaZaRacunanje) || day;
      }
    }
    return day;
  };
  const day = add(formula);
  return { fields, day };
}

/** The rules of one form, with what each of them reads and where it is told. */
export class FormRules {
  private readonly read: ReadonlyMap<number, Read>;
  private readonly besides: ReadonlyMap<number, readonly FormRule[]>;
  private readonly owners: ReadonlyMap<number, number | null>;

  constructor(
    readonly all: readonly FormRule[],
    fields: readonly FormField[],
  ) {
    const byCode = new Map(fields.flatMap((field) => (field.sifra ? [[field.sifra, field] as const] : [])));
    const fieldOf = ({ polje }: FormRule): number | null => (polje ? (byCode.get(polje)?.id ?? null) : null);
    const read = readByCode(fields);
    this.read = new Map(all.map((rule) => [rule.id, readBy(rule.formula, read)]));
    const besides = new Map<number, FormRule[]>();
    for (const rule of all) {
      const field = fieldOf(rule);
      if (field !== null) besides.set(field, [...(besides.get(field) ?? []), rule]);
    }
    this.besides = besides;
    const required = fields.filter(({ obavezanAko }) => obavezanAko).map(({ id }) => [requiredResult(id), id] as const);
    this.owners = new Map([...required, ...all.map((rule) => [ruleResult(rule.id), fieldOf(rule)] as const)]);
  }

  /** The rules that are told beside the field. */
  beside(field: number): readonly FormRule[] {
    return this.besides.get(field) ?? [];
  }

  /** The field beside which the rule is told; none: above the form. */
  fieldOf(rule: FormRule): number | null {
    return this.owners.get(ruleResult(rule.id)) ?? null;
  }

  /** Fields that look otherwise once these results are others. */
  ownersOf(results: readonly number[]): number[] {
    return results.flatMap((id) => {
      const owner = this.owners.get(id);
      return owner === undefined ? [id] : owner === null ? [] : [owner];
    });
  }

  /** Whether anything that the rule reads is another than it was: what stands as it was stored is held to no rule. */
  isTouched(rule: FormRule, isChanged: (id: number) => boolean, isOtherDay: boolean): boolean {
    const read = this.read.get(rule.id);
    return read !== undefined && ((read.day && isOtherDay) || [...read.fields].some(isChanged));
  }
}

export const ruleHolds = (results: ReadonlyMap<number, Stored>, id: number): boolean => results.get(id) === true;
