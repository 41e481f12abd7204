// What a record is linked to, beside what it may be: where both lists come from, and what a move asks of the server.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { LinkList } from './LinkList';

interface Role {
  id: number;
  ime: string;
}

const ROLES: Role[] = ['Lekar', 'Sestra', 'Šef', 'Tehničar'].map((ime, i) => ({ id: i + 1, ime }));
let calls: FakeCall[];
let held: number[];
/** As many as the list of all is said to have. */
let total: number;
let failing: string | null;
const add = vi.fn<(id: number) => Promise<unknown>>();
const remove = vi.fn<(ids: number[]) => Promise<unknown>>();

beforeEach(() => {
  signedIn();
  [held, total, failing] = [[2], ROLES.length, null];
  add.mockReset().mockImplementation((id) => Promise.resolve(held.push(id)));
  remove.mockReset().mockImplementation((ids) => Promise.resolve((held = held.filter((id) => !ids.includes(id)))));
  calls = fakeApi({
    'GET /api/roles': ({ query }) => {
      const which = query.has('radnik') ? 'held' : 'all';
      if (failing === which) return { status: 422, body: { message: 'Ne može.' } };
      const data = ROLES.filter(({ id, ime }) => (which === 'held' ? held.includes(id) : ime.includes(query.get('filter') ?? '')));
      return { body: { data, total: which === 'held' ? data.length : total } };
    },
  });
});

const roles = () =>
  show(
    <LinkList<Role>
      path="/api/roles"
      of={{ radnik: 7 }}
      offered={{ ustanova: 4 }}
      name={({ ime }) => ime}
      disabled={false}
      add={add}
      remove={remove}
    />,
  );
const names = (side: string) =>
  within(screen.getByRole('region', { name: side }))
    .queryAllByRole('option')
    .map((option) => option.textContent);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const asked = () => calls.map(({ query }) => query.toString());

it('offers what is not held yet, of those that may be', async () => {
  roles();
  await screen.findByRole('region', { name: t.transfer.available });
  expect(names(t.transfer.available)).toEqual(['Lekar', 'Šef', 'Tehničar']);
  expect(names(t.transfer.chosen)).toEqual(['Sestra']);
  expect(asked().sort()).toEqual(['aktivan=true&radnik=7', 'aktivan=true&ustanova=4&size=200']);
  expect(screen.queryByText(t.common.firstOnes(4, 4))).toBeNull();
});

it('tells that there are more than it shows, and the server finds them by their names', async () => {
  total = 300;
  roles();
  expect(await screen.findByText(t.common.firstOnes(3, 299))).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: `${t.transfer.filter}: ${t.transfer.available}` }), ' Šef ');
  await waitFor(() => expect(asked().at(-1)).toBe(new URLSearchParams('aktivan=true&ustanova=4&filter=Šef&size=200').toString()));
  await waitFor(() => expect(names(t.transfer.available)).toEqual(['Šef']));
});

it('adds one after another, and shows what is held then', async () => {
  roles();
  await screen.findByRole('region', { name: t.transfer.available });
  await press(t.transfer.addAll);
  await waitFor(() => expect(names(t.transfer.chosen)).toEqual(['Lekar', 'Sestra', 'Šef', 'Tehničar']));
  expect(add.mock.calls).toEqual([[1], [3], [4]]);
});

it('shows what was added before one was refused, and adds no more', async () => {
  add.mockImplementation((id) => (id === 3 ? Promise.reject(new Error('ne može')) : Promise.resolve(held.push(id))));
  roles();
  await screen.findByRole('region', { name: t.transfer.available });
  await press(t.transfer.addAll);
  await waitFor(() => expect(names(t.transfer.chosen)).toEqual(['Lekar', 'Sestra']));
  expect(await screen.findByText(t.transfer.failed)).toBeVisible();
  expect(add.mock.calls).toEqual([[1], [3]]);
});

it('takes back in one call, and shows what is left', async () => {
  roles();
  await screen.findByRole('region', { name: t.transfer.chosen });
  await press(t.transfer.removeAll);
  await waitFor(() => expect(names(t.transfer.available)).toEqual(['Lekar', 'Sestra', 'Šef', 'Tehničar']));
  expect(remove.mock.calls).toEqual([[[2]]]);
});

it.each(['all', 'held'])('says why it shows nothing (%s), and asks for both lists again', async (which) => {
  failing = which;
  roles();
  expect(await screen.findByText('Ne može.')).toBeVisible();
  failing = null;
  calls.length = 0;
  await press(t.common.retry);
  expect(await screen.findByRole('region', { name: t.transfer.available })).toBeVisible();
  expect(asked().sort()).toEqual(['aktivan=true&radnik=7', 'aktivan=true&ustanova=4&size=200']);
});
