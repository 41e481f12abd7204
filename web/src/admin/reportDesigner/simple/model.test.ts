import { expect, it } from 'vitest';
import type { Reply, Schema } from '../../../schema';
import { emptyRow } from '../../../patients/criteria';
import {
  measuresIn,
  simpleReportOf,
  simpleDraftOf,
  emptySimpleDraft,
  emptyMeasure,
  fieldsOf,
  groupingFields,
  fieldKey,
  namesGone,
  problemOf,
  sameChoice,
  withForm,
  type SimpleDraft,
  type SimpleField,
} from './model';

const field = (id: number, tipVrednosti: Schema<'ValueType'>): SimpleField => ({
  id,
  naziv: `Polje ${id}`,
  tipUnosaID: 7,
  tipVrednosti,
  jedinica: null,
  decimale: null,
  multiselect: false,
  stavke: [],
});
/** Field 1 is a choice, 2 a number, 3 a text, 4 a set, 5 a date. */
const form: Reply<'SimpleReportForm'> = {
  id: 7,
  registarID: 3,
  naziv: 'Pregled',
  polja: [field(1, 1), field(2, 2), field(3, 3), field(4, 4), field(5, 5)],
};
const whole: SimpleDraft = { ...emptySimpleDraft(3), tipUnosaID: 7 };

it('offers a measure the fields whose type gives it, and a grouping those that make groups', () => {
  const ids = (fields: SimpleField[]) => fields.map(({ id }) => id);
  expect(ids(fieldsOf('srednjaVrednost', form.polja))).toEqual([2]);
  expect(ids(fieldsOf('minimum', form.polja))).toEqual([2, 5]);
  expect(ids(fieldsOf('udeoDa', form.polja))).toEqual([1]);
  expect(ids(fieldsOf('brojUnosa', form.polja))).toEqual([]);
  expect(ids(groupingFields('ustanova', form.polja))).toEqual([1, 2, 3, 4]);
  expect(ids(groupingFields('sve', form.polja))).toEqual([1, 2, 4]);
});

it('comes back from its version as it was sent', () => {
  const mean = { ...emptyMeasure('srednjaVrednost'), poljeID: 2 };
  const draft: SimpleDraft = {
    ...whole,
    pol: false,
    starostOd: 18,
    redovi: [
      { ...emptyRow(), poljeID: 2, operator: '>', vrednost: '4,5' },
      { ...emptyRow(), veza: 'ili', poljeID: 4, operator: 'izabrano', vrednost: '9' },
    ],
    grupe: ['mesec', fieldKey(1)],
    mere: [emptyMeasure('brojUnosa'), mean],
    grafikon: 'linija',
    crtaSe: mean.key,
  };
  const body = simpleReportOf(draft);
  expect(body.grupe).toEqual([
    { po: 'mesec', poljeID: null },
    { po: 'polje', poljeID: 1 },
  ]);
  expect(body.grafikon).toEqual({ vrsta: 'linija', mera: 1 });
  expect(body.filteri.map(({ veza }) => veza)).toEqual([null, 'ili']);
  expect(simpleReportOf(simpleDraftOf(body))).toEqual(body);
  expect(sameChoice(draft, simpleDraftOf(body))).toBe(true);
});

it('sends nothing that its way of showing does not use', () => {
  const list = simpleReportOf({ ...whole, prikaz: 'lista', kolone: ['pacijent', fieldKey(2)], grupe: ['pol', null], grafikon: 'stubici' });
  expect([list.grupe, list.mere, list.grafikon]).toEqual([[], [], null]);
  expect(list.kolone).toEqual([
    { kolona: 'pacijent', poljeID: null },
    { kolona: 'polje', poljeID: 2 },
  ]);
  expect(simpleReportOf(whole).kolone).toEqual([]);
  expect(simpleReportOf({ ...whole, grafikon: 'stubici' }).grafikon).toBeNull();
});

it('says what is missing before it is sent', () => {
  expect(problemOf(emptySimpleDraft(null), undefined)?.field).toBe('registarID');
  expect(problemOf(emptySimpleDraft(3), undefined)?.field).toBe('tipUnosaID');
  expect(problemOf(whole, form)).toBeNull();
  expect(problemOf({ ...whole, mere: [] }, form)?.message).toBe('Izaberite bar jednu meru.');
  expect(problemOf({ ...whole, mere: [emptyMeasure('medijana')] }, form)?.message).toBe('Izaberite polje za meru „Medijana”.');
  expect(problemOf({ ...whole, prikaz: 'lista', kolone: [] }, form)?.field).toBe('kolone');
  const half = { ...emptyRow(), poljeID: 2, operator: '>' as const };
  expect(problemOf({ ...whole, redovi: [emptyRow(), half] }, form)?.message).toBe('Uslov 2 nije popunjen do kraja.');
  expect(problemOf({ ...whole, redovi: [{ ...half, vrednost: '2.108' }] }, form)?.message).toContain('2.108');
  expect(problemOf({ ...whole, starostDo: 'pet' }, form)?.field).toBe('starostDo');
});

it('begins anew with another form, and tells of fields that are gone', () => {
  const draft: SimpleDraft = {
    ...whole,
    grupe: ['pol', fieldKey(1)],
    mere: [{ ...emptyMeasure('medijana'), poljeID: 2 }],
    kolone: ['datum', fieldKey(3)],
  };
  expect(namesGone(draft, form)).toBe(false);
  expect(namesGone(draft, { ...form, polja: form.polja.filter(({ id }) => id !== 2) })).toBe(true);
  const other = withForm(draft, 3, 8);
  expect([other.grupe, other.kolone, other.mere[0]?.poljeID]).toEqual([['pol', null], ['datum'], null]);
});

it("over all institutions a measure that is one patient's is not offered, and one that was chosen stays to be seen", () => {
  expect(measuresIn('ustanova', null)).toContain('minimum');
  expect(measuresIn('sve', null).filter((mera) => mera === 'minimum' || mera === 'maksimum')).toEqual([]);
  expect(measuresIn('sve', 'maksimum')).toContain('maksimum');
});

it('sends an indicator with both sets of criteria, and comes back as it was sent', () => {
  const brojilac = [{ ...emptyRow(), poljeID: 2, operator: '<' as const, vrednost: '2,6' }];
  const draft: SimpleDraft = {
    ...whole,
    prikaz: 'indikator',
    redovi: [{ ...emptyRow(), poljeID: 1, operator: 'izabrano', vrednost: '1' }],
    brojilac,
    cilj: 60,
  };
  const sent = simpleReportOf(draft);
  expect(sent.filteri).toHaveLength(1);
  expect(sent.indikator).toEqual({
    brojilac: [{ veza: null, tipUnosaID: null, poljeID: 2, operator: '<', vrednost: '2,6' }],
    broji: 'pacijente',
    vreme: 'godina',
    smer: 'vise',
    cilj: 60,
  });
  expect([sent.grupe, sent.mere, sent.kolone]).toEqual([[], [], []]);
  expect(sameChoice(simpleDraftOf(sent), draft)).toBe(true);
  expect(simpleReportOf({ ...draft, prikaz: 'lista' }).indikator).toBeNull();
  expect(problemOf(draft, form)).toBeNull();
  expect(problemOf({ ...draft, brojilac: [] }, form)?.field).toBe('brojilac');
  expect(problemOf({ ...draft, brojilac: [{ ...emptyRow(), poljeID: 2, operator: '<' }] }, form)?.field).toBe('brojilac');
  expect(namesGone({ ...draft, brojilac: [{ ...emptyRow(), poljeID: 99, operator: 'popunjeno' }] }, form)).toBe(true);
});
