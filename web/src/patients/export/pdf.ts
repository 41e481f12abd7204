// The table as a PDF, A4 landscape, in a font that has our letters.
import { jsPDF } from 'jspdf';
import { t } from '../../messages';
import fontUrl from './DejaVuSans-serbian.ttf?url';
import type { Table } from './table';

const FONT = 'DejaVuSans';
/** Millimetres; together with the margins they are the page's 297. The second row is for a table that tells what matched. */
const WIDTHS: Record<number, readonly number[]> = { 6: [54, 30, 27, 32, 65, 65], 7: [40, 28, 24.5, 26.5, 42, 42, 70] };
const [MARGIN, LINE, NEXT, TOP, BOTTOM, WIDTH] = [12, 6, 3.6, 26, 196, 273];
/** Lines that a page holds: a row of more goes on on the next one. */
const PAGE_LINES = Math.floor((BOTTOM - TOP - 1) / NEXT) + 1;

async function fontData(): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(fontUrl)).arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

const widthOf = (cells: readonly unknown[], at: number) => WIDTHS[cells.length]?.[at] ?? 30;

/** Each cell's lines: nothing of a name is left out, however long it is. */
const wrapped = (doc: jsPDF, cells: readonly string[]): string[][] =>
  cells.map((cell, i) => {
    const width = widthOf(cells, i) - 3;
    return doc.getTextWidth(cell) <= width ? [cell] : (doc.splitTextToSize(cell, width) as string[]);
  });

function line(doc: jsPDF, cells: readonly string[][], y: number) {
  let x = MARGIN;
  cells.forEach((lines, i) => {
    lines.forEach((text, n) => doc.text(text, x + 1, y + n * NEXT));
    x += widthOf(cells, i);
  });
}

function heading(doc: jsPDF, headings: readonly string[], title: string, note: string | null) {
  doc.setFontSize(13);
  doc.text(title, MARGIN, 14);
  doc.setFontSize(8.5);
  if (note) doc.text(note, MARGIN + WIDTH, 14, { align: 'right' });
  doc.setFillColor(232, 236, 241);
  doc.rect(MARGIN, TOP - 9, WIDTH, LINE + 0.5, 'F');
  line(doc, wrapped(doc, headings), TOP - 5);
}

export async function pdf({ headings, rows }: Table, title: string, note: string | null): Promise<Blob> {
  const doc = new jsPDF({ orientation: 'landscape', unit: 'mm', format: 'a4', compress: true });
  doc.addFileToVFS(`${FONT}.ttf`, await fontData());
  doc.addFont(`${FONT}.ttf`, FONT, 'normal');
  doc.setFont(FONT);
  doc.setDrawColor(215, 220, 226);
  doc.setLineWidth(0.15);
  heading(doc, headings, title, note);
  let y = TOP + 1;
  for (const row of rows) {
    const cells = wrapped(doc, row);
    const lines = Math.max(...cells.map((cell) => cell.length));
    for (let from = 0; from < lines; from += PAGE_LINES) {
      const more = (Math.min(lines - from, PAGE_LINES) - 1) * NEXT;
      if (y + more > BOTTOM) {
        doc.addPage();
        heading(doc, headings, title, note);
        y = TOP + 1;
      }
      line(
        doc,
        cells.map((cell) => cell.slice(from, from + PAGE_LINES)),
        y,
      );
      y += more;
      doc.line(MARGIN, y + 1.8, MARGIN + WIDTH, y + 1.8);
      y += LINE;
    }
  }
  const pages = doc.getNumberOfPages();
  for (let page = 1; page <= pages; page += 1) {
    doc.setPage(page);
    doc.text(t.patients.export.page(page, pages), MARGIN + WIDTH, 204, { align: 'right' });
  }
  return doc.output('blob');
}
