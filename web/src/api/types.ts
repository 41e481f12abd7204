// Records that many screens share.
import type { RecordOf } from './description';
import type { Reply, Schema } from '../schema';

/** A list; `total` counts the rows of all its pages. */
export interface ListPage<T> {
  data: T[];
  total: number;
}

/** What sign-in answers and the browser keeps. */
export type SignedInWorker = Schema<'WithToken'> & {
  /** Nobody has touched this browser for a while: the password is asked before anything is shown. */
  zakljucano?: boolean;
};
export type UnusualDay = Reply<'UnusualAnswer'>['data'][number];
export type LogRow = Reply<'LogAnswer'>['data'][number];
export type LogField = LogRow['polja'][number];

/** Records on the administration's screens. */
export type RoleRow = RecordOf<'/api/roles'>;
export type WorkerRow = RecordOf<'/api/workers'>;
export type AttributeTypeRow = RecordOf<'/api/attribute-types'>;
export type EnumItemRow = RecordOf<'/api/enum-items'>;
export type InstitutionRow = RecordOf<'/api/institutions'>;
export type SponsorRow = RecordOf<'/api/sponsors'>;
export type ReportCategoryRow = RecordOf<'/api/report-categories'>;
export type RecipientGroupRow = RecordOf<'/api/recipient-groups'>;
export type ReportTypeRow = RecordOf<'/api/report-types'>;
export type RegisterRow = RecordOf<'/api/registers'>;
export type FormFieldRow = RecordOf<'/api/form-fields'>;
export type FormRow = RecordOf<'/api/forms'>;
export type ReportParameterTypeRow = RecordOf<'/api/report-parameter-types'>;
export type ReportRow = RecordOf<'/api/reports'>;
export type ReportParameterRow = RecordOf<'/api/report-parameters'>;
export type QualityRuleRow = RecordOf<'/api/quality-rules'>;
export type ParameterRow = RecordOf<'/api/parameters'>;
