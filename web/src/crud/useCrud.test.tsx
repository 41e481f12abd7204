// The writes of a resource: what is sent, what is loaded again after it, and what is asked before it is sent once more.
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { fakeApi, Providers, signedIn, type FakeCall } from '../testing/fakeApi';
import { useCrud } from './useCrud';

interface Ward {
  id: number;
  ime: string;
  opis?: string | null;
}
type Answer = { status?: number; body?: unknown };

const LISTS = ['/api/wards', '/api/wards?page=1', '/api/wards/7', '/api/wards-old', '/api/beds'];
let calls: FakeCall[];
/** What the next writes answer, one after another; then all is well. */
let answers: Answer[];

const write = (): Answer => answers.shift() ?? { body: { id: 7, ime: 'Hirurgija' } };
const writes = () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const asked = () =>
  calls.filter(({ method }) => method === 'GET').map(({ path, query }) => (query.size ? `${path}?${query.toString()}` : path));
const press = (name: string) => act(() => within(screen.getByRole('alertdialog')).getByRole('button', { name }).click());
const question = async (title: string) => (await screen.findByRole('alertdialog', { name: title })).textContent;
const impact = (rezultata: number) => ({ status: 409, body: { message: `Menja ${String(rezultata)}.`, uticaj: { rezultata } } });
const shared = {
  status: 409,
  body: {
    message: 'Menja 5.',
    uticaj: {
      rezultata: 5,
      formulari: [
        { id: 1, naziv: 'Prijem', registar: 'Moždani udar', unosa: 40, rezultata: 3 },
        { id: 2, naziv: 'Kontrola', registar: 'Moždani udar', unosa: 12, rezultata: 2 },
      ],
    },
  },
};
const ending = { status: 409, body: { message: 'Završava 3 zakazivanja.', zavrsava: { zakazivanja: 3 } } };

/** The writes of a page that shows some lists, all of them loaded. */
async function wards(scope?: Record<string, number>) {
  const { result } = renderHook(
    () => {
      LISTS.forEach((path) => useApi(path as never));
      return useCrud<Ward>('/api/wards' as never, scope);
    },
    { wrapper: Providers },
  );
  await waitFor(() => expect(asked()).toHaveLength(LISTS.length));
  await act(async () => {});
  calls.length = 0;
  return result.current;
}
const refusalOf = (write: Promise<unknown>) => write.catch((error: unknown) => error);
const settled = (write: Promise<unknown>) => act(() => refusalOf(write));

beforeEach(() => {
  signedIn();
  answers = [];
  calls = fakeApi({
    ...Object.fromEntries(LISTS.map((path) => [`GET ${path.replace(/\?.*/, '')}`, () => ({ body: { id: 7, ime: 'Hirurgija' } })])),
    'POST /api/wards': write,
    'PATCH /api/wards/7': write,
    'DELETE /api/wards/7': write,
  });
});

describe('what is sent', () => {
  it('of a new record: what is typed, and what the list is narrowed by', async () => {
    const crud = await wards({ ustanova: 4 });
    await act(() => crud.create({ ime: ' Hirurgija ', opis: '' }));
    expect(writes()).toEqual([['POST', '/api/wards', { ustanova: 4, ime: 'Hirurgija', opis: null }]]);
  });

  it('of a change', async () => {
    const crud = await wards({ ustanova: 4 });
    await act(() => crud.update(7, { ime: ' Interna ' }));
    expect(writes()).toEqual([['PATCH', '/api/wards/7', { ime: 'Interna' }]]);
  });

  it('of one that comes back: which of its versions was seen, where it has any', async () => {
    const crud = await wards();
    await act(() => crud.restore(7, 3));
    await act(() => crud.restore(7, undefined));
    expect(writes()).toEqual([
      ['PATCH', '/api/wards/7', { aktivan: true, verzija: 3 }],
      ['PATCH', '/api/wards/7', { aktivan: true }],
    ]);
  });

  it('of a deletion', async () => {
    const crud = await wards();
    await act(() => crud.remove(7));
    expect(writes()).toEqual([['DELETE', '/api/wards/7', undefined]]);
  });

  it('to read one: nothing, and it is answered as it is stored', async () => {
    const crud = await wards();
    expect(await crud.read(7)).toEqual({ id: 7, ime: 'Hirurgija' });
    expect(asked()).toEqual(['/api/wards/7']);
  });
});

describe('what is loaded again', () => {
  const OWN = ['/api/wards', '/api/wards/7', '/api/wards?page=1'];

  it('after a write: whatever shows records of the resource, and nothing else', async () => {
    const crud = await wards();
    expect(await act(() => crud.create({ ime: 'Hirurgija' }))).toEqual({ id: 7, ime: 'Hirurgija' });
    expect(asked().sort()).toEqual(OWN);
  });

  it.each([
    [404, OWN],
    [409, OWN],
    [422, []],
  ])('after a refusal by %i', async (status, loaded) => {
    answers = [{ status, body: { message: 'Ne može.' } }];
    const crud = await wards();
    expect(await settled(crud.update(7, { ime: 'Interna' }))).toMatchObject({ status, message: 'Ne može.' });
    await waitFor(() => expect(asked().sort()).toEqual(loaded));
    expect(writes()).toHaveLength(1);
  });
});

describe('what is asked before it is sent again', () => {
  it('of stored results: how many, as often as there are others, and the answer says the number', async () => {
    answers = [impact(2), impact(5)];
    const crud = await wards();
    const change = refusalOf(crud.update(7, { ime: 'Interna' }));
    expect(await question(t.crud.impactTitle)).toContain(`Menja 2. ${t.crud.impactHelp}`);
    press(t.crud.impactAccept);
    await waitFor(async () => expect(await question(t.crud.impactTitle)).toContain('Menja 5.'));
    press(t.crud.impactAccept);
    await change;
    expect(writes().map(([, , body]) => body)).toEqual([
      { ime: 'Interna' },
      { ime: 'Interna', potvrdjenoRezultata: 2 },
      { ime: 'Interna', potvrdjenoRezultata: 5 },
    ]);
  });

  it('of what several forms share: form by form', async () => {
    answers = [shared];
    const crud = await wards();
    const change = refusalOf(crud.update(7, { ime: 'Interna' }));
    const told = await question(t.crud.impactTitle);
    expect(told).toContain('Moždani udar, Prijem: unosa 40, rezultata koji se razlikuju 3');
    expect(told).toContain('Moždani udar, Kontrola: unosa 12, rezultata koji se razlikuju 2');
    press(t.common.cancel);
    expect(await change).toMatchObject({ status: 409 });
  });

  it('of a new record and one that comes back, too', async () => {
    answers = [impact(2)];
    const crud = await wards();
    const added = refusalOf(crud.create({ ime: 'Interna' }));
    await question(t.crud.impactTitle);
    press(t.crud.impactAccept);
    await added;
    answers = [impact(3)];
    const back = refusalOf(crud.restore(7, 1));
    await question(t.crud.impactTitle);
    press(t.crud.impactAccept);
    await back;
    expect(writes().map(([, , body]) => body)).toEqual([
      { ime: 'Interna' },
      { ime: 'Interna', potvrdjenoRezultata: 2 },
      { aktivan: true, verzija: 1 },
      { aktivan: true, verzija: 1, potvrdjenoRezultata: 3 },
    ]);
  });

  it('of schedules that end: a deletion is then sent with their number', async () => {
    answers = [ending];
    const crud = await wards();
    const deletion = refusalOf(crud.remove(7));
    expect(await question(t.crud.endingTitle)).toContain('Završava 3 zakazivanja.');
    expect(screen.queryByText(t.crud.impactHelp, { exact: false })).toBeNull();
    press(t.crud.endingAccept);
    await deletion;
    expect(writes()).toEqual([
      ['DELETE', '/api/wards/7', undefined],
      ['PATCH', '/api/wards/7', { aktivan: false, potvrdjenoZakazivanja: 3 }],
    ]);
  });

  it('looks as dangerous as it is, and a no sends nothing more', async () => {
    answers = [impact(2)];
    const crud = await wards();
    const change = refusalOf(crud.update(7, { ime: 'Interna' }));
    await question(t.crud.impactTitle);
    expect(screen.getByRole('button', { name: t.crud.impactAccept })).toHaveClass('p-button-danger');
    press(t.common.cancel);
    expect(await change).toMatchObject({ status: 409, message: 'Menja 2.' });
    expect(writes()).toHaveLength(1);
  });

  it('is nothing where the refusal is another one, whatever it says besides', async () => {
    answers = [{ ...impact(2), status: 422 }];
    const crud = await wards();
    expect(await settled(crud.update(7, { ime: 'Interna' }))).toBeInstanceOf(ApiError);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
