import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api, ApiError } from '../../../api/client';
import { DraftSaver, type SaveState } from './draftSaver';
import type { FormDocument } from './model';

const document = (naziv: string): FormDocument => ({ naziv, polja: [], tipovi: [], stavke: [], pravila: [] });
const FIRST = document('a');
const STANDING = { greske: [], upozorenja: [], formule: {}, izmenjeno: false };

let states: SaveState[];
const saver = () => new DraftSaver(1, 7, FIRST, (state) => states.push(state));

beforeEach(() => {
  vi.useFakeTimers();
  states = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('saves a moment after the last change, with the number that the save before has given', async () => {
  const put = vi
    .spyOn(api, 'put')
    .mockResolvedValueOnce({ verzija: 8, ...STANDING } as never)
    .mockResolvedValueOnce({ verzija: 9, ...STANDING } as never);
  const own = saver();
  own.change(document('b'));
  own.change(document('c'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(put.mock.calls.map(([, body]) => body)).toEqual([{ verzija: 7, dokument: document('c') }]);
  own.change(document('d'));
  expect(await own.flush()).toBe(true);
  expect(put.mock.calls[1]?.[1]).toEqual({ verzija: 8, dokument: document('d') });
  expect(own.number()).toBe(9);
  expect(states.at(-1)).toBe('saved');
});

it('asks again where no server answers', async () => {
  const put = vi
    .spyOn(api, 'put')
    .mockRejectedValueOnce(new ApiError(0, 'nema veze'))
    .mockResolvedValueOnce({ verzija: 8, ...STANDING } as never);
  const own = saver();
  own.change(document('b'));
  expect(await own.flush()).toBe(false);
  expect(states.at(-1)).toBe('failed');
  await vi.advanceTimersByTimeAsync(6000);
  expect(put).toHaveBeenCalledTimes(2);
  expect(states.at(-1)).toBe('saved');
});

it('overwrites nothing that was saved elsewhere', async () => {
  const put = vi.spyOn(api, 'put').mockRejectedValue(new ApiError(409, 'snimljen na drugom mestu'));
  const own = saver();
  own.change(document('b'));
  expect(await own.flush()).toBe(false);
  own.change(document('c'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(put).toHaveBeenCalledOnce();
  expect(states.at(-1)).toBe('elsewhere');
});

it('has nothing to save once a step is taken back that was not saved yet', async () => {
  const put = vi.spyOn(api, 'put');
  const own = saver();
  own.change(document('b'));
  own.change(FIRST);
  expect(states.at(-1)).toBe('saved');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(put).not.toHaveBeenCalled();
});
