import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn, type FakeCall } from '../../testing/fakeApi';
import { WallDisplays } from './WallDisplays';

const display = (id: number, part: object = {}) => ({
  id,
  naziv: `Hodnik ${String(id)}`,
  radnik: 'Zidar Test',
  vremeKreiranja: '2026-11-30T06:00:00Z',
  poslednjiPrikaz: null,
  vazi: true,
  ...part,
});

let calls: FakeCall[];
let displays: ReturnType<typeof display>[];
let made: () => { status?: number; body?: unknown };

beforeEach(() => {
  signedIn({ prava: [1, 24, 25] });
  displays = [display(1, { poslednjiPrikaz: '2026-11-30T09:00:00Z' }), display(2, { vazi: false })];
  made = () => {
    displays = [...displays, display(3, { naziv: 'Sala' })];
    return { status: 201, body: { id: 3, token: 'tajna' } };
  };
  calls = fakeApi({
    'GET /api/wall-displays': () => ({ body: displays }),
    'POST /api/wall-displays': () => made(),
    'DELETE /api/wall-displays/1': () => {
      displays = displays.filter(({ id }) => id !== 1);
      return { status: 204 };
    },
  });
});

const of = (method: string) => calls.filter((call) => call.method === method);

it('tells of each display who made it, when it was last shown, and why one shows nothing', async () => {
  show(<WallDisplays close={vi.fn()} />);
  const [first, second] = within(await screen.findByRole('list', { name: 'Prikazi na zidu ove ustanove' })).getAllByRole('listitem');
  expect(first).toHaveTextContent(/Hodnik 1.*Zidar Test.*poslednji put/i);
  expect(within(first as HTMLElement).queryByRole('note')).toBeNull();
  expect(second).toHaveTextContent(/Hodnik 2/);
  expect(within(second as HTMLElement).getByRole('note')).toBeVisible();
});

it('a link is shown once, when its display is made, and can be copied', async () => {
  const user = userEvent.setup();
  show(<WallDisplays close={vi.fn()} />);
  await user.type(await screen.findByLabelText(/Gde stoji/), 'Sala');
  await user.click(screen.getByRole('button', { name: 'Napravi prikaz' }));
  const link = await screen.findByLabelText(/Veza/);
  expect(link).toHaveValue(`${window.location.origin}/zid#tajna`);
  expect(of('POST').map(({ body }) => body)).toEqual([{ naziv: 'Sala' }]);
  await user.click(screen.getByRole('button', { name: /Kopiraj vezu/ }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/zid#tajna`));
  expect(await screen.findByText('Sala')).toBeVisible();
});

it('asks for a name before anything is sent, and says what the server refuses', async () => {
  show(<WallDisplays close={vi.fn()} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Napravi prikaz' }));
  expect(await screen.findByText('Upišite gde prikaz stoji.')).toBeVisible();
  expect(of('POST')).toEqual([]);
  made = () => ({ status: 429, body: { message: 'Ustanova već ima 20 prikaza na zidu.', field: null } });
  await userEvent.type(screen.getByLabelText(/Gde stoji/), 'Sala');
  await userEvent.click(screen.getByRole('button', { name: 'Napravi prikaz' }));
  expect(await screen.findByText('Ustanova već ima 20 prikaza na zidu.')).toBeVisible();
  expect(screen.queryByLabelText(/Veza/)).toBeNull();
});

it('one is revoked only after that is confirmed', async () => {
  show(<WallDisplays close={vi.fn()} />);
  await userEvent.click(await screen.findByRole('button', { name: /Opozovi.*Hodnik 1/ }));
  expect(of('DELETE')).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Opozovi' }));
  await waitFor(() => expect(of('DELETE').map(({ path }) => path)).toEqual(['/api/wall-displays/1']));
  await waitFor(() => expect(screen.queryByText('Hodnik 1')).toBeNull());
});
