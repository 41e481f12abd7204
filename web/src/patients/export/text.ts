// Exports that are text: CSV for Serbian spreadsheets, JSON, and XLS as SpreadsheetML 2003.
import type { SearchRow } from '../types';
import type { Table } from './table';

/** So many digits a spreadsheet shows by their power of ten where the column is narrow. */
const LONG_NUMBER = 11;
/** What a spreadsheet would show as another number: without its zeros, or rounded. */
const isNumber = (cell: string) => /^\d+$/.test(cell) && (cell.length >= LONG_NUMBER || /^0\d/.test(cell));

/**
 * As the CSV of reports guards its texts (`report-engine/src/render/csv.rs`): one that a spreadsheet would take for a formula is made a text
 * by a leading apostrophe, one that it would take for a number by a tab behind it.
 */
function harmless(cell: string): string {
  if (/^[=+\-@\t\r\n＝＋－＠]/.test(cell)) return `'${cell}`;
  return isNumber(cell) ? `${cell}\t` : cell;
}

const quoted = (cell: string) => {
  const safe = harmless(cell);
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The last line of a file that has no heading: no row, as in the CSV of reports. Readers of data leave it out when told of the sign. */
export const noteLine = (note: string, headings: readonly string[]): string[] => [`# ${note}`, ...headings.slice(1).map(() => '')];

const withNote = ({ headings, rows }: Table, note: string | null) => (note === null ? rows : [...rows, noteLine(note, headings)]);

/** Semicolons between cells, as programs of this country expect, and a mark that says UTF-8. */
export const csv = (table: Table, note: string | null): string =>
  `\uFEFF${[table.headings, ...withNote(table, note)].map((cells) => cells.map(quoted).join(';')).join('\r\n')}\r\n`;

/** What is not there is told by the last item of the list: it has no field of a row, so no program takes it for a patient. */
export const json = (rows: readonly SearchRow[], note: string | null): string =>
  `${JSON.stringify(note === null ? rows : [...rows, { napomena: note }], null, 2)}\n`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xmlText = (text: string) =>
  text
    // Characters that XML cannot hold at all.
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
const xmlRow = (cells: readonly string[], style = '') =>
  `<Row>${cells.map((cell) => `<Cell${style}><Data ss:Type="String">${xmlText(cell)}</Data></Cell>`).join('')}</Row>`;

/** Every cell is a string: nothing in it is ever computed. */
export const xls = (table: Table, sheet: string, note: string | null): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<?mso-application progid="Excel.Sheet"?>',
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">',
    '<Styles><Style ss:ID="glava"><Font ss:Bold="1"/></Style></Styles>',
    `<Worksheet ss:Name="${xmlText(sheet.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31))}"><Table>`,
    xmlRow(table.headings, ' ss:StyleID="glava"'),
    ...withNote(table, note).map((row) => xmlRow(row)),
    '</Table></Worksheet></Workbook>',
  ].join('\n');
