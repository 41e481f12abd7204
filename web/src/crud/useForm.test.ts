// A record while it is edited: what counts as changed, where its messages stand, and what becomes of typing when somebody else was faster.
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { firstMissing, isBlank, payload, useForm } from './useForm';

interface Ward {
  ime: string | null;
  opis: string | null;
  kreveta: number | null;
}

const stored: Ward = { ime: 'Hirurgija', opis: null, kreveta: 12 };
const ward = (disabled?: boolean) => renderHook(() => useForm<Ward>(stored, disabled)).result;

it('begins as the record is, open and with nothing said', () => {
  expect(ward().current).toMatchObject({
    record: stored,
    disabled: false,
    changed: false,
    problem: null,
    problems: [],
    misread: null,
    others: [],
  });
  expect(ward(true).current.disabled).toBe(true);
});

describe('a change', () => {
  it('leaves the other fields, and is none once it is taken back', () => {
    const form = ward();
    act(() => form.current.set('kreveta', 14));
    expect(form.current.record).toEqual({ ...stored, kreveta: 14 });
    expect(form.current.changed).toBe(true);
    act(() => form.current.set('kreveta', 12));
    expect(form.current.changed).toBe(false);
  });

  it('is none where a text that was blank is blank again, in whatever way', () => {
    const form = ward();
    act(() => form.current.set('opis', 'x'));
    expect(form.current.changed).toBe(true);
    act(() => form.current.set('opis', '  '));
    expect(form.current.changed).toBe(false);
    act(() => form.current.set('ime', ''));
    expect(form.current.changed).toBe(true);
  });

  it('takes away what was said of its field, and of no other', () => {
    const form = ward();
    const [ime, opis] = [
      { field: 'ime', message: 'Niste uneli naziv.' },
      { field: 'opis', message: 'Niste uneli opis.' },
    ] as const;
    act(() => form.current.failAll([ime, opis]));
    expect(form.current.problem).toEqual(ime);
    act(() => form.current.set('kreveta', 1));
    expect(form.current.problems).toEqual([ime, opis]);
    act(() => form.current.set('ime', 'Interna'));
    expect(form.current.problems).toEqual([opis]);
    expect(form.current.problem).toEqual(opis);
    act(() => form.current.set('opis', 'x'));
    expect(form.current.problem).toBeNull();
  });
});

it('a refusal takes the place of what was said, and none takes all of it away', () => {
  const form = ward();
  act(() => form.current.failAll([{ field: 'ime', message: 'Niste uneli naziv.' }]));
  act(() => form.current.fail({ field: null, message: 'Nema mreže.' }));
  expect(form.current.problems).toEqual([{ field: null, message: 'Nema mreže.' }]);
  act(() => form.current.fail(null));
  expect(form.current.problems).toEqual([]);
});

it('of numbers that are none the first is told, until it is one', () => {
  const form = ward();
  act(() => form.current.misreads('kreveta', 'nije broj'));
  act(() => form.current.misreads('opis', 'nije ni ovo'));
  expect(form.current.misread).toEqual({ field: 'kreveta', message: 'nije broj' });
  act(() => form.current.misreads('kreveta', null));
  expect(form.current.misread).toEqual({ field: 'opis', message: 'nije ni ovo' });
  act(() => form.current.misreads('opis', 'i dalje nije'));
  expect(form.current.misread).toEqual({ field: 'opis', message: 'i dalje nije' });
  act(() => form.current.misreads('opis', null));
  expect(form.current.misread).toBeNull();
});

it('another record leaves nothing of the one before', () => {
  const form = ward();
  act(() => form.current.rebase({ ...stored, ime: 'Opšta hirurgija' }));
  act(() => form.current.set('opis', 'x'));
  act(() => form.current.misreads('kreveta', 'nije broj'));
  act(() => form.current.fail({ field: 'ime', message: 'već postoji' }));
  const next: Ward = { ime: 'Interna', opis: 'Drugi sprat', kreveta: 3 };
  act(() => form.current.reset(next));
  expect(form.current).toMatchObject({ record: next, changed: false, problem: null, problems: [], misread: null, others: [] });
});

describe('the record as somebody else has left it', () => {
  const theirs: Ward = { ime: 'Opšta hirurgija', opis: ' ', kreveta: 20 };

  it('is taken over but for what was typed, and what they changed is told', () => {
    const form = ward();
    act(() => form.current.set('kreveta', 14));
    act(() => form.current.fail({ field: 'ime', message: 'zastarelo' }));
    act(() => form.current.rebase(theirs));
    expect(form.current.record).toEqual({ ...theirs, kreveta: 14 });
    expect(form.current.problems).toEqual([]);
    expect(form.current.others).toEqual([
      { field: 'ime', before: 'Hirurgija', now: 'Opšta hirurgija' },
      { field: 'kreveta', before: 12, now: 20 },
    ]);
  });

  it('is what later typing is compared with', () => {
    const form = ward();
    act(() => form.current.rebase(theirs));
    expect(form.current.changed).toBe(false);
    act(() => form.current.set('ime', 'Hirurgija'));
    expect(form.current.changed).toBe(true);
    act(() => form.current.rebase({ ...theirs, kreveta: 21 }));
    expect(form.current.record).toEqual({ ime: 'Hirurgija', opis: ' ', kreveta: 21 });
    expect(form.current.others).toEqual([{ field: 'kreveta', before: 20, now: 21 }]);
  });
});

it.each([
  [null, true],
  [undefined, true],
  ['', true],
  [' \t', true],
  ['a', false],
  [0, false],
  [false, false],
  [[], false],
])('%j is blank: %s', (value, blank) => expect(isBlank(value)).toBe(blank));

it('of several missing fields the first of the order is named', () => {
  const required = [
    ['opis', 'Niste uneli opis.'],
    ['ime', 'Niste uneli naziv.'],
  ] as const;
  expect(firstMissing({ ime: ' ', opis: null }, required)).toEqual({ field: 'opis', message: 'Niste uneli opis.' });
  expect(firstMissing({ ime: ' ', opis: 'x' }, required)).toEqual({ field: 'ime', message: 'Niste uneli naziv.' });
  expect(firstMissing({ ime: 'x', opis: 'x' }, required)).toBeNull();
});

it('what is sent has texts without outer spaces and nothing for a blank one, but a password as it is', () => {
  const typed = {
    ime: ' Ana ',
    opis: '  ',
    kreveta: 0,
    aktivan: false,
    password: ' tajna ',
    passwordAgain: ' ',
    passwordOld: ' i stara ',
    uloge: [1],
    verzija: undefined,
  };
  const sent = payload(typed);
  expect(sent).toEqual({ ...typed, ime: 'Ana', opis: null, passwordAgain: null });
  expect(sent).toHaveProperty('verzija', undefined);
});
