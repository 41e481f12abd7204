// What an upgrade has changed: who is told, and how it is put away.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { UpgradeNotes } from './UpgradeNotes';

const NOTES = [
  { vrsta: 'uloga', id: 3, naziv: 'Lekar', opis: 'Otvara pacijente za izmenu.' },
  { vrsta: 'zakazivanje', id: 3, naziv: 'Spisak, Anić Ana', opis: 'Izrada neće uspeti.' },
];

it('lists what waits by its kind, and puts away what is pressed', async () => {
  const left = [...NOTES];
  const calls = fakeApi({
    'GET /api/upgrade-notes': () => ({ body: { data: left, total: left.length } }),
    'POST /api/upgrade-notes-dismiss': () => {
      left.pop();
      return { status: 204 };
    },
  });
  signedIn({ prava: [2] });
  show(<UpgradeNotes />);
  expect(await screen.findByRole('button', { name: 'Posle nadogradnje (2)' })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Uloge o kojima je odlučila nadogradnja',
    'Zakazani izveštaji koji neće uspeti',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Skloni: Spisak, Anić Ana' }));
  expect(await screen.findByRole('button', { name: 'Posle nadogradnje (1)' })).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ vrsta: 'zakazivanje', id: 3 });
});

it('says that a note was not put away', async () => {
  fakeApi({
    'GET /api/upgrade-notes': () => ({ body: { data: NOTES, total: 2 } }),
    'POST /api/upgrade-notes-dismiss': () => ({ status: 404, body: { message: 'Traženi podatak ne postoji.', field: null } }),
  });
  signedIn({ prava: [4] });
  show(<UpgradeNotes />);
  await userEvent.click(await screen.findByRole('button', { name: 'Skloni: Lekar' }));
  expect(await screen.findByText('Stavka nije sklonjena')).toBeVisible();
});

it('asks nothing for those who can see to none of it, and shows nothing where nothing waits', async () => {
  const calls = fakeApi({ 'GET /api/upgrade-notes': () => ({ body: { data: [], total: 0 } }) });
  signedIn({ prava: [1, 3, 11] });
  const { unmount } = show(<UpgradeNotes />);
  unmount();
  expect(calls).toHaveLength(0);
  signedIn({ prava: [7] });
  show(<UpgradeNotes />);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByRole('button')).toBeNull();
});
