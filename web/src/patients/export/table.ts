// The search result as a plain table: what every exported file holds.
import { label, t } from '../../messages';
import type { SearchRow } from '../types';

export const FORMATS = ['PDF', 'XLSX', 'XLS', 'CSV', 'JSON'] as const;
export type Format = (typeof FORMATS)[number];

export const fileName = (format: Format): string => `rezultati_pretrage.${format.toLowerCase()}`;

const entry = (date: string | null, name: string | null) => [date, name].filter(Boolean).join(' ');

export const headings: readonly string[] = [
  label('searchRow.imePrezime'),
  label('searchRow.jmbg'),
  label('searchRow.lbo'),
  label('searchRow.identifikacioniBroj'),
  label('searchRow.prviUnos'),
  label('searchRow.poslednjiUnos'),
];

/** A row's cells, in the order of the headings. Who is hidden on the screen is hidden here. */
export function cellsOf(row: SearchRow): string[] {
  const identity = row.blurPodataka
    ? Array<string>(4).fill(t.patients.export.hidden)
    : [row.imePrezime, row.jmbg, row.lbo, row.identifikacioniBroj].map((cell) => cell ?? '');
  return [...identity, entry(row.prviUnosDatum, row.prviUnos), entry(row.poslednjiUnosDatum, row.poslednjiUnos)];
}
