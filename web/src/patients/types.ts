// Records of the search, of patients and of their entries: the shapes that the API describes (`npm run gen`), by their names here.
import type { Sent } from '../api/types';
import type { components } from '../gen/api';
import type { Mark } from '../marks';

type Schema = components['schemas'];

export type SearchSetup = Omit<Sent<Schema['SearchSetup']>, 'polja'> & { polja: SearchField[] };
export type EntryType = Sent<Schema['EntryType']>;
export type EntryCount = Sent<Schema['EntryCount']>;
type Searchable = Sent<Schema['SearchableField']>;
/** Units are of numbers only. */
export type SearchField = Omit<Searchable, 'drugeJedinice' | 'decimale'> & Partial<Pick<Searchable, 'drugeJedinice' | 'decimale'>>;
/** What a criterion found; `zastareo` is the value's mark. */
export type SearchMatch = Sent<Schema['SearchMatch']> & { zastareo?: Mark };
export type SearchRow = Omit<Sent<Schema['SearchRow']>, 'pogodak'> & { pogodak: SearchMatch[] };
export type SearchAnswer = Omit<Sent<Schema['SearchAnswer']>, 'unosi'> & { unosi: SearchRow[] };
export type StaleResults = Sent<Schema['StaleResults']>;

export type PatientInput = Schema['PatientInput'];
export type Patient = Schema['Patient'];
export type Registered = Schema['Registered'];
/** Which optional fields of a patient are shown. */
export type PatientFlags = Schema['PatientParameters'];
/** Before which day rows lie in the archive. */
export type Archived = Pick<Sent<Schema['Archive']>, 'uArhiviPre'>;
export type AnonymisationPreview = Sent<Schema['AnonymisationPreview']>;
export type ArchivedPatient = PatientInput & Sent<Schema['ArchivedPatient']>;
export type Candidates = Schema['Candidates'];
export type View = Sent<Schema['View']>;

export type FormEntries = Sent<Schema['FormEntries']>;
/** What a value needs to be shown. */
export type EntryField = Pick<Schema['EntryField'], 'id' | 'naziv' | 'tvaNumVrednost'> & {
  enumStavkeSve: Pick<Schema['Choice'], 'id' | 'naziv'>[];
  tipAtributa: Pick<Sent<Schema['FieldType']>, 'jedinica' | 'decimaleBrojneVrednosti'>;
  /** Of a section that repeats. */
  kolone?: EntryField[];
};
/** What the lists of a patient's entries stand on. */
export interface EntryLists {
  patient: number;
  register: number;
  mayChange: boolean;
  create: (form: EntryType) => void;
}
export type LatestEntry = Omit<Sent<Schema['LatestEntry']>, 'autsi' | 'vrednosti'> & {
  autsi: EntryField[];
  vrednosti: Record<string, unknown>;
};
export type EntryView = Sent<Schema['EntryView']>;
export type EntryItem = Schema['Item'];
export type ArchivedValue = Sent<Schema['ArchiveRow']>;
export type ValueChange = Omit<Sent<Schema['ValueChange']>, 'staro' | 'novo'> &
  Record<'staro' | 'novo', { vrednost: unknown; stavke: string | null; uneto?: string | null }>;
