// What the form holds, and what it becomes when sent. Checks here only spare a round trip: the server repeats them all.
import type { Schema } from '../schema';
import { fromServer } from '../format';
import { t } from '../messages';
import { rememberedRegister } from '../places';
import { outside, YEARS_OF_LIFE } from '../ui/typedDate';
import { misreading, typedNumber } from '../ui/typedNumber';
import { typedTime } from '../ui/typedTime';
import { Kind, type Recipient, type Schedule } from './types';

/** What each run is made in beside its files: so it can be read on the screen. */
export const SCREEN = 'EKRAN';

export const ZONE = 'Europe/Belgrade';

export type ParameterValue = string | string[];

export interface RequestDraft {
  values: Record<string, ParameterValue>;
  formats: string[];
  recipients: Recipient[];
  /** What is typed among them and not chosen yet. */
  recipientTyped: string;
  scheduling: boolean;
  repeated: boolean;
  /** Dates and times are the server's texts, or what was typed and is none. */
  day: string | null;
  time: string | null;
  period: 0 | 1 | 2;
  weekdays: number[];
  monthdays: number[];
  policy: 'skip' | 'last_day';
  from: string | null;
  to: string | null;
  zone: string;
  /** The register of a report that is of none: what the worker has worked in, or chooses. */
  register: number | null;
}

export type Errors = Record<string, string>;

/** Hidden and dynamic hidden parameters are filled by the server. */
export const isShown = ({ tip }: Schema<'ReportParameterField'>): boolean =>
  tip.sqlNumVrednost !== Kind.Hidden && tip.sqlNumVrednost !== Kind.DynamicHidden;

export function emptyDraft(form: Schema<'ReportToGenerate'>): RequestDraft {
  const values: RequestDraft['values'] = {};
  for (const parameter of form.parametri.filter(isShown)) {
    if (parameter.podrazumevano)
      values[parameter.requestNaziv] = parameter.multiSelect ? [parameter.podrazumevano] : parameter.podrazumevano;
  }
  return {
    values,
    formats: form.formati.map(({ nazivKratki }) => nazivKratki),
    recipients: [],
    recipientTyped: '',
    scheduling: false,
    repeated: true,
    day: null,
    time: null,
    period: 1,
    weekdays: [],
    monthdays: [],
    policy: 'skip',
    from: null,
    to: null,
    zone: ZONE,
    register: rememberedRegister(),
  };
}

/** To whom a schedule is mailed, whichever way it was chosen. */
export const recipientsOf = ({ emails, primaoci, grupe }: Pick<Schedule, 'emails' | 'primaoci' | 'grupe'>): Recipient[] => [
  ...grupe.map(({ id, naziv, dostupan }): Recipient => ({ kind: 'group', id, name: naziv, gone: !dostupan })),
  ...primaoci.map(({ id, naziv, dostupan }): Recipient => ({ kind: 'worker', id, name: naziv, gone: !dostupan })),
  ...emails.map((address): Recipient => ({ kind: 'address', address })),
];

/** Values as the server keeps them, as they are typed: hidden ones are the server's, and it keeps a number with a point. */
export function typedValues(form: Schema<'ReportToGenerate'>, kept: Record<string, unknown>): RequestDraft['values'] {
  const kinds = new Map(form.parametri.filter(isShown).map(({ requestNaziv, tip }) => [requestNaziv, tip.sqlNumVrednost]));
  const values: RequestDraft['values'] = {};
  for (const [name, value] of Object.entries(kept)) {
    const kind = kinds.get(name);
    if (kind === undefined) continue;
    if (Array.isArray(value)) values[name] = value.map(String);
    else if (typeof value === 'string' || typeof value === 'number')
      values[name] = kind === Kind.Number ? String(value).replace('.', ',') : String(value);
  }
  return values;
}

export function draftOfSchedule(form: Schema<'ReportToGenerate'>, schedule: Schedule): RequestDraft {
  const empty = emptyDraft(form);
  const once = schedule.vremeIzvrsavanjaJednostruko;
  return {
    ...empty,
    values: typedValues(form, schedule.parametri),
    formats: schedule.formati.filter((format) => format !== SCREEN),
    recipients: recipientsOf(schedule),
    scheduling: true,
    repeated: schedule.ponavljanje === 1,
    day: once?.slice(0, 10) ?? null,
    time: (schedule.vremeIzvrsavanjaVisetruko ?? once?.slice(11))?.slice(0, 5) ?? null,
    period: schedule.period ?? empty.period,
    weekdays: schedule.danNedelja,
    monthdays: schedule.danMesec,
    policy: schedule.politikaDana,
    from: schedule.vaziOd,
    to: schedule.vaziDo,
    zone: schedule.vremenskaZona,
    register: schedule.registarID,
  };
}

const isBlank = (value: ParameterValue | undefined) =>
  value === undefined || value.length === 0 || (typeof value === 'string' && !value.trim());

/** A word that stands for a day; whether there is such a day the server says. */
const DAY_WORD = /^[a-z]+(-[a-z0-9]+)+$|^danas$|^juce$/;

/** The names of the dates that stay as they are at every run. */
export const fixedDates = (form: Schema<'ReportToGenerate'>, draft: RequestDraft): string[] =>
  form.parametri.flatMap(({ requestNaziv, naziv, tip }) =>
    tip.sqlNumVrednost === Kind.Date && fromServer(String(draft.values[requestNaziv] ?? '')) ? [naziv] : [],
  );

function scheduleErrors(draft: RequestDraft): Errors {
  const errors: Errors = {};
  if (!draft.time) errors.vreme = t.reports.timeRequired;
  else if (!typedTime(draft.time)) errors.vreme = t.reports.wrongTime(t.reports.timeOfDay);
  if (!draft.repeated) {
    if (!draft.day) errors.datumVreme = t.reports.dayRequired;
    else if (!fromServer(draft.day)) errors.datumVreme = t.reports.wrongDay(t.reports.dayOfRun);
    return errors;
  }
  if (draft.period === 1 && draft.weekdays.length === 0) errors.danNedelja = t.reports.weekdaysRequired;
  if (draft.period === 2 && draft.monthdays.length === 0) errors.danMesec = t.reports.monthdaysRequired;
  if (draft.from && !fromServer(draft.from)) errors.periodOd = t.reports.wrongDay(t.reports.validFrom);
  if (draft.to && !fromServer(draft.to)) errors.periodDo = t.reports.wrongDay(t.reports.validTo);
  else if (draft.from && draft.to && draft.to < draft.from) errors.periodDo = t.reports.validOrder;
  return errors;
}

/** Whether the schedule says enough for its next moments to be asked for. */
export const isScheduleComplete = (draft: RequestDraft): boolean => draft.scheduling && Object.keys(scheduleErrors(draft)).length === 0;

export function errorsOf(form: Schema<'ReportToGenerate'>, draft: RequestDraft): Errors {
  const errors: Errors = {};
  for (const { requestNaziv, naziv, opcioni, tip } of form.parametri.filter(isShown)) {
    const value = draft.values[requestNaziv];
    if (isBlank(value)) {
      if (!opcioni) errors[requestNaziv] = t.reports.parameterRequired(naziv);
    } else if (tip.sqlNumVrednost === Kind.Date && !fromServer(String(value)) && !DAY_WORD.test(String(value)))
      errors[requestNaziv] = t.reports.wrongDay(naziv);
    else if (tip.sqlNumVrednost === Kind.Date && outside(YEARS_OF_LIFE, String(value)))
      errors[requestNaziv] = t.reports.parameterIs(naziv, outside(YEARS_OF_LIFE, String(value)) ?? '');
    else if (tip.sqlNumVrednost === Kind.Number && typeof typedNumber(String(value)) === 'string')
      errors[requestNaziv] = misreading(naziv, String(value));
  }
  if (form.izvestaj.traziRegistar && draft.register === null) errors.registarID = t.reports.registerRequired;
  if (draft.formats.length === 0) errors.formati = t.reports.formatRequired;
  const typed = draft.recipientTyped.trim();
  if (typed) errors.emails = t.reports.recipients.notChosen(typed);
  return draft.scheduling ? { ...errors, ...scheduleErrors(draft) } : errors;
}

/** The body of `POST /api/report-queue` and of the preview. Empty values are dropped (A 5). */
export function bodyOf(
  form: Schema<'ReportToGenerate'>,
  draft: RequestDraft,
  radnikID: number,
  kljuc: string,
  editing: number | null,
  /** Whether addresses without an account were asked about. */
  asked = false,
): Schema<'ReportRequest'> {
  const now: Schema<'ReportRequest'> = {
    siID: form.izvestaj.id,
    radnikID,
    registarID: form.izvestaj.registarID ?? draft.register,
    parametri: Object.fromEntries(Object.entries(draft.values).filter(([, value]) => !isBlank(value))),
    emails: draft.recipients.flatMap((one) => (one.kind === 'address' ? [one.address] : [])),
    primaoci: draft.recipients.flatMap((one) => (one.kind === 'worker' ? [one.id] : [])),
    grupe: draft.recipients.flatMap((one) => (one.kind === 'group' ? [one.id] : [])),
    bezNaloga: asked,
    // A board is looked at as a board.
    formati: form.izvestaj.tabla ? draft.formats : [...draft.formats, SCREEN],
    checkZakazivanjeBuducnost: draft.scheduling,
    kljuc,
  };
  if (!draft.scheduling) return now;
  const common: Schema<'ReportRequest'> = {
    ...now,
    ponavljanje: draft.repeated ? 1 : 0,
    vremenskaZona: draft.zone,
    zakazivanjeIzvestajaIzmenaID: editing,
  };
  if (!draft.repeated) return { ...common, datumVreme: `${draft.day ?? ''} ${draft.time ?? ''}` };
  return {
    ...common,
    vreme: draft.time,
    period: draft.period,
    periodOd: draft.from,
    periodDo: draft.to,
    danNedelja: draft.period === 1 ? draft.weekdays : [],
    danMesec: draft.period === 2 ? draft.monthdays : [],
    politikaDana: draft.policy,
  };
}
