// The rows of a section that repeats: an entry holds them as one value, each with an id that tells it from the others.
import type { SectionResults, Stored } from './formula';

export interface Row {
  id: number;
  /** By the ids of the columns. */
  v: Readonly<Record<string, Stored>>;
}

/** The server keeps ids that are small numbers. */
const LARGEST_ID = 99_999_999;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'v' in value && typeof value.v === 'object' && value.v !== null;

export const areRows = (value: unknown): boolean => Array.isArray(value) && isRow(value[0]);

export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as unknown[]).filter(isRow) : []);

/** As an entry holds them; formulas read none. */
export const stored = (rows: readonly Row[]): Stored => (rows.length === 0 ? null : (rows as unknown as Stored));

const isBlankCell = (value: Stored | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

export const isBlankRow = ({ v }: Row): boolean => Object.values(v).every(isBlankCell);

/** Without what is blank. */
const filled = ({ v }: Row): [string, Stored][] => Object.entries(v).filter(([, value]) => !isBlankCell(value));

const sameCell = (one: Stored | undefined, other: Stored | undefined): boolean =>
  Array.isArray(one) && Array.isArray(other) ? one.length === other.length && one.every((item) => other.includes(item)) : one === other;

export function sameRow(one: Row, other: Row): boolean {
  const [a, b] = [filled(one), new Map(filled(other))];
  return a.length === b.size && a.every(([id, value]) => sameCell(value, b.get(id)));
}

/** Whether two values hold the same rows, whatever blank ones stand between them. */
export function sameRows(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) => rowsOf(value).filter((row) => !isBlankRow(row)));
  if (!a || !b || a.length !== b.length) return false;
  return a.every((row) => b.some((twin) => twin.id === row.id && sameRow(row, twin)));
}

/** The rows as the save makes them: with the results of their columns, and without what does not show. */
export function withResults(value: Stored, results: SectionResults | undefined): Stored {
  if (!results) return value;
  return stored(
    rowsOf(value).flatMap((row) => {
      const made = results.get(row.id);
      if (!made) return [];
      const there = ([id, cell]: [string, Stored]) => !made.hidden.has(Number(id)) && !(id in made.values) && cell !== null;
      const computed = Object.entries(made.values).filter(([, cell]) => cell !== null);
      return [{ id: row.id, v: Object.fromEntries([...Object.entries(row.v).filter(there), ...computed]) }];
    }),
  );
}

/** A row in which nothing is filled yet, beside these. */
export function blankRow(rows: readonly Row[]): Row {
  const taken = new Set(rows.map(({ id }) => id));
  for (;;) {
    const id = 1 + Math.floor(Math.random() * LARGEST_ID);
    if (!taken.has(id)) return { id, v: {} };
  }
}
