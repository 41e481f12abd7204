// Records of the designer of reports by their names here.
import type { Reply, Schema } from '../../schema';
export type Version = Reply<'ReportDesign'>['verzije'][number];
/** A version, with what it was made from where it was chosen. */
export type VersionTexts = Schema<'ReportTexts'> & { izbor: unknown };
export type Finding = Reply<'ReportCheck'>['greske'][number];
/** Which of the two texts. */
export type Part = keyof Schema<'ReportTexts'>;
