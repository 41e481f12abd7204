import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { searchIn } from '../patients/searchLink';
import type { Reply } from '../schema';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { searchSetup } from '../testing/patients';
import PeriodLocksScreen from './PeriodLocksScreen';

beforeEach(() => signedIn());

const lock = (rest: Partial<Reply<'PeriodLock'>> = {}): Reply<'PeriodLock'> => ({
  id: 5,
  registarID: 1,
  registar: 'Kardiologija',
  doDana: '2026-09-30',
  razlog: 'Kraj kvartala',
  radnik: 'Ana Đorđević',
  vreme: '2026-10-05T09:00:00',
  otkljucano: null,
  otkljucao: null,
  razlogOtkljucavanja: null,
  ...rest,
});

it('locks a register up to a day with a reason, and says what the server refuses', async () => {
  const refused = { status: 422, body: { message: 'Zaključava se do dana koji je prošao (danas je 30.11.2026.).', field: 'doDana' } };
  const calls = fakeApi({
    'GET /api/period-locks': () => ({ body: { data: [], total: 0 } }),
    'GET /api/registers': () => ({ body: { data: [{ id: 1, naziv: 'Kardiologija' }], total: 1 } }),
    'GET /api/period-locks/unfinished': () => ({ body: { od: '2026-07-01', unosa: 21, uRadu: 3, saUpitom: 1, saNalazom: 0 } }),
    'POST /api/period-locks': () => refused,
  });
  show(<PeriodLocksScreen />);
  expect(await screen.findByText('Nijedan period nije zaključan.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Zaključaj period' }));
  const dialog = await screen.findByRole('dialog', { name: 'Zaključaj period' });
  const accept = within(dialog).getByRole('button', { name: 'Zaključaj period' });
  await userEvent.click(accept);
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Niste izabrali registar.');
  await userEvent.click(
    within(dialog)
      .getByLabelText(/Registar/)
      .closest('.p-dropdown') as HTMLElement,
  );
  await userEvent.click(await screen.findByText('Kardiologija', { selector: '.p-dropdown-item *' }));
  await userEvent.type(within(dialog).getByLabelText(/Do dana/), '01.12.2026.');
  // What is unfinished in the period is counted, and each number opens its entries.
  expect(await within(dialog).findByText('Unosa u periodu: 21. Pre zaključavanja pogledajte:')).toBeInTheDocument();
  const links = within(dialog).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    '3 unosa je u radu (otvara se u novom prozoru)',
    '1 unos ima otvoren upit (otvara se u novom prozoru)',
  ]);
  expect(searchIn(new URL((links[0] as HTMLAnchorElement).href).hash, searchSetup)).toMatchObject({
    stanjeUnosa: 'uRadu',
    unosOd: '2026-07-01',
    unosDo: '2026-12-01',
  });
  await userEvent.type(within(dialog).getByLabelText(/Razlog/), 'Kraj kvartala');
  await userEvent.click(accept);
  expect(await within(dialog).findByText(/Zaključava se do dana koji je prošao/)).toBeInTheDocument();
  expect(calls.at(-1)).toMatchObject({ body: { registarID: 1, doDana: '2026-12-01', razlog: 'Kraj kvartala' } });
});

it('unlocks a period with a reason, and shows those that were unlocked', async () => {
  const calls = fakeApi({
    'GET /api/period-locks': () => ({
      body: {
        data: [
          lock(),
          lock({
            id: 4,
            doDana: '2026-06-30',
            otkljucano: '2026-07-10T10:00:00',
            otkljucao: 'Ana Đorđević',
            razlogOtkljucavanja: 'Greška',
          }),
        ],
        total: 2,
      },
    }),
    'POST /api/period-locks/5/unlock': () => ({ status: 204 }),
  });
  show(<PeriodLocksScreen />);
  expect(await screen.findByText('Greška')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Otključaj: Kardiologija, do 30.09.2026.' }));
  const dialog = await screen.findByRole('dialog', { name: 'Otključavanje perioda' });
  await userEvent.type(within(dialog).getByLabelText(/Razlog/), 'Ispravka');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Otključaj' }));
  await vi.waitFor(() => expect(calls.some(({ path }) => path === '/api/period-locks/5/unlock')).toBe(true));
  expect(calls.find(({ path }) => path === '/api/period-locks/5/unlock')).toMatchObject({ body: { razlog: 'Ispravka' } });
});
