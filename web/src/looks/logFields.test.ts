import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { t } from '../messages';
import { className, fieldName, fieldValue } from './logFields';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const isKnown = (klasa: string): boolean => klasa in t.log.classNames;

/** What the trigger of the log leaves out. */
const LEFT_OUT = /^(verzija|vreme_poslednje_izmene|ime_f|prezime_f|\w+_ast)$/;

/** The tables that the log follows, each with its columns, as docs/schema.sql lists them. */
const followed = read('docs/schema.sql')
  .split(/^create table /m)
  .slice(1)
  .filter((text) => text.includes(': audit_change'))
  .map((text) => ({
    table: /^\w+/.exec(text)?.[0] ?? '',
    columns: [...text.slice(0, text.indexOf('\n);')).matchAll(/^ {4}([a-z]\w*) /gm)]
      .map(([, column = '']) => column)
      .filter((column) => column !== 'constraint' && !LEFT_OUT.test(column)),
  }));

it('says every class and every field that the log follows in words', () => {
  expect(followed.length).toBeGreaterThan(25);
  const wordless = followed.flatMap(({ table, columns }) => [
    ...(isKnown(table) ? [] : [table]),
    ...columns.filter((column) => fieldName(table, column) === column).map((column) => `${table}.${column}`),
  ]);
  expect(wordless).toEqual([]);
});

it('says every class that programs write in words', () => {
  const crates = ['accounts', 'clinical', 'configuration', 'interchange', 'platform', 'reporting'].map((crate) => `api/${crate}/src`);
  const places = ['api/src', ...crates, 'report-engine/src', 'scheduler/src', 'migrations/functions'];
  const texts = places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(rs|sql)$/.test(file))
      .map((file) => read(join(place, file))),
  );
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/\bklasa: "(\w+)"/g)].map(([, klasa = '']) => klasa),
    ...[...text.matchAll(/\b(?:deed_on_patient|published)\((?:[^;()]|\(\))*?, "([a-z_]+)",/g)].map(([, klasa = '']) => klasa),
    ...[...text.matchAll(/\blog\(db, [^;]*?"([a-z_]+)",/g)].map(([, klasa = '']) => klasa),
    // The value that stands where the column does; none where it is a bind.
    ...[...text.matchAll(/insert into audit_log \(([^)]*)\)\s*(?:values \(|select )([^;]*?)\n?\s*(?:;|",|"#|returning|from)/g)].map(
      ([, columns = '', values = '']) => {
        const place = columns.split(',').findIndex((column) => column.trim() === 'klasa');
        return /^\s*'([a-z_]+)'/.exec(values.split(',')[place] ?? '')?.[1] ?? '';
      },
    ),
  ]);
  const classes = new Set(named.filter((klasa) => klasa !== ''));
  expect(classes.size).toBeGreaterThan(12);
  expect([...classes].filter((klasa) => !isKnown(klasa))).toEqual([]);
  expect(className('sutrasnja')).toBe('Drugo (sutrasnja)');
});

it('says fields as the screens do, and an item of a form by its own name', () => {
  expect(fieldName('patient', 'datum_rodjenja')).toBe('Datum rođenja');
  expect(fieldName('worker', 'ustanova_id')).toBe('Ustanova');
  expect(fieldName('entry', 'Broj bolnih zglobova (TJC28)')).toBe('Broj bolnih zglobova (TJC28)');
});

it('says values as people read them, and a blank is no number', () => {
  expect([null, '', true, false, 3.5, '2026-03-05', 'Sva prava', [1]].map(fieldValue)).toEqual([
    '—',
    '—',
    'Da',
    'Ne',
    '3,5',
    '05.03.2026.',
    'Sva prava',
    '[1]',
  ]);
});
