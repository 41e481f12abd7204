import { expect, it } from 'vitest';
import type { Reply } from '../schema';
import { dataExportFault, guessedFields, inside, dataExportRequest, within, type DataExportOrder } from './order';

const field = (id: number, kind: number, parent: number | null = null): Reply<'ExportField'> => ({
  id,
  naziv: `Polje ${String(id)}`,
  sifra: null,
  naredjeniAUTS: parent,
  tvaNumVrednost: kind as Reply<'ExportField'>['tvaNumVrednost'],
  sekcija: false,
  bezIdentiteta: kind === 3 ? 'izostavlja_se' : 'izlazi',
  poNazivu: false,
});

const FIELDS = [field(1, 8), field(2, 2, 1), field(3, 3, 1), field(4, 11), field(5, 8, 4), field(6, 5, 5), field(7, 1)];
const ORDER: DataExportOrder = {
  register: 1,
  form: 2,
  row: 'unos',
  profile: 'bez_identiteta',
  all: false,
  fields: [2, 3],
  from: null,
  until: null,
  institutions: [4],
  xlsx: true,
  states: 'svi',
  reason: '  Godišnja studija  ',
  search: null,
};

it('says what is missing, the first first', () => {
  expect(dataExportFault(ORDER)).toBeNull();
  expect(dataExportFault({ ...ORDER, register: null, reason: '' })?.field).toBe('registarID');
  expect(dataExportFault({ ...ORDER, form: null })?.field).toBe('tsaID');
  expect(dataExportFault({ ...ORDER, from: '2026-02-02', until: '2026-02-01' })?.field).toBe('do');
  expect(dataExportFault({ ...ORDER, institutions: [] })?.field).toBe('ustanove');
  expect(dataExportFault({ ...ORDER, fields: [] })?.field).toBe('polja');
  expect(dataExportFault({ ...ORDER, form: 0, fields: [] })).toBeNull();
  expect(dataExportFault({ ...ORDER, reason: ' kratko   ' })?.field).toBe('razlog');
});

it('asks for no text without identity, and for no field of a register', () => {
  expect(dataExportRequest(ORDER, FIELDS, 'k').polja).toEqual([2]);
  expect(dataExportRequest({ ...ORDER, profile: 'identitet' }, FIELDS, 'k').polja).toEqual([2, 3]);
  expect(dataExportRequest({ ...ORDER, all: true }, FIELDS, 'k').polja).toBeNull();
  expect(dataExportRequest({ ...ORDER, form: 0 }, FIELDS, 'k')).toMatchObject({
    tsaID: null,
    red: 'pacijent',
    polja: null,
    razlog: 'Godišnja studija',
  });
});

it('asks without identity for whole years, and says what nobody has marked', () => {
  const asked = (from: string | null, until: string | null, profile = ORDER.profile) =>
    dataExportFault({ ...ORDER, from, until, profile })?.field;
  expect([asked('2026-03-05', '2026-03-05'), asked('2026-01-01', '2026-03-05'), asked('2026-01-01', '2026-12-31')]).toEqual([
    'od',
    'do',
    undefined,
  ]);
  expect(asked('2026-03-05', '2026-03-05', 'identitet')).toBeUndefined();
  const guessed = { ...field(9, 2), naziv: 'Starost', bezIdentiteta: 'ogranicava_se' as const, poNazivu: true };
  expect(guessedFields([...FIELDS, guessed], 'bez_identiteta')).toEqual(['Starost (najviše 90)']);
  expect(guessedFields([...FIELDS, guessed], 'identitet')).toEqual([]);
  const left = { ...guessed, bezIdentiteta: 'izostavlja_se' as const };
  expect(dataExportRequest({ ...ORDER, fields: [2, 9] }, [...FIELDS, left], 'k').polja).toEqual([2]);
});

it('finds the fields of a tab through its panels', () => {
  const children = inside(FIELDS);
  expect(within(children, 4, 'bez_identiteta')).toEqual([6]);
  expect(within(children, 1, 'bez_identiteta')).toEqual([2]);
  expect(within(children, 1, 'identitet')).toEqual([2, 3]);
});

it('a section is chosen as one, whatever the profile', () => {
  const section = { ...field(8, 8, 1), sekcija: true };
  const fields = [...FIELDS, section];
  expect(within(inside(fields), 1, 'bez_identiteta')).toEqual([2, 8]);
  expect(dataExportRequest({ ...ORDER, fields: [2, 8] }, fields, 'k').polja).toEqual([2, 8]);
});

it('asks for finished or signed entries of a form, and not of a register', () => {
  expect(dataExportRequest({ ...ORDER, states: 'potpisani' }, FIELDS, 'k').stanja).toBe('potpisani');
  expect(dataExportRequest({ ...ORDER, states: 'potpisani', form: 0 }, FIELDS, 'k').stanja).toBe('svi');
});
