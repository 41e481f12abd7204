import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import { t } from '../messages';
import { faultOf } from './faultOf';
import { useForm } from './useForm';

const ward = { ime: 'Hirurgija', opis: 'Prvi sprat' };
const form = () => renderHook(() => useForm(ward)).result;
const late = (radnik?: string) => new ApiError(409, 'zastarelo', 'ime', { izmena: { radnik, vreme: '2026-11-24 10:15' } });
const theirs = () => Promise.resolve({ ime: 'Interna', opis: 'Drugi sprat' });

it('says its own words of what no server answered', async () => {
  expect(await faultOf(new Error('undefined is not a function'), form().current)).toEqual({ field: null, message: t.error.server });
});

it.each([
  ['ime', 'ime'],
  ['cena', null],
  [null, null],
])('puts a refusal of the field %s at %s', async (named, at) => {
  const error = new ApiError(422, 'Već postoji.', named);
  expect(await faultOf(error, form().current)).toEqual({ field: at, message: 'Već postoji.' });
});

describe('a save that came too late', () => {
  it.each([
    ['Petrović Ana', 'Petrović Ana, 24.11.2026. 10:15'],
    [undefined, '(24.11.2026. 10:15'],
  ])('takes what %s has made of the record, and says so', async (who, said) => {
    const result = form();
    const fault = await act(() => faultOf(late(who), result.current, theirs));
    expect(fault.field).toBeNull();
    expect(fault.message).toContain(said);
    expect(result.current.record).toEqual(await theirs());
  });

  it.each([
    ['it cannot be read', late('Petrović Ana'), () => Promise.reject(new Error('nema mreže'))],
    ['there is no way to read it', late('Petrović Ana'), undefined],
    ['nobody has changed it', new ApiError(409, 'zastarelo', 'ime', {}), theirs],
    ['nothing was answered', new ApiError(409, 'zastarelo', 'ime'), theirs],
  ])('says what the server said where %s', async (_, error, read) => {
    const result = form();
    expect(await faultOf(error, result.current, read)).toEqual({ field: 'ime', message: 'zastarelo' });
    expect(result.current.record).toEqual(ward);
  });

  it('reads nothing anew for another refusal', async () => {
    const read = vi.fn(theirs);
    const error = new ApiError(422, 'Već postoji.', 'ime', { izmena: { vreme: '2026-11-24 10:15' } });
    expect(await faultOf(error, form().current, read)).toEqual({ field: 'ime', message: 'Već postoji.' });
    expect(read).not.toHaveBeenCalled();
  });
});
