// To which visit a draft belongs, and what two who began one visit have in common.
import { describe, expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import { blankDraft } from '../../testing/draft';
import { formField as field } from '../../testing/formField';
import { EntryStore } from '../model/store';
import type { Values } from '../model/types';
import { differs, isOfAnotherVisit, isTyped, movedTo, sharedStart, visitOf, type Draft } from './draft';

const FIELDS = [field(1, ValueType.Number), field(2, ValueType.Text), field(3, ValueType.Choice), field(4, ValueType.Number)];
const TAKEN = [{ polje: 4, izvor: 'unos', datum: '2026-11-01' }] as const;
const store = (values: Values, day: string | null) =>
  new EntryStore(FIELDS, values, { datumUnosa: day, radnikOdgovoran: 2 }, { unosID: null, verzija: null, kljuc: 'k' }, {}, TAKEN);

const friday: Draft = {
  ...blankDraft,
  vreme: 1,
  vrednosti: { 1: 7, 4: 20 },
  osnova: { 4: 20 },
  datumUnosa: '2026-11-20',
  osnovaDatumUnosa: '2026-11-20',
  potvrdjeno: [1, 4],
  kljuc: 'petak',
};

describe('a draft of a new visit', () => {
  it('is of its own day alone, and of whichever visit has no day yet', () => {
    expect(isOfAnotherVisit(friday, true, '2026-11-05')).toBe(true);
    expect(isOfAnotherVisit(friday, true, '2026-11-20')).toBe(false);
    expect(isOfAnotherVisit(friday, true, null)).toBe(false);
    expect(isOfAnotherVisit({ ...friday, datumUnosa: null }, true, '2026-11-05')).toBe(true);
    expect(visitOf({ ...friday, datumUnosa: '1-11-26' }, true)).toBeNull();
  });

  it('is news in another visit even where that one happens to say the same already', () => {
    const monday = store({ 1: 7, 4: 20 }, '2026-11-23');
    expect(differs({ ...friday, datumUnosa: '2026-11-23', osnovaDatumUnosa: '2026-11-23' }, monday)).toBe(false);
    expect(isTyped(friday, monday)).toBe(true);
    const moved = { ...blankDraft, datumUnosa: '2026-11-20', osnovaDatumUnosa: '2026-11-19' };
    expect(isTyped(moved, monday)).toBe(false);
  });

  it('moved to another day is another save, and what was only confirmed of its own day is confirmed anew', () => {
    const moved = movedTo('2026-11-23', friday);
    expect([moved.datumUnosa, moved.osnovaDatumUnosa, moved.kljuc, moved.potvrdjeno]).toEqual(['2026-11-23', '2026-11-23', null, [1]]);
    expect(moved.vrednosti).toEqual(friday.vrednosti);
  });
});

it('a draft of an entry is of the day that the entry had, whatever day was typed since', () => {
  const draft = { ...friday, datumUnosa: '2026-11-21' };
  expect([isOfAnotherVisit(draft, false, '2026-11-20'), isOfAnotherVisit(draft, false, '2026-11-22')]).toEqual([false, true]);
});

it('two who begin one visit have in common what neither typed nor confirmed', () => {
  const mine = store({ 4: 20 }, '2026-11-23');
  mine.set(1, 7);
  expect(sharedStart(mine)).toEqual({
    values: { 1: null, 2: null, 3: false, 4: 20 },
    head: { datumUnosa: '2026-11-23', radnikOdgovoran: 2 },
  });
  mine.confirm([4]);
  mine.set(3, true);
  // Against what the other saved stands what was confirmed; a box said No before anybody ticked it.
  expect(sharedStart(mine).values).toEqual({ 1: null, 2: null, 3: false, 4: null });
});
