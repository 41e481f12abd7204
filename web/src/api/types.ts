// Records of the API by their names here; the shapes are generated from its own description (`npm run gen`).
import type { components } from '../gen/api';

type Schema = components['schemas'];

/** An answer has all its fields; one without a value is null. */
export type Sent<T> = T extends readonly (infer I)[] ? Sent<I>[] : T extends object ? { [K in keyof T]-?: Sent<T[K]> } : T;

/** A list; `total` counts the rows of all its pages. */
export interface ListPage<T> {
  data: T[];
  total: number;
}

/** Who deleted a record, and when. */
export type Deletion = Sent<Schema['Deletion']>;
export type UpgradeNote = Schema['UpgradeNote'];
export type UnseenTakings = Schema['Unseen'];
export type TakenPatient = Sent<Schema['TakenPatient']>;
export type DeletedPatient = Sent<Schema['DeletedPatient']>;
export type DeletedEntry = Sent<Schema['DeletedEntry']>;

/** What sign-in answers and the browser keeps. */
export type SignedInWorker = Schema['WithToken'] & {
  /** Nobody has touched this browser for a while: the password is asked before anything is shown. */
  zakljucano?: boolean;
};
export type SessionRecord = Sent<Schema['SessionRecord']>;
export type SecondFactor = Schema['SecondFactor'];
export type Application = Schema['Application'];
export type Sponsor = Schema['Sponsor'];
export type Register = Schema['Register'];
export type RegisterParameters = Schema['SearchParameters'];
export type Institution = Schema['Institution'];
export type Profile = Schema['Worker'];
export type ReportCategory = Schema['ReportTreeCategory'];
export type Warning = Schema['Warning'];
export type Parameter = Schema['Parameter'];
export type KnownParameter = Schema['KnownParameter'];
export type Release = Schema['Release'];
export type Releases = Schema['Releases'];
export type ApplicationRight = Schema['ApplicationRight'];
export type ValueTypeRow = Schema['NamedValueType'];
export type RoleWorker = Schema['RoleWorker'];
export type AttributeType = Schema['AttributeType'];
export type EnumItem = Schema['EnumItem'];
export type WorkerOption = Schema['WorkerOption'];
/** Taking data out: what is chosen from, what is asked, what came of it. */
export type ExportOptions = Sent<Schema['ExportOptions']>;
export type ExportFields = Sent<Schema['ExportFields']>;
export type ExportField = Sent<Schema['ExportField']>;
export type ExportRequest = Schema['ExportRequest'];
export type ExportAccepted = Schema['ExportAccepted'];
export type DataImport = Sent<Schema['DataImport']>;
export type ImportOptions = Schema['ImportOptions'];
export type ImportMapping = Sent<Schema['ImportMapping']>;
export type ImportPreview = Sent<Schema['ImportPreview']>;
export type SavedMapping = Sent<Schema['SavedMapping']>;
export type ImportFaultKind = Sent<Schema['ImportFaultKind']>;
export type DataExport = Sent<Schema['DataExportRow']>;
export type LoggedPatient = Sent<Schema['LoggedPatient']>;
export type LookRow = Sent<Schema['LookRow']>;
export type PatientOption = Sent<Schema['PatientOption']>;
export type UnusualAnswer = Sent<Schema['UnusualAnswer']>;
export type UnusualDay = UnusualAnswer['data'][number];
export type LogSearchData = Schema['LogSearchData'];
export type LogAnswer = Sent<Schema['LogAnswer']>;
export type LogRow = LogAnswer['data'][number];
export type LogField = LogRow['polja'][number];
export type EntryStatistics = Schema['Statistics'];
export type StatisticsRow = Schema['StatisticsRow'];

/** A record on an administration screen: what may be written, under its id. */
type Row<Input> = Omit<Input, 'potvrdjenoRezultata' | 'potvrdjenoZakazivanja'> & { id: number };
export type RoleRow = Row<Schema['RoleInput']>;
export type WorkerRow = Row<Schema['WorkerInput']> & { ustanovaNaziv?: string | null; spoljniNalogOd?: string | null };
export type AttributeTypeRow = Row<Schema['AttributeTypeInput']> & { nazivTipaVrednostiAtributa?: string };
export type EnumItemRow = Row<Schema['EnumItemInput']>;
export type InstitutionRow = Row<Schema['InstitutionInput']> & { menja?: boolean };
export type SponsorRow = Row<Schema['SponsorInput']>;
export type ReportCategoryRow = Row<Schema['ReportCategoryInput']>;
export type RecipientGroupRow = Row<Schema['RecipientGroupInput']> & { ustanovaNaziv?: string | null; imena?: string[] };
export type ReportTypeRow = Row<Schema['ReportTypeInput']> & { kategorijaNaziv?: string };
export type RegisterRow = Row<Schema['RegisterInput']>;
export type FormFieldRow = Row<Schema['FormFieldInput']> &
  Partial<Pick<Schema['FormField'], 'tipAtributaNaziv' | 'tipVrednostiAtributaNumVrednost' | 'nadredjeniAtributUTipuSkupaNaziv'>>;
export type FormRow = Row<Schema['FormInput']>;
export type ReportParameterTypeRow = Row<Schema['ReportParameterTypeInput']> & { tipRecnikaNaziv?: string; sqlNumVrednost?: number };
export type ReportRow = Row<Schema['ReportInput']> & { tipNaziv?: string };
export type ReportParameterRow = Row<Omit<Schema['ReportParameterInput'], 'izvestajID'>> & { tipNaziv?: string };
export type Numbered = Schema['Numbered'];
export type ReportFormat = Schema['ReportFormat'];
export type ReportTemplateFile = Schema['ReportTemplateFile'];
export type ConnectionPool = Schema['ConnectionPool'];
export type Operations = Sent<Schema['Operations']>;
export type ParameterRow = Row<Schema['ParameterInput']>;
