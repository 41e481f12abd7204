// The deleted records of a list: which of them are asked for, and how one comes back.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { Bin } from './Bin';
import { useCrud } from './useCrud';

interface Role {
  id: number;
  ime: string;
  verzija?: number;
}

const onBack = vi.fn();
let calls: FakeCall[];
let deleted: Role[];
let failing: boolean;
let refusal: { status: number; body: unknown } | null;

const restored = () => {
  if (refusal) return refusal;
  deleted = deleted.filter(({ id }) => id !== 1);
  return { body: {} };
};

beforeEach(() => {
  signedIn();
  onBack.mockReset();
  [failing, refusal] = [false, null];
  deleted = [
    { id: 1, ime: 'Lekar', verzija: 4 },
    { id: 2, ime: 'Šef' },
  ];
  calls = fakeApi({
    'GET /api/roles': () =>
      failing
        ? { status: 422, body: { message: 'Ne može.' } }
        : { body: { data: deleted, total: deleted.length, brisanja: [{ id: 2, radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' }] } },
    'PATCH /api/roles/1': restored,
    'PATCH /api/roles/2': restored,
  });
});

function Deleted({ scope }: { scope?: Record<string, number> }) {
  const crud = useCrud<Role>('/api/roles' as never, scope);
  const name = ({ ime }: Role) => ime;
  return (
    <Bin
      crud={crud}
      path={'/api/roles' as never}
      scope={scope}
      resource="role"
      title="Uloge"
      columns={['ime']}
      name={name}
      onBack={onBack}
    />
  );
}

const restore = () => screen.getByRole('button', { name: t.crud.restore });
const choose = async (name: string) => userEvent.click(await screen.findByRole('cell', { name }));
const writes = () => calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]);
const lists = () => calls.filter(({ method }) => method === 'GET').map(({ query }) => query.toString());

it('asks for what was deleted of the list, and tells who deleted it', async () => {
  show(<Deleted scope={{ ustanova: 4 }} />);
  expect(await screen.findByRole('cell', { name: 'Petrović Ana' })).toBeVisible();
  expect(screen.getByRole('table', { name: 'Uloge: obrisano' })).toBeVisible();
  expect(lists()).toEqual(['aktivan=false&ustanova=4&page=0&size=20']);
});

it('leads back, and the focus is on the way there', async () => {
  show(<Deleted />);
  await screen.findByRole('cell', { name: 'Lekar' });
  expect(screen.getByRole('button', { name: t.crud.backToList })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onBack).toHaveBeenCalledOnce();
});

it('brings back only what was chosen, and says until then what to do', async () => {
  show(<Deleted />);
  await screen.findByRole('cell', { name: 'Lekar' });
  expect(restore()).toBeDisabled();
  expect(restore()).toHaveAttribute('title', t.crud.selectFirst);
  await choose('Lekar');
  expect(restore()).toBeEnabled();
  expect(restore()).not.toHaveAttribute('title');
});

it('brings back the version that was seen, names it and shows what is left', async () => {
  show(<Deleted />);
  await choose('Lekar');
  await userEvent.click(restore());
  expect(await screen.findByText(t.crud.restored('Lekar'))).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('cell', { name: 'Lekar' })).toBeNull());
  expect(writes()).toEqual([['/api/roles/1', { aktivan: true, verzija: 4 }]]);
  expect(restore()).toBeDisabled();
});

it('takes by a double click the row to bring back', async () => {
  show(<Deleted />);
  await userEvent.dblClick(await screen.findByRole('cell', { name: 'Šef' }));
  await userEvent.click(restore());
  await waitFor(() => expect(writes()).toEqual([['/api/roles/2', { aktivan: true }]]));
});

it('brings nothing back twice while it is under way', async () => {
  show(<Deleted />);
  await choose('Lekar');
  refusal = { status: 409, body: { message: 'Menja 2.', uticaj: { rezultata: 2 } } };
  await userEvent.click(restore());
  await screen.findByText(/^Menja 2\./);
  expect(screen.getByRole('button', { name: t.crud.restore, hidden: true })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: t.common.cancel }));
  await waitFor(() => expect(restore()).toBeEnabled());
});

it('says why one does not come back, lets it be tried again, and forgets then what it said', async () => {
  show(<Deleted />);
  await choose('Lekar');
  refusal = { status: 422, body: { message: 'Već postoji.' } };
  await userEvent.click(restore());
  expect(await screen.findByText(t.crud.restoreFailed)).toBeVisible();
  expect(screen.getByText('Već postoji.')).toBeVisible();
  expect(screen.getByRole('cell', { name: 'Lekar' })).toBeVisible();
  refusal = null;
  await userEvent.click(restore());
  expect(await screen.findByText(t.crud.restored('Lekar'))).toBeVisible();
  await waitFor(() => expect(screen.queryByText(t.crud.restoreFailed)).toBeNull());
});

it('says why it shows nothing, and shows it once it can', async () => {
  failing = true;
  show(<Deleted />);
  expect(await screen.findByText('Ne može.')).toBeVisible();
  failing = false;
  await userEvent.click(screen.getByRole('button', { name: t.common.retry }));
  expect(await screen.findByRole('cell', { name: 'Lekar' })).toBeVisible();
});
