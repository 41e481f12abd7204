// Examples kept with a formula, computed here as the server computes them (`domain/src/formula/example.rs`).
import { formulaFields } from '../../../entries/model/store';
import { isCalculated, type FormField } from '../../../entries/model/types';
import { type Expr, type Stored, asResult, evaluateForm } from '../../../forms/formula';
import { CivilMoment, CivilTime } from '../../../forms/formula/clock';
import { hasValue, ValueType } from '../../../forms/valueType';
import { outside, YEARS, YEARS_OF_LIFE } from '../../../ui/typedDate';

/** As a person writes them, by the codes of fields: of a set the names or numbers of items. What is not named is blank. */
export type Given = Readonly<Record<string, unknown>>;

export interface Circumstances {
  danas?: string | null;
  datumPregleda?: string | null;
  datumRodjenja?: string | null;
  pol?: boolean | null;
  polNaRodjenju?: boolean | null;
  prethodniDatum?: string | null;
}

export interface Example {
  naziv?: string | null;
  ulazi?: Given;
  redovi?: readonly Given[];
  okolnosti?: Circumstances;
  prethodno?: Given;
  rezultat?: unknown;
}

/** What an example comes to, as the field stores it; `problem`: it names what is not there. */
export interface ExampleOutcome {
  expected: Stored;
  actual: Stored;
  problem: string | null;
}

/** What the server has of an example that says nothing. */
const NOWHEN = '2000-01-01';

class Unreadable extends Error {}

/** A value as a person writes it, as the field stores it. */
function stored(field: FormField, typed: unknown): Stored {
  const code = field.sifra ?? '';
  const wrong = (what: string) => new Unreadable(`vrednost polja „${code}” nije ${what}.`);
  if (typed === null || typed === undefined) return null;
  switch (field.tvaNumVrednost) {
    case ValueType.Choice:
      if (typeof typed === 'boolean') return typed;
      throw wrong('„da” ili „ne”');
    case ValueType.Number:
      if (typeof typed === 'number') return typed;
      throw wrong('broj');
    case ValueType.Date:
      if (typeof typed === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(typed)) return typed;
      throw wrong('datum');
    case ValueType.Time:
      if (typeof typed === 'string' && CivilTime.parse(typed)) return typed;
      throw wrong('vreme oblika HH:MM');
    case ValueType.Moment:
      if (typeof typed === 'string' && CivilMoment.parse(typed)) return typed;
      throw wrong('datum sa vremenom');
    case ValueType.Set:
      return (Array.isArray(typed) ? (typed as unknown[]) : [typed]).map((item) => {
        const items = field.enumStavkeSve;
        const found =
          typeof item === 'string'
            ? (items.find(({ naziv }) => naziv === item) ?? items.find(({ sifra }) => sifra === item))
            : items.find(({ numVrednost }) => numVrednost !== null && numVrednost === item);
        if (!found)
          throw new Unreadable(`polje „${code}” nema stavku ${typeof item === 'string' ? `„${item}”` : `sa brojem ${String(item)}`}.`);
        return found.id;
      });
    default:
      if (typeof typed === 'string') return typed;
      throw wrong('tekst');
  }
}

/** What the example of a field comes to. */
export function outcomeOf(fields: readonly FormField[], own: FormField, example: Example): ExampleOutcome {
  try {
    return { ...computed(fields, own, example), problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { expected: null, actual: null, problem: error.message };
  }
}

function computed(fields: readonly FormField[], own: FormField, example: Example): Omit<ExampleOutcome, 'problem'> {
  const everything = fields.flatMap((field) => [field, ...(field.kolone ?? [])]);
  const named = (code: string) => {
    const field = everything.find(({ sifra, tvaNumVrednost }) => sifra === code && hasValue(tvaNumVrednost));
    if (!field) throw new Unreadable(`nema polja sa šifrom „${code}”.`);
    return field;
  };
  const sectionOf = (column: FormField) => fields.find(({ kolone = [] }) => kolone.includes(column));
  const entered = new Map<number, Stored>();
  const given = new Set<number>();
  for (const [code, typed] of Object.entries(example.ulazi ?? {})) {
    const field = named(code);
    if (field.id === own.id) throw new Unreadable('rezultat polja se ne navodi među ulazima.');
    if (sectionOf(field)) throw new Unreadable(`polje „${code}” je u sekciji koja se ponavlja, pa se navodi u redovima.`);
    if (typed === null || typed === undefined) continue;
    entered.set(field.id, enteredIn(field, typed));
    given.add(field.id);
  }
  const rows = new Map<number, { id: number; v: Record<string, Stored> }[]>();
  const mySection = sectionOf(own);
  // A column of a row is computed in the last one that is given.
  const rowsGiven = mySection && !example.redovi?.length ? [{}] : (example.redovi ?? []);
  for (const row of rowsGiven) {
    const cells = new Map<number, Record<string, Stored>>(mySection ? [[mySection.id, {}]] : []);
    for (const [code, typed] of Object.entries(row)) {
      const column = named(code);
      if (column.id === own.id) throw new Unreadable('rezultat polja se ne navodi u redovima.');
      const section = sectionOf(column);
      if (!section) throw new Unreadable(`polje „${code}” nije u sekciji koja se ponavlja.`);
      if (typed === null || typed === undefined) continue;
      cells.set(section.id, { ...cells.get(section.id), [column.id]: enteredIn(column, typed) });
      // What is given is not computed, in any row.
      given.add(column.id);
    }
    for (const [section, v] of cells) {
      const before = rows.get(section) ?? [];
      rows.set(section, [...before, { id: before.length + 1, v }]);
    }
  }
  for (const [section, all] of rows) entered.set(section, all as unknown as Stored);
  const known = example.okolnosti ?? {};
  for (const [called, day, years] of [
    ['dan na koji se računa', known.danas, YEARS],
    ['datum pregleda', known.datumPregleda, YEARS],
    ['datum rođenja', known.datumRodjenja, YEARS_OF_LIFE],
    ['datum prethodnog unosa', known.prethodniDatum, YEARS],
  ] as const) {
    const out = outside(years, day);
    if (out) throw new Unreadable(`${called} ${out}.`);
  }
  const before = Object.entries(example.prethodno ?? {}).filter(([, typed]) => typed !== null && typed !== undefined);
  const vrednosti = Object.fromEntries(before.map(([code, typed]) => [named(code).id, enteredIn(named(code), typed)]));
  if (before.length > 0 && !known.prethodniDatum) throw new Unreadable('uz vrednosti prethodnog unosa navodi se i njegov datum.');
  if (known.prethodniDatum && !(known.datumPregleda && known.prethodniDatum < known.datumPregleda)) {
    throw new Unreadable('datum prethodnog unosa mora biti pre datuma pregleda.');
  }
  const formulas = formulaFields(fields).map((field) => (given.has(field.id) ? { ...field, racunanje: null } : field));
  const mine = formulas.find(({ id }) => id === own.id);
  const done = evaluateForm(
    formulas,
    entered,
    { today: known.danas ?? known.datumPregleda ?? NOWHEN, examined: known.datumPregleda ?? null },
    {
      patient: { datumRodjenja: known.datumRodjenja ?? null, polTrenutni: known.pol ?? null, polNaRodjenju: known.polNaRodjenju ?? null },
      others: known.prethodniDatum ? [{ datumUnosa: known.prethodniDatum, vrednosti }] : [],
    },
  );
  const last = mySection ? rows.get(mySection.id)?.at(-1)?.id : undefined;
  const inRow = mySection && last !== undefined ? (done.rowsOf(mySection.id)?.get(last)?.values[String(own.id)] ?? null) : null;
  const actual = mySection ? inRow : (done.values.get(own.id) ?? null);
  return { expected: mine ? asResult(mine, stored(own, example.rezultat)) : null, actual };
}

/** What is entered, as the form would take it. */
function enteredIn(field: FormField, typed: unknown): Stored {
  const isDay = field.tvaNumVrednost === ValueType.Date || field.tvaNumVrednost === ValueType.Moment;
  const out = isDay && typeof typed === 'string' ? outside(YEARS, typed) : null;
  if (out) throw new Unreadable(`vrednost polja „${field.sifra ?? ''}” ${out}.`);
  return stored(field, typed);
}

export function comesOut({ expected, actual, problem }: ExampleOutcome): boolean {
  if (problem !== null) return false;
  return Array.isArray(expected) && Array.isArray(actual) ? expected.join() === actual.join() : expected === actual;
}

/** What a formula asks for: what its example may say. */
export interface AskedOfExample {
  /** Fields with one value; the calculated among them need not be given. */
  fields: readonly FormField[];
  /** Columns by their sections. */
  sections: readonly { section: FormField; columns: readonly FormField[] }[];
  before: readonly FormField[];
  circumstances: ReadonlySet<keyof Circumstances>;
}

const CIRCUMSTANCES: Partial<Record<string, keyof Circumstances>> = {
  today: 'danas',
  examined: 'datumPregleda',
  patient_born: 'datumRodjenja',
  patient_sex: 'pol',
  patient_sex_at_birth: 'polNaRodjenju',
};

/** What is asked of earlier entries. */
const OF_BEFORE: ReadonlySet<string> = new Set([
  'previous',
  'previous_date',
  'visit_number',
  'first_earlier',
  'last_earlier',
  'least_earlier',
  'greatest_earlier',
]);

/** By way of other results too, and of what decides whether they show. */
export function askedBy(fields: readonly FormField[], own: FormField): AskedOfExample {
  const everything = fields.flatMap((field) => [field, ...(field.kolone ?? [])]);
  const [read, before, circumstances] = [new Set<FormField>(), new Set<FormField>(), new Set<keyof Circumstances>()];
  const called = (codes: readonly string[]) =>
    everything.filter(({ sifra }) => sifra !== null && sifra !== undefined && codes.includes(sifra));
  const walk = (expr: Expr): void => {
    if (expr.t !== 'call') return;
    const one = CIRCUMSTANCES[expr.f];
    if (one) circumstances.add(one);
    if (OF_BEFORE.has(expr.f)) circumstances.add('prethodniDatum').add('datumPregleda');
    expr.args.forEach(walk);
  };
  const met = new Set<FormField>();
  const visit = (field: FormField | undefined): void => {
    if (!field || met.has(field)) return;
    met.add(field);
    for (const formula of [field.formulaZaRacunanje, field.formulaZaPrikaz]) {
      if (!formula) continue;
      walk(formula.expr);
      called(formula.prev ?? []).forEach((one) => before.add(one));
      for (const one of called(formula.deps)) {
        read.add(one);
        visit(one);
      }
    }
    visit(fields.find(({ id }) => id === field.naredjeniAUTS));
  };
  visit(own);
  read.delete(own);
  const sections = fields.flatMap((section) => {
    const columns = (section.kolone ?? []).filter(
      (column) => column !== own && (read.has(column) || (read.has(section) && !isCalculated(column))),
    );
    return columns.length > 0 ? [{ section, columns }] : [];
  });
  return {
    fields: fields.filter((field) => read.has(field) && hasValue(field.tvaNumVrednost)),
    sections,
    before: [...before],
    circumstances,
  };
}

/** What stands in an entry, as an example says it: of sets the names of items. */
export function typedOf(field: FormField, value: unknown): unknown {
  if (field.tvaNumVrednost !== ValueType.Set || !Array.isArray(value)) return value;
  const names = field.enumStavkeSve.filter(({ id }) => value.includes(id)).map(({ naziv }) => naziv);
  return names.length > 0 ? names : null;
}

/** The example with other codes in the place of these. */
export function naming(example: Example, codeOf: ReadonlyMap<string, string>): Example {
  const renamed = (given: Given): Given =>
    Object.fromEntries(Object.entries(given).map(([code, value]) => [codeOf.get(code) ?? code, value]));
  return {
    ...example,
    ...(example.ulazi && { ulazi: renamed(example.ulazi) }),
    ...(example.redovi && { redovi: example.redovi.map(renamed) }),
    ...(example.prethodno && { prethodno: renamed(example.prethodno) }),
  };
}
