// The save of a form: what keeps it from being sent, and what is said of how it ended.
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import type { Toasts } from '../ui/toast';
import { savedForm } from './CrudDialog';
import { useForm, type Problem } from './useForm';

interface Ward {
  ime: string;
  kreveta: number | null;
}

const ward: Ward = { ime: 'Hirurgija', kreveta: 12 };
const missing: Problem<Ward> = { field: 'ime', message: 'Niste uneli naziv.' };

function saving(problem: Problem<Ward> | null, end: Promise<unknown>, read?: () => Promise<Ward>) {
  const said: string[][] = [];
  const toast = {
    success: (text: string) => said.push(['success', text]),
    error: (text: string, detail: string) => said.push(['error', text, detail]),
  } as unknown as Toasts;
  const send = vi.fn(() => end);
  const { result } = renderHook(() => {
    const form = useForm(ward);
    return { form, saved: savedForm({ form, validate: () => problem, act: send, read, done: 'Snimljeno.', failed: 'Nije snimljeno.' }) };
  });
  return { result, send, said, save: () => act(() => result.current.saved.save(toast)) };
}

it('says whether there is anything to save, and what is wrong', () => {
  const { result } = saving(null, Promise.resolve());
  expect(result.current.saved).toMatchObject({ changed: false, problem: null });
  act(() => result.current.form.set('ime', 'Interna'));
  act(() => result.current.form.fail(missing));
  expect(result.current.saved).toMatchObject({ changed: true, problem: missing });
});

it('that went well is said, and what was wrong before is not', async () => {
  const { result, send, said, save } = saving(null, Promise.resolve());
  act(() => result.current.form.fail(missing));
  expect(await save()).toBe(true);
  expect(send).toHaveBeenCalledExactlyOnceWith(ward);
  expect(said).toEqual([['success', 'Snimljeno.']]);
  expect(result.current.form.problem).toBeNull();
});

describe('is not sent', () => {
  it('where something is missing', async () => {
    const { result, send, said, save } = saving(missing, Promise.resolve());
    act(() => result.current.form.misreads('kreveta', 'nije broj'));
    expect(await save()).toBe(false);
    expect(send).not.toHaveBeenCalled();
    expect(said).toEqual([['error', 'Nije snimljeno.', 'Niste uneli naziv.']]);
    expect(result.current.form.problem).toEqual(missing);
  });

  it('where a number is none', async () => {
    const { result, send, said, save } = saving(null, Promise.resolve());
    act(() => result.current.form.misreads('kreveta', 'nije broj'));
    expect(await save()).toBe(false);
    expect(send).not.toHaveBeenCalled();
    expect(said).toEqual([['error', 'Nije snimljeno.', 'nije broj']]);
    expect(result.current.form.problem).toEqual({ field: 'kreveta', message: 'nije broj' });
  });
});

it('that was refused says why, at its field', async () => {
  const { result, said, save } = saving(null, Promise.reject(new ApiError(422, 'Već postoji.', 'ime')));
  expect(await save()).toBe(false);
  expect(said).toEqual([['error', 'Nije snimljeno.', 'Već postoji.']]);
  expect(result.current.form.problem).toEqual({ field: 'ime', message: 'Već postoji.' });
});

it('that came too late shows what somebody else has made of the record', async () => {
  const late = new ApiError(409, 'zastarelo', null, { izmena: { radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' } });
  const { result, save } = saving(null, Promise.reject(late), () => Promise.resolve({ ime: 'Interna', kreveta: 3 }));
  expect(await save()).toBe(false);
  expect(result.current.form.record).toEqual({ ime: 'Interna', kreveta: 3 });
  expect(result.current.form.problem?.message).toContain('Petrović Ana');
});
