import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import EntryArchiveScreen from './EntryArchiveScreen';
import PatientArchiveScreen from './PatientArchiveScreen';
import { emptyPatient } from './patientForm';
import { ValueChanges } from './ValueChanges';
import { Views } from './Views';

beforeEach(() => signedIn());

const list =
  (data: unknown[], total = data.length) =>
  () => ({ body: { data, total, promene: [] } });
const headers = () => screen.getAllByRole('columnheader').map((cell) => cell.textContent);
const cells = (row: number) =>
  within(screen.getAllByRole('row')[row] as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
const offersSizes = async (sizes: string[]) => {
  fireEvent.click(document.querySelector('.p-paginator .p-dropdown') as HTMLElement);
  await waitFor(() => expect([...document.querySelectorAll('.p-dropdown-item')].map(({ textContent }) => textContent)).toEqual(sizes));
};
const openPatientHistory = () =>
  show(
    <Routes>
      <Route path="/pacijentArhiva/:id" element={<PatientArchiveScreen />} />
    </Routes>,
    '/pacijentArhiva/7',
  );

it("a patient's history shows the record as it is and was, with the fields that the installation shows", async () => {
  const state = {
    ...emptyPatient,
    ime: 'Ana',
    prezime: 'Anić',
    datumRodjenja: '1970-01-01',
    polTrenutni: false,
    polNaRodjenju: true,
    imeRoditelja: 'Petar',
    vremeKreiranja: '2026-03-05 14:30',
    vremePoslednjeIzmene: '2026-03-06 15:00',
    vremePrestankaVazenja: null,
    aktivan: true,
    radnikUpisao: 'Čubrilović Đorđe',
    radnik: null,
  };
  fakeApi({
    'GET /api/patients/7/archive': list([
      state,
      { ...state, prezime: 'Babić', vremePrestankaVazenja: '2026-03-06 15:00', radnikUpisao: 'Anić Vera', radnik: 'Čubrilović Đorđe' },
    ]),
    'GET /api/parameter/pacijent': () => ({ body: { prikazPacijentImeRoditelja: true } }),
  });
  openPatientHistory();
  await screen.findByText('Babić');
  await waitFor(() => expect(headers()).toContain('Ime roditelja'));
  expect(headers()).toEqual([
    'Ime',
    'Prezime',
    'Datum rođenja',
    'JMBG',
    'LBO',
    'Ime roditelja',
    'Pol',
    'Pol na rođenju',
    'Kontakt telefon',
    'Mobilni telefon',
    'Adresa',
    'Broj kartona',
    'E-mail',
    'Upisao',
    'Vreme kreiranja',
    'Vreme poslednje izmene',
    'Vreme prestanka važenja',
    'Zamenio',
    'Aktivan',
  ]);
  expect(cells(1)).toEqual([
    'Ana',
    'Anić',
    '01.01.1970.',
    '—',
    '—',
    'Petar',
    'Ž',
    'M',
    '—',
    '—',
    '—',
    '—',
    '—',
    'Čubrilović Đorđe',
    '05.03.2026. 14:30',
    '06.03.2026. 15:00',
    'važi sada',
    '—',
    'Da',
  ]);
  expect(cells(2).slice(-3)).toEqual(['06.03.2026. 15:00', 'Čubrilović Đorđe', 'Da']);
  expect(cells(2).at(-6)).toBe('Anić Vera');
  await offersSizes(['5', '10', '15', '20']);
  await userEvent.click(screen.getByRole('button', { name: 'Rečenice' }));
  expect(headers()).toEqual(['Promena']);
  expect(cells(1)).toEqual(['Prezime Babić → Anić, Čubrilović Đorđe, 06.03.2026. 15:00']);
  expect(screen.getAllByRole('row')).toHaveLength(2);
});

it('changes of values have a column for each kind, and 10 to a page', async () => {
  const none = {
    nabrojivaVrednost: null,
    logickaVrednost: null,
    tekstVrednost: null,
    brojnaVrednost: null,
    datumskaVrednost: null,
    fajlovi: [],
  };
  const row = {
    ...none,
    nazivAtributa: 'Stavka',
    vremePrestankaVazenja: null,
    vremeKreiranja: '2026-03-05 14:30',
    vremePoslednjeIzmene: null,
    radnik: null,
  };
  const kinds = [
    { nabrojivaVrednost: 'prva, druga' },
    { logickaVrednost: false },
    { tekstVrednost: 'žuč' },
    { brojnaVrednost: 2108.5 },
    { datumskaVrednost: '2026-03-05' },
  ];
  fakeApi({ 'GET /api/entries/9/archive': list([...kinds.map((kind) => ({ ...row, ...kind })), ...Array.from({ length: 6 }, () => row)]) });
  show(<ValueChanges entry="9" items={[1]} />);
  await screen.findByText('prva, druga');
  expect(headers()).toEqual([
    'Vreme prestanka važenja',
    'Zamenio',
    'Naziv atributa',
    'Nabrojiva vrednost',
    'Logička vrednost',
    'Tekst vrednost',
    'Brojna vrednost',
    'Datumska vrednost',
    'Upisao',
    'Vreme kreiranja',
    'Vreme poslednje izmene',
  ]);
  expect([1, 2, 3, 4, 5].map((at) => cells(at)[at + 2])).toEqual(['prva, druga', 'Ne', 'žuč', '2.108,5', '05.03.2026.']);
  expect(screen.getAllByRole('row')).toHaveLength(11);
  await offersSizes(['5', '10', '20']);
});

it('changes of values are sentences too: what became what, who and when', async () => {
  const change = { polje: 1, nazivAtributa: 'CRP', tvaNumVrednost: 2, jedinica: null, radnik: 'Ćirić Snežana', vreme: '2026-11-22 20:59' };
  const side = (vrednost: unknown, stavke: string | null = null) => ({ vrednost, stavke });
  const promene = [
    { ...change, staro: side(10.1), novo: side(22) },
    { ...change, staro: side(22), novo: side(25), preracunato: true },
    { ...change, nazivAtributa: 'Terapija', tvaNumVrednost: 4, staro: side([1], 'Metotreksat'), novo: side(null) },
    { ...change, nazivAtributa: 'Pušač', tvaNumVrednost: 1, staro: side(null), novo: side(false) },
  ];
  fakeApi({ 'GET /api/entries/9/archive': () => ({ body: { data: [], total: 0, promene } }) });
  show(<ValueChanges entry="9" items={[1]} view="sentences" />);
  await screen.findAllByText('CRP');
  expect([1, 2, 3, 4].map((at) => cells(at)[0])).toEqual([
    'CRP 10,1 → 22, Ćirić Snežana, 22.11.2026. 20:59',
    'CRP 22 → 25, Ćirić Snežana, 22.11.2026. 20:59, preračunavanje',
    'Terapija Metotreksat → —, Ćirić Snežana, 22.11.2026. 20:59',
    'Pušač — → Ne, Ćirić Snežana, 22.11.2026. 20:59',
  ]);
});

it('histories are cards on a narrow screen, without what they do not say', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as MediaQueryList);
  const none = {
    nabrojivaVrednost: null,
    logickaVrednost: null,
    tekstVrednost: null,
    fajlovi: [],
    datumskaVrednost: null,
    vremePoslednjeIzmene: null,
    radnik: null,
  };
  const row = { ...none, nazivAtributa: 'Puls', brojnaVrednost: 72, vremePrestankaVazenja: null, vremeKreiranja: '2026-03-05 14:30' };
  fakeApi({ 'GET /api/entries/9/archive': list([row]) });
  show(<ValueChanges entry="9" items={[1]} />);
  await screen.findByText('Puls');
  expect(headers()).toEqual(['Promena']);
  expect([...document.querySelectorAll('dl > div')].map((said) => said.textContent)).toEqual([
    'Vreme prestanka važenjavaži sada',
    'Brojna vrednost72',
    'Vreme kreiranja05.03.2026. 14:30',
  ]);
  cleanup();
  const record = {
    ...emptyPatient,
    ime: 'Ana',
    prezime: 'Anić',
    vremeKreiranja: '2026-03-05 14:30',
    vremePoslednjeIzmene: '2026-03-06 15:00',
    aktivan: true,
    radnik: null,
  };
  fakeApi({
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'GET /api/patients/7/archive': list([
      { ...record, vremePrestankaVazenja: null },
      { ...record, prezime: 'Babić', vremePrestankaVazenja: '2026-03-06 15:00' },
    ]),
  });
  openPatientHistory();
  await screen.findByText('Babić');
  expect(headers()).toEqual(['Stanje']);
  expect([...document.querySelectorAll('td strong')].map((title) => title.textContent)).toEqual(['važi sada', '06.03.2026. 15:00']);
  expect([...(document.querySelector('dl')?.children ?? [])].map((said) => said.textContent).slice(0, 2)).toEqual([
    'ImeAna',
    'PrezimeAnić',
  ]);
  vi.restoreAllMocks();
});

it('fields that the installation shows are shown on a narrow screen too, when that is known after the history', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as MediaQueryList);
  fakeApi({
    'GET /api/parameter/pacijent': () => ({ body: { prikazPacijentImeRoditelja: true } }),
    'GET /api/patients/7/archive': list([
      {
        ...emptyPatient,
        ime: 'Ana',
        imeRoditelja: 'Petar',
        vremeKreiranja: '2026-03-05 14:30',
        vremePrestankaVazenja: null,
        aktivan: true,
        radnik: null,
      },
    ]),
  });
  const answer = fetch;
  let known = () => {};
  const later = new Promise<void>((resolve) => (known = resolve));
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input.includes('/api/parameter/')) await later;
    return answer(input, init);
  });
  openPatientHistory();
  await screen.findByText('važi sada', { selector: 'strong' });
  expect(screen.queryByText('Petar')).toBeNull();
  known();
  expect(await screen.findByText('Petar')).toBeInTheDocument();
  vi.restoreAllMocks();
});

it('items that do not load are said not to have, with a way to ask again', async () => {
  const view = {
    nazivUnosa: 'Pregled',
    pacijent: 'Anić Ana',
    oPacijentu: { id: 7, ime: 'Ana', prezime: 'Anić', datumRodjenja: '1970-01-01', polTrenutni: false, jmbg: '0101970715005' },
    pacijentID: 7,
    odgovoranZaSadrzaj: 'Čubrilović Đorđe',
    datumKreiranja: '2026-03-05',
    radnikKreirao: 'sistem Regix',
    radnikPoslednjiIzmenio: null,
    kreirano: '2026-03-05 14:30',
    vremePoslednjeIzmene: null,
    aktivan: true,
    verzijaObrasca: 2,
    verzijaObrascaOd: '2026-03-01',
    prelasci: [{ sa: 1, na: 2, radnik: 'Čubrilović Đorđe', vreme: '2026-03-06 15:00' }],
  };
  fakeApi({
    'GET /api/entries/9/view': () => ({ body: view }),
    'GET /api/entries/9/items': () => ({ status: 500, body: { message: 'Došlo je do greške na serveru.', field: null } }),
  });
  show(
    <Routes>
      <Route path="/unosArhiva/:id" element={<EntryArchiveScreen />} />
    </Routes>,
    '/unosArhiva/9',
  );
  expect(await screen.findByText('Stavke unosa nisu učitane')).toBeInTheDocument();
  const rows = [...document.querySelectorAll('dl > div')].map((row) => row.textContent);
  expect(rows).toEqual([
    'PacijentAnić Ana',
    'Odgovoran za sadržajČubrilović Đorđe',
    'Datum pregleda05.03.2026.',
    'Kreiraosistem Regix',
    'Poslednji izmenio—',
    'Kreirano05.03.2026. 14:30',
    'Vreme poslednje izmene—',
    'AktivanDa',
    'Formularverzija 2, od 01.03.2026.',
    'Prelazak na novu verziju formularasa verzije 1 na 2, 06.03.2026. 15:00, Čubrilović Đorđe',
  ]);
});

it('of a patient every way of looking is told, and older looks are asked for', async () => {
  const view = {
    radnik: 'Čubrilović Đorđe',
    ustanova: null,
    nacin: 'otvaranje',
    akcija: 'pregled',
    klasa: 'patient',
    vremePristupa: '2026-03-05 14:30',
  };
  const history = { ...view, akcija: 'pregled istorije', klasa: 'entry' };
  const search = { ...view, nacin: 'pretraga', akcija: 'pretraga', klasa: 'patient_search' };
  fakeApi({
    'GET /api/patients/7/views': ({ query }) => ({
      body:
        query.get('pre') === 'dalje' ? { data: [search], total: 3, sledeci: null } : { data: [view, history], total: 3, sledeci: 'dalje' },
    }),
  });
  show(<Views patient={7} />);
  await userEvent.click(screen.getByRole('button', { name: 'Ko je pregledao podatke' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Prikaži starije' }));
  await waitFor(() =>
    expect([cells(1), cells(2), cells(3)].map((row) => row[2])).toEqual(['podaci o pacijentu', 'istorija unosa', 'pretraga']),
  );
  expect(screen.queryByRole('button', { name: 'Prikaži starije' })).toBeNull();
});

it("an entry's history begins with no item chosen, says what it shows, and shows all of them by one click", async () => {
  const row = {
    stavka: 'Puls',
    nabrojivaVrednost: null,
    logickaVrednost: null,
    tekstVrednost: null,
    brojnaVrednost: null,
    datumskaVrednost: null,
    fajlovi: [],
  };
  const calls = fakeApi({
    'GET /api/entries/9/view': () => ({ body: { oPacijentu: {}, nazivUnosa: 'Pregled', prelasci: [] } }),
    'GET /api/entries/9/items': list([
      { id: 5, naziv: 'Puls' },
      { id: 6, naziv: 'Pritisak' },
    ]),
    'GET /api/entries/9/archive': list([row]),
  });
  show(
    <Routes>
      <Route path="/unosArhiva/:id" element={<EntryArchiveScreen />} />
    </Routes>,
    '/unosArhiva/9',
  );
  const all = await screen.findByRole('button', { name: 'Prikaži sve stavke' });
  expect(screen.getByText('Vidi se svaka vrednost koju je stavka imala: ko ju je uneo i kada.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Pretraži' }));
  expect(await screen.findByText('Morate izabrati bar jednu stavku unosa.')).toBeInTheDocument();
  const archive = () => calls.filter(({ path }) => path.endsWith('/archive')).map(({ query }) => query.toString());
  expect(archive()).toEqual([]);
  await userEvent.click(all);
  await waitFor(() => expect(archive()).toHaveLength(1));
  expect(archive()[0]).toMatch(/5.*6/);
  expect(screen.queryByText('Morate izabrati bar jednu stavku unosa.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Prikaži sve stavke' })).toBeNull();
});
