import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { RunList } from './RunList';
import { ScheduleList } from './ScheduleList';
import type { Run, Schedule } from './types';

const RUN: Run = {
  giID: '0190a000-0000-7000-8000-000000000001',
  izvestajID: 7,
  naziv: 'Ishod',
  parametri: [],
  vremeGenerisanja: '2026-11-20 07:00',
  status: 'succeeded',
  faza: null,
  redova: 3,
  skraceno: false,
  napomene: [],
  greska: null,
  formats: [{ nazivKratki: 'CSV', bytes: 4 }],
  ekran: true,
  zakazivanjeID: null,
  zakazanoZa: null,
  pocetak: '2026-11-20 07:00',
  kraj: '2026-11-20 07:00',
  istice: '2026-12-20 07:00',
  emails: [],
  primaoci: [],
  isporuke: [],
  otkazivanje: false,
  poslednjiOtkucaj: null,
  ustanova: 'Klinički centar Srbije',
  trazio: 'Đorđe Čubrilović',
  moj: true,
  nedostupno: null,
  preuzimanja: [],
  verzija: null,
};

const SCHEDULE: Schedule = {
  zakazivanjeID: 3,
  izvestajID: 7,
  naziv: 'Ishod',
  emails: [],
  primaoci: [],
  grupe: [],
  formati: ['CSV'],
  ponavljanje: 1,
  vremeIzvrsavanjaJednostruko: null,
  vremeIzvrsavanjaVisetruko: '07:30',
  vaziOd: null,
  vaziDo: null,
  period: 1,
  danNedelja: [2],
  danMesec: [],
  politikaDana: 'skip',
  vremenskaZona: 'Europe/Belgrade',
  parametri: {},
  parametriOpis: [],
  sledeceIzvrsavanje: '2026-11-23 07:30',
  pauziranoOd: null,
  razlogPauze: null,
  opis: 'svakog ponedeljka u 07:30',
  ustanova: 'Klinički centar Srbije',
  registarID: null,
};

const AGAIN = `POST /api/report-runs/${RUN.giID}/again`;
const RUN_NOW = 'POST /api/report-schedules/3/run';
let calls: FakeCall[];
let runs: Run[];
let schedules: Schedule[];
let refusal: { status: number; body: { message: string; field: string | null } } | null;

beforeEach(() => {
  signedIn();
  [runs, schedules, refusal] = [[RUN], [SCHEDULE], null];
  const accepted = () => refusal ?? { status: 202, body: { izvestajID: '0190a000-0000-7000-8000-000000000002' } };
  calls = fakeApi({
    'GET /api/report-runs': () => ({ body: { data: runs, total: runs.length } }),
    'GET /api/report-schedules': () => ({ body: { data: schedules, total: schedules.length } }),
    [AGAIN]: accepted,
    [RUN_NOW]: accepted,
    'POST /api/report-schedules/3/pause': () => {
      schedules = [{ ...SCHEDULE, sledeceIzvrsavanje: null, pauziranoOd: '2026-11-20 10:15' }];
      return { status: 204 };
    },
    'POST /api/report-schedules/3/resume': () => {
      schedules = [SCHEDULE];
      return { status: 204 };
    },
  });
});

const showRuns = () => show(<RunList report={null} pollEvery={0} shown={false} />);
const showSchedules = () => show(<ScheduleList report={null} pollEvery={0} edit={() => undefined} />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const answer = async (name: string) => userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
const sent = (call: string) => calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

it('runs again at once what was mailed to nobody', async () => {
  showRuns();
  await press('Pokreni ponovo');
  await waitFor(() => expect(sent(AGAIN)).toEqual([{ posalji: false, kljuc: expect.any(String) as string }]));
  expect(await screen.findByText('Generisanje je pokrenuto')).toBeVisible();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('says what its files say beside their rows', async () => {
  const note = 'Sve ustanove: nema grupa sa manje od 5 pacijenata drugih ustanova.';
  runs = [{ ...RUN, napomene: [note] }];
  showRuns();
  expect(await screen.findByText(note)).toBeVisible();
});

it('asks whom to mail before it runs again, and does nothing where the question is left', async () => {
  runs = [{ ...RUN, emails: ['ana@kcs.rs', 'sef@kcs.rs'] }];
  showRuns();
  await press('Pokreni ponovo');
  expect(await screen.findByText(/primaocima: ana@kcs\.rs, sef@kcs\.rs\?$/)).toBeVisible();
  await answer('Odustani');
  expect(sent(AGAIN)).toEqual([]);
  await press('Pokreni ponovo');
  await answer('Pokreni bez slanja');
  await waitFor(() => expect(sent(AGAIN)).toMatchObject([{ posalji: false }]));
  await press('Pokreni ponovo');
  await answer('Pokreni i pošalji');
  await waitFor(() => expect(sent(AGAIN)).toMatchObject([{ posalji: false }, { posalji: true }]));
  expect(new Set(sent(AGAIN).map((body) => (body as { kljuc: string }).kljuc)).size).toBe(2);
});

it('says why an order cannot be repeated, and repeats the same one with the same key', async () => {
  const message = 'Parametar „Korpa” sadrži vrednost koja nije ponuđena. Izveštaj možete da naručite iznova na tabu „Parametri”.';
  refusal = { status: 422, body: { message, field: 'korpa' } };
  showRuns();
  await press('Pokreni ponovo');
  expect(await screen.findByText(message)).toBeVisible();
  await press('Pokreni ponovo');
  await waitFor(() => expect(sent(AGAIN)).toHaveLength(2));
  const [first, second] = sent(AGAIN);
  expect(second).toEqual(first);
});

it.each<[string, Partial<Run>]>([
  ['a run that goes on', { status: 'running' }],
  ["another's run", { moj: false }],
  ['a run of an institution that was left', { nedostupno: 'Niste više radnik ustanove „A”.' }],
])('does not offer %s to be run again', async (_, change) => {
  runs = [{ ...RUN, ...change }];
  showRuns();
  await screen.findByRole('heading', { name: 'Ishod' });
  expect(screen.queryByRole('button', { name: 'Pokreni ponovo' })).toBeNull();
});

it('runs a schedule now at once where it is mailed to nobody', async () => {
  showSchedules();
  await press('Pokreni sada');
  await waitFor(() => expect(sent(RUN_NOW)).toEqual([{ kljuc: expect.any(String) as string }]));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('asks before it mails a schedule run now', async () => {
  schedules = [{ ...SCHEDULE, emails: ['ana@kcs.rs'] }];
  showSchedules();
  await press('Pokreni sada');
  await answer('Odustani');
  expect(sent(RUN_NOW)).toEqual([]);
  await press('Pokreni sada');
  await answer('Pokreni i pošalji');
  await waitFor(() => expect(sent(RUN_NOW)).toHaveLength(1));
});

it('shows since when and why a schedule is paused, and lets it go on', async () => {
  showSchedules();
  await screen.findByText('sledeći put 23.11.2026. 07:30 (Europe/Belgrade)');
  await press('Pauziraj');
  expect(await screen.findByText('pauzirano, od 20.11.2026. 10:15')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Pauziraj' })).toBeNull();
  await press('Nastavi');
  expect(await screen.findByText('sledeći put 23.11.2026. 07:30 (Europe/Belgrade)')).toBeVisible();
});

it('names the zone by whose clock the next time is, the institution, and what a moving day means now', async () => {
  schedules = [
    {
      ...SCHEDULE,
      vremenskaZona: 'America/New_York',
      parametriOpis: [{ naziv: 'Od datuma', vrednost: 'početak prošlog meseca', dan: 'pocetak-proslog-meseca', sada: '01.10.2026.' }],
    },
  ];
  showSchedules();
  expect(await screen.findByText('sledeći put 23.11.2026. 07:30 (America/New_York)')).toBeVisible();
  expect(screen.getByText('Klinički centar Srbije')).toBeVisible();
  expect(screen.getByText('početak prošlog meseca (danas 01.10.2026.)')).toBeVisible();
});

it('says when a run was due by the clock of the zone of then, and of one without a moment only that it was scheduled', async () => {
  const zakazanoZa = { vreme: '2026-11-16 07:30', zona: 'America/New_York' };
  runs = [{ ...RUN, status: 'missed', zakazivanjeID: 3, zakazanoZa }];
  const { unmount } = showRuns();
  expect(await screen.findByText('· zakazan za 16.11.2026. 07:30 (America/New_York)')).toBeVisible();
  unmount();
  runs = [{ ...RUN, status: 'skipped_ended', zakazivanjeID: 3 }];
  showRuns();
  expect(await screen.findByText('· zakazan')).toBeVisible();
});

it('tells that failures have paused a schedule', async () => {
  const reason = 'Pauzirano posle 5 neuspelih izvršavanja zaredom.';
  schedules = [{ ...SCHEDULE, sledeceIzvrsavanje: null, pauziranoOd: '2026-11-20 10:15', razlogPauze: reason }];
  showSchedules();
  expect(await screen.findByText(reason)).toBeVisible();
});

it.each([
  [3, 'Verzija 3'],
  [0, 'iz fajla'],
])('says of version %s of a report: %s, where the server tells', async (verzija, words) => {
  runs = [{ ...RUN, verzija }];
  const { unmount } = showRuns();
  expect(await screen.findByText(new RegExp(words))).toBeVisible();
  unmount();
  runs = [RUN];
  showRuns();
  await screen.findByText(/Klinički centar Srbije/);
  expect(screen.queryByText(new RegExp(words))).toBeNull();
});

it('tells what the database said, with the way to the query, where the server tells it', async () => {
  const greska = { kod: 'query', tekst: 'Upit izveštaja nije uspeo.', upit: null };
  const upit = { poruka: 'column nema does not exist', savet: null, red: 2, kolona: 5 };
  runs = [{ ...RUN, status: 'failed', greska }];
  const { unmount } = showRuns();
  await screen.findByText(greska.tekst);
  expect(screen.queryByRole('link', { name: 'Otvori upit izveštaja' })).toBeNull();
  unmount();
  runs = [{ ...RUN, status: 'failed', greska: { ...greska, upit } }];
  showRuns();
  const told = await screen.findByRole('group', { name: /^Šta je rekla baza/ });
  expect(told).toHaveTextContent('Upit, red 2, kolona 5: column nema does not exist');
  expect(within(told).getByRole('link', { name: 'Otvori upit izveštaja' })).toHaveAttribute('href', '/admin/izvestaji/7/dizajner');
});
