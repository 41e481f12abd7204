import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { act } from 'react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { session } from '../api/session';
import { ValueType } from '../forms/valueType';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { searchSetup } from '../testing/patients';
import { emptyForm } from './criteria';
import { hashOf } from './searchLink';
import SearchScreen from './SearchScreen';
import type { SearchRow, SearchSetup } from './types';

const setup: SearchSetup = {
  ...searchSetup,
  id: 1,
  tipoviUnosa: [{ id: 3, naziv: 'Pregled', mozeSeInstancirati: true, maxInstanci: null }],
};
const known: SearchRow = {
  pacijentID: 5,
  imePrezime: 'Petrović Ana',
  jmbg: '0101970715006',
  lbo: '12345678901',
  identifikacioniBroj: 'K-1',
  prviUnosID: 7,
  prviUnos: 'Prijem',
  prviUnosDatum: '01.02.2020.',
  poslednjiUnosID: 8,
  poslednjiUnos: 'Otpust',
  poslednjiUnosDatum: '05.03.2026.',
  blurPodataka: false,
  status: 'aktivan',
  statusDan: null,
  slicno: false,
  pogodak: [],
  unos: null,
};
const blurred: SearchRow = {
  ...known,
  pacijentID: null,
  imePrezime: null,
  jmbg: null,
  lbo: null,
  identifikacioniBroj: null,
  prviUnosID: null,
  poslednjiUnosID: null,
  blurPodataka: true,
};

function open(
  of: Partial<SearchSetup> = {},
  unosi: SearchRow[] = [],
  marks: object[] = [],
  manjeOdTudjih: number | null = null,
  more: Parameters<typeof fakeApi>[0] = {},
  hash = '',
) {
  const calls = fakeApi({
    'GET /api/registers/1/search-setup': () => ({ body: { ...setup, ...of } }),
    'POST /api/search': () => ({ body: { unosi, skraceno: false, manjeOdTudjih } }),
    'POST /api/stale-results': () => ({ body: { data: marks, total: marks.length } }),
    'GET /api/saved-searches': () => ({ body: { data: [], total: 0 } }),
    ...more,
  });
  show(
    <>
      <Routes>
        <Route path="/registri/:id" element={<SearchScreen />} />
        <Route path="/unosi/novi" element={<Begun />} />
      </Routes>
      <Address />
    </>,
    `/registri/1${hash}`,
  );
  return () => calls.filter(({ path }) => path === '/api/search').map(({ body }) => body);
}
const Begun = () => <p>nov unos: {useLocation().search}</p>;

function Address() {
  const { pathname, hash } = useLocation();
  return <output data-testid="address">{`${pathname}${hash}`}</output>;
}

const search = async () => fireEvent.submit(await screen.findByRole('search'));

const scrolled = vi.fn();

beforeEach(() => {
  sessionStorage.clear();
  // The DOM of the tests has no layout.
  Element.prototype.scrollIntoView = scrolled;
  scrolled.mockClear();
  signedIn({ prava: [] });
});

const LABELS = {
  prezime: 'Prezime',
  ime: 'Ime',
  JMBG: 'JMBG',
  LBO: 'LBO',
  godinaOd: 'Godina rođenja od',
  godinaDo: 'Godina rođenja do',
  pol: 'Pol',
} as const;

it.each(Object.entries(LABELS))('shows the fixed field %s only where it is set so', async (name, text) => {
  open({ kriterijumi: { ...setup.kriterijumi, [name]: false } });
  await screen.findByRole('search');
  const shown = Object.values(LABELS).filter((other) => screen.queryByLabelText(other) !== null);
  expect(shown).toEqual(Object.values(LABELS).filter((other) => other !== text));
});

it('asks for 200 results of either sex unless told otherwise', async () => {
  const asked = open();
  await search();
  await waitFor(() =>
    expect(asked()).toEqual([expect.objectContaining({ registarID: 1, pol: -1, brojRezultatePretrage: 200, sviRezultati: false })]),
  );
});

it('is not run while a number may be two, and the message names the item', async () => {
  const asked = open({ polja: [{ id: 2, naziv: 'Troponin', tipUnosaID: 3, tipVrednosti: 2, jedinica: null, stavke: [] }] });
  sessionStorage.clear();
  await screen.findByRole('search');
  await userEvent.click(screen.getByLabelText('Stavka unosa').closest('.p-dropdown') ?? document.body);
  await userEvent.click(await screen.findByText('Troponin', { selector: '.p-dropdown-item *' }));
  await userEvent.type(screen.getByLabelText('Vrednost'), '2.108');
  await search();
  expect(screen.getByText('„Troponin”: „2.108” može da znači 2108 ili 2,108. Izaberite jedno.')).toBeVisible();
  expect(asked()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '2108' }));
  await search();
  await waitFor(() =>
    expect(asked()).toEqual([expect.objectContaining({ redPretrage: [expect.objectContaining({ poljeID: 2, vrednost: '2108' })] })]),
  );
});

it('leads from a known patient to the page, both entries and a new entry, from a blurred one nowhere', async () => {
  open({}, [known, blurred]);
  await search();
  const [first, second] = (await screen.findAllByRole('row')).slice(1).map((row) => within(row));
  expect(first?.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/pacijenti/5', '/unosi/7', '/unosi/8']);
  expect(first?.getByRole('button', { name: 'Novi unos: Petrović Ana' })).toBeVisible();
  expect(second?.queryAllByRole('link')).toEqual([]);
  expect(second?.queryAllByRole('button')).toEqual([]);
});

it('offers no new entry where no entry type can be made', async () => {
  open({ tipoviUnosa: setup.tipoviUnosa.map((type) => ({ ...type, mozeSeInstancirati: false })) }, [known]);
  await search();
  await screen.findByRole('link', { name: 'Petrović Ana' });
  expect(screen.queryByRole('button', { name: /^Novi unos/ })).toBeNull();
});

it('searches again where the institution is switched', async () => {
  const asked = open({}, [known]);
  await search();
  await screen.findByRole('link', { name: 'Petrović Ana' });
  act(() => session.update({ ustanovaID: 2, ustanovaNaziv: 'Klinički centar Vojvodine' }));
  await waitFor(() => expect(asked()).toHaveLength(2));
});

it('brings the answer into view, with the sentence of what was searched', async () => {
  open({}, [known]);
  fireEvent.change(await screen.findByLabelText('Prezime'), { target: { value: 'petr' } });
  await search();
  expect(await screen.findByText('Traženo: prezime sadrži „petr”.')).toBeVisible();
  const results = screen.getByRole('table', { name: 'Rezultati pretrage' });
  await waitFor(() => expect(document.activeElement).toContainElement(results));
  expect(scrolled).toHaveBeenCalledOnce();
});

it('shows which entry and which value matched, and of a hidden row nothing', async () => {
  const polja = [{ id: 4, naziv: 'CRP', tipUnosaID: 3, tipVrednosti: ValueType.Number, jedinica: 'mg/L', stavke: [] }];
  const pogodak = [{ uslov: 0, poljeID: 4, unosID: 8, unosDatum: '05.03.2026.', vrednost: 12.5 }];
  const form = { opseg: 'najnovijiUnos', redovi: [{ key: 'a', veza: 'i', tipUnosaID: null, poljeID: 4, operator: '>', vrednost: '10' }] };
  sessionStorage.setItem('regix.pretraga.2.1', JSON.stringify({ form, request: null }));
  open({ polja }, [{ ...known, pogodak }, blurred]);
  await search();
  const [first, second] = (await screen.findAllByRole('row')).slice(1).map((row) => within(row));
  expect(first?.getAllByText('CRP: 12,5 mg/L', { exact: false })[0]).toBeVisible();
  expect(first?.getAllByRole('link', { name: '05.03.2026.' })[0]).toHaveAttribute('href', '/unosi/8');
  expect(second?.queryByText('CRP', { exact: false })).toBeNull();
});

it('marks a matched value that is of an earlier formula or unit, and no other', async () => {
  const polja = [4, 5].map((id) => ({
    id,
    naziv: `Polje ${id}`,
    tipUnosaID: 3,
    tipVrednosti: ValueType.Number,
    jedinica: null,
    stavke: [],
  }));
  const pogodak = [4, 5].map((poljeID, uslov) => ({ uslov, poljeID, unosID: 8, unosDatum: '05.03.2026.', vrednost: 12.5 }));
  const redovi = [4, 5].map((poljeID) => ({ key: String(poljeID), veza: 'i', tipUnosaID: null, poljeID, operator: '>', vrednost: '10' }));
  sessionStorage.setItem('regix.pretraga.2.1', JSON.stringify({ form: { opseg: 'najnovijiUnos', redovi }, request: null }));
  open(
    { polja },
    [{ ...known, pogodak }, blurred],
    [
      { unosID: 8, polje: 5, razlog: 'formula', jedinica: null },
      { unosID: 9, polje: 4, razlog: 'formula', jedinica: null },
    ],
  );
  await search();
  const rows = (await screen.findAllByRole('row')).slice(1).map((row) => within(row));
  const marked = rows.map((row) =>
    row.queryAllByRole('img', { name: 'Današnja formula daje drugi rezultat' }).map((mark) => mark.closest('li')?.textContent.trim()),
  );
  expect([[...new Set(marked[0])], marked[1]]).toEqual([['05.03.2026. Polje 5: 12,5'], []]);
});

it('says that few patients of other institutions match, without a row and without telling how many', async () => {
  open({}, [known], [], 5);
  await search();
  expect(await screen.findByRole('heading', { name: 'Rezultati pretrage: 1 pacijent + manje od 5 iz drugih ustanova' })).toBeVisible();
  expect(screen.getByText(/Uz njih je manje od 5 iz drugih ustanova, a moguće i nijedan/)).toBeVisible();
});

it('marks patients of a similar name', async () => {
  open({}, [known, { ...known, pacijentID: 6, imePrezime: 'Perović Ana', slicno: true }]);
  await search();
  const rows = (await screen.findAllByRole('row')).slice(1).map((row) => within(row));
  expect(rows.map((row) => row.queryByText('Slično') !== null)).toEqual([false, true]);
});

it('leads from the results to a new entry in three keys, the day and the keyboard at its form', async () => {
  const form = (id: number, naziv: string) => ({ id, naziv, mozeSeInstancirati: true, maxInstanci: null });
  open({ tipoviUnosa: [form(3, 'Pregled'), form(4, 'Terapija')] }, [blurred, known], [], null, {
    'GET /api/entry-count': () => ({ body: { isValid: true, poruka: null, maxInstanci: null, brojUnosa: 0, postojeci: [] } }),
  });
  await search();
  await screen.findByRole('link', { name: 'Petrović Ana' });
  await waitFor(() => expect(document.activeElement).toHaveProperty('tagName', 'DIV'));
  const keys = ['n', ' ', '{Enter}'];
  const [begin = '', ...rest] = keys;
  await userEvent.keyboard(begin);
  await waitFor(() => expect(within(screen.getByRole('dialog')).getByLabelText('Pregled')).toHaveFocus());
  for (const key of rest) await userEvent.keyboard(key);
  expect(await screen.findByText(/^nov unos: \?tsaID=3&pacijentID=5&datumUnosa=/)).toBeInTheDocument();
  expect(keys.length).toBeLessThanOrEqual(3);
});

it('goes from patient to patient by arrows', async () => {
  open({}, [known, { ...known, pacijentID: 6, imePrezime: 'Petrović Eva' }]);
  await search();
  const [ana, eva] = [await screen.findByRole('link', { name: 'Petrović Ana' }), screen.getByRole('link', { name: 'Petrović Eva' })];
  await waitFor(() => expect(document.activeElement).toHaveProperty('tagName', 'DIV'));
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(eva).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  expect(ana).toHaveFocus();
});

it('searches at once by the criteria of a link, and puts its own into the address without who is looked for', async () => {
  const asked = open({}, [known], [], null, {}, hashOf({ ...emptyForm(setup), godinaOd: 1950 }, setup));
  await waitFor(() => expect(asked()).toEqual([expect.objectContaining({ godinaOd: 1950, prezime: '' })]));
  await userEvent.type(screen.getByLabelText('Prezime'), 'Petrović');
  await search();
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(await screen.findByTestId('address')).toHaveTextContent(`/registri/1${hashOf({ ...emptyForm(setup), godinaOd: 1950 }, setup)}`);
});

it('searches at once by a saved search that the address names, as a tile of a board leads to it', async () => {
  const saved = { id: 11, naziv: 'Rođeni od 1950', upit: { godinaOd: 1950 }, deljena: false, vlasnik: null, moja: true };
  const routes = { 'GET /api/saved-searches': () => ({ body: { data: [saved], total: 1 } }) };
  const asked = open({}, [known], [], null, routes, '?snimljena=11');
  await waitFor(() => expect(asked()).toEqual([expect.objectContaining({ godinaOd: 1950 })]));
});

it('is as it was left where the saved search that the address names is there no more', async () => {
  const asked = open({}, [known], [], null, {}, '?snimljena=12');
  expect(await screen.findByRole('search')).toBeVisible();
  expect(asked()).toEqual([]);
});

const inOrder = async () => (await screen.findAllByRole('link', { name: /Ana|Žarko/ })).map(({ textContent }) => textContent);
const other: SearchRow = { ...known, pacijentID: 6, imePrezime: 'Babić Žarko' };

it('asks the server for another order where not all results stand here, and keeps the rows until they come', async () => {
  const answers = [
    [known, other],
    [other, known],
  ];
  const asked = open({}, [], [], null, {
    'POST /api/search': () => ({ body: { unosi: answers.shift(), skraceno: true, manjeOdTudjih: null } }),
  });
  await search();
  expect(await inOrder()).toEqual(['Petrović Ana', 'Babić Žarko']);
  await userEvent.click(screen.getByRole('columnheader', { name: /^Pacijent/ }));
  expect(screen.getByRole('link', { name: 'Petrović Ana' })).toBeVisible();
  await waitFor(async () => expect(await inOrder()).toEqual(['Babić Žarko', 'Petrović Ana']));
  expect(asked()[1]).toMatchObject({ redosled: { po: 'imePrezime', opadajuce: false } });
  expect(asked()[0]).not.toHaveProperty('redosled');
});

it('sorts where it is what is all here, and orders cut results with others among them by no name', async () => {
  const asked = open({}, [known, other]);
  await search();
  await inOrder();
  await userEvent.click(screen.getByRole('columnheader', { name: /^Pacijent/ }));
  expect(await inOrder()).toEqual(['Babić Žarko', 'Petrović Ana']);
  expect(asked()).toHaveLength(1);
});

it('orders cut results with patients of others by no name', async () => {
  open({}, [], [], null, { 'POST /api/search': () => ({ body: { unosi: [known, blurred], skraceno: true, manjeOdTudjih: null } }) });
  await search();
  await screen.findByRole('link', { name: 'Petrović Ana' });
  expect(screen.getByRole('columnheader', { name: /^Pacijent/ })).not.toHaveAttribute('aria-sort');
  expect(screen.getByRole('columnheader', { name: /Poslednji unos/i })).toHaveAttribute('aria-sort');
});
