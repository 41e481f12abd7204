// What an export is ordered with, and what is missing of it. The server checks all of it again.
import type { Reply, Schema } from '../schema';
import { hasValue } from '../forms/valueType';
import { fromServer } from '../format';
import { t } from '../messages';

/** What stands for "all patients of the register" among the forms. */
export const REGISTER = 0;

export interface DataExportOrder {
  register: number | null;
  form: number | null;
  row: Schema<'ExportRequest'>['red'];
  profile: Schema<'ExportRequest'>['profil'];
  all: boolean;
  fields: readonly number[];
  from: string | null;
  until: string | null;
  institutions: number[];
  xlsx: boolean;
  /** Which entries, by what somebody has made of them. */
  states: NonNullable<Schema<'ExportRequest'>['stanja']>;
  reason: string;
  /** Only those whom this search has shown. */
  search: number | null;
}

export interface DataExportFault {
  field: string;
  message: string;
}

const text = t.dataExport;

export const holdsValues = (field: Reply<'ExportField'>): boolean => field.sekcija || hasValue(field.tvaNumVrednost);
/** Whether the field leaves with this profile. */
export const leaves = (field: Reply<'ExportField'>, profile: DataExportOrder['profile']): boolean =>
  holdsValues(field) && (profile === 'identitet' || field.bezIdentiteta !== 'izostavlja_se');

export function dataExportFault(order: DataExportOrder): DataExportFault | null {
  if (order.register === null) return { field: 'registarID', message: text.missingRegister };
  if (order.form === null) return { field: 'tsaID', message: text.missingForm };
  if (order.from && !fromServer(order.from)) return { field: 'od', message: t.log.wrongFrom };
  if (order.until && !fromServer(order.until)) return { field: 'do', message: t.log.wrongUntil };
  if (order.from && order.until && order.until < order.from) return { field: 'do', message: t.log.order };
  if (order.profile === 'bez_identiteta') {
    if (order.from && !order.from.endsWith('-01-01')) return { field: 'od', message: text.wholeYears };
    if (order.until && !order.until.endsWith('-12-31')) return { field: 'do', message: text.wholeYears };
  }
  if (order.institutions.length === 0) return { field: 'ustanove', message: text.missingInstitution };
  if (order.form !== REGISTER && !order.all && order.fields.length === 0) return { field: 'polja', message: text.missingFields };
  const letters = Array.from(order.reason.trim()).length;
  return letters < 10 || letters > 500 ? { field: 'razlog', message: text.missingReason } : null;
}

/** The request of a whole order. */
export function dataExportRequest(order: DataExportOrder, fields: readonly Reply<'ExportField'>[], key: string): Schema<'ExportRequest'> {
  const ofForm = order.form !== REGISTER;
  const told = fields.filter((field) => leaves(field, order.profile) && order.fields.includes(field.id)).map(({ id }) => id);
  return {
    registarID: order.register ?? 0,
    tsaID: ofForm ? order.form : null,
    red: ofForm ? order.row : 'pacijent',
    polja: ofForm && !order.all ? told : null,
    od: order.from,
    do: order.until,
    ustanove: order.institutions,
    profil: order.profile,
    xlsx: order.xlsx,
    razlog: order.reason.trim(),
    pretraga: order.search,
    stanja: ofForm ? order.states : 'svi',
    kljuc: key,
  };
}

/** Fields that nobody has marked and whose names look as if they told something; what becomes of each without identity is said. */
export const guessedFields = (fields: readonly Reply<'ExportField'>[], profile: DataExportOrder['profile']): string[] =>
  profile === 'identitet' ? [] : fields.filter((field) => field.poNazivu).map((field) => text.guessed[field.bezIdentiteta](field.naziv));

/** The fields inside each tab or panel, in order; those of no holder under null. Holders in which nothing can be chosen are left out. */
export function inside(fields: readonly Reply<'ExportField'>[]): Map<number | null, Reply<'ExportField'>[]> {
  const known = new Set(fields.map(({ id }) => id));
  const children = new Map<number | null, Reply<'ExportField'>[]>();
  for (const field of fields) {
    const parent = field.naredjeniAUTS !== null && known.has(field.naredjeniAUTS) ? field.naredjeniAUTS : null;
    children.set(parent, [...(children.get(parent) ?? []), field]);
  }
  return children;
}

/** Every field that can be chosen in a holder, however deep. */
export function within(children: Map<number | null, Reply<'ExportField'>[]>, of: number, profile: DataExportOrder['profile']): number[] {
  return (children.get(of) ?? []).flatMap((field) => (leaves(field, profile) ? [field.id] : within(children, field.id, profile)));
}
