// What is chosen of an analysis on the screen, and the bodies that the server makes a report of.
import { ValueType } from '../forms/valueType';
import { formatNumber } from '../format';
import { t } from '../messages';
import { emptyRow, isEmptyRow, misreadRow, unfinishedRow, type CriterionRow, type Operator } from '../patients/criteria';
import type { Reply, Schema } from '../schema';
import { typedNumber } from '../ui/typedNumber';
import type { Typed } from '../ui/useNumberText';

export type Cohort = Reply<'Cohort'>;
export type Analysis = Reply<'Analysis'>;
export type AnalysisField = Reply<'SimpleReportForm'>['polja'][number];
export type View = Schema<'AnalysisView'>;
type Choice = Schema<'AnalysisChoice'>;

const text = t.analyses;

export interface CohortDraft {
  /** None: a new one. */
  id: number | null;
  verzija: number;
  naziv: string;
  deljena: boolean;
  registarID: number | null;
  tipUnosaID: number | null;
  unosi: Schema<'CohortEntryChoice'>;
  stanja: Schema<'WantedStates'>;
  drugi: number[];
  samoMojaUstanova: boolean;
  datumOd: string | null;
  datumDo: string | null;
  pol: boolean | null;
  starostOd: Typed;
  starostDo: Typed;
  rodjenjeOd: Typed;
  rodjenjeDo: Typed;
  redovi: CriterionRow[];
}

export interface VariableDraft {
  /** `pol`, `starost`, `godina`, or a field as `polje:12`. */
  key: string;
  trenutak: Schema<'AnalysisMoment'>;
  prikaz: Schema<'AnalysisShownAs'> | null;
  rezovi: string;
  kvartili: boolean;
  /** The category that a model compares others with; none: the first. */
  referenca: string | null;
  naziv: string;
}

export interface AnalysisDraft {
  id: number | null;
  verzija: number;
  naziv: string;
  deljena: boolean;
  prikaz: View;
  promenljive: VariableDraft[];
  po: VariableDraft | null;
  sa: string | null;
  /** `polje:12`, or an item of a set as `polje:12:3`. */
  dogadjaj: string | null;
  /** What keeps the event from happening, as `dogadjaj`. */
  konkurentni: string | null;
  /** The time up to which the restricted mean is told. */
  doVremena: string;
  /** A number as `polje:12`, or `datumi`. */
  vreme: string | null;
  /** From which date; none: the day of the entry. */
  od: string | null;
  jedinica: Schema<'AnalysisTimeUnit'>;
  cenzura: string | null;
  model: Schema<'AnalysisModel'>;
  ishod: string | null;
  /** Products of two variables, as `productKey` has them. */
  proizvodi: string[];
  slojevi: VariableDraft | null;
  vremena: string;
  /** Cuts of the one score that are told. */
  granice: string;
  na: string;
  smd: boolean;
  jezik: Schema<'AnalysisLanguage'>;
  obim: Schema<'AnalysisScope'>;
}

/** A choice that the screen cannot send, by the part that the server would name. */
export interface Problem {
  field: string;
  message: string;
}

export const VIEWS = Object.keys(text.view.names) as View[];
export const DATES = 'datumi';
/** The death that the patient's status tells. */
export const DEATH = 'smrt';
const FIELD = 'polje:';

export const fieldKey = (id: number, item?: number): string => `${FIELD}${String(id)}${item === undefined ? '' : `:${String(item)}`}`;
export const fieldOf = (key: string | null): number | null => (key?.startsWith(FIELD) ? Number(key.split(':')[1]) : null);
const eventKey = ({ poljeID, stavkaID }: Reply<'AnalysisEvent'>): string =>
  poljeID === null ? DEATH : fieldKey(poljeID, stavkaID ?? undefined);
const itemOf = (key: string): number | null => Number(key.split(':')[2]) || null;

export const emptyVariable = (key: string): VariableDraft => ({
  key,
  trenutak: 'unos',
  prikaz: null,
  rezovi: '',
  kvartili: false,
  referenca: null,
  naziv: '',
});

export const emptyCohort = (registarID: number | null, tipUnosaID: number | null): CohortDraft => ({
  id: null,
  verzija: 0,
  naziv: '',
  deljena: false,
  registarID,
  tipUnosaID,
  unosi: 'prvi',
  stanja: 'svi',
  drugi: [],
  samoMojaUstanova: false,
  datumOd: null,
  datumDo: null,
  pol: null,
  starostOd: null,
  starostDo: null,
  rodjenjeOd: null,
  rodjenjeDo: null,
  redovi: [],
});

export const emptyAnalysis = (): AnalysisDraft => ({
  id: null,
  verzija: 0,
  naziv: '',
  deljena: false,
  prikaz: 'tabela1',
  promenljive: [],
  po: null,
  sa: null,
  dogadjaj: null,
  konkurentni: null,
  doVremena: '',
  vreme: null,
  od: null,
  jedinica: 'dana',
  cenzura: null,
  model: 'koksova',
  ishod: null,
  proizvodi: [],
  slojevi: null,
  vremena: '',
  granice: '',
  na: '1000',
  smd: false,
  jezik: 'sr',
  obim: 'ustanova',
});

export function cohortDraftOf({ id, verzija, naziv, deljena, izbor }: Cohort): CohortDraft {
  return {
    id,
    verzija,
    naziv,
    deljena,
    registarID: izbor.registarID,
    tipUnosaID: izbor.tipUnosaID,
    unosi: izbor.unosi,
    stanja: izbor.stanja,
    drugi: izbor.drugiFormulari.map(({ tipUnosaID }) => tipUnosaID),
    samoMojaUstanova: izbor.samoMojaUstanova,
    datumOd: izbor.datumOd,
    datumDo: izbor.datumDo,
    pol: izbor.pol,
    starostOd: izbor.starostOd,
    starostDo: izbor.starostDo,
    rodjenjeOd: izbor.rodjenjeOd,
    rodjenjeDo: izbor.rodjenjeDo,
    redovi: izbor.filteri.map(({ veza, poljeID, operator, vrednost }) => ({
      ...emptyRow(),
      veza: veza === 'ili' ? 'ili' : 'i',
      poljeID,
      operator: operator as Operator | null,
      vrednost: vrednost ?? '',
    })),
  };
}

const wholeOf = (typed: Typed): number | null => (typeof typed === 'number' ? typed : null);

export const cohortChoiceOf = (draft: CohortDraft): Schema<'CohortChoice'> => ({
  registarID: draft.registarID ?? 0,
  tipUnosaID: draft.tipUnosaID ?? 0,
  unosi: draft.unosi,
  stanja: draft.stanja,
  drugiFormulari: draft.drugi.map((tipUnosaID) => ({ tipUnosaID, unos: 'poslednji' })),
  samoMojaUstanova: draft.samoMojaUstanova,
  datumOd: draft.datumOd,
  datumDo: draft.datumDo,
  pol: draft.pol,
  starostOd: wholeOf(draft.starostOd),
  starostDo: wholeOf(draft.starostDo),
  rodjenjeOd: wholeOf(draft.rodjenjeOd),
  rodjenjeDo: wholeOf(draft.rodjenjeDo),
  filteri: draft.redovi
    .filter((row) => !isEmptyRow(row))
    .map(({ veza, poljeID, operator, vrednost }, i) => ({
      veza: i === 0 ? null : veza,
      tipUnosaID: null,
      poljeID,
      operator,
      vrednost: vrednost.trim(),
    })),
});

export function cohortProblemOf(draft: CohortDraft, polja: readonly AnalysisField[]): Problem | null {
  if (draft.registarID === null || draft.tipUnosaID === null) return { field: 'tipUnosaID', message: text.problem.register };
  if (typeof draft.starostOd === 'string') return { field: 'starostOd', message: text.problem.age };
  if (typeof draft.starostDo === 'string') return { field: 'starostDo', message: text.problem.age };
  for (const field of ['rodjenjeOd', 'rodjenjeDo'] as const)
    if (typeof draft[field] === 'string') return { field, message: text.problem.year };
  const unfinished = unfinishedRow(draft.redovi);
  if (unfinished) return { field: 'filteri', message: text.problem.condition(draft.redovi.indexOf(unfinished) + 1) };
  const misread = misreadRow(draft.redovi, { polja: [...polja] });
  return misread ? { field: 'filteri', message: misread.message } : null;
}

/** Numbers between semicolons; none where one of them is no number. */
export function numbersOf(typed: string): number[] | null {
  const numbers = typed
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => typedNumber(part));
  return numbers.every((number) => typeof number === 'number') ? numbers : null;
}

const numberText = (number: number) => String(number).replace('.', ',');

const TIMES = '*';
const productKey = (prva: string, druga: string) => `${prva}${TIMES}${druga}`;

/** Every product of two of the chosen variables. */
export const productOptions = (chosen: readonly VariableDraft[], nameOf: (variable: VariableDraft) => string): Option[] =>
  chosen.flatMap((prva, place) =>
    chosen.slice(place + 1).map((druga) => ({ value: productKey(prva.key, druga.key), label: `${nameOf(prva)} × ${nameOf(druga)}` })),
  );

/** Those whose variables are still chosen, in whichever order they stand now. */
export function productsOf({ promenljive, proizvodi }: Pick<AnalysisDraft, 'promenljive' | 'proizvodi'>): Schema<'AnalysisProduct'>[] {
  return proizvodi.flatMap((product) => {
    const [prva = -1, druga = -1] = product
      .split(TIMES)
      .map((key) => promenljive.findIndex((variable) => variable.key === key))
      .sort((a, b) => a - b);
    return prva < 0 || prva === druga ? [] : [{ prva, druga }];
  });
}

export const productKeysOf = (draft: Pick<AnalysisDraft, 'promenljive' | 'proizvodi'>): string[] =>
  productsOf(draft).map(({ prva, druga }) => productKey(draft.promenljive[prva]?.key ?? '', draft.promenljive[druga]?.key ?? ''));

function variableOf({ key, trenutak, prikaz, rezovi, kvartili, referenca, naziv }: VariableDraft): Schema<'AnalysisVariable'> {
  const poljeID = fieldOf(key);
  return {
    izvor: poljeID === null ? (key as Schema<'AnalysisVariableSource'>) : 'polje',
    poljeID,
    trenutak,
    prikaz,
    rezovi: kvartili ? [] : (numbersOf(rezovi) ?? []),
    kvartili,
    referenca,
    naziv: naziv.trim() || null,
  };
}

function variableDraftOf(choice: Reply<'AnalysisVariable'>): VariableDraft {
  return {
    key: choice.poljeID === null ? choice.izvor : fieldKey(choice.poljeID),
    trenutak: choice.trenutak,
    prikaz: choice.prikaz,
    rezovi: choice.rezovi.map(numberText).join('; '),
    kvartili: choice.kvartili,
    referenca: choice.referenca,
    naziv: choice.naziv ?? '',
  };
}

/** What a view asks for beside its variables. */
export function needsOf({ prikaz, model, vreme }: Pick<AnalysisDraft, 'prikaz' | 'model' | 'vreme'>) {
  const cox = prikaz === 'povezanost' && model === 'koksova';
  const followUp = prikaz === 'prezivljavanje' || prikaz === 'stope' || cox;
  return {
    variables: prikaz !== 'prezivljavanje' && prikaz !== 'stope',
    groups: prikaz !== 'povezanost' && prikaz !== 'tacnost',
    second: prikaz === 'poredjenje',
    event: followUp || prikaz === 'tacnost' || (prikaz === 'povezanost' && model === 'logisticka'),
    time: followUp,
    dates: followUp && vreme === DATES,
    model: prikaz === 'povezanost',
    outcome: prikaz === 'povezanost' && model === 'linearna',
    strata: cox,
    times: prikaz === 'prezivljavanje',
    competing: prikaz === 'prezivljavanje',
    cuts: prikaz === 'tacnost',
    per: prikaz === 'stope',
    smd: prikaz === 'tabela1',
  };
}

/** What keeps the draft from being sent; all else is the server's to say. */
export function analysisProblemOf(draft: AnalysisDraft, nameOf: (key: string) => string): Problem | null {
  const needs = needsOf(draft);
  const cut = [
    ...(needs.variables ? draft.promenljive : []),
    ...(needs.groups && draft.po ? [draft.po] : []),
    ...(needs.strata && draft.slojevi ? [draft.slojevi] : []),
  ];
  const misread = cut.find(({ rezovi }) => numbersOf(rezovi) === null);
  if (misread)
    return {
      field: misread === draft.po ? 'po' : misread === draft.slojevi ? 'slojevi' : 'promenljive',
      message: text.problem.cuts(nameOf(misread.key)),
    };
  if (needs.times && numbersOf(draft.vremena) === null) return { field: 'vremena', message: text.problem.numbers };
  if (needs.times && draft.doVremena.trim() !== '' && typeof typedNumber(draft.doVremena) !== 'number')
    return { field: 'doVremena', message: text.problem.until };
  if (needs.cuts && numbersOf(draft.granice) === null) return { field: 'granice', message: text.problem.limits };
  if (needs.per && typeof typedNumber(draft.na) !== 'number') return { field: 'na', message: text.problem.per };
  return null;
}

export function analysisChoiceOf(draft: AnalysisDraft): Choice {
  const needs = needsOf(draft);
  const per = typedNumber(draft.na);
  const until = draft.doVremena.trim() === '' ? null : typedNumber(draft.doVremena);
  const eventOf = (key: string) => ({ poljeID: fieldOf(key), stavkaID: itemOf(key) });
  const time = (): Choice['vreme'] => {
    if (!needs.time || draft.vreme === null) return null;
    const byDates = draft.vreme === DATES;
    return {
      vrsta: byDates ? 'datumi' : 'polje',
      poljeID: fieldOf(byDates ? draft.od : draft.vreme),
      jedinica: draft.jedinica,
      cenzura: draft.cenzura,
    };
  };
  return {
    prikaz: draft.prikaz,
    promenljive: needs.variables
      ? draft.promenljive.map((variable) => variableOf({ ...variable, referenca: needs.model ? variable.referenca : null }))
      : [],
    po: needs.groups && draft.po ? variableOf(draft.po) : null,
    sa: needs.second && draft.sa ? variableOf(emptyVariable(draft.sa)) : null,
    dogadjaj: needs.event && draft.dogadjaj ? eventOf(draft.dogadjaj) : null,
    konkurentni: needs.competing && draft.konkurentni ? eventOf(draft.konkurentni) : null,
    doVremena: needs.times && typeof until === 'number' ? until : null,
    vreme: time(),
    model: needs.model ? draft.model : null,
    ishod: needs.outcome && draft.ishod ? variableOf(emptyVariable(draft.ishod)) : null,
    proizvodi: needs.model ? productsOf(draft) : [],
    slojevi: needs.strata && draft.slojevi ? variableOf(draft.slojevi) : null,
    vremena: needs.times ? (numbersOf(draft.vremena) ?? []) : [],
    granice: needs.cuts ? (numbersOf(draft.granice) ?? []) : [],
    na: needs.per && typeof per === 'number' ? per : null,
    smd: needs.smd && draft.smd && draft.po !== null,
    jezik: draft.jezik,
    obim: draft.obim,
  };
}

export function analysisDraftOf({ id, verzija, naziv, deljena, izbor }: Analysis): AnalysisDraft {
  const empty = emptyAnalysis();
  const { vreme } = izbor;
  const promenljive = izbor.promenljive.map(variableDraftOf);
  const keyAt = (place: number) => promenljive[place]?.key ?? '';
  return {
    ...empty,
    id,
    verzija,
    naziv,
    deljena,
    prikaz: izbor.prikaz,
    promenljive,
    po: izbor.po && variableDraftOf(izbor.po),
    sa: izbor.sa && variableDraftOf(izbor.sa).key,
    dogadjaj: izbor.dogadjaj && eventKey(izbor.dogadjaj),
    konkurentni: izbor.konkurentni && eventKey(izbor.konkurentni),
    doVremena: izbor.doVremena === null ? '' : numberText(izbor.doVremena),
    vreme: vreme && (vreme.vrsta === 'datumi' ? DATES : fieldKey(vreme.poljeID ?? 0)),
    od: vreme?.vrsta === 'datumi' && vreme.poljeID !== null ? fieldKey(vreme.poljeID) : null,
    jedinica: vreme?.jedinica ?? empty.jedinica,
    cenzura: vreme?.cenzura ?? null,
    model: izbor.model ?? empty.model,
    ishod: izbor.ishod && variableDraftOf(izbor.ishod).key,
    proizvodi: izbor.proizvodi.map(({ prva, druga }) => productKey(keyAt(prva), keyAt(druga))),
    slojevi: izbor.slojevi && variableDraftOf(izbor.slojevi),
    vremena: izbor.vremena.map(numberText).join('; '),
    granice: izbor.granice.map(numberText).join('; '),
    na: izbor.na === null ? empty.na : numberText(izbor.na),
    smd: izbor.smd,
    jezik: izbor.jezik,
    obim: izbor.obim,
  };
}

export interface Option {
  value: string;
  label: string;
}

/** Whether a variable's cells are numbers. */
export const isNumber = (key: string, polja: readonly AnalysisField[]): boolean =>
  key === 'starost' || polja.some(({ id, tipVrednosti }) => fieldKey(id) === key && tipVrednosti === ValueType.Number);

/** The categories of a variable as the result names them, in their order; none where only its data tell them. */
export function levelsOf(variable: VariableDraft, polja: readonly AnalysisField[], jezik: AnalysisDraft['jezik']): string[] {
  const words = text.variables.levels[jezik];
  const cuts = numbersOf(variable.rezovi) ?? [];
  if (variable.kvartili) return words.kvartili;
  if (cuts.length > 0) {
    const told = cuts.map(formatNumber);
    return [`< ${told[0] ?? ''}`, ...told.slice(1).map((to, place) => `${told[place] ?? ''} – < ${to}`), `≥ ${told.at(-1) ?? ''}`];
  }
  if (variable.key === 'pol') return words.pol;
  const field = polja.find(({ id }) => fieldKey(id) === variable.key);
  if (field?.tipVrednosti === ValueType.Choice) return words.odgovor;
  return field?.tipVrednosti === ValueType.Set && !field.multiselect ? field.stavke.map(({ naziv }) => naziv) : [];
}

/** In another language its references have the names of that one; a name that no list has stays, and is told. */
export function inLanguage(draft: AnalysisDraft, jezik: AnalysisDraft['jezik'], polja: readonly AnalysisField[]): AnalysisDraft {
  const promenljive = draft.promenljive.map((variable) => {
    const place = variable.referenca === null ? -1 : levelsOf(variable, polja, draft.jezik).indexOf(variable.referenca);
    return place < 0 ? variable : { ...variable, referenca: levelsOf(variable, polja, jezik)[place] ?? variable.referenca };
  });
  return { ...draft, jezik, promenljive };
}

/** Whether the category that a variable is compared with is none of today's. */
export const isReferenceGone = ({ referenca }: VariableDraft, levels: readonly string[]): boolean =>
  referenca !== null && levels.length > 0 && !levels.includes(referenca);

const VARIABLES: readonly Schema<'ValueType'>[] = [ValueType.Choice, ValueType.Number, ValueType.Set];

/** What can be a variable, in the order of the forms. */
export const variableOptions = (polja: readonly AnalysisField[]): Option[] => [
  ...(['pol', 'starost', 'godina'] as const).map((value) => ({ value, label: text.variables.sources[value] })),
  ...polja.filter(({ tipVrednosti }) => VARIABLES.includes(tipVrednosti)).map(({ id, naziv }) => ({ value: fieldKey(id), label: naziv })),
];

/** What can be an event; a death or a date only where time runs to it. */
export const eventOptions = (polja: readonly AnalysisField[], byDates: boolean): Option[] =>
  byDates ? [{ value: DEATH, label: text.view.death }, ...fieldOptions(polja, ValueType.Date)] : answerOptions(polja);

const answerOptions = (polja: readonly AnalysisField[]): Option[] =>
  polja.flatMap(({ id, naziv, tipVrednosti, stavke }) => {
    if (tipVrednosti === ValueType.Choice) return [{ value: fieldKey(id), label: naziv }];
    if (tipVrednosti !== ValueType.Set) return [];
    return stavke.map((item) => ({ value: fieldKey(id, item.id), label: `${naziv}: ${item.naziv}` }));
  });

export const fieldOptions = (polja: readonly AnalysisField[], type: Schema<'ValueType'>): Option[] =>
  polja.filter(({ tipVrednosti }) => tipVrednosti === type).map(({ id, naziv }) => ({ value: fieldKey(id), label: naziv }));
