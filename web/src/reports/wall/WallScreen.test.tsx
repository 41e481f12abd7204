import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn, type FakeCall } from '../../testing/fakeApi';
import { PAGE_TIME } from './useCycle';
import { EVERY, LATER, SOON } from './useWallBoard';
import WallScreen from './WallScreen';

const tile = (id: string, y: number, part: object = {}) => ({
  id,
  naslov: `Pločica ${id}`,
  x: 0,
  y,
  sirina: 6,
  visina: 6,
  vreme: '2026-11-30 07:00:00',
  ceka: false,
  greska: null,
  blok: {
    vrsta: 'tabela',
    naslov: null,
    statistika: false,
    kolone: [
      { naslov: 'Pol', desno: false },
      { naslov: 'Broj', desno: true },
    ],
    linija: 140,
    grupe: [],
    bezSklapanja: false,
    napomene: [],
  },
  linije: [{ vrsta: 'red', nivo: 0, tekst: '', celije: ['Muški', '12'], istaknuto: [], pretrage: [] }],
  grafikon: null,
  ...part,
});

const NO_CONTENT = { blok: null, linije: [], vreme: null };

let calls: FakeCall[];
let plocice: object[];
let answer: () => { status?: number; body?: unknown };

beforeEach(() => {
  vi.useFakeTimers();
  plocice = [tile('a', 0)];
  answer = () => ({ body: { ustanova: 'Klinika A', naziv: 'Hodnik', vreme: '2026-11-30 10:05:00', plocice } });
  calls = fakeApi({ 'POST /api/wall': () => answer() });
});
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const asked = () => calls.filter(({ path }) => path === '/api/wall');

async function open(path = '/zid#tajna') {
  const shown = show(<WallScreen />, path);
  await later(0);
  return shown;
}

it('shows the board by the token of its address, whoever is signed in here', async () => {
  signedIn();
  await open();
  expect(screen.getByRole('heading', { name: 'Klinika A' })).toBeVisible();
  expect(screen.getByRole('cell', { name: '12' })).toBeVisible();
  expect(screen.getByText('stanje 30.11.2026. 07:00')).toBeVisible();
  expect(screen.getByText('još redova: 139')).toBeVisible();
  // The page itself is asked for to learn of a newer one, by nobody.
  expect(calls.map(({ path, token, query }) => [path, token, query.size])).toEqual([
    ['/api/wall', 'Bearer tajna', 0],
    ['/', null, 0],
  ]);
  for (const storage of [localStorage, sessionStorage]) expect(JSON.stringify(storage)).not.toContain('tajna');
});

it('says why a tile has nothing, and asks soon again for what is being made', async () => {
  plocice = [tile('a', 0, { ...NO_CONTENT, greska: 'Izveštaj može da imenuje pacijente.' }), tile('b', 6, { ...NO_CONTENT, ceka: true })];
  await open();
  expect(screen.getByText('Izveštaj može da imenuje pacijente.')).toBeVisible();
  await later(SOON);
  expect(asked()).toHaveLength(2);
  plocice = [tile('a', 0)];
  await later(SOON);
  expect(screen.getByRole('cell', { name: '12' })).toBeVisible();
  await later(EVERY - 1);
  expect(asked()).toHaveLength(3);
  await later(1);
  expect(asked()).toHaveLength(4);
});

it('names a series of a chart in the colour in which it is drawn, on a dark wall as on a light one', async () => {
  const bar = { putanja: 'M0 0h10', ispuna: '#1b567a', serija: 'Žene', linija: null, tekst: null, uloga: null };
  plocice = [
    tile('a', 0, {
      blok: { ...tile('b', 0).blok, vrsta: 'grafikon' },
      linije: [],
      grafikon: {
        opis: 'Po mesecima',
        serije: [{ naziv: 'Žene', boja: '#1b567a' }],
        crtezi: [{ sirina: 860, visina: 300, oblici: [bar], mesta: [] }],
        odbijeno: null,
      },
    }),
  ];
  const { container } = await open();
  const named = screen.getByText('Žene').querySelector('span')?.style.background;
  expect(named).toMatch(/^light-dark\(/);
  expect(container.querySelector<SVGPathElement>('svg path')?.style.fill).toBe(named);
});

it('pages follow one another every twenty seconds, and wait while somebody is at them', async () => {
  plocice = [tile('a', 0), tile('b', 6), tile('c', 12)];
  await open();
  const shown = () => screen.getByRole('article').getAttribute('aria-label');
  expect([shown(), screen.getByText('Strana 1 od 3').textContent]).toEqual(['Pločica a', 'Strana 1 od 3']);
  await later(PAGE_TIME);
  expect(shown()).toBe('Pločica b');
  fireEvent.pointerMove(screen.getByRole('main'));
  await later(2 * PAGE_TIME);
  expect(shown()).toBe('Pločica b');
  fireEvent.pointerLeave(screen.getByRole('main'));
  await later(PAGE_TIME);
  expect(shown()).toBe('Pločica c');
  fireEvent.click(screen.getByRole('button', { name: 'Zaustavi smenjivanje strana' }));
  await later(4 * PAGE_TIME);
  expect(shown()).toBe('Pločica c');
  fireEvent.click(screen.getByRole('button', { name: 'Sledeća strana' }));
  expect(shown()).toBe('Pločica a');
});

it('keeps the last board where the server is gone, and says of when it is', async () => {
  await open();
  answer = () => ({ status: 502, body: {} });
  await later(EVERY);
  expect(screen.getByText('Veza sa serverom je prekinuta. Prikazano je stanje od 30.11.2026. 10:05.')).toBeVisible();
  expect(screen.getByRole('cell', { name: '12' })).toBeVisible();
});

it('a link that shows nothing any more takes the board away', async () => {
  await open();
  answer = () => ({ status: 401, body: { message: 'Ova veza ne prikazuje tablu.', field: null } });
  await later(EVERY);
  expect(screen.getByText('Ova veza ne prikazuje tablu.')).toBeVisible();
  expect(screen.queryByRole('cell', { name: '12' })).toBeNull();
});

it('a server that was asked too often is left alone for a while, and what was shown stays with its time', async () => {
  await open();
  answer = () => ({ status: 429, body: { message: 'Ova veza je otvarana previše puta.', field: null } });
  await later(EVERY);
  expect(screen.getByRole('status')).toHaveTextContent('Ova veza je otvarana previše puta. Prikazano je stanje od 30.11.2026. 10:05.');
  expect(screen.getByRole('cell', { name: '12' })).toBeVisible();
  await later(LATER - 1);
  expect(asked()).toHaveLength(2);
  answer = () => ({ body: { ustanova: 'Klinika A', naziv: 'Hodnik', vreme: '2026-11-30 10:12:00', plocice } });
  await later(LATER);
  expect(asked()).toHaveLength(3);
  expect(screen.getByRole('status', { hidden: true })).toBeEmptyDOMElement();
});

it('says why nothing is shown where it was asked too often from the start', async () => {
  answer = () => ({ status: 429, body: { message: 'Ova veza je otvarana previše puta.', field: null } });
  await open();
  expect(screen.getByText('Ova veza je otvarana previše puta.')).toBeVisible();
});

it('without a token nothing is asked', async () => {
  await open('/zid');
  expect(screen.getByText(/U adresi nema veze prikaza/)).toBeVisible();
  expect(calls).toEqual([]);
});
