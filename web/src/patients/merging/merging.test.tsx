// Two records side by side, the worklist, the undoing, and the offers to another keeper.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../../testing/fakeApi';
import { Merges } from './Merges';
import MergeScreen from './MergeScreen';
import MergingScreen from './MergingScreen';
import TransfersScreen from './TransfersScreen';

beforeEach(() => signedIn({ prava: [20, 21] }));

const record = (ime: string, adresa: string | null) => ({
  ime,
  prezime: 'Anić',
  datumRodjenja: '1961-05-14',
  jmbg: '1405961710018',
  lbo: '12345678901',
  polTrenutni: false,
  adresa,
});
const preview = {
  pobednik: { id: 7, ustanova: 'Klinika A', verzija: 3, vremeKreiranja: '2024-01-02 10:00', unosa: 2, podaci: record('Ana', null) },
  gubitnik: { id: 9, ustanova: 'Klinika A', verzija: 1, vremeKreiranja: '2025-01-02 10:00', unosa: 1, podaci: record('Anna', 'Nova 1') },
  razlike: ['ime', 'adresa'],
  premesta: [{ tabela: 'entry', redova: 1 }],
  prepreke: [] as string[],
  posleSmrti: [{ formular: 'Otpust', dan: '2026-04-02', smrt: '2026-04-01' }],
  sukobi: [{ formular: 'Pregled', dan: '2026-03-01', broj: 2, najvise: 1 }],
  saglasnost: null as string | null,
};

const merge = (path: string) =>
  show(
    <Routes>
      <Route path="/spajanjePacijenata/:id" element={<MergeScreen />} />
      <Route path="/pacijenti/:id" element={<p>strana pacijenta</p>} />
    </Routes>,
    path,
  );

it('marks what differs, sends what was chosen, and asks what the server asks', async () => {
  const calls = fakeApi({
    'GET /api/patient-merges/preview': () => ({ body: preview }),
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'POST /api/patient-merges': ({ body }) =>
      (body as { potvrde: string[] }).potvrde.length > 0
        ? { status: 201, body: { spajanjeID: 5, predlogID: null } }
        : { status: 422, body: { message: 'Čudno.', field: null, potvrde: [{ oznaka: 'jmbgNeslaganje', tekst: 'JMBG se ne slaže.' }] } },
  });
  merge('/spajanjePacijenata/7?drugi=9');
  const table = await screen.findByRole('table', { name: 'Spajanje dva kartona' });
  const address = within(table).getByRole('row', { name: /Adresa/ });
  expect(address).toHaveTextContent('razlikuje se');
  expect(within(within(table).getByRole('row', { name: /JMBG/ })).queryByRole('radio')).toBeNull();
  expect(screen.getByText('Pregled, 01.03.2026.: 2, dozvoljeno 1')).toBeVisible();
  await userEvent.click(within(address).getByRole('radio', { name: 'Adresa: Nova 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Spoji' }));
  expect(await screen.findByText('Napišite razlog, najmanje 10 znakova.')).toBeVisible();
  await userEvent.type(screen.getByLabelText(/Razlog/), 'Upisana je dva puta');
  await userEvent.click(screen.getByRole('button', { name: 'Spoji' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Da' }));
  expect(await screen.findByText('strana pacijenta')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toMatchObject({
    pobednikID: 7,
    gubitnikID: 9,
    odGubitnika: ['adresa'],
    verzijaPobednika: 3,
    potvrde: ['jmbgNeslaganje'],
  });
});

it('proposes where another institution keeps the other record, and does nothing where something stands in the way', async () => {
  fakeApi({
    'GET /api/patient-merges/preview': () => ({ body: { ...preview, saglasnost: 'Klinika B', prepreke: ['Čekaju nacrti.'] } }),
    'GET /api/parameter/pacijent': () => ({ body: {} }),
  });
  merge('/spajanjePacijenata/7?drugi=9');
  expect(await screen.findByText(/Spajanje će biti predloženo njoj/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Predloži ustanovi Klinika B' })).toBeDisabled();
  expect(screen.getByText(/Čekaju nacrti\./)).toBeVisible();
});

it('remembers that a pair is two people', async () => {
  const one = { pacijentID: 7, imePrezime: 'Anić Ana', datumRodjenja: '1961-05-14', jmbg: '1', lbo: '2', ustanova: 'Klinika A', unosa: 1 };
  const pair = {
    prvi: one,
    drugi: { ...one, pacijentID: 9, imePrezime: 'Anić Anna', unosa: 3 },
    razlog: 'datum',
    nadjen: '2026-03-01 02:00',
  };
  const calls = fakeApi({
    'GET /api/patient-pairs': () => ({ body: { data: [pair], total: 1 } }),
    'GET /api/patient-merge-proposals': () => ({ body: { data: [], total: 0 } }),
    'POST /api/patient-pairs': () => ({ status: 204 }),
  });
  show(<MergingScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Nije ista osoba: Anić Ana i Anić Anna' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ prviID: 7, drugiID: 9, nijeIsta: true });
});

it('asks of each newer row whose it is before a merge is undone', async () => {
  const row = { tabela: 'entry', kljuc: { id: 41 }, opis: 'Pregled, 04.02.2025.', vreme: '2026-03-02 10:00' };
  const merged = {
    id: 5,
    gubitnikID: 9,
    gubitnik: 'Anić Anna',
    datumRodjenja: '1961-05-14',
    jmbg: '1405961710018',
    razlog: 'Upisana je dva puta',
    radnik: 'Ilić Eva',
    vreme: '2026-03-01 10:00',
    premesteno: 1,
    razdvojio: null,
    razdvojeno: null,
    moze: true,
    noviji: [row],
  };
  const calls = fakeApi({
    'GET /api/patients/7/merges': () => ({ body: { data: [merged], total: 1 } }),
    'POST /api/patient-merges/5/unmerge': () => ({ status: 204 }),
  });
  let reloaded = 0;
  show(<Merges patient={7} reload={() => (reloaded += 1)} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Razdvoji: Anić Anna' }));
  const dialog = await screen.findByRole('dialog', { name: 'Razdvajanje kartona' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Razdvoji' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Izaberite za svaki red kojoj osobi pripada.');
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Prelazi u karton koji se vraća' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Razdvoji' }));
  await waitFor(() => expect(reloaded).toBe(1));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ noviji: [{ tabela: 'entry', kljuc: { id: 41 }, prelazi: true }] });
});

it('accepts an offered patient, and declines one with a reason', async () => {
  const offer = {
    id: 3,
    primljen: true,
    pacijentID: 7,
    imePrezime: 'Anić Ana',
    datumRodjenja: '1961-05-14',
    ustanova: 'Klinika B',
    radnik: 'Ilić Eva',
    razlog: 'Preselila se',
    vreme: '2026-03-01 10:00',
    status: 'ceka',
  };
  const calls = fakeApi({
    'GET /api/patient-transfers': () => ({ body: { data: [offer], total: 1 } }),
    'POST /api/patient-transfers/3/accept': () => ({ status: 204 }),
    'POST /api/patient-transfers/3/decline': () => ({ status: 204 }),
  });
  show(<TransfersScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Prihvati: Anić Ana' }));
  expect(await screen.findByText('Vaša ustanova sada vodi pacijenta')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Odbij: Anić Ana' }));
  const dialog = await screen.findByRole('dialog', { name: 'Odbijanje' });
  await userEvent.type(within(dialog).getByLabelText(/Razlog/), 'Nema mesta u ambulanti');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Odbij' }));
  await waitFor(() => expect(calls.at(-2)?.body ?? calls.at(-1)?.body).toEqual({ razlog: 'Nema mesta u ambulanti' }));
});
