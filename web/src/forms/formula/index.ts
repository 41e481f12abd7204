/** Calculated fields and display conditions in the browser, equal to the server's to the last digit. */
export {
  type Evaluation,
  type FormulaField,
  LiveForm,
  type RowResults,
  type SectionResults,
  type Stored,
  asResult,
  evaluateForm,
} from './form';
export type { Days, FormulaPatient, OtherEntry, OtherForm, Subject } from './around';
export { asksForTheDay } from './tree';
export type { Expr, Formula, FunctionName, Item } from './tree';
