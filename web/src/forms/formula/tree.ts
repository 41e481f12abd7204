/** A formula as the server stores and sends it; `domain/src/formula` parses and checks it, and says what it means. */
export interface Formula {
  v: number;
  /** Codes of the fields that the formula reads. */
  deps: string[];
  expr: Expr;
}

export type Expr =
  | { t: 'number'; v: number }
  | { t: 'text'; v: string }
  | { t: 'field'; code: string }
  | { t: 'item'; code: string }
  | { t: 'call'; f: FunctionName; args: Expr[] };

export type FunctionName =
  | 'add' | 'sub' | 'mul' | 'div' | 'rem' | 'neg'
  | 'lt' | 'le' | 'gt' | 'ge' | 'eq' | 'ne'
  | 'and' | 'or' | 'not' | 'if'
  | 'sqrt' | 'ln' | 'log10' | 'exp' | 'pow' | 'abs' | 'floor' | 'ceil' | 'round'
  | 'min' | 'max' | 'sum' | 'avg' | 'count'
  | 'isblank' | 'selected'
  | 'age' | 'age_months' | 'age_days' | 'days_between' | 'today';

/** A choice of a set. */
export interface Item {
  id: number;
  numVrednost: number;
  naziv: string;
}
