import { expect, it } from 'vitest';
import type { SearchRow } from '../types';
import { cellsOf, fileName } from './table';
import { csv, json, xls } from './text';

const row: SearchRow = {
  pacijentID: 1, imePrezime: 'Đorđević Žika', jmbg: '0101970710006', lbo: '12345678901', identifikacioniBroj: 'K;1', prviUnosID: 5, prviUnos: 'Pregled',
  prviUnosDatum: '05.03.2026.', poslednjiUnosID: null, poslednjiUnos: null, poslednjiUnosDatum: null, blurPodataka: false, slicno: false, pogodak: [],
};
const hidden: SearchRow = { ...row, pacijentID: null, imePrezime: null, jmbg: null, lbo: null, identifikacioniBroj: null, blurPodataka: true };
const evil: SearchRow = { ...row, imePrezime: '=HYPERLINK("http://zlo")', identifikacioniBroj: '<b>&' };

it('names the files as the specification does', () => {
  expect([fileName('PDF'), fileName('XLS')]).toEqual(['rezultati_pretrage.pdf', 'rezultati_pretrage.xls']);
});

it('hides in the file who is hidden on the screen', () => {
  expect(cellsOf(hidden)).toEqual(['skriveno', 'skriveno', 'skriveno', 'skriveno', '05.03.2026. Pregled', '']);
});

it('writes CSV with diacritics, quotes what needs it, and leaves no formula alive', () => {
  const lines = csv([row, evil]).split('\r\n');
  expect(lines[0]).toBe('\uFEFFPacijent;JMBG;LBO;Identifikacioni broj;Prvi unos;Poslednji unos');
  expect(lines[1]).toBe('Đorđević Žika;0101970710006;12345678901;"K;1";05.03.2026. Pregled;');
  expect(lines[2]).toMatch(/^"'=HYPERLINK\(""http:\/\/zlo""\)";/);
});

it('writes XLS whose cells are all strings, with nothing that breaks the XML', () => {
  const sheet = xls([evil], 'Kardiologija/1');
  expect(sheet).toContain('ss:Name="Kardiologija 1"');
  expect(new DOMParser().parseFromString(sheet, 'application/xml').querySelector('parsererror')).toBeNull();
  expect(sheet).not.toContain('ss:Formula');
  expect(sheet).toContain('&lt;b&gt;&amp;');
});

it('writes JSON that reads back as the result', () => {
  expect(JSON.parse(json([row, hidden]))).toEqual([row, hidden]);
});
