import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { chosenHome } from '../../places';
import { fakeApi, show, signedIn, type FakeCall } from '../../testing/fakeApi';
import BoardScreen from './BoardScreen';

const RUN = '0190a000-0000-7000-8000-000000000001';
const A = '0190a000-0000-7000-8000-00000000000a';
const B = '0190a000-0000-7000-8000-00000000000b';

const tile = (id: string, x: number, naslov: string) => ({
  id,
  izvestajID: 7,
  registarID: 4,
  naslov,
  blok: 0,
  vrednosti: {},
  x,
  y: 0,
  sirina: 4,
  visina: 3,
});

const REPORT = {
  izvestajID: 7,
  naziv: 'Ishod',
  status: 'succeeded',
  redova: 1,
  greska: null,
  napomene: [],
  potpun: true,
  formati: [],
  moj: true,
  vrednosti: {},
  registarID: 4,
  sadrzaj: {
    naslov: 'Ishod po polu',
    podnaslov: null,
    ustanova: 'Klinika A',
    radnik: 'Đorđe Čubrilović',
    generisano: '',
    parametri: [],
    blokovi: [
      {
        vrsta: 'tabela',
        naslov: null,
        statistika: false,
        metoda: null,
        kolone: [{ naslov: 'Ime', desno: false }],
        linija: 1,
        grupe: [],
        bezSklapanja: false,
        napomene: [],
      },
    ],
    skraceno: null,
  },
};

let calls: FakeCall[];
let board: { plocice: ReturnType<typeof tile>[]; filteri: { od: string | null; do: string | null }; verzija: number };

beforeEach(() => {
  signedIn();
  board = { plocice: [tile(A, 0, 'Prva'), tile(B, 4, 'Druga')], filteri: { od: null, do: null }, verzija: 3 };
  calls = fakeApi({
    'GET /api/board': () => ({ body: board }),
    'PUT /api/board': ({ body }) => {
      board = { ...(body as typeof board), verzija: board.verzija + 1 };
      return { body: board };
    },
    'POST /api/board/refresh': () => ({
      body: [
        { id: A, run: RUN, vreme: '2026-11-29 07:00', ceka: false, greska: null },
        { id: B, run: null, vreme: null, ceka: false, greska: 'Ovaj izveštaj više nije u ponudi.' },
      ],
    }),
    'GET /api/report-days': () => ({ body: { dani: [], periodi: [] } }),
    [`GET /api/report-runs/${RUN}/screen`]: () => ({ body: REPORT }),
    [`GET /api/report-runs/${RUN}/screen/lines`]: () => ({
      body: { od: 0, linije: [{ vrsta: 'red', nivo: 0, tekst: '', celije: ['Ana'], istaknuto: [], pretrage: [] }] },
    }),
  });
});

function Where() {
  const { pathname, search } = useLocation();
  return <output>{`${pathname}${search}`}</output>;
}

const saved = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as typeof board);

it('shows what each tile is of, since when, and why one has nothing', async () => {
  show(<BoardScreen />);
  const first = within(await screen.findByRole('article', { name: 'Prva' }));
  expect(await first.findByRole('cell', { name: 'Ana' })).toBeVisible();
  expect(first.getByText('stanje 29.11.2026. 07:00')).toBeVisible();
  expect(first.getByRole('link', { name: 'Otvori ceo izveštaj: Prva' })).toHaveAttribute('href', `/izvestaji/${RUN}/prikaz`);
  const second = within(screen.getByRole('article', { name: 'Druga' }));
  expect(second.getByText('Ovaj izveštaj više nije u ponudi.')).toBeVisible();
});

it('is arranged by keys alone, and saved with the version that was before the worker', async () => {
  show(<BoardScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Uredi tablu' }));
  (await screen.findByRole('button', { name: 'Pomeri: Prva' })).focus();
  await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowDown}{/Shift}');
  await userEvent.click(screen.getByRole('button', { name: 'Snimi' }));
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]).toMatchObject({
    verzija: 3,
    plocice: [
      { id: A, x: 1, y: 0, sirina: 4, visina: 4 },
      { id: B, x: 4, y: 4 },
    ],
  });
});

it('a tile is made anew where that is asked for, and no other is', async () => {
  show(<BoardScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Osveži: Prva' }));
  const asked = () => calls.filter(({ path }) => path === '/api/board/refresh').map(({ body }) => body);
  await waitFor(() =>
    expect(asked()).toEqual([
      { iznova: [], zajednicka: false },
      { iznova: [A], zajednicka: false },
    ]),
  );
});

it('the period is one for all tiles', async () => {
  show(<BoardScreen />);
  await userEvent.type(await screen.findByLabelText('Od'), '1.2.2026');
  await userEvent.click(await screen.findByRole('button', { name: 'Primeni period' }));
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]?.filteri).toEqual({ od: '2026-02-01', do: null });
});

it('the board of the institution is arranged only by who holds the right', async () => {
  calls = fakeApi({
    'GET /api/institution-board': () => ({ body: { ...board, plocice: [] } }),
    'GET /api/report-days': () => ({ body: { dani: [], periodi: [] } }),
  });
  const { unmount } = show(<BoardScreen />, '/tabla?tabla=ustanove');
  expect(await screen.findByText('Uređuje je ko ima pravo „Tabla ustanove”.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Uredi tablu' })).toBeNull();
  unmount();
  signedIn({ prava: [1, 24] });
  show(<BoardScreen />, '/tabla?tabla=ustanove');
  expect(await screen.findByRole('button', { name: 'Dodaj pločicu' })).toBeVisible();
});

it('is mailed and scheduled as a report of its own', async () => {
  calls = fakeApi({
    'GET /api/institution-board': () => ({ body: board }),
    'GET /api/report-days': () => ({ body: { dani: [], periodi: [] } }),
    'POST /api/board/refresh': () => ({ body: [] }),
    'POST /api/board/report': () => ({ body: { izvestajID: 41 } }),
  });
  show(
    <>
      <BoardScreen />
      <Where />
    </>,
    '/tabla?tabla=ustanove',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Pošalji ili zakaži' }));
  expect(await screen.findByText('/izvestaji?izvestaj=41&prikaz=parametri')).toBeInTheDocument();
  expect(calls.filter(({ path }) => path === '/api/board/report').map(({ body }) => body)).toEqual([{ zajednicka: true }]);
});

it('a board that is chosen for home is one on this device, until it is no more', async () => {
  show(<BoardScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Neka bude početna' }));
  expect(chosenHome(2)).toBe('/tabla');
  await userEvent.click(screen.getByRole('button', { name: 'Početna strana' }));
  expect(chosenHome(2)).toBeNull();
});
