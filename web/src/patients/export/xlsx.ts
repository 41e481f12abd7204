// The table as a workbook. Every cell is a string: nothing in it is ever computed.
import writeXlsxFile from 'write-excel-file/browser';
import type { Table } from './table';
import { noteLine } from './text';

const WIDTHS = [30, 16, 14, 22, 38, 38, 60];

export function xlsx({ headings, rows }: Table, sheet: string, note: string | null): Promise<Blob> {
  const text = (value: string) => ({ value, type: String });
  const lines = note === null ? rows : [...rows, noteLine(note, headings)];
  const data = [headings.map((value) => ({ value, type: String, fontWeight: 'bold' as const })), ...lines.map((row) => row.map(text))];
  const columns = WIDTHS.slice(0, headings.length).map((width) => ({ width }));
  return writeXlsxFile(data, { sheet: sheet.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31), columns, stickyRowsCount: 1 }).toBlob();
}
