import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '../schema';
import { rememberRegister } from '../places';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { savedPatient, searchSetup } from '../testing/patients';
import { EntryTree } from './EntryTree';
import { LatestEntries } from './LatestEntries';
import { PatientData } from './PatientData';
import PatientScreen from './PatientScreen';
import type { EntryField } from './types';

beforeEach(() => signedIn());

const body = (data: unknown[]) => () => ({ body: { data, total: data.length } });
const buttons = () => screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);

describe('the newest entries', () => {
  const broj: EntryField = {
    id: 5,
    naziv: 'Puls',
    tvaNumVrednost: 2,
    enumStavkeSve: [],
    tipAtributa: { jedinica: '/min', decimaleBrojneVrednosti: 0 },
  };
  const saved = {
    tsaID: 1,
    unosNaziv: 'Pregled',
    snimljenUnosID: 9,
    datumUnosa: '2026-03-05',
    mozeSeInstancirati: false,
    autsi: [broj],
    vrednosti: { 5: 72 },
    zastareli: [],
  };
  const open = {
    tsaID: 2,
    unosNaziv: 'Anamneza',
    snimljenUnosID: null,
    datumUnosa: null,
    mozeSeInstancirati: true,
    autsi: [],
    vrednosti: {},
    zastareli: [],
  };

  it('are opened where one is saved, begun where the form may be, and show their values', async () => {
    fakeApi({ 'GET /api/patients/7/latest-entries': body([saved, open]) });
    const create = vi.fn();
    show(
      <Routes>
        <Route path="/" element={<LatestEntries patient={7} register={1} mayChange create={create} />} />
        <Route path="/unosi/:id" element={<p>otvoren unos</p>} />
      </Routes>,
    );
    expect(await screen.findByText('72 /min')).toBeInTheDocument();
    expect(screen.getByText('05.03.2026.')).toBeInTheDocument();
    expect(buttons()).toEqual(['Pregled 05.03.2026.', 'Otvori unos: Pregled', 'Anamneza ', 'Novi unos: Anamneza']);
    await userEvent.click(screen.getByRole('button', { name: 'Novi unos: Anamneza' }));
    expect(create).toHaveBeenCalledWith(expect.objectContaining({ id: 2, naziv: 'Anamneza' }));
    await userEvent.click(screen.getByRole('button', { name: 'Otvori unos: Pregled' }));
    expect(await screen.findByText('otvoren unos')).toBeInTheDocument();
  });

  it('are not begun without the right', async () => {
    fakeApi({ 'GET /api/patients/7/latest-entries': body([open]) });
    show(<LatestEntries patient={7} register={1} mayChange={false} create={() => undefined} />);
    expect(await screen.findByText('Još nema unosa.')).toBeInTheDocument();
    expect(buttons()).toEqual(['Anamneza ']);
  });
});

it('the tree leads to each dated entry, marks blank relevant ones, and begins what may be begun', async () => {
  const unosi = [
    { id: 9, datumUnosa: '2026-03-05', ustanova: 'Klinika', popunjeniRelevantni: true, nalaza: 2, upita: 0 },
    { id: 8, datumUnosa: '2025-01-02', ustanova: 'Institut', popunjeniRelevantni: false, nalaza: 1, upita: 1 },
  ];
  const forms = [
    { tsaID: 1, naziv: 'Pregled', mozeSeInstancirati: true, maxInstanci: null, unosi },
    { tsaID: 2, naziv: 'Zatvoren', mozeSeInstancirati: false, maxInstanci: null, unosi: [] },
  ];
  fakeApi({ 'GET /api/patients/7/entries': body(forms) });
  show(<EntryTree patient={7} register={1} mayChange create={() => undefined} />);
  const list = await screen.findByRole('list', { name: 'Pregled' });
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['05.03.2026.', '/unosi/9'],
    ['02.01.2025.', '/unosi/8'],
  ]);
  expect(within(list).getAllByRole('img', { name: 'Nisu popunjena sva relevantna polja' })).toHaveLength(1);
  expect(buttons()).toEqual(['Novi unos: Pregled']);
  // What is to be checked, beside the entries and for all of the patient.
  expect(within(list).getByRole('img', { name: 'Otvorenih nalaza: 2' })).toBeInTheDocument();
  expect(within(list).getAllByRole('img', { name: /^Otvorenih upita/ })).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Nalazi (3)' })).toHaveAttribute('href', '/nalazi?pacijent=7&registar=1');
  expect(screen.getByRole('link', { name: 'Upiti (1)' })).toHaveAttribute('href', '/mojiUpiti?spisak=ustanova&pacijent=7&registar=1');
});

describe("the patient's data", () => {
  const flags = { 'GET /api/parameter/pacijent': () => ({ body: {} }) };

  it.each([
    [true, true, ['Izmeni podatke', 'Istorija podataka', 'Obriši pacijenta']],
    [true, false, ['Izmeni podatke', 'Istorija podataka']],
    [false, false, ['Istorija podataka']],
  ])('offers by the right to change (%s) and to delete (%s)', (pravoIzmene, pravoBrisanja, offered) => {
    fakeApi(flags);
    show(<PatientData patient={{ ...savedPatient, pravoIzmene, pravoBrisanja }} register={1} reload={() => undefined} />);
    expect(buttons().slice(1)).toEqual(offered);
  });

  it('offers making the patient anonymous to who may', () => {
    fakeApi(flags);
    show(<PatientData patient={{ ...savedPatient, pravoAnonimizacije: true }} register={1} reload={() => undefined} />);
    expect(buttons().slice(1)).toEqual(['Izmeni podatke', 'Istorija podataka', 'Anonimizuj pacijenta', 'Obriši pacijenta']);
  });

  it('is deleted after a question, as it was seen; what somebody changed meanwhile is read again', async () => {
    const reload = vi.fn();
    const calls = fakeApi({
      ...flags,
      'PATCH /api/patients/7': () => ({
        status: 409,
        body: { message: 'Neko je u međuvremenu izmenio podatke o pacijentu. Učitajte ih ponovo.', field: null },
      }),
    });
    show(<PatientData patient={savedPatient} register={1} reload={reload} />);
    await userEvent.click(screen.getByRole('button', { name: 'Obriši pacijenta' }));
    expect(await screen.findByText(/^Da li ste sigurni da želite da obrišete pacijenta Ana Anić\? .* se može vratiti/)).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'PATCH')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Obriši' }));
    await waitFor(() => expect(reload).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ aktivan: false, verzija: 3 });
    expect(await screen.findByText('Greška prilikom brisanja pacijenta')).toBeInTheDocument();
  });
});

describe('the register of the page', () => {
  const of = (id: number, brojUnosa: number) => ({ id, brojUnosa, status: 'aktivan' as const, statusDan: null });
  const open = async (registri: Schema<'Patient'>['registri']) => {
    const calls = fakeApi({
      'GET /api/patients/7': () => ({ body: { ...savedPatient, registri } }),
      'GET /api/registers': body(['Reumatologija', 'Kardiologija', 'Nefrologija'].map((naziv, i) => ({ id: i + 1, naziv }))),
      'GET /api/parameter/pacijent': () => ({ body: {} }),
      'GET /api/patients/7/entries': body([]),
      'GET /api/patients/7/latest-entries': body([]),
      'GET /api/patients/7/trend': () => ({ body: { linije: [], podaci: [] } }),
    });
    show(
      <Routes>
        <Route path="/pacijenti/:id" element={<PatientScreen />} />
      </Routes>,
      '/pacijenti/7',
    );
    await screen.findByText('Registar nema formulare');
    return () => calls.filter(({ path }) => path.endsWith('/entries')).map(({ query }) => query.get('registarID'));
  };

  it.each([
    ['that of the newest entry', null, [of(3, 2), of(2, 5)], '3'],
    ['the one that was chosen last', 2, [of(3, 2)], '2'],
    ['one that the worker sees', null, [of(9, 2), of(2, 1)], '2'],
    ['the first, where he is in none', null, [], '1'],
  ])('is %s', async (_, remembered, registri, expected) => {
    if (remembered) rememberRegister(remembered);
    const asked = await open(registri);
    expect(asked()).toEqual([expected]);
  });

  it('is changed for another that holds entries', async () => {
    rememberRegister(1);
    const asked = await open([of(3, 2), of(2, 0)]);
    expect(screen.queryByRole('button', { name: /Kardiologija/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Nefrologija: 2 unosa' }));
    await waitFor(() => expect(asked()).toEqual(['1', '3']));
    expect(localStorage.getItem('regix.registar')).toBe('3');
  });
});

it("a new entry is three Tabs away from the top of a patient's page, with every form that may be begun", async () => {
  const type = (id: number, naziv: string, mozeSeInstancirati = true) => ({ id, naziv, mozeSeInstancirati, maxInstanci: null });
  fakeApi({
    'GET /api/patients/7': () => ({ body: savedPatient }),
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'GET /api/registers': body([{ id: 1, naziv: 'Kardiologija' }]),
    'GET /api/registers/1/search-setup': () => ({
      body: { ...searchSetup, tipoviUnosa: [type(1, 'Pregled'), type(2, 'Zatvoren', false), type(3, 'Anamneza')] },
    }),
    'GET /api/patients/7/entries': body([]),
    'GET /api/patients/7/latest-entries': body([]),
  });
  show(
    <Routes>
      <Route path="/pacijenti/:id" element={<PatientScreen />} />
    </Routes>,
    '/pacijenti/7',
  );
  const begin = await screen.findByRole('button', { name: 'Novi unos' });
  await waitFor(() => expect(begin).toBeEnabled());
  for (let tabs = 0; tabs < 3; tabs += 1) await userEvent.tab();
  expect(begin).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Novi unos' });
  expect(within(dialog).getAllByRole('radio')).toHaveLength(2);
  expect(within(dialog).getByLabelText('Anamneza')).toBeInTheDocument();
});

it('a new entry is not offered to who may only read', async () => {
  fakeApi({
    'GET /api/patients/7': () => ({ body: { ...savedPatient, pravoIzmene: false, pravoBrisanja: false } }),
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'GET /api/registers': body([{ id: 1, naziv: 'Kardiologija' }]),
    'GET /api/registers/1/search-setup': () => ({ body: searchSetup }),
    'GET /api/patients/7/entries': body([]),
    'GET /api/patients/7/latest-entries': body([]),
  });
  show(
    <Routes>
      <Route path="/pacijenti/:id" element={<PatientScreen />} />
    </Routes>,
    '/pacijenti/7',
  );
  await screen.findByText('Registar nema formulare');
  expect(screen.queryByRole('button', { name: 'Novi unos' })).toBeNull();
});
