// A page of a list: what is asked of the server, and what stays on the screen meanwhile.
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, Providers, signedIn, type FakeCall } from '../testing/fakeApi';
import { filterQuery, useListing } from './useListing';

interface Ward {
  id: number;
}

let calls: FakeCall[];
let wards: Ward[];
let failing: boolean;
let deletions: unknown;

beforeEach(() => {
  signedIn();
  [wards, failing, deletions] = [Array.from({ length: 12 }, (_, i) => ({ id: i + 1 })), false, undefined];
  calls = fakeApi({
    'GET /api/wards': ({ query }) => {
      if (failing) return { status: 422, body: { message: 'Ne može.' } };
      const size = Number(query.get('size'));
      const first = Number(query.get('page')) * size;
      return { body: { data: wards.slice(first, first + size), total: wards.length, brisanja: deletions } };
    },
  });
});

const asked = () => calls.map(({ query }) => decodeURIComponent(query.toString()));
const listing = (scope?: Record<string, number>, size?: number) =>
  renderHook(() => useListing<Ward>('/api/wards' as never, scope, size), { wrapper: Providers }).result;

async function loaded(...scope: Parameters<typeof listing>) {
  const list = listing(...scope);
  await waitFor(() => expect(list.current.isLoading).toBe(false));
  return list;
}

it('has no rows, no number and no fault before the answer, and then what was answered', async () => {
  const list = listing({ ustanova: 4 }, 5);
  expect(list.current).toMatchObject({ rows: [], total: 0, isLoading: true });
  expect([list.current.error, list.current.deletions]).toEqual([undefined, undefined]);
  await waitFor(() => expect(list.current.rows).toEqual(wards.slice(0, 5)));
  expect(list.current).toMatchObject({ total: 12, isLoading: false, asked: { first: 0, rows: 5, sort: null, filters: {} } });
  expect(list.current.deletions).toBeUndefined();
  expect(asked()).toEqual(['aktivan=true&ustanova=4&page=0&size=5']);
});

it('asks for the usual number of rows where it is not told another', async () => {
  await loaded();
  expect(asked()).toEqual(['aktivan=true&page=0&size=20']);
});

it('tells who deleted what, where the server says so', async () => {
  deletions = [{ id: 1, radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' }];
  expect((await loaded()).current.deletions).toEqual(deletions);
});

describe('what is asked for', () => {
  it('is a page, in an order either way', async () => {
    const list = await loaded({}, 5);
    act(() => list.current.ask({ first: 5 }));
    await waitFor(() => expect(list.current.rows).toEqual(wards.slice(5, 10)));
    act(() => list.current.ask({ sort: { field: 'ime', order: 1 } }));
    await waitFor(() => expect(calls).toHaveLength(3));
    act(() => list.current.ask({ sort: { field: 'ime', order: -1 } }));
    await waitFor(() => expect(calls).toHaveLength(4));
    expect(asked().slice(1)).toEqual([
      'aktivan=true&page=1&size=5',
      'aktivan=true&page=1&size=5&sort=ime',
      'aktivan=true&page=1&size=5&sort=-ime',
    ]);
  });

  it('is narrowed once the hand rests, and stands in the columns at once', async () => {
    const list = await loaded();
    for (const ime of ['š', 'še', ' šef ']) act(() => list.current.ask({ first: 0, filters: { ime } }));
    expect(list.current.asked.filters).toEqual({ ime: ' šef ' });
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.query.get('filter.ime')).toBe('šef');
  });

  it('names the columns as the call does', () =>
    expect(filterQuery({ ime: ' a ', opis: '' })).toEqual({ 'filter.ime': 'a', 'filter.opis': '' }));
});

describe('a page that has no rows any more', () => {
  it.each([
    [10, 5],
    [7, 5],
    [5, 0],
    [0, 0],
  ])('gives way to the last that has some (%i left: from row %i)', async (left, first) => {
    const list = await loaded({}, 5);
    act(() => list.current.ask({ first: 10 }));
    await waitFor(() => expect(list.current.rows).toHaveLength(2));
    wards = wards.slice(0, left);
    act(() => list.current.retry());
    await waitFor(() => expect(list.current).toMatchObject({ asked: { first }, rows: wards.slice(first, first + 5), total: left }));
  });

  it('stays where it is the first', async () => {
    wards = [];
    const list = await loaded();
    expect(list.current.asked.first).toBe(0);
    expect(calls).toHaveLength(1);
  });
});

describe('a list that cannot be read', () => {
  it('is told, and read once it can be', async () => {
    failing = true;
    const list = await loaded();
    expect(list.current.error).toMatchObject({ status: 422 });
    failing = false;
    act(() => list.current.retry());
    await waitFor(() => expect(list.current.rows).toEqual(wards));
    expect(list.current.error).toBeUndefined();
  });

  it('stays as it was where there is one to show', async () => {
    const list = await loaded();
    failing = true;
    act(() => list.current.retry());
    await waitFor(() => expect(calls).toHaveLength(2));
    await act(async () => {});
    expect(list.current.rows).toEqual(wards);
    expect(list.current.error).toBeUndefined();
  });
});
