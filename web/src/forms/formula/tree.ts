/** A formula as the server stores and sends it; `domain/src/formula` parses and checks it, and says what it means. */
export interface Formula {
  v: number;
  /** Codes of the fields that the formula reads. */
  deps: string[];
  /** Codes of the fields whose values in the previous entry it reads. */
  prev?: string[];
  expr: Expr;
}

export type Expr =
  | { t: 'number'; v: number }
  | { t: 'text'; v: string }
  /** The code of an item of a set. */
  | { t: 'code'; v: string }
  | { t: 'field'; code: string }
  | { t: 'item'; code: string }
  | { t: 'call'; f: FunctionName; args: Expr[] };

export type FunctionName =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'rem'
  | 'neg'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'eq'
  | 'ne'
  | 'and'
  | 'or'
  | 'not'
  | 'if'
  | 'sqrt'
  | 'ln'
  | 'log10'
  | 'exp'
  | 'pow'
  | 'abs'
  | 'floor'
  | 'ceil'
  | 'round'
  | 'min'
  | 'max'
  | 'sum'
  | 'avg'
  | 'median'
  | 'sd'
  | 'count'
  | 'isblank'
  | 'selected'
  | 'anyof'
  | 'countif'
  | 'lookup'
  | 'concat'
  | 'join'
  | 'age'
  | 'age_months'
  | 'age_days'
  | 'days_between'
  | 'add_days'
  | OfRows
  | AskedFunction;

/** What is asked of nothing but the rows of a section. */
export type OfRows = 'row_count' | 'first_row' | 'last_row' | 'any_row' | 'every_row';

const OF_ROWS: ReadonlySet<FunctionName> = new Set<OfRows>(['row_count', 'first_row', 'last_row', 'any_row', 'every_row']);

export const isOfRows = (name: FunctionName): name is OfRows => OF_ROWS.has(name);

/** What is asked of the surroundings and not computed from values. */
export type AskedFunction = 'today' | 'examined' | 'patient_sex' | 'patient_sex_at_birth' | 'patient_born' | 'previous' | 'previous_date';

const ASKED: ReadonlySet<FunctionName> = new Set<AskedFunction>([
  'today',
  'examined',
  'patient_sex',
  'patient_sex_at_birth',
  'patient_born',
  'previous',
  'previous_date',
]);

export const isAsked = (name: FunctionName): name is AskedFunction => ASKED.has(name);

/** Whether the formula asks for the day of the examination, or for what depends on it. */
export function asksForTheDay({ expr }: Formula): boolean {
  const asks = (node: Expr): boolean =>
    node.t === 'call' && (node.f === 'examined' || node.f === 'previous' || node.f === 'previous_date' || node.args.some(asks));
  return asks(expr);
}

/** A comparison without its left side. */
export type Comparison = Extract<Expr, { t: 'call' }>;

const COMPARISONS: ReadonlySet<FunctionName> = new Set<FunctionName>(['lt', 'le', 'gt', 'ge', 'eq', 'ne']);

export const asRow = (arg: Expr | undefined): Comparison | null =>
  arg?.t === 'call' && arg.args.length === 1 && COMPARISONS.has(arg.f) ? arg : null;

/** A choice of a set. */
export interface Item {
  id: number;
  /** Its weight; null: it has none, and whatever needs it is blank. */
  numVrednost: number | null;
  naziv: string;
  sifra?: string | null;
}
