/** A formula as the server stores and sends it; `domain/src/formula` parses and checks it, and says what it means. */
export interface Formula {
  v: number;
  /** Codes of the fields that the formula reads. */
  deps: string[];
  /** Codes of the fields whose values in the previous entry it reads. */
  prev?: string[];
  /** Codes of fields of other forms, `form.code`, that it reads in the entry of the same day, and in those of earlier days. */
  far?: string[];
  farPrev?: string[];
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
  | 'minutes_between'
  | 'hours_between'
  | 'add_minutes'
  | 'add_months'
  | 'date_of'
  | 'time_of'
  | 'date_time'
  | 'year'
  | 'month'
  | 'earliest'
  | 'latest'
  | 'coalesce'
  | 'interpolate'
  | 'length'
  | 'contains'
  | OfRows
  | AskedFunction;

/** What is asked of nothing but the rows of a section. */
export type OfRows = 'row_count' | 'first_row' | 'last_row' | 'any_row' | 'every_row';

const OF_ROWS: ReadonlySet<FunctionName> = new Set<OfRows>(['row_count', 'first_row', 'last_row', 'any_row', 'every_row']);

export const isOfRows = (name: FunctionName): name is OfRows => OF_ROWS.has(name);

/** What is asked of the surroundings and not computed from values. */
export type AskedFunction =
  | 'today'
  | 'examined'
  | 'patient_sex'
  | 'patient_sex_at_birth'
  | 'patient_born'
  | 'previous'
  | 'previous_date'
  | 'visit_number'
  | 'row_number'
  | OfHistory;

/** What is asked of all earlier entries. */
export type OfHistory = 'first_earlier' | 'last_earlier' | 'least_earlier' | 'greatest_earlier';

const OF_HISTORY: ReadonlySet<FunctionName> = new Set<OfHistory>(['first_earlier', 'last_earlier', 'least_earlier', 'greatest_earlier']);

export const isOfHistory = (name: FunctionName): name is OfHistory => OF_HISTORY.has(name);

const ASKED: ReadonlySet<FunctionName> = new Set<AskedFunction>([
  'today',
  'examined',
  'patient_sex',
  'patient_sex_at_birth',
  'patient_born',
  'previous',
  'previous_date',
  'visit_number',
  'row_number',
  ...OF_HISTORY,
] as AskedFunction[]);

export const isAsked = (name: FunctionName): name is AskedFunction => ASKED.has(name);

const BY_THE_DAY: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'examined',
  'previous',
  'previous_date',
  'visit_number',
  ...OF_HISTORY,
]);

/** Whether the formula asks for the day of the examination, or for what depends on it. */
export function asksForTheDay({ expr, far, farPrev }: Formula): boolean {
  const asks = (node: Expr): boolean => node.t === 'call' && (BY_THE_DAY.has(node.f) || node.args.some(asks));
  return [far, farPrev].some((codes) => codes !== undefined && codes.length > 0) || asks(expr);
}

/** Whether the formula asks for more earlier entries than the previous one. */
export function asksForHistory({ expr }: Formula): boolean {
  const asks = (node: Expr): boolean => node.t === 'call' && (isOfHistory(node.f) || node.f === 'visit_number' || node.args.some(asks));
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
