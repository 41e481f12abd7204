import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import type { Reply } from '../../schema';
import { fakeApi, Providers, signedIn, type FakeCall } from '../../testing/fakeApi';
import ReportOpenScreen from './ReportOpenScreen';
import ReportViewScreen from './ReportViewScreen';
import type { ScreenLine } from './visible';

const RUN = '0190a000-0000-7000-8000-000000000001';
const NEXT = '0190a000-0000-7000-8000-000000000002';
const SCREEN = `GET /api/report-runs/${RUN}/screen`;

const line = (part: Partial<ScreenLine>): ScreenLine => ({
  vrsta: 'red',
  nivo: 0,
  tekst: '',
  celije: [],
  istaknuto: [],
  pretrage: [],
  ...part,
});
const TOTAL = line({ vrsta: 'zbir', tekst: 'Ukupno žene: 2', celije: ['', '30'] });
const LINES = [
  line({ vrsta: 'grupa', tekst: 'Žene' }),
  line({ celije: ['Ana', '10'], istaknuto: [1] }),
  line({ celije: ['Eva', '20'] }),
  TOTAL,
  line({ celije: ['Bez grupe', '1'] }),
];

const table = (linija: number, grupe: Reply<'ScreenGroup'>[] = []): Reply<'ScreenBlock'> => ({
  vrsta: 'tabela',
  naslov: 'Tabela',
  statistika: false,
  metoda: null,
  kolone: [
    { naslov: 'Ime', desno: false, pretraga: null },
    { naslov: 'Broj', desno: true, pretraga: null },
  ],
  linija,
  grupe,
  bezSklapanja: false,
  napomene: ['Napomena tabele'],
});

const CHART: Reply<'ScreenChart'> = {
  naslov: 'Po polu',
  opis: 'Stubičasti grafikon: Po polu.',
  serije: [
    { naziv: 'Žene', boja: '#1b567a' },
    { naziv: 'Muškarci', boja: '#d06a24' },
  ],
  crtezi: [860, 330].map((sirina) => ({
    sirina,
    visina: 300,
    oblici: [
      { ...shape(), putanja: 'M0 0h10', ispuna: '#1b567a', serija: 'Žene' },
      { ...shape(), putanja: 'M0 9h10', ispuna: '#d06a24', serija: 'Muškarci' },
      { ...shape(), tekst: 'Osa', x: 1, y: 2, velicina: 12, poravnanje: 'middle', uloga: 'ink' },
    ],
    mesta: [
      { x: 10, y: 10, serija: 'Žene', tekst: 'Žene, 2025: 4', pretraga: null },
      { x: 90, y: 10, serija: 'Muškarci', tekst: 'Muškarci, 2025: 7', pretraga: null },
    ],
  })),
  odbijeno: null,
  svg: '<svg/>',
  zaglavlja: ['Serija', 'Mesto', 'Vrednost', 'Od', 'Do'],
  redovi: [
    ['Žene', '2025', '4', '', ''],
    ['Muškarci', '2025', '7', '', ''],
  ],
  tabelaSkracena: false,
};

function shape(): Reply<'ScreenShape'> {
  return {
    putanja: '',
    ispuna: null,
    providnost: null,
    linija: null,
    debljina: null,
    crtice: null,
    uloga: null,
    serija: null,
    tekst: null,
    x: null,
    y: null,
    velicina: null,
    poravnanje: null,
    podebljano: false,
    okrenuto: false,
  };
}

const report = (part: object = {}) => ({
  izvestajID: 7,
  naziv: 'Ishod',
  status: 'succeeded',
  redova: 3,
  greska: null,
  napomene: [],
  potpun: true,
  formati: ['PDF', 'CSV'],
  moj: true,
  vrednosti: { od: '2026-01-01' },
  registarID: 4,
  sadrzaj: {
    naslov: 'Ishod po polu',
    podnaslov: null,
    ustanova: 'Klinika A',
    radnik: 'Đorđe Čubrilović',
    generisano: 'Generisano: 05.03.2026. 07:04',
    parametri: [{ naziv: 'Od datuma', vrednost: '01.01.2026.' }],
    blokovi: [table(5, [{ nivo: 0, od: 0, doLinije: 4, tekst: 'Žene', zbir: TOTAL }]), { ...table(0), vrsta: 'grafikon' }],
    skraceno: null,
  },
  ...part,
});

const FORM = {
  izvestaj: { id: 7, naziv: 'Ishod', opis: null, prilogUMejlu: false, registarID: 4, traziRegistar: false, tabla: false },
  formati: [{ naziv: 'PDF', nazivKratki: 'PDF' }],
  parametri: [
    {
      id: 3,
      naziv: 'Od datuma',
      requestNaziv: 'od',
      multiSelect: false,
      opcioni: false,
      prikazniRedosled: 1,
      podrazumevano: null,
      tip: { id: 6, naziv: 'Datum', sqlNumVrednost: 2, link: null },
    },
  ],
};

let calls: FakeCall[];
let shown: object;

const routes = () => ({
  [SCREEN]: () => ({ body: shown }),
  [`GET /api/report-runs/${NEXT}/screen`]: () => ({ body: report({ sadrzaj: null, status: 'queued', potpun: false }) }),
  [`GET /api/report-runs/${RUN}/screen/lines`]: ({ query }: FakeCall) => {
    const od = Number(query.get('od'));
    return { body: { od, linije: LINES.slice(od, od + 100) } };
  },
  [`GET /api/report-runs/${RUN}/screen/chart`]: () => ({ body: CHART }),
  'GET /api/reports/7/parameters': () => ({ body: FORM }),
  'GET /api/report-days': () => ({ body: { dani: [], periodi: [] } }),
  'POST /api/report-queue': () => ({ status: 202, body: { izvestajID: NEXT } }),
});

beforeEach(() => {
  signedIn();
  shown = report();
  calls = fakeApi(routes());
});

function open(address = `/izvestaji/${RUN}/prikaz`) {
  const router = createMemoryRouter(
    [
      { path: '/izvestaji/:id/prikaz', element: <ReportViewScreen /> },
      { path: '/prikazIzvestaja/:id', element: <ReportOpenScreen /> },
      { path: '/registri/:id', element: <p>Pretraga</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return router;
}

it('shows rows, folds a group to its header and its total, and tells what is emphasised', async () => {
  open();
  const sheet = within(await screen.findByRole('table'));
  expect(await sheet.findByRole('cell', { name: 'Ana' })).toBeVisible();
  expect(sheet.getByRole('cell', { name: /^istaknuto: ?10$/ })).toBeVisible();
  await userEvent.click(sheet.getByRole('button', { name: 'Žene' }));
  expect(sheet.queryByRole('cell', { name: 'Ana' })).toBeNull();
  expect(sheet.getByRole('rowheader', { name: 'Ukupno žene: 2' })).toBeVisible();
  expect(sheet.getByRole('cell', { name: 'Bez grupe' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Otvori sve grupe' }));
  expect(sheet.getByRole('cell', { name: 'Ana' })).toBeVisible();
  expect(screen.getByText('Napomena tabele')).toBeVisible();
});

const SEARCH = {
  registarID: 4,
  pol: true,
  unos: { tipUnosaID: 7, od: null, do: null, svoj: false },
  uslovi: [],
  unosi: false,
  sveUstanove: true,
};

const LEADING = LINES.map((one) => (one.celije[0] === 'Ana' ? { ...one, pretrage: [{ kolona: 1, pretraga: SEARCH }] } : one));

it('a number leads to the search that shows whom it counts, and a chart does by Enter', async () => {
  calls = fakeApi({
    ...routes(),
    [`GET /api/report-runs/${RUN}/screen/lines`]: () => ({
      body: { od: 0, linije: LEADING },
    }),
    [`GET /api/report-runs/${RUN}/screen/chart`]: () => ({
      body: { ...CHART, crtezi: CHART.crtezi.map((one) => ({ ...one, mesta: one.mesta.map((spot) => ({ ...spot, pretraga: SEARCH })) })) },
    }),
  });
  const router = open();
  const link = await screen.findByRole('link', { name: '10' });
  expect(link.getAttribute('href')).toMatch(/^\/registri\/4#pretraga=/);
  expect(screen.getByText(/pretraga prikazuje pacijente vaše ustanove/)).toBeVisible();
  await userEvent.click(await screen.findByLabelText('Vrednosti grafikona'));
  expect(screen.getByRole('button', { name: 'Otvori u pretrazi' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/registri/4'));
});

it('the n of a head leads to those whom the column counts', async () => {
  const block = {
    ...table(5),
    kolone: [
      { naslov: 'Ime', desno: false, pretraga: null },
      { naslov: 'Žene (n = 2)', desno: true, pretraga: SEARCH },
    ],
  };
  shown = report({ sadrzaj: { ...report().sadrzaj, blokovi: [block] } });
  open();
  const head = within(await screen.findByRole('columnheader', { name: 'Žene (n = 2)' }));
  expect(head.getByRole('link').getAttribute('href')).toMatch(/^\/registri\/4#pretraga=/);
  expect(within(screen.getByRole('columnheader', { name: 'Ime' })).queryByRole('link')).toBeNull();
});

it('whoever opens no patients reads numbers that lead nowhere', async () => {
  signedIn({ pacijenti: 'ne' });
  calls = fakeApi({
    ...routes(),
    [`GET /api/report-runs/${RUN}/screen/lines`]: () => ({
      body: { od: 0, linije: LEADING },
    }),
  });
  open();
  expect(await screen.findByRole('cell', { name: /^istaknuto: ?10$/ })).toBeVisible();
  expect(screen.queryByRole('link', { name: '10' })).toBeNull();
});

it('of a hundred thousand rows draws and asks for those in sight', async () => {
  const many = report();
  many.sadrzaj.blokovi = [table(100_000)];
  shown = many;
  open();
  const sheet = await screen.findByRole('table');
  await within(sheet).findByRole('cell', { name: 'Ana' });
  expect(sheet.getAttribute('aria-rowcount')).toBe('100001');
  expect(within(sheet).getAllByRole('row').length).toBeLessThan(200);
  const asked = calls.filter(({ path }) => path.endsWith('/lines'));
  expect(asked.length).toBeLessThan(4);
});

it('tells a value of a chart by keys, and switches a series off', async () => {
  open();
  const walk = await screen.findByLabelText('Vrednosti grafikona');
  await userEvent.click(walk);
  expect(walk).toHaveAttribute('aria-valuetext', 'Žene, 2025: 4');
  const figure = screen.getByRole('figure');
  expect(within(figure).getByRole('img', { name: 'Stubičasti grafikon: Po polu.' }).querySelectorAll('path')).toHaveLength(2);
  await userEvent.click(within(figure).getByRole('button', { name: 'Žene' }));
  expect(
    within(figure)
      .getByRole('img', { name: /Stubičasti/ })
      .querySelectorAll('path'),
  ).toHaveLength(1);
  expect(walk).toHaveAttribute('aria-valuetext', 'Muškarci, 2025: 7');
  await userEvent.click(within(figure).getByText('Tabela vrednosti'));
  const heads = within(figure).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual(['Serija', 'Mesto', 'Vrednost']);
});

it('shows the first rows of a run under way, and all of them when it ends', async () => {
  const early = report({ status: 'running', potpun: false, formati: [] });
  early.sadrzaj.blokovi = [table(2)];
  shown = early;
  open();
  expect(await screen.findByText(/Ovo su prvi redovi/)).toBeVisible();
  await screen.findByRole('cell', { name: 'Ana' });
  expect(screen.queryByRole('cell', { name: 'Bez grupe' })).toBeNull();
  shown = report();
  expect(await screen.findByRole('cell', { name: 'Bez grupe' }, { timeout: 5_000 })).toBeVisible();
  expect(screen.queryByText(/Ovo su prvi redovi/)).toBeNull();
});

it('runs again with parameters that were changed in place, for the screen too', async () => {
  const router = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Parametri izveštaja' }));
  const day = await screen.findByLabelText(/^Od datuma/);
  await userEvent.clear(day);
  await userEvent.type(day, '5.2.2026');
  await userEvent.click(screen.getByRole('button', { name: 'Prikaži' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/izvestaji/${NEXT}/prikaz`));
  const order = calls.find(({ path }) => path === '/api/report-queue')?.body;
  expect(order).toMatchObject({ siID: 7, parametri: { od: '2026-02-05' }, formati: ['PDF', 'EKRAN'] });
});

it('an address that says what is asked for is opened as the opener’s own run', async () => {
  const router = open('/prikazIzvestaja/7#p.od=2026-01-01');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/izvestaji/${NEXT}/prikaz`));
  const orders = calls.filter(({ path }) => path === '/api/report-queue');
  expect(orders).toHaveLength(1);
  expect(orders[0]?.body).toMatchObject({ radnikID: 2, parametri: { od: '2026-01-01' } });
});

it('a refusal is said in the server’s words', async () => {
  calls = fakeApi({
    ...routes(),
    [SCREEN]: () => ({ status: 404, body: { message: 'Na ovoj adresi nema izveštaja koji je poslat vama.', field: null } }),
  });
  open();
  expect(await within(await screen.findByRole('alert')).findByText(/nema izveštaja koji je poslat vama/)).toBeVisible();
});
