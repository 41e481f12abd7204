// The search form: its record, its rows of criteria, and the request made of them.
import { ValueType } from '../forms/valueType';
import type { Schema } from '../schema';
import { t } from '../messages';
import { outside, YEARS } from '../ui/typedDate';
import { misreading, typedNumber } from '../ui/typedNumber';
import type { ResultOrder, SearchField, SearchSetup } from './types';

export type Link = 'i' | 'ili';
export type Operator = keyof typeof t.patients.search.operators;

/** Which of a patient's entries a criterion speaks about. */
export type EntryScope = keyof typeof t.patients.search.scopes;

export interface CriterionRow {
  /** Of the screen only. */
  key: string;
  veza: Link;
  tipUnosaID: number | null;
  poljeID: number | null;
  operator: Operator | null;
  vrednost: string;
}

export interface SearchCriteria {
  godinaOd: number | null;
  godinaDo: number | null;
  ime: string;
  prezime: string;
  jmbg: string;
  lbo: string;
  /** -1 none chosen, 0 female, 1 male. */
  pol: -1 | 0 | 1;
  /** None: whatever it is. */
  status: Schema<'PatientStatus'> | null;
  /** Of one entry that the worker's institution has made: its state, what is open about it, its days. */
  stanjeUnosa: Schema<'EntryState'> | null;
  otvoreno: Schema<'OpenMatter'> | null;
  unosOd: string | null;
  unosDo: string | null;
  /** The entry that a report counted, in which the rows hold; none: any, as the scope says. */
  unosUslova: Schema<'EntryFrame'> | null;
  brojRezultata: number;
  opseg: EntryScope;
  redovi: CriterionRow[];
}

export const COUNTS = [50, 100, 200, 1000, -1] as const;
const DEFAULT_COUNT = 200;
export const MOST_ROWS = 20;

const FILLED: readonly Operator[] = ['popunjeno', 'nijePopunjeno'];
const COMPARISONS: readonly Operator[] = ['>', '<', '=', '!=', '<=', '>=', ...FILLED];
const SELECTION: readonly Operator[] = ['izabrano', 'nijeIzabrano', ...FILLED];
const OPERATORS: Partial<Record<Schema<'ValueType'>, readonly Operator[]>> = {
  [ValueType.Choice]: SELECTION,
  [ValueType.Number]: COMPARISONS,
  [ValueType.Text]: ['=', '!=', 'sadrzi', 'neSadrzi', 'pocinje', 'zavrsava', ...FILLED],
  [ValueType.Set]: SELECTION,
  [ValueType.Date]: COMPARISONS,
  [ValueType.Time]: COMPARISONS,
  [ValueType.Moment]: COMPARISONS,
  [ValueType.File]: [...FILLED, 'sadrzi', 'neSadrzi'],
};
const FIRST_OPERATOR: Partial<Record<Schema<'ValueType'>, Operator>> = {
  [ValueType.Choice]: 'izabrano',
  [ValueType.Number]: '=',
  [ValueType.Text]: 'sadrzi',
  [ValueType.Set]: 'izabrano',
  [ValueType.Date]: '=',
  [ValueType.Time]: '>=',
  [ValueType.Moment]: '>=',
  [ValueType.File]: 'popunjeno',
};

export const operatorsOf = ({ tipVrednosti }: SearchField): readonly Operator[] => OPERATORS[tipVrednosti] ?? [];

/** Whether the criterion compares with a value: a yes-or-no and "filled" do not. */
export const takesValue = (operator: Operator | null, field: SearchField | null): boolean =>
  field?.tipVrednosti !== ValueType.Choice && !(operator !== null && FILLED.includes(operator));

/** The register's own scope, where the person chose none. */
export const usualScope = ({ prikazTekucihUnosaKodPretrage }: SearchSetup): EntryScope =>
  prikazTekucihUnosaKodPretrage ? 'najnovijiUnos' : 'biloKojiUnos';

export const emptyRow = (): CriterionRow => ({
  key: crypto.randomUUID(),
  veza: 'i',
  tipUnosaID: null,
  poljeID: null,
  operator: null,
  vrednost: '',
});

export const emptyForm = (setup: SearchSetup): SearchCriteria => ({
  godinaOd: null,
  godinaDo: null,
  ime: '',
  prezime: '',
  jmbg: '',
  lbo: '',
  pol: -1,
  status: null,
  stanjeUnosa: null,
  otvoreno: null,
  unosOd: null,
  unosDo: null,
  unosUslova: null,
  brojRezultata: COUNTS.find((count) => count === setup.brojRezultataUPretrazi) ?? DEFAULT_COUNT,
  opseg: usualScope(setup),
  redovi: [emptyRow()],
});

/** The row with another item: the operator and the value stay where the new item's type allows. */
export function withItem(row: CriterionRow, field: SearchField | null, before: SearchField | null): CriterionRow {
  if (!field) return { ...row, poljeID: null, operator: null, vrednost: '' };
  const alike = before?.tipVrednosti === field.tipVrednosti;
  return {
    ...row,
    poljeID: field.id,
    operator: alike && row.operator ? row.operator : (FIRST_OPERATOR[field.tipVrednosti] ?? null),
    // A yes-or-no needs no value of its own: the operator says it all.
    vrednost: field.tipVrednosti === ValueType.Choice ? '1' : alike && field.tipVrednosti !== ValueType.Set ? row.vrednost : '',
  };
}

export const isEmptyRow = ({ poljeID, operator, vrednost }: CriterionRow): boolean =>
  poljeID === null && operator === null && vrednost.trim() === '';

/** The first row that is begun and not whole. */
export const unfinishedRow = (rows: readonly CriterionRow[]): CriterionRow | undefined =>
  rows.find(
    (row) =>
      !isEmptyRow(row) && (row.poljeID === null || row.operator === null || (row.vrednost.trim() === '' && !FILLED.includes(row.operator))),
  );

/** The first row whose number is none, or may be two, or whose day nobody can mean, and why. */
export function misreadRow(rows: readonly CriterionRow[], { polja }: Pick<SearchSetup, 'polja'>): { key: string; message: string } | null {
  for (const { key, poljeID, vrednost } of rows) {
    const field = polja.find(({ id }) => id === poljeID);
    if (field?.tipVrednosti === ValueType.Number && typeof typedNumber(vrednost) === 'string')
      return { key, message: misreading(field.naziv, vrednost) };
    const isDay = field?.tipVrednosti === ValueType.Date || field?.tipVrednosti === ValueType.Moment;
    const out = isDay ? outside(YEARS, vrednost) : null;
    if (field && out) return { key, message: `${field.naziv} ${out}.` };
  }
  return null;
}

/** Which box each row stands in: rows joined by "i" share one, "ili" opens the next. */
export function boxesOf(rows: readonly Pick<CriterionRow, 'veza'>[]): number[] {
  let box = 0;
  return rows.map(({ veza }, i) => (i > 0 && veza === 'ili' ? ++box : box));
}

/** The body of the search call. */
export const searchRequest = (registarID: number, form: SearchCriteria) => ({
  registarID,
  ime: form.ime.trim(),
  prezime: form.prezime.trim(),
  godinaOd: form.godinaOd,
  godinaDo: form.godinaDo,
  pol: form.pol,
  status: form.status,
  stanjeUnosa: form.stanjeUnosa,
  otvoreno: form.otvoreno,
  unosOd: form.unosOd,
  unosDo: form.unosDo,
  jmbg: form.jmbg.trim(),
  lbo: form.lbo.trim(),
  redPretrage: form.redovi
    .filter((row) => !isEmptyRow(row))
    .map(({ veza, tipUnosaID, poljeID, operator, vrednost }, i) => ({
      veza: i === 0 ? null : veza,
      tipUnosaID,
      poljeID,
      operator,
      vrednost: vrednost.trim(),
    })),
  opsegUslova: form.opseg,
  unosUslova: form.unosUslova,
  sviRezultati: form.brojRezultata === -1,
  brojRezultatePretrage: form.brojRezultata,
});

/** The order is chosen on the results, once they are there. */
export type SearchRequest = ReturnType<typeof searchRequest> & { redosled?: ResultOrder };

/** Whether it asks for an entry of one's own, which each result then names. */
export const asksForEntry = ({
  stanjeUnosa,
  otvoreno,
  unosOd,
  unosDo,
}: Pick<SearchCriteria, 'stanjeUnosa' | 'otvoreno' | 'unosOd' | 'unosDo'>): boolean =>
  [stanjeUnosa, otvoreno, unosOd, unosDo].some((asked) => asked !== null);

/** What is asked for, without the order of the results. */
export function criteriaOf(request: SearchRequest): SearchRequest {
  const criteria = { ...request };
  delete criteria.redosled;
  return criteria;
}

/** A worker who signs in after another in the same tab finds nothing of theirs. */
const keyOf = (worker: number, register: number) => `regix.pretraga.${worker}.${register}`;

/** What was typed into a register's search, kept for this tab. */
export interface KeptSearch {
  form: SearchCriteria;
  request: SearchRequest | null;
}

export function keptSearch(worker: number, setup: SearchSetup): KeptSearch {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(worker, setup.id)) ?? 'null') as Partial<KeptSearch> | null;
    if (kept?.form && Array.isArray(kept.form.redovi)) {
      const known = new Set(setup.polja.map(({ id }) => id));
      const redovi = kept.form.redovi.filter(({ poljeID }) => poljeID === null || known.has(poljeID));
      return { form: { ...emptyForm(setup), ...kept.form, redovi }, request: kept.request ?? null };
    }
  } catch {
    // Something else's text under our name is as good as none.
  }
  return { form: emptyForm(setup), request: null };
}

export const keepSearch = (worker: number, register: number, kept: KeptSearch): void =>
  sessionStorage.setItem(keyOf(worker, register), JSON.stringify(kept));
