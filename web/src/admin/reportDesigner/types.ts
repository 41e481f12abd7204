// Records of the designer of reports by their names here.
import type { Sent } from '../../api/types';
import type { components } from '../../gen/api';

type Schema = components['schemas'];

export type Design = Sent<Schema['ReportDesign']>;
export type Version = Design['verzije'][number];
export type Texts = Schema['ReportTexts'];
/** A version, with what it was made from where it was chosen. */
export type VersionTexts = Texts & { izbor: unknown };
export type Check = Sent<Schema['ReportCheck']>;
export type Finding = Check['greske'][number];
export type SavedReportVersion = Sent<Schema['SavedReportVersion']>;
export type Guide = Sent<Schema['ReportGuide']>;
export type ReportTrial = Sent<Schema['ReportTrialState']>;
/** Which of the two texts. */
export type Part = keyof Texts;
