import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { QuestionsContext } from '../questions/context';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { FindingsContext, type EntryFinding, type OpenFindings } from './context';
import DataQualityScreen from './DataQualityScreen';
import { EntryFindingsButton } from './EntryFindingsButton';
import { FindingMark } from './FindingMark';
import { FindingHistory } from './FindingHistory';
import FindingsScreen from './FindingsScreen';
import QualityEntriesScreen from './QualityEntriesScreen';
import { medianOf } from './RunChart';

beforeEach(() => signedIn({ prava: [29, 31] }));

const finding = (rest: Partial<EntryFinding> = {}): EntryFinding => ({
  id: 4,
  poljeID: 7,
  pravilo: 'Pritisak',
  vrsta: 'granice',
  tezina: 'greska',
  poruka: null,
  pocetak: '2026-11-29T10:15:00',
  potvrda: null,
  drugiUnos: null,
  ...rest,
});

const within7 = (open: Partial<OpenFindings> = {}) => {
  const findings: OpenFindings = { findings: [finding()], mayConfirm: true, reload: vi.fn(), ...open };
  show(
    <FindingsContext value={findings}>
      <FindingMark field={7} name="Sistolni" />
      <FindingMark field={8} name="Dijastolni" />
      <EntryFindingsButton />
    </FindingsContext>,
  );
  return findings;
};

it('marks the field in which something was found, and confirms it in place', async () => {
  const calls = fakeApi({ 'POST /api/findings/4/confirm': () => ({ status: 204 }) });
  const { reload } = within7();
  // The mark does not repeat the field's name, which names the input beside it, and Tab passes over it.
  const mark = screen.getByRole('button', { name: 'Otvorenih nalaza: 1' });
  expect(mark).toHaveAttribute('tabindex', '-1');
  expect(screen.queryByTitle(/Dijastolni/)).toBeNull();
  await userEvent.click(mark);
  const dialog = await screen.findByRole('dialog', { name: 'Nalazi: Sistolni' });
  expect(dialog).toHaveTextContent('Broj van granica');
  await userEvent.type(within(dialog).getByLabelText('Napomena'), 'Ponovljeno');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Proveren, tačan' }));
  expect(calls.at(-1)).toMatchObject({ path: '/api/findings/4/confirm', body: { napomena: 'Ponovljeno' } });
  expect(reload).toHaveBeenCalled();
});

it('says who has confirmed a value, and takes that back', async () => {
  const calls = fakeApi({ 'POST /api/findings/4/unconfirm': () => ({ status: 204 }) });
  within7({ findings: [finding({ potvrda: { radnik: 'Test Doktorka', vreme: '2026-11-30T08:00:00', napomena: 'Ponovljeno' } })] });
  expect(screen.getByRole('button', { name: 'Provereno, tačno' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Nalazi' }));
  expect(await screen.findByText(/Proverio: Test Doktorka/)).toHaveTextContent('Ponovljeno');
  await userEvent.click(screen.getByRole('button', { name: 'Povuci potvrdu' }));
  expect(calls.at(-1)).toMatchObject({ path: '/api/findings/4/unconfirm' });
});

it('keeps what a confirmation was refused for beside it', async () => {
  fakeApi({ 'POST /api/findings/4/confirm': () => ({ status: 409, body: { message: 'Nalaz je u međuvremenu završen.', field: null } }) });
  within7();
  await userEvent.click(screen.getByRole('button', { name: 'Nalazi (1)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Proveren, tačan' }));
  expect(await screen.findByText('Nalaz je u međuvremenu završen.')).toBeInTheDocument();
});

const entries = (rest: object = {}) => ({
  id: null,
  naziv: null,
  mesec: null,
  unosa: 10,
  potpunih: 5,
  medijanaDana: 2,
  uSedamDana: 9,
  nalaza: 3,
  upita: 1,
  ...rest,
});

it('tells the quality of the data, each number of findings with its list', async () => {
  const calls = fakeApi({
    'GET /api/registers': () => ({ body: { data: [{ id: 2, naziv: 'Kardiologija' }], total: 1 } }),
    'GET /api/data-quality': () => ({
      body: {
        ukupno: entries(),
        poFormularu: [entries({ id: 5, naziv: 'Pregled' })],
        poLekaru: [entries({ id: 9, naziv: 'Test Doktorka' })],
        poMesecu: [entries({ mesec: '2026-02-01' }), entries({ mesec: '2026-03-01', potpunih: 10 })],
        poPolju: [{ id: 7, naziv: 'Sistolni', tsaID: 5, formular: 'Pregled', unosa: 10, popunjeno: 8, nalaza: 3, upita: 0 }],
        poPravilu: [{ id: 1, naziv: 'Pritisak', nalaza: 3, potvrdjenih: 2 }],
      },
    }),
    'GET /api/data-quality/institutions': () => ({
      body: { najmanje: 5, data: [{ id: 1, naziv: 'Klinika A', unosa: 1200, potpunih: 600, nalaza: null, upita: 0 }] },
    }),
  });
  show(<DataQualityScreen />, '/kvalitetPodataka');
  // Whoever makes the rules sees all institutions, and of few patients that they are few.
  const cells = within(await screen.findByRole('group', { name: 'Sve ustanove' })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['Klinika A', '1.200', '50 %', 'malo', '0']);
  const rules = await screen.findByRole('group', { name: 'Po pravilu' });
  expect(within(rules).getByRole('link', { name: '3' })).toHaveAttribute('href', '/nalazi?registar=2&pravilo=1');
  expect(within(rules).getByRole('link', { name: '2' })).toHaveAttribute('href', '/nalazi?registar=2&pravilo=1&stanje=potvrdjeni');
  const months = screen.getByRole('group', { name: 'Po mesecu' });
  expect(within(months).getAllByRole('link', { name: '3' })[0]).toHaveAttribute('href', '/nalazi?registar=2&od=2026-02-01&do=2026-02-28');
  const fields = screen.getByRole('group', { name: 'Po polju' });
  expect(fields).toHaveTextContent('80 %');
  expect(within(fields).getByRole('link', { name: '3' })).toHaveAttribute('href', '/nalazi?registar=2&formular=5&polje=7');
  expect(within(screen.getByRole('group', { name: 'Po formularu' })).getByRole('link', { name: '1' })).toHaveAttribute(
    'href',
    '/mojiUpiti?spisak=ustanova&registar=2&formular=5',
  );
  // A number of entries opens them, a share those that it lacks.
  const forms = screen.getByRole('group', { name: 'Po formularu' });
  expect(within(forms).getByRole('link', { name: '10' })).toHaveAttribute('href', '/kvalitetPodataka/unosi?registar=2&formular=5');
  expect(within(forms).getByRole('link', { name: '50 %' })).toHaveAttribute(
    'href',
    '/kvalitetPodataka/unosi?registar=2&formular=5&potpun=ne',
  );
  expect(within(forms).getByRole('link', { name: '90 %' })).toHaveAttribute(
    'href',
    '/kvalitetPodataka/unosi?registar=2&formular=5&uRoku=ne',
  );
  expect(within(fields).getByRole('link', { name: '80 %' })).toHaveAttribute(
    'href',
    '/kvalitetPodataka/unosi?registar=2&formular=5&prazno=7',
  );
  expect(within(months).queryByRole('link', { name: '100 %' })).toBeNull();
  expect(screen.getByRole('img', { name: /medijana 75 %/ })).toBeInTheDocument();
  expect(calls.filter(({ path }) => path === '/api/data-quality')).toHaveLength(1);
});

it('lists findings as the number that was opened has them', async () => {
  const calls = fakeApi({
    'GET /api/findings': () => ({
      body: {
        data: [
          {
            ...finding(),
            unosID: 3,
            pacijentID: 1,
            imePrezime: 'Anić Ana',
            registar: 'Kardiologija',
            formular: 'Pregled',
            datumUnosa: '2026-11-20',
            polje: 'Sistolni',
            odgovoran: 'Test Doktorka',
            kraj: null,
            razlogKraja: null,
          },
        ],
        sledeciID: 4,
      },
    }),
  });
  show(<FindingsScreen />, '/nalazi?registar=2&pravilo=1');
  const table = await screen.findByRole('region', { name: 'Nalazi' });
  expect(within(table).getByRole('link', { name: 'Broj van granica' })).toHaveAttribute('href', '/unosi/3');
  await userEvent.click(screen.getByRole('button', { name: 'Sledeći' }));
  await screen.findByRole('button', { name: 'Od početka' });
  const last = calls.filter(({ path }) => path === '/api/findings').at(-1);
  expect(Object.fromEntries(last?.query ?? [])).toMatchObject({ stanje: 'otvoreni', registarID: '2', praviloID: '1', posleID: '4' });
  await userEvent.click(screen.getByRole('button', { name: 'Provereni, tačni' }));
  expect(Object.fromEntries(calls.filter(({ path }) => path === '/api/findings').at(-1)?.query ?? [])).toMatchObject({
    stanje: 'potvrdjeni',
  });
});

it('takes the middle of shares as their median', () => {
  expect([medianOf([0.2, 0.9, 0.4]), medianOf([0.2, 0.4]), medianOf([])]).toEqual([0.4, 0.30000000000000004, 0]);
});

it('asks about what a rule has found, with the words of the rule to begin from', async () => {
  const calls = fakeApi({
    'GET /api/question-workers': () => ({ body: { data: [], total: 0 } }),
    'POST /api/entries/3/questions': () => ({ status: 201, body: { id: 5 } }),
  });
  show(
    <QuestionsContext value={{ entry: 3, questions: [], mayAsk: true, reload: vi.fn() }}>
      <FindingsContext value={{ findings: [finding()], mayConfirm: false, reload: vi.fn() }}>
        <EntryFindingsButton />
      </FindingsContext>
    </QuestionsContext>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Nalazi (1)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Postavi upit' }));
  expect(await screen.findByText('Povodom nalaza: Broj van granica')).toBeInTheDocument();
  expect(screen.getByLabelText(/Pitanje/)).toHaveValue('Broj van granica');
  await userEvent.type(screen.getByLabelText(/Pitanje/), ': proverite.');
  await userEvent.click(screen.getByRole('button', { name: 'Postavi upit' }));
  expect(calls.at(-1)).toMatchObject({ body: { poljeID: 7, tekst: 'Broj van granica: proverite.', nalazID: 4 } });
});

it('tells below the history of an entry what was found and how it ended, and nothing where nothing was', async () => {
  const past = { ...finding(), polje: 'Sistolni', kraj: '2026-11-30T08:00:00', razlogKraja: 'vrednost' };
  fakeApi({
    'GET /api/entries/3/finding-history': () => ({ body: { data: [{ ...past, id: 5, kraj: null, razlogKraja: null }, past] } }),
    'GET /api/entries/4/finding-history': () => ({ body: { data: [] } }),
  });
  show(<FindingHistory entry={3} />);
  const list = await screen.findByRole('list', { name: 'Nalazi' });
  const told = within(list)
    .getAllByRole('listitem')
    .map((row) => row.textContent);
  expect(told[0]).toContain('od 29.11.2026. 10:15, traje');
  expect(told[1]).toContain('od 29.11.2026. 10:15 do 30.11.2026. 08:00, vrednost je promenjena');
});

it('lists the entries that a share lacks, each with what is to be checked in it', async () => {
  const calls = fakeApi({
    'GET /api/data-quality/entries': () => ({
      body: {
        data: [
          {
            unosID: 3,
            pacijentID: 1,
            imePrezime: 'Anić Ana',
            formular: 'Pregled',
            datumUnosa: '2026-11-20',
            odgovoran: 'Test Doktorka',
            uneto: '2026-11-30',
            potpun: false,
            nalaza: 2,
            upita: 1,
          },
        ],
        sledeciID: 3,
      },
    }),
  });
  show(<QualityEntriesScreen />, '/kvalitetPodataka/unosi?registar=2&formular=5&od=2026-11-01&potpun=ne');
  const table = await screen.findByRole('region', { name: 'Unosi' });
  expect(screen.getByText('Unosi vaše ustanove kojima je neko relevantno polje prazno')).toBeInTheDocument();
  expect(within(table).getByRole('link', { name: 'Anić Ana' })).toHaveAttribute('href', '/unosi/3');
  expect(within(table).getByRole('img', { name: 'Otvorenih nalaza: 2' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Sledeći' }));
  await screen.findByRole('button', { name: 'Od početka' });
  expect(Object.fromEntries(calls.at(-1)?.query ?? [])).toEqual({
    registarID: '2',
    tsaID: '5',
    od: '2026-11-01',
    potpun: 'false',
    posleID: '3',
  });
});
