/**
 * Rows of sections that repeat, as formulas read them: an argument of a function of many that names columns stands for its value in each
 * row; a column has no value outside of them. A column's own formula reads the cells of its row.
 */
import type { Stored } from './form';
import { type Expr, type FunctionName, asRow, isOfHistory, isOfRows } from './tree';
import { type Value, asTruth } from './value';

/** The cells of one row, by the codes of their columns. */
export type FormulaRow = ReadonlyMap<string, Value>;

const OVER_ROWS: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'min',
  'max',
  'avg',
  'median',
  'sd',
  'sum',
  'count',
  'countif',
  'join',
  'earliest',
  'latest',
  'first_row',
  'last_row',
  'any_row',
  'every_row',
]);

/** The cells of each row of a stored value, by the ids of their columns. */
export const cellsOf = (stored: unknown): Readonly<Record<string, Stored>>[] =>
  Array.isArray(stored)
    ? (stored as unknown[]).flatMap((row) =>
        typeof row === 'object' && row !== null && 'v' in row && typeof row.v === 'object' && row.v !== null
          ? [row.v as Record<string, Stored>]
          : [],
      )
    : [];

/** What stands in the sections of a form. */
export class Rows {
  /** By code: of a column the section that it stands in, of a section itself. */
  private readonly sectionOf = new Map<string, number>();
  private readonly bySection = new Map<number, Map<string, Value>[]>();

  /** A section with its rows, as the entry holds them; null where it does not show. Its columns are filled after it. */
  take({ id, sifra }: { id: number; sifra: string | null }, stored: Stored): void {
    if (sifra !== null) this.sectionOf.set(sifra, id);
    this.bySection.set(
      id,
      cellsOf(stored).map(() => new Map<string, Value>()),
    );
  }

  fill(column: { id: number; sifra: string | null }, section: number, stored: Stored, valueOf: (cell: Stored) => Value): void {
    const code = column.sifra;
    if (code === null) return;
    this.sectionOf.set(code, section);
    const cells = cellsOf(stored);
    this.bySection.get(section)?.forEach((row, i) => row.set(code, valueOf(cells[i]?.[column.id] ?? null)));
  }

  /** What a column of calculated or hidden cells comes to, one value a row. */
  fillWith(column: { sifra: string | null }, section: number, values: readonly Value[]): void {
    const code = column.sifra;
    if (code === null) return;
    this.sectionOf.set(code, section);
    this.bySection.get(section)?.forEach((row, i) => row.set(code, values[i] ?? null));
  }

  /** The rows of a section as they are known until now. */
  inSection(section: number): readonly FormulaRow[] {
    return this.bySection.get(section) ?? [];
  }

  has(code: string): boolean {
    return this.sectionOf.has(code);
  }

  of(code: string): readonly FormulaRow[] {
    return this.bySection.get(this.sectionOf.get(code) ?? NaN) ?? [];
  }

  /** The first column that `arg` reads and no function inside it goes over. */
  columnIn(arg: Expr, ofColumn: boolean): string | null {
    if (this.sectionOf.size === 0) return null;
    if (arg.t === 'field' || arg.t === 'item') return this.has(arg.code) ? arg.code : null;
    if (arg.t !== 'call' || arg.f === 'row_count' || arg.f === 'previous' || isOfHistory(arg.f)) return null;
    for (const one of single(arg.f, arg.args, ofColumn)) {
      const code = this.columnIn(one, ofColumn);
      if (code !== null) return code;
    }
    return null;
  }
}

/**
 * The arguments that have one value each; the others may stand for the values of rows. In a column's formula only functions that are asked
 * of nothing but rows have such.
 */
function single(f: FunctionName, args: readonly Expr[], ofColumn: boolean): readonly Expr[] {
  if (ofColumn && !isOfRows(f)) return args;
  if (f === 'join') return args.slice(0, 1);
  if (f === 'countif') return asRow(args[0]) ? args.slice(0, 1) : [];
  return OVER_ROWS.has(f) ? [] : args;
}

/** Of `nekiRed` and `svakiRed`: one row equal to `decisive` decides; else one blank makes the answer blank. No row is "some". */
export function decidedByRows(values: readonly Value[], decisive: boolean): boolean | null {
  if (values.length === 0) return decisive ? false : null;
  const truths = values.map(asTruth);
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}
