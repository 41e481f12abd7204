// A list without the page around it: what this worker may do there, and what a screen is told of its dialog.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { CrudList, type CrudProps } from './CrudScreen';

interface Role {
  id: number;
  ime: string;
}

const { create, update, read, remove, bin } = t.crud;
const onSaved = vi.fn<(record: Role) => void>();
const onClose = vi.fn();
let failing: boolean;

beforeEach(() => {
  signedIn();
  [onSaved, onClose].forEach((mock) => mock.mockReset());
  failing = false;
  fakeApi({
    'GET /api/roles': ({ query }) => {
      if (failing) return { status: 422, body: { message: 'Ne može.' } };
      const data = query.get('aktivan') === 'true' ? [1, 2].map((id) => ({ id, ime: `Uloga ${id}` })) : [];
      return { body: { data, total: data.length } };
    },
    'PATCH /api/roles/1': ({ body }) => ({ body: { ...(body as Role), id: 1, ime: 'Kako je na serveru' } }),
    'DELETE /api/roles/1': () => ({ status: 204 }),
  });
});

const render = (props: Partial<CrudProps<Role, 'role'>> = {}) =>
  show(
    <CrudList<Role, 'role'>
      path={'/api/roles' as never}
      resource="role"
      title="Uloge"
      what="Uloga"
      name={({ ime }) => ime}
      empty={{ id: 0, ime: '' }}
      columns={['ime']}
      validate={() => null}
      fields={(field) => field.text('ime')}
      {...props}
    />,
  );
const list = async (props?: Partial<CrudProps<Role, 'role'>>) => {
  render(props);
  await screen.findByRole('cell', { name: 'Uloga 1' });
};
const take = (name: string) => userEvent.click(screen.getByRole('cell', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const offered = () => [create, update, read, remove, bin].filter((name) => screen.queryByRole('button', { name }));
const inDialog = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

describe('what is offered', () => {
  it('is all of it where nothing is held back', async () => {
    await list();
    expect(offered()).toEqual([create, update, read, remove, bin]);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('only looks where the worker may not touch', async () => {
    await list({ readOnly: true });
    expect(offered()).toEqual([read]);
    await take('Uloga 1');
    await press(read);
    expect(await screen.findByRole('dialog', { name: 'Uloga: detalji – Uloga 1' })).toBeVisible();
  });

  it('has nothing to bring back where what is deleted is gone', async () => {
    await list({ deletedForGood: true });
    expect(offered()).toEqual([create, update, read, remove]);
  });

  it('says of a row what to do first, until one is taken', async () => {
    await list();
    for (const name of [update, read, remove]) expect(screen.getByRole('button', { name })).toHaveAttribute('title', t.crud.selectFirst);
    await take('Uloga 1');
    for (const name of [update, read, remove]) expect(screen.getByRole('button', { name })).not.toHaveAttribute('title');
  });

  it('says why this worker does not change a record, and shows it all the same', async () => {
    const why = 'Nije iz Vaše ustanove.';
    await list({ why: ({ id }) => (id === 1 ? why : undefined) });
    await take('Uloga 2');
    expect(screen.queryByRole('status')).toBeNull();
    for (const name of [update, read, remove]) expect(screen.getByRole('button', { name })).toBeEnabled();
    await take('Uloga 1');
    expect(screen.getByRole('status')).toHaveTextContent(why);
    for (const name of [update, remove]) {
      expect(screen.getByRole('button', { name })).toBeDisabled();
      expect(screen.getByRole('button', { name })).toHaveAttribute('title', why);
    }
    expect(screen.getByRole('button', { name: read })).toBeEnabled();
  });
});

it('shows the details of a row by a double click', async () => {
  await list();
  await userEvent.dblClick(screen.getByRole('cell', { name: 'Uloga 2' }));
  expect(await screen.findByRole('dialog', { name: 'Uloga: detalji – Uloga 2' })).toBeVisible();
});

it('leads to what was deleted, and back', async () => {
  await list();
  await press(bin);
  expect(await screen.findByRole('table', { name: 'Uloge: obrisano' })).toBeVisible();
  await press(t.crud.backToList);
  expect(await screen.findByRole('table', { name: 'Uloge' })).toBeVisible();
});

it('says why it shows nothing', async () => {
  failing = true;
  render();
  expect(await screen.findByText('Ne može.')).toBeVisible();
  failing = false;
  await press(t.common.retry);
  expect(await screen.findByRole('cell', { name: 'Uloga 1' })).toBeVisible();
});

describe('the screen is told', () => {
  it('what the server has made of a saved record, and that the dialog has closed', async () => {
    await list({ onSaved, onClose });
    await take('Uloga 1');
    await press(update);
    await inDialog(update);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(onSaved).toHaveBeenCalledExactlyOnceWith({ id: 1, ime: 'Kako je na serveru' });
  });

  it('of no save where one was deleted, or given up', async () => {
    await list({ onSaved, onClose });
    await take('Uloga 1');
    await press(update);
    await inDialog(t.common.cancel);
    expect(onClose).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press(remove);
    await inDialog(remove);
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
    expect(onSaved).not.toHaveBeenCalled();
  });

  it('which record and what for, where its dialog has further tabs', async () => {
    await list({ tabs: ({ ime }, mode) => [{ title: 'Prava', content: <p>{`${mode}: ${ime}`}</p> }] });
    await take('Uloga 1');
    await press(update);
    await userEvent.click(await screen.findByRole('tab', { name: 'Prava' }));
    expect(screen.getByText('update: Uloga 1')).toBeVisible();
  });
});
