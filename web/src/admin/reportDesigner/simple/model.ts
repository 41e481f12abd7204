// What a designer chooses in place of writing: the draft on the screen, and the body that the server makes a report of.
import { ValueType } from '../../../forms/valueType';
import type { Reply, Schema } from '../../../schema';
import { t } from '../../../messages';
import { emptyRow, isEmptyRow, misreadRow, unfinishedRow, type CriterionRow, type Operator } from '../../../patients/criteria';
import type { Typed } from '../../../ui/useNumberText';
export type SimpleField = Reply<'SimpleReportForm'>['polja'][number];
export type SimpleView = Reply<'SimpleReport'>['prikaz'];
export type MeasureKind = Reply<'SimpleReport'>['mere'][number]['mera'];
export type ChartKind = NonNullable<Reply<'SimpleReport'>['grafikon']>['vrsta'];
export type SimpleIndicator = NonNullable<Reply<'SimpleReport'>['indikator']>;

const text = t.simpleReport;

export interface MeasureRow {
  /** Of the screen only. */
  key: string;
  mera: MeasureKind | null;
  poljeID: number | null;
}

/** Groups and columns are named by what the server calls them, fields as `polje:12`. */
export interface SimpleDraft {
  registarID: number | null;
  tipUnosaID: number | null;
  samoMojaUstanova: boolean;
  period: boolean;
  /** True: men. */
  pol: boolean | null;
  starostOd: Typed;
  starostDo: Typed;
  redovi: CriterionRow[];
  prikaz: SimpleView;
  grupe: [string | null, string | null];
  mere: MeasureRow[];
  grafikon: ChartKind | null;
  /** The key of the measure that is drawn; none: the first. */
  crtaSe: string | null;
  kolone: string[];
  /** Of an indicator: for whom of those it is so. */
  brojilac: CriterionRow[];
  broji: SimpleIndicator['broji'];
  vreme: SimpleIndicator['vreme'];
  smer: SimpleIndicator['smer'];
  /** In percent. */
  cilj: Typed;
}

export interface SimpleProblem {
  /** The part of the choice, as the server names it. */
  field: string;
  message: string;
}

export const MOST_MEASURES = 8;
export const MOST_COLUMNS = 12;
export const GROUPS = ['pol', 'dob', 'mesec', 'godina'] as const;
export const COLUMNS = ['pacijent', 'datum', 'ustanova', 'pol', 'starost'] as const;

const FIELD = 'polje:';
export const fieldKey = (field: number) => `${FIELD}${String(field)}`;
const fieldIn = (name: string): number | null => (name.startsWith(FIELD) ? Number(name.slice(FIELD.length)) : null);

/** The types of fields that a measure is of; none: it is of entries. */
const TYPES: Record<MeasureKind, readonly Schema<'ValueType'>[] | null> = {
  brojUnosa: null,
  brojPacijenata: null,
  udeo: null,
  popunjeno: [ValueType.Choice, ValueType.Number, ValueType.Text, ValueType.Set, ValueType.Date, ValueType.Time, ValueType.Moment],
  srednjaVrednost: [ValueType.Number],
  medijana: [ValueType.Number],
  minimum: [ValueType.Number, ValueType.Date, ValueType.Time, ValueType.Moment],
  maksimum: [ValueType.Number, ValueType.Date, ValueType.Time, ValueType.Moment],
  udeoDa: [ValueType.Choice],
};
const GROUPED: readonly Schema<'ValueType'>[] = [ValueType.Choice, ValueType.Set, ValueType.Number, ValueType.Text];

const MEASURES = Object.keys(TYPES) as MeasureKind[];
export const takesField = (mera: MeasureKind | null): boolean => mera !== null && TYPES[mera] !== null;
export const fieldsOf = (mera: MeasureKind | null, polja: readonly SimpleField[]): SimpleField[] =>
  polja.filter(({ tipVrednosti }) => mera !== null && TYPES[mera]?.includes(tipVrednosti));

/** Where every institution is seen, what is one patient's is not. One that is chosen already is shown, for the server to say why not. */
export const measuresIn = (obim: string, chosen: MeasureKind | null): MeasureKind[] =>
  MEASURES.filter((mera) => obim !== 'sve' || mera === chosen || (mera !== 'minimum' && mera !== 'maksimum'));
/** Where every institution is seen, texts are not. */
export const seenIn = (obim: string, polja: readonly SimpleField[]): SimpleField[] =>
  polja.filter(({ tipVrednosti }) => obim !== 'sve' || tipVrednosti !== ValueType.Text);
export const groupingFields = (obim: string, polja: readonly SimpleField[]): SimpleField[] =>
  seenIn(obim, polja).filter(({ tipVrednosti }) => GROUPED.includes(tipVrednosti));

export const emptyMeasure = (mera: MeasureKind | null = null): MeasureRow => ({ key: crypto.randomUUID(), mera, poljeID: null });

export const emptySimpleDraft = (registarID: number | null): SimpleDraft => ({
  registarID,
  tipUnosaID: null,
  samoMojaUstanova: true,
  period: true,
  pol: null,
  starostOd: null,
  starostDo: null,
  redovi: [],
  prikaz: 'grupe',
  grupe: [null, null],
  mere: [emptyMeasure('brojUnosa')],
  grafikon: null,
  crtaSe: null,
  kolone: ['datum'],
  brojilac: [],
  broji: 'pacijente',
  vreme: 'godina',
  smer: 'vise',
  cilj: null,
});

/** The draft of another form: what speaks of fields begins anew. */
export function withForm(draft: SimpleDraft, registarID: number | null, tipUnosaID: number | null): SimpleDraft {
  const kept = (name: string | null) => (name !== null && fieldIn(name) === null ? name : null);
  return {
    ...draft,
    registarID,
    tipUnosaID,
    redovi: [],
    brojilac: [],
    grupe: [kept(draft.grupe[0]), kept(draft.grupe[1])],
    mere: draft.mere.map((row) => (row.poljeID === null ? row : { ...row, poljeID: null })),
    kolone: draft.kolone.filter((name) => fieldIn(name) === null),
  };
}

/** The draft that a version was made from. */
export function simpleDraftOf(choice: Reply<'SimpleReport'>): SimpleDraft {
  const name = (po: string, poljeID: number | null) => (poljeID === null ? po : fieldKey(poljeID));
  const mere = choice.mere.map(({ mera, poljeID }) => ({ ...emptyMeasure(mera), poljeID }));
  const [first, second] = choice.grupe.map(({ po, poljeID }) => name(po, poljeID));
  return {
    registarID: choice.registarID,
    tipUnosaID: choice.tipUnosaID,
    samoMojaUstanova: choice.samoMojaUstanova,
    period: choice.period,
    pol: choice.pol,
    starostOd: choice.starostOd,
    starostDo: choice.starostDo,
    redovi: rowsOf(choice.filteri),
    prikaz: choice.prikaz,
    grupe: [first ?? null, second ?? null],
    mere,
    grafikon: choice.grafikon?.vrsta ?? null,
    crtaSe: choice.grafikon ? (mere[choice.grafikon.mera]?.key ?? null) : null,
    kolone: choice.kolone.map(({ kolona, poljeID }) => name(kolona, poljeID)),
    brojilac: rowsOf(choice.indikator?.brojilac ?? []),
    broji: choice.indikator?.broji ?? 'pacijente',
    vreme: choice.indikator?.vreme ?? 'godina',
    smer: choice.indikator?.smer ?? 'vise',
    cilj: choice.indikator?.cilj ?? null,
  };
}

type SentRow = Reply<'SimpleReport'>['filteri'][number];

const rowsOf = (sent: readonly SentRow[]): CriterionRow[] =>
  sent.map(({ veza, poljeID, operator, vrednost }) => ({
    ...emptyRow(),
    veza: veza === 'ili' ? 'ili' : 'i',
    poljeID,
    operator: operator as Operator | null,
    vrednost: vrednost ?? '',
  }));

const sentRows = (rows: readonly CriterionRow[]): SentRow[] =>
  rows
    .filter((row) => !isEmptyRow(row))
    .map(({ veza, poljeID, operator, vrednost }, i) => ({
      veza: i === 0 ? null : veza,
      tipUnosaID: null,
      poljeID,
      operator,
      vrednost: vrednost.trim(),
    }));

const isBegun = ({ mera, poljeID }: MeasureRow) => mera !== null || poljeID !== null;
const numberOf = (typed: Typed): number | null => (typeof typed === 'number' ? typed : null);

/** What is sent; nothing that the way of showing does not use. */
export function simpleReportOf(draft: SimpleDraft): Reply<'SimpleReport'> {
  const groups = draft.prikaz === 'grupe';
  const mere = draft.mere.filter(isBegun);
  const grupe = draft.grupe.filter((name) => name !== null);
  return {
    registarID: draft.registarID ?? 0,
    tipUnosaID: draft.tipUnosaID ?? 0,
    samoMojaUstanova: draft.samoMojaUstanova,
    period: draft.period,
    pol: draft.pol,
    starostOd: numberOf(draft.starostOd),
    starostDo: numberOf(draft.starostDo),
    filteri: sentRows(draft.redovi),
    prikaz: draft.prikaz,
    grupe: groups
      ? grupe.map((name) => {
          const poljeID = fieldIn(name);
          return { po: (poljeID === null ? name : 'polje') as Reply<'SimpleReport'>['grupe'][number]['po'], poljeID };
        })
      : [],
    mere: groups ? mere.map(({ mera, poljeID }) => ({ mera: mera ?? 'brojUnosa', poljeID: takesField(mera) ? poljeID : null })) : [],
    grafikon:
      groups && draft.grafikon && grupe.length > 0
        ? {
            vrsta: draft.grafikon,
            mera: Math.max(
              mere.findIndex(({ key }) => key === draft.crtaSe),
              0,
            ),
          }
        : null,
    kolone:
      draft.prikaz === 'lista'
        ? draft.kolone.map((name) => {
            const poljeID = fieldIn(name);
            return { kolona: (poljeID === null ? name : 'polje') as Reply<'SimpleReport'>['kolone'][number]['kolona'], poljeID };
          })
        : [],
    indikator:
      draft.prikaz === 'indikator'
        ? {
            brojilac: sentRows(draft.brojilac),
            broji: draft.broji,
            vreme: draft.vreme,
            smer: draft.smer,
            cilj: numberOf(draft.cilj),
          }
        : null,
  };
}

/** Whether two drafts make the same report. */
export const sameChoice = (one: SimpleDraft, other: SimpleDraft): boolean =>
  JSON.stringify(simpleReportOf(one)) === JSON.stringify(simpleReportOf(other));

/** What keeps the draft from being sent; everything else is the server's to say. */
export function problemOf(draft: SimpleDraft, form: Reply<'SimpleReportForm'> | undefined): SimpleProblem | null {
  if (draft.registarID === null) return { field: 'registarID', message: text.problem.register };
  if (draft.tipUnosaID === null || !form) return { field: 'tipUnosaID', message: text.problem.form };
  if (typeof draft.starostOd === 'string') return { field: 'starostOd', message: text.problem.age };
  if (typeof draft.starostDo === 'string') return { field: 'starostDo', message: text.problem.age };
  const unfinished = unfinishedRow(draft.redovi);
  if (unfinished) return { field: 'filteri', message: text.problem.condition(draft.redovi.indexOf(unfinished) + 1) };
  const misread = misreadRow(draft.redovi, form);
  if (misread) return { field: 'filteri', message: misread.message };
  if (draft.prikaz === 'indikator') return numeratorProblemOf(draft, form);
  if (draft.prikaz === 'lista') return draft.kolone.length === 0 ? { field: 'kolone', message: text.problem.columns } : null;
  const half = draft.mere.find(({ mera, poljeID }) => takesField(mera) && poljeID === null);
  if (half?.mera) return { field: 'mere', message: text.problem.measureField(text.measures[half.mera]) };
  return draft.mere.some(isBegun) ? null : { field: 'mere', message: text.problem.measures };
}

function numeratorProblemOf({ brojilac, cilj }: SimpleDraft, form: Reply<'SimpleReportForm'>): SimpleProblem | null {
  if (brojilac.every(isEmptyRow)) return { field: 'brojilac', message: text.problem.numerator };
  const unfinished = unfinishedRow(brojilac);
  if (unfinished) return { field: 'brojilac', message: text.problem.condition(brojilac.indexOf(unfinished) + 1) };
  const misread = misreadRow(brojilac, form);
  if (misread) return { field: 'brojilac', message: misread.message };
  return typeof cilj === 'string' ? { field: 'cilj', message: text.problem.target } : null;
}

/** Whether the choice names fields that the form has no more. */
export function namesGone(draft: SimpleDraft, form: Reply<'SimpleReportForm'>): boolean {
  const known = new Set(form.polja.map(({ id }) => id));
  const named = [
    ...[...draft.redovi, ...draft.brojilac].map(({ poljeID }) => poljeID),
    ...draft.mere.map(({ poljeID }) => poljeID),
    ...[...draft.grupe, ...draft.kolone].map((name) => (name === null ? null : fieldIn(name))),
  ];
  return named.some((id) => id !== null && !known.has(id));
}
