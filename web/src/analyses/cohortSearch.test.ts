import { expect, it } from 'vitest';
import { searchOfCohort } from './cohortSearch';
import type { Cohort } from './model';
import { ValueType } from '../forms/valueType';
import { cohortOfSearch } from '../patients/cohortOfSearch';
import { emptyForm, emptyRow, searchRequest, type CriterionRow } from '../patients/criteria';
import type { SearchSetup } from '../patients/types';

const field = (id: number, tipUnosaID: number, tipVrednosti: SearchSetup['polja'][number]['tipVrednosti']) => ({
  id,
  naziv: `Polje ${String(id)}`,
  tipUnosaID,
  tipVrednosti,
  stavke: [],
});
const setup = {
  id: 3,
  naziv: 'Reumatologija',
  brojRezultataUPretrazi: 200,
  prikazTekucihUnosaKodPretrage: true,
  tipoviUnosa: [{ id: 7, naziv: 'Poseta' }],
  polja: [field(1, 7, ValueType.Number), field(2, 7, ValueType.Choice), field(3, 8, ValueType.Number), field(4, 7, ValueType.Text)],
} as unknown as SearchSetup;
const row = (poljeID: number, more: Partial<CriterionRow> = {}): CriterionRow => ({
  ...emptyRow(),
  tipUnosaID: 7,
  poljeID,
  operator: '>',
  vrednost: '5',
  ...more,
});
const search = (redovi: CriterionRow[], more = {}) => ({ ...emptyForm(setup), redovi, ...more });

it('makes a cohort of what a search asks of the newest entry, and the same search of the cohort', () => {
  const criteria = search([row(1), row(2, { operator: 'izabrano', vrednost: '1', veza: 'ili' })], {
    pol: 0,
    godinaOd: 1950,
    godinaDo: 1980,
  });
  const made = cohortOfSearch(criteria, setup);
  if (typeof made === 'string') throw new Error(made);
  expect(made.leftOut).toEqual([]);
  expect(made.izbor).toMatchObject({ registarID: 3, tipUnosaID: 7, unosi: 'najnoviji', pol: false, rodjenjeOd: 1950, rodjenjeDo: 1980 });
  expect(made.izbor.filteri).toEqual([
    { veza: null, tipUnosaID: null, poljeID: 1, operator: '>', vrednost: '5' },
    { veza: 'ili', tipUnosaID: null, poljeID: 2, operator: 'izabrano', vrednost: '1' },
  ]);
  const empty = {
    stanja: 'svi',
    datumOd: null,
    datumDo: null,
    starostOd: null,
    starostDo: null,
    samoMojaUstanova: false,
    drugiFormulari: [],
  };
  const cohort = { izbor: { ...empty, ...made.izbor }, zamrznuta: null } as unknown as Cohort;
  const back = searchOfCohort(cohort, setup);
  expect(back.unlike).toEqual([]);
  expect(searchRequest(3, back.criteria)).toEqual(searchRequest(3, criteria));
});

it('says what a cohort cannot be made of, and what it leaves out', () => {
  expect(cohortOfSearch(search([row(1), row(3)]), setup)).toBe('formulari');
  expect(cohortOfSearch(search([row(1), row(2)], { opseg: 'biloKojiUnos' }), setup)).toBe('opseg');
  expect(cohortOfSearch(search([row(1), row(2, { veza: 'ili' })], { opseg: 'biloKojiUnos' }), setup)).toMatchObject({ leftOut: [] });
  const named = cohortOfSearch(search([row(4, { operator: 'sadrzi', vrednost: 'Marko' })], { ime: 'Marko', status: 'preminuo' }), setup);
  expect(named).toMatchObject({ leftOut: ['identitet', 'status'], izbor: { tipUnosaID: null, filteri: [] } });
  expect(JSON.stringify(named)).not.toContain('Marko');
});

it('says what of a cohort a search does not take', () => {
  const izbor = {
    ...{
      registarID: 3,
      tipUnosaID: 7,
      unosi: 'prvi',
      stanja: 'potpisani',
      drugiFormulari: [],
      samoMojaUstanova: true,
      datumOd: '2026-01-01',
      datumDo: null,
    },
    ...{ pol: null, starostOd: 18, starostDo: null, rodjenjeOd: null, rodjenjeDo: null },
    filteri: [{ veza: null, tipUnosaID: null, poljeID: 4, operator: 'sadrzi', vrednost: 'x' }],
  };
  const { criteria, unlike } = searchOfCohort({ izbor, zamrznuta: '01.02.2026.' } as unknown as Cohort, setup);
  expect(unlike).toEqual(['datum', 'starost', 'ustanova', 'stanja', 'tekst', 'zamrznuta']);
  expect(criteria).toMatchObject({ opseg: 'istiUnos', pol: -1 });
  expect(searchRequest(3, criteria).redPretrage).toEqual([]);
});

it('takes the first entry that a report looked at, and refuses what is asked of it beside that', () => {
  const uslovi = [{ veza: null, tipUnosaID: null, poljeID: 1, operator: '>', vrednost: '5' }];
  const izbor = { koji: 'prvi', od: '2026-01-01', do: null, svoj: true, uslovi };
  const frame = { tipUnosaID: 7, od: null, do: null, svoj: false, izbor };
  const made = cohortOfSearch(search([], { opseg: 'istiUnos', unosUslova: frame }), setup);
  expect(made).toMatchObject({ izbor: { tipUnosaID: 7, unosi: 'prvi', datumOd: '2026-01-01', samoMojaUstanova: true, filteri: uslovi } });
  expect(cohortOfSearch(search([row(1)], { opseg: 'istiUnos', unosUslova: frame }), setup)).toBe('izbor');
  expect(cohortOfSearch(search([], { opseg: 'istiUnos', unosUslova: { ...frame, do: '2026-03-01' } }), setup)).toBe('izbor');
});
