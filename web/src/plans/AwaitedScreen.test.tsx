import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import AwaitedScreen from './AwaitedScreen';

beforeEach(() => signedIn());

const visit = (id: number, name: string) => ({
  id,
  pacijentID: id,
  imePrezime: name,
  datumRodjenja: '1961-05-14',
  registarID: 1,
  registar: 'Reumatologija',
  poseta: 'Kontrola posle 3 meseca',
  cilj: '2025-04-30',
  prozorOd: '2025-04-16',
  prozorDo: '2025-05-14',
  stanje: 'kasni',
  kasniDana: 21,
  lekar: 'Živković Čedomir',
  smeKontakt: true,
  telefon: '011/1234567' as string | null,
});

it('says of whom no call is agreed to in the place of the number', async () => {
  fakeApi({
    'GET /api/registers': () => ({ body: { data: [], total: 0 } }),
    'GET /api/planned-visit-doctors': () => ({ body: { data: [], total: 0 } }),
    'GET /api/planned-visits': () => ({
      body: {
        data: [visit(1, 'Anić Ana'), { ...visit(2, 'Bebić Zora'), smeKontakt: false, telefon: null }],
        sledece: null,
        ukupno: 2,
        viseOdToga: false,
      },
    }),
  });
  show(<AwaitedScreen />, '/koKasni');
  expect(await screen.findByRole('row', { name: /Anić Ana.*011\/1234567/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Bebić Zora.*Bez saglasnosti za kontakt/ })).toBeInTheDocument();
});

it('pages on where the last page ended, and a filter begins anew', async () => {
  const calls = fakeApi({
    'GET /api/registers': () => ({ body: { data: [{ id: 1, naziv: 'Reumatologija' }], total: 1 } }),
    'GET /api/planned-visit-doctors': () => ({ body: { data: [{ id: 2, imePrezime: 'Živković Čedomir' }], total: 1 } }),
    'GET /api/planned-visits': ({ query }) => ({
      body: query.get('posleID')
        ? { data: [visit(9, 'Zadnja Zora')], sledece: null, ukupno: 51, viseOdToga: false }
        : { data: [visit(1, 'Anić Ana')], sledece: { dan: '2025-05-14', id: 1 }, ukupno: 51, viseOdToga: false },
    }),
  });
  show(<AwaitedScreen />, '/koKasni?spisak=kasni&lekar=2');
  const table = await screen.findByRole('region', { name: 'Kasni' });
  expect(within(table).getByRole('link', { name: 'Anić Ana' })).toHaveAttribute('href', '/pacijenti/1');
  expect(within(table).getByText('kasni 21 dan')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('Poseta: 51');
  await userEvent.click(screen.getByRole('button', { name: 'Sledeći' }));
  expect(await screen.findByRole('link', { name: 'Zadnja Zora' })).toBeInTheDocument();
  const last = calls.filter(({ path }) => path === '/api/planned-visits').at(-1);
  expect(Object.fromEntries(last?.query ?? [])).toMatchObject({ vrsta: 'kasni', radnikID: '2', posleDan: '2025-05-14', posleID: '1' });
  await userEvent.click(screen.getByRole('button', { name: 'Od početka' }));
  expect(await screen.findByRole('link', { name: 'Anić Ana' })).toBeInTheDocument();
});
