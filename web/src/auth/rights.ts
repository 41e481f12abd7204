// Application rights by the numbers the specification gives them (A 6; 14 and those after it are our own), and the clinical right.
import type { SignedInWorker } from '../api/types';

export const Right = {
  Reports: 1,
  Roles: 2,
  Institutions: 3,
  Workers: 4,
  Registers: 5,
  Parameters: 6,
  ReportSetup: 7,
  Log: 11,
  EntryStatistics: 12,
  WarningsAndReleases: 13,
  DataExport: 14,
  Looks: 15,
  Anonymisation: 16,
  DataImport: 17,
  PatientStatus: 18,
  Consents: 19,
  Merging: 20,
  Transfer: 21,
  Boards: 24,
  WallDisplays: 25,
  EntryFinishing: 26,
  EntrySigning: 27,
  EntryLocking: 28,
  Questions: 29,
  Monitoring: 30,
  QualityRules: 31,
} as const;

export type Right = (typeof Right)[keyof typeof Right];

/** Who may open the reports' screen: those who ask for reports, and those who prepare them. */
export const REPORT_RIGHTS: readonly Right[] = [Right.Reports, Right.ReportSetup];

/** What a worker's roles open of patients; it is no right of administration, and none of those opens patients. */
export type PatientAccess = SignedInWorker['pacijenti'];

export const opensPatients = (held: PatientAccess): boolean => held !== 'ne';
export const changesPatients = (held: PatientAccess): boolean => held === 'izmena';

/** No rights asked: everyone may. Otherwise any one of them is enough. */
export const mayOpen = (held: readonly number[], asked: readonly Right[] = []): boolean =>
  asked.length === 0 || asked.some((right) => held.includes(right));
