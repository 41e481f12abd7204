import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { unzipped } from '../../testing/unzip';
import type { SearchField, SearchMatch, SearchRow } from '../types';
import { pdf } from './pdf';
import { fileName, tableOf } from './table';
import { csv, json, xls } from './text';
import { xlsx } from './xlsx';

const row: SearchRow = {
  pacijentID: 1,
  imePrezime: 'Đorđević Žika',
  jmbg: '0101970710006',
  lbo: '12345678901',
  identifikacioniBroj: 'K;1',
  prviUnosID: 5,
  prviUnos: 'Pregled',
  prviUnosDatum: '05.03.2026.',
  poslednjiUnosID: null,
  poslednjiUnos: null,
  poslednjiUnosDatum: null,
  blurPodataka: false,
  status: 'aktivan',
  statusDan: null,
  slicno: false,
  pogodak: [],
  unos: null,
};
const hidden: SearchRow = {
  ...row,
  pacijentID: null,
  imePrezime: null,
  jmbg: null,
  lbo: null,
  identifikacioniBroj: null,
  blurPodataka: true,
};
const fields: SearchField[] = [
  { id: 4, naziv: 'CRP', tipUnosaID: 3, tipVrednosti: 2, jedinica: 'mg/L', stavke: [] },
  {
    id: 6,
    naziv: 'Terapija',
    tipUnosaID: 3,
    tipVrednosti: 4,
    jedinica: null,
    stavke: [
      { id: 1, naziv: 'Aspirin' },
      { id: 2, naziv: 'Heparin' },
    ],
  },
];
const crp: SearchMatch = { uslov: 0, poljeID: 4, unosID: 8, unosDatum: '05.03.2026.', vrednost: 12.345 };
const matched: SearchRow = {
  ...row,
  pogodak: [
    { ...crp, zastareo: { polje: 4, razlog: 'jedinica', jedinica: 'mg/dL' } },
    { uslov: 1, poljeID: 6, unosID: 9, unosDatum: '01.02.2020.', vrednost: [1, 2], zastareo: { polje: 6, razlog: 'formula' } },
    { uslov: 2, poljeID: 4, unosID: null, unosDatum: null, vrednost: null },
  ],
};
const MATCHED =
  '05.03.2026. CRP: 12,345 mg/dL (Uneto u jedinici mg/dL); 01.02.2020. Terapija: Aspirin, Heparin (Današnja formula daje drugi rezultat); ni u jednom unosu CRP: —';
const evil: SearchRow = { ...row, imePrezime: '=HYPERLINK("http://zlo")', identifikacioniBroj: '<b>&' };

it('names the files as the specification does', () => {
  expect([fileName('PDF'), fileName('XLS')]).toEqual(['rezultati_pretrage.pdf', 'rezultati_pretrage.xls']);
});

it('hides in the file who is hidden on the screen', () => {
  expect(tableOf({ rows: [{ ...hidden, pogodak: [crp] }], fields }).rows).toEqual([
    ['skriveno', 'skriveno', 'skriveno', 'skriveno', '05.03.2026. Pregled', '', 'skriveno'],
  ]);
});

it('writes CSV with diacritics, quotes what needs it, and leaves no formula alive', () => {
  const lines = csv(tableOf({ rows: [row, evil], fields: null }), null).split('\r\n');
  expect(lines[0]).toBe('\uFEFFPacijent;JMBG;LBO;Identifikacioni broj;Prvi unos;Poslednji unos');
  expect(lines[1]).toBe('Đorđević Žika;0101970710006\t;12345678901\t;"K;1";05.03.2026. Pregled;');
  expect(lines[2]).toMatch(/^"'=HYPERLINK\(""http:\/\/zlo""\)";/);
});

it('keeps the zeros of numbers that name somebody, in every format', async () => {
  const zeros = { ...row, lbo: '00123456789', identifikacioniBroj: '007' };
  const table = tableOf({ rows: [zeros], fields: null });
  expect(csv(table, null)).toContain(';0101970710006\t;00123456789\t;007\t;');
  expect(csv(tableOf({ rows: [{ ...row, identifikacioniBroj: '120' }], fields: null }), null)).toContain(';120;');
  const sheet = new DOMParser().parseFromString(xls(table, 'x', null), 'application/xml');
  const cells = [...sheet.querySelectorAll('Row')][1]?.querySelectorAll('Data') ?? [];
  expect([...cells].slice(1, 4).map((cell) => [cell.getAttribute('ss:Type'), cell.textContent])).toEqual([
    ['String', '0101970710006'],
    ['String', '00123456789'],
    ['String', '007'],
  ]);
  const workbook = unzipped(await bytesOf(await xlsx(table, 'x', null)));
  for (const number of ['0101970710006', '00123456789', '007']) expect(workbook).toMatch(new RegExp(`<t[^>]*>${number}<`));
  expect(JSON.parse(json([zeros], null))).toEqual([zeros]);
});

it('writes XLS whose cells are all strings, with nothing that breaks the XML', () => {
  const sheet = xls(tableOf({ rows: [evil], fields: null }), 'Kardiologija/1', null);
  expect(sheet).toContain('ss:Name="Kardiologija 1"');
  expect(new DOMParser().parseFromString(sheet, 'application/xml').querySelector('parsererror')).toBeNull();
  expect(sheet).not.toContain('ss:Formula');
  expect(sheet).toContain('&lt;b&gt;&amp;');
});

it('ends with what is not in it, where a person and a program tell it from a row', async () => {
  const note = 'Nije izvezeno: manje od 5 iz drugih ustanova.';
  const table = tableOf({ rows: [row], fields: null });
  const lines = csv(table, note).trimEnd().split('\r\n');
  expect([lines.length, lines[2]]).toEqual([3, `# ${note};;;;;`]);
  expect(csv(table, null).trimEnd().split('\r\n')).toHaveLength(2);
  const sheet = new DOMParser().parseFromString(xls(table, 'x', note), 'application/xml');
  expect([...sheet.querySelectorAll('Row')].at(-1)?.querySelector('Data')?.textContent).toBe(`# ${note}`);
  expect(unzipped(await bytesOf(await xlsx(table, 'x', note)))).toContain(`># ${note}<`);
  expect(JSON.parse(json([row], note))).toEqual([row, { napomena: note }]);
});

it('writes JSON that reads back as the result', () => {
  expect(JSON.parse(json([row, hidden], null))).toEqual([row, hidden]);
});

it('says in a column of its own which entry and which value matched, and what a change of configuration made of it', async () => {
  const table = tableOf({ rows: [matched], fields });
  const [first = '', second = ''] = csv(table, null).split('\r\n');
  expect([first.endsWith(';Pogodak'), second.endsWith(`;"${MATCHED}"`)], second).toEqual([true, true]);
  const sheet = new DOMParser().parseFromString(xls(table, 'Kardiologija', null), 'application/xml');
  const rows = [...sheet.querySelectorAll('Row')].map((line) =>
    [...line.querySelectorAll('Data')].map((cell) => cell.textContent).slice(6),
  );
  expect(rows).toEqual([['Pogodak'], [MATCHED]]);
  const workbook = unzipped(await bytesOf(await xlsx(table, 'Kardiologija', null)));
  expect([workbook.includes('>Pogodak<'), workbook.includes(`>${MATCHED}<`)]).toEqual([true, true]);
});

it('lays a row of many matches over as many pages as it takes', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(readFileSync('src/patients/export/DejaVuSans-serbian.ttf'))));
  const pages = async (rows: SearchRow[]) =>
    (await textOf(await pdf(tableOf({ rows, fields }), 'Kardiologija', null))).match(/\/Type \/Page\b/g)?.length;
  const long = { ...matched, pogodak: Array.from({ length: 120 }, (_, uslov) => ({ ...crp, uslov })) };
  expect([await pages([matched]), await pages([long]), await pages([row, long, row])]).toEqual([1, 2, 3]);
});

const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer());
const textOf = async (file: Blob) => (await bytesOf(file)).toString('latin1');
