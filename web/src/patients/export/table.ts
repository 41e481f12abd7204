// The search result as a plain table: what every exported file but JSON holds.
import { label, t } from '../../messages';
import { hitText } from '../matches';
import type { SearchField, SearchRow } from '../types';

export const FORMATS = ['PDF', 'XLSX', 'XLS', 'CSV', 'JSON'] as const;
export type Format = (typeof FORMATS)[number];

export const fileName = (format: Format): string => `rezultati_pretrage.${format.toLowerCase()}`;

const entry = (date: string | null, name: string | null) => [date, name].filter(Boolean).join(' ');

/** What is exported. */
export interface Result {
  rows: readonly SearchRow[];
  /** The register's items, where the search had criteria: then a column says what they found. */
  fields: readonly SearchField[] | null;
}

export interface Table {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

export function tableOf({ rows, fields }: Result): Table {
  const headings = [
    label('searchRow.imePrezime'),
    label('searchRow.jmbg'),
    label('searchRow.lbo'),
    label('searchRow.identifikacioniBroj'),
    label('searchRow.prviUnos'),
    label('searchRow.poslednjiUnos'),
    ...(fields ? [t.patients.search.match] : []),
  ];
  return { headings, rows: rows.map((row) => cellsOf(row, fields)) };
}

/** What became of the patient stands behind the name, where it is not the usual. */
function nameOf({ imePrezime, status, statusDan }: SearchRow): string {
  const told = !status || status === 'aktivan' ? '' : [t.patientStatus.statuses[status], statusDan].filter(Boolean).join(' ');
  return told ? `${imePrezime ?? ''} (${told})` : (imePrezime ?? '');
}

/** A row's cells, in the order of the headings. Who is hidden on the screen is hidden here. */
function cellsOf(row: SearchRow, fields: Result['fields']): string[] {
  const { hidden } = t.patients.export;
  const identity = row.blurPodataka
    ? Array<string>(4).fill(hidden)
    : [nameOf(row), row.jmbg, row.lbo, row.identifikacioniBroj].map((cell) => cell ?? '');
  const match = fields && (row.blurPodataka ? hidden : hitText(row, fields));
  return [
    ...identity,
    entry(row.prviUnosDatum, row.prviUnos),
    entry(row.poslednjiUnosDatum, row.poslednjiUnos),
    ...(match === null ? [] : [match]),
  ];
}
