import { expect, it } from 'vitest';
import { ValueType } from '../forms/valueType';
import { searchSetup } from '../testing/patients';
import { emptyForm, emptyRow, type SearchCriteria } from './criteria';
import { hashOf, linkTo, searchIn, searchPath, withoutIdentity } from './searchLink';
import type { SearchField, SearchSetup } from './types';

const field = (id: number, tipVrednosti: SearchField['tipVrednosti']): SearchField => ({
  id,
  naziv: `Polje ${id}`,
  tipUnosaID: 1,
  tipVrednosti,
  jedinica: null,
  stavke: [],
});
const setup: SearchSetup = { ...searchSetup, polja: [field(1, ValueType.Number), field(2, ValueType.Text)] };
const row = (poljeID: number, vrednost: string) => ({ ...emptyRow(), tipUnosaID: 1, poljeID, operator: '=' as const, vrednost });
const criteria: SearchCriteria = {
  ...emptyForm(setup),
  ime: 'Đurđa',
  prezime: 'Čubrilović',
  jmbg: '0101950',
  godinaOd: 1950,
  pol: 0,
  redovi: [row(1, '5,5'), row(2, 'zove Čubrilović')],
};

it('a link holds the criteria and nothing that tells who is looked for', () => {
  const link = linkTo(setup, criteria);
  const [address, hash = ''] = link.split('#');
  expect(address).toBe(`${window.location.origin}/registri/7`);
  const found = searchIn(`#${hash}`, setup);
  expect(found).toMatchObject({ ime: '', prezime: '', jmbg: '', lbo: '', godinaOd: 1950, pol: 0 });
  expect(found?.redovi.map(({ poljeID, vrednost }) => [poljeID, vrednost])).toEqual([[1, '5,5']]);
  expect(atob(hash.slice('pretraga='.length).replaceAll('-', '+').replaceAll('_', '/'))).not.toMatch(/ubrilovi|0101950/);
  expect(withoutIdentity(criteria, setup).isWhole).toBe(false);
  expect(withoutIdentity({ ...emptyForm(setup), godinaOd: 1950 }, setup).isWhole).toBe(true);
});

it('a link of a form that has changed since leaves out what is not there, and a broken one brings nothing', () => {
  const found = searchIn(hashOf(criteria, setup), { ...setup, polja: [] });
  expect(found?.redovi.map(({ poljeID }) => poljeID)).toEqual([null]);
  for (const hash of ['', '#drugo', '#pretraga=%%%', '#pretraga=bm9wZQ']) expect(searchIn(hash, setup)).toBeNull();
});

it("a link holds the status and what is asked of an entry of one's own, and a place that knows no form can make one", () => {
  const asked = { status: 'izgubljen', stanjeUnosa: 'uRadu', otvoreno: 'upit', unosOd: '2026-07-01', unosDo: '2026-09-30' } as const;
  expect(searchIn(hashOf({ ...emptyForm(setup), ...asked }, setup), setup)).toMatchObject(asked);
  const [address, hash = ''] = searchPath(7, { stanjeUnosa: 'uRadu', unosDo: '2026-09-30' }).split('#');
  expect(address).toBe('/registri/7');
  expect(searchIn(`#${hash}`, setup)).toMatchObject({ stanjeUnosa: 'uRadu', unosOd: null, unosDo: '2026-09-30', otvoreno: null, ime: '' });
});
