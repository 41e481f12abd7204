// Records of the search, of patients and of their entries: the shapes that the API describes (`npm run gen`), by their names here.
import { closerTo } from '../api/closer';
import type { Reply, Schema } from '../schema';
import type { Mark } from '../marks';

export type SearchSetup = Omit<Reply<'SearchSetup'>, 'polja'> & { polja: SearchField[] };
/** Units are of numbers only. */
export type SearchField = Omit<Reply<'SearchableField'>, 'drugeJedinice' | 'decimale'> &
  Partial<Pick<Reply<'SearchableField'>, 'drugeJedinice' | 'decimale'>>;
/** What a criterion found; `zastareo` is the value's mark. */
export type SearchMatch = Reply<'SearchMatch'> & { zastareo?: Mark };
export type SearchRow = Omit<Reply<'SearchRow'>, 'pogodak'> & { pogodak: SearchMatch[] };
export type SearchAnswer = Omit<Reply<'SearchAnswer'>, 'unosi'> & { unosi: SearchRow[] };
export type OrderColumn = Schema<'OrderColumn'>;
/** In which order the results stand. */
export type ResultOrder = Schema<'ResultOrder'>;
/** Before which day rows lie in the archive. */
export type Archived = Pick<Reply<'Archive'>, 'uArhiviPre'>;
export type ArchivedPatient = Schema<'PatientInput'> & Reply<'ArchivedPatient'>;
/** What a value needs to be shown. */
export type EntryField = Pick<Schema<'EntryField'>, 'id' | 'naziv' | 'tvaNumVrednost'> & {
  enumStavkeSve: Pick<Schema<'Choice'>, 'id' | 'naziv'>[];
  tipAtributa: Pick<Reply<'FieldType'>, 'jedinica' | 'decimaleBrojneVrednosti'>;
  /** Of a section that repeats. */
  kolone?: EntryField[];
};
/** What the lists of a patient's entries stand on. */
export interface EntryLists {
  patient: number;
  register: number;
  mayChange: boolean;
  create: (form: Reply<'EntryType'>) => void;
}
export type LatestEntry = Omit<Reply<'LatestEntry'>, 'autsi' | 'vrednosti'> & {
  autsi: EntryField[];
  vrednosti: Record<string, unknown>;
};
export type ValueChange = Omit<Reply<'ValueChange'>, 'staro' | 'novo'> &
  Record<'staro' | 'novo', { vrednost: unknown; stavke: string | null; uneto?: string | null }>;

export const asStates = closerTo<ArchivedPatient[]>();
export const asLatest = closerTo<LatestEntry[]>();
export const asChanges = closerTo<ValueChange[]>();
