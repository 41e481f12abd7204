import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { Reply } from '../schema';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import OperationsScreen from './OperationsScreen';

const OK = { ok: true };
const HEALTHY: Reply<'Operations'>['sistem']['zdravlje'] = {
  status: 'ok',
  database: OK,
  engines: OK,
  firing: OK,
  knowledge: OK,
  mail: OK,
  redis: OK,
  scheduler: OK,
  store: OK,
};
const BACKUP = { snimljenoOd: '2026-11-26 02:00', staraSekundi: 7 * 3600, bajtova: 1536, nedostaje: 0 };
const NOTHING: Reply<'Operations'> = {
  sistem: {
    baza: '17.2',
    migracija: 74,
    skladiste: null,
    verzija: '2.2.0',
    zone: '2026b',
    podloga: [],
    uvidiUArhiviPre: null,
    zdravlje: HEALTHY,
  },
  redovi: [{ vrsta: 'interactive', ceka: 0, izvrsavaSe: 0, najstarijeSekundi: null }],
  izvrsavanja: [],
  neuspeli: [],
  uzroci: [],
  posta: { ceka: 1, saljeSe: 2, poslato: 1234, odbijeno: 3, odustalo: 4, neizvesno: 5 },
  serverPoste: {
    radi: true,
    neRadiOd: null,
    neRadiSekundi: null,
    odgovor: '250',
    odgovorio: '2026-11-26 09:00',
    provereno: '2026-11-26 09:01',
  },
  zakazivanja: { dospelo: 0, kasniSekundi: 0, pauzirano: 0, poslednje: null, sledece: null },
  kopija: BACKUP,
  procesi: [],
};
const ENGINE: Reply<'Operations'>['procesi'][number] = {
  id: 'masina-1-abcdef',
  vrsta: 'report-engine',
  verzija: '2.2.0',
  masina: 'prva',
  od: '2026-11-26 08:00',
  ziv: true,
  zamenjen: false,
  cutiSekundi: 1,
  mesta: 2,
  zauzeto: 1,
  odmara: null,
  praznjenje: false,
  pulovi: [],
  redis: true,
  kopijaKasni: null,
  skladisteSlobodno: null,
};

let now: Reply<'Operations'>;
let calls: FakeCall[];

beforeEach(() => {
  signedIn();
  now = NOTHING;
  calls = fakeApi({
    'GET /api/operations': () => ({ body: now }),
    'POST /api/operations/runs/7/cancel': () => ({ status: 204 }),
    'POST /api/operations/engines/masina-1-abcdef/drain': () => ({
      status: 422,
      body: { message: 'Mašina je upravo otišla.', field: null },
    }),
  });
});

const block = async (title: string) => within(await screen.findByRole('region', { name: title }));
const done = () => calls.filter(({ method }) => method === 'POST').map(({ path }) => path);

it('says in words that nothing waits, runs or has failed', async () => {
  show(<OperationsScreen />);
  expect((await block('Redovi')).getByText('ništa ne čeka')).toBeVisible();
  expect((await block('U izradi')).getByText('Ništa se ne izrađuje')).toBeVisible();
  expect((await block('Neuspela izvršavanja u poslednja 24 sata')).getByText('Nema neuspelih izvršavanja')).toBeVisible();
  const fires = await block('Zakazivanja');
  expect(fires.getByText('Kašnjenje').nextElementSibling).toHaveTextContent('nema');
  expect((await block('Sistem')).getByText('radi')).toBeVisible();
});

it('tells how old and how large the last backup is, and warns of one that is old, lacks files or is not there', async () => {
  show(<OperationsScreen />);
  const system = await block('Sistem');
  expect(system.getByText('Poslednja rezervna kopija').nextElementSibling).toHaveTextContent(/26\.11\.2026.*1,5.KB/);
  expect(system.queryByText(/rezervna kopija je stara|nije napravljena|nedostaje/)).toBeNull();
});

it.each([
  [{ ...BACKUP, staraSekundi: 50 * 3600 }, /poslednja rezervna kopija je stara/],
  [{ ...BACKUP, nedostaje: 2 }, 'u poslednjoj rezervnoj kopiji nedostaje fajlova: 2'],
  [null, 'rezervna kopija još nije napravljena'],
])('warns of a backup on which nobody should rely', async (kopija, told) => {
  now = { ...NOTHING, kopija };
  show(<OperationsScreen />);
  expect(await (await block('Sistem')).findByText(told)).toBeVisible();
});

it('tells each class of mail by its own number', async () => {
  show(<OperationsScreen />);
  const mail = await block('E-mail');
  const told = ['čeka slanje', 'šalje se', 'poslato', 'odbijeno', 'odustalo se', 'neizvesno'].map(
    (name) => mail.getByText(name).nextElementSibling?.textContent,
  );
  expect(told).toEqual(['1', '2', '1.234', '3', '4', '5']);
});

it('names each part that is at fault, and of the store what is wrong with it', async () => {
  const bad = { ok: false };
  const zdravlje = { ...HEALTHY, status: 'degraded', redis: bad, store: bad } as const;
  now = { ...NOTHING, sistem: { ...NOTHING.sistem, skladiste: 'full', zdravlje } };
  show(<OperationsScreen />);
  const system = await block('Sistem');
  for (const words of ['radi, ali ne sve', 'nema Redisa', 'skladište je puno']) expect(system.getByText(words)).toBeVisible();
  expect(system.queryByText('baza ne odgovara')).toBeNull();
});

it('tells what of its ground somebody should look into, once, and from when looks are in files', async () => {
  const zdravlje = { ...HEALTHY, status: 'degraded' as const, redis: { ok: false } };
  now = { ...NOTHING, sistem: { ...NOTHING.sistem, zdravlje, podloga: ['redis', 'redis_disk'], uvidiUArhiviPre: '2024-01-01' } };
  show(<OperationsScreen />);
  const system = await block('Sistem');
  const told = ['nema Redisa', 'Redis ne čuva poslove na disku: postavite appendonly na yes', 'pre 01.01.2024. su u fajlovima arhive'];
  for (const words of told) expect(system.getByText(words)).toBeVisible();
});

it('tells at its head since when mail is down and which process has fallen silent, unless another has taken its place', async () => {
  const down = {
    radi: false,
    neRadiOd: '2026-11-26 08:00',
    neRadiSekundi: 3720,
    odgovor: 'E-mail server nije odgovorio na vreme (povezivanje).',
  };
  const gone = { ...ENGINE, ziv: false, cutiSekundi: 300 };
  now = {
    ...NOTHING,
    sistem: { ...NOTHING.sistem, zdravlje: { ...HEALTHY, status: 'degraded', mail: { ok: false } } },
    serverPoste: { ...NOTHING.serverPoste, ...down },
    procesi: [
      ENGINE,
      { ...gone, id: 'masina-2-bbbbbb', masina: 'druga' },
      { ...gone, id: 'masina-3-cccccc', masina: 'treća', zamenjen: true },
    ],
  };
  show(<OperationsScreen />);
  const system = await block('Sistem');
  expect(system.getByText(/^E-mail server ne radi od 26\.11\.2026/)).toBeVisible();
  expect(system.getByText(/^mašina za izveštaje druga bbbbbb se ne javlja 5 min/)).toBeVisible();
  expect(system.queryByText(/treća/)).toBeNull();
  const mail = await block('E-mail');
  expect(mail.getByText('Poslednji odgovor').nextElementSibling).toHaveTextContent('nije odgovorio na vreme');
});

it('shows what runs, and ends it only when that is confirmed', async () => {
  const run = { id: '7', izvestaj: 'Ishod po polu', red: 'scheduled', faza: 'query', sekundi: 75, pokusaj: 2, otkazivanje: false } as const;
  now = { ...NOTHING, izvrsavanja: [{ ...run, redova: null, radnik: null, masina: 'prva' }] };
  show(<OperationsScreen />);
  const running = await block('U izradi');
  for (const words of ['Zakazani izveštaji', 'upit', 'pokušaj 2.', 'prva']) expect(running.getByText(words)).toBeVisible();
  await userEvent.click(running.getByRole('button', { name: 'Prekini „Ishod po polu”' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/Onaj ko ju je tražio videće da je otkazana/)).toBeVisible();
  expect(done()).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Prekini' }));
  expect(await screen.findByText('Prekid je zatražen')).toBeVisible();
  expect(done()).toEqual(['/api/operations/runs/7/cancel']);
});

it('tells of a failed run its cause, its words, and what the database said to who configures reports', async () => {
  const run = { id: '8', izvestaj: 'Lekovi', red: 'interactive', pokusaja: 3, zavrsen: '2026-11-26 09:15', radnik: 'lekar' } as const;
  const upit = { poruka: 'column "x" does not exist', savet: null, red: 2, kolona: 8 };
  now = {
    ...NOTHING,
    uzroci: [{ sifra: 'poison', broj: 2 }],
    neuspeli: [
      { ...run, sifra: 'query', poruka: 'Upit izveštaja nije uspeo.', izvestajID: 5, upit },
      { ...run, id: '9', izvestaj: null, sifra: null, poruka: null, izvestajID: null, upit: null },
    ],
  };
  show(<OperationsScreen />);
  const failures = await block('Neuspela izvršavanja u poslednja 24 sata');
  for (const words of [
    'Ruši mašine: 2',
    'Upit nije uspeo',
    'Upit izveštaja nije uspeo.',
    'column "x" does not exist',
    'Uzrok koji ovaj program ne zna',
  ])
    expect(failures.getByText(words)).toBeVisible();
  expect(failures.getByRole('link')).toHaveAttribute('href', '/admin/izvestaji/5/dizajner');
  expect(failures.getByRole('button', { name: 'Ponovi „Štampa unosa”' })).toBeVisible();
});

it('says of each process whether it works, empties itself, takes nothing, or is silent', async () => {
  const engine = (more: Partial<Reply<'Operations'>['procesi'][number]>, id: string) => ({ ...ENGINE, ...more, id, masina: id });
  now = {
    ...NOTHING,
    procesi: [
      engine({}, 'aaaaaa'),
      engine({ praznjenje: true, odmara: 'drained' }, 'bbbbbb'),
      engine({ praznjenje: true, odmara: 'drained', zauzeto: 0 }, 'cccccc'),
      engine({ odmara: 'other_store' }, 'dddddd'),
      engine({ ziv: false, cutiSekundi: 90 }, 'eeeeee'),
      engine({ redis: false }, 'ffffff'),
    ],
  };
  show(<OperationsScreen />);
  const processes = await block('Procesi');
  const told = processes.getAllByRole('listitem').map((item) => item.textContent);
  const words = ['radi', 'prazni se', 'ispražnjena', 'nema zajedničko skladište', 'ne javlja se', 'nema Redisa'];
  expect(told.map((text, at) => text.includes(words[at] ?? '?'))).toEqual(words.map(() => true));
  const buttons = processes.getAllByRole('button').map((button) => button.textContent);
  expect(buttons, 'an engine that is gone is not emptied').toEqual(['Isprazni', 'Nastavi', 'Nastavi', 'Isprazni', 'Isprazni']);
});

it('says why an engine could not be emptied, and shows what is so now', async () => {
  now = { ...NOTHING, procesi: [ENGINE] };
  show(<OperationsScreen />);
  await userEvent.click((await block('Procesi')).getByRole('button', { name: /^Isprazni/ }));
  const asked = calls.length;
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Isprazni' }));
  expect(await screen.findByText('Mašina je upravo otišla.')).toBeVisible();
  await waitFor(() => expect(calls.slice(asked).map(({ method }) => method)).toEqual(['POST', 'GET']));
});
