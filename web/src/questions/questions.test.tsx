import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { QuestionsContext, type EntryQuestion, type OpenQuestions } from './context';
import { EntryQuestionsButton } from './EntryQuestionsButton';
import MyQuestionsScreen from './MyQuestionsScreen';
import { QuestionFlag } from './QuestionFlag';
import { QuestionsMark } from './QuestionsMark';

beforeEach(() => signedIn());

const message = (id: number, tekst: string): EntryQuestion['poruke'][number] => ({
  id,
  vrsta: id === 1 ? 'pitanje' : 'odgovor',
  tekst,
  stanje: 'otvoren',
  radnik: 'Nadzor Test',
  dodeljen: 'Doktorka Test',
  rok: null,
  vreme: '2026-11-29T10:15:00',
});

const question = (rest: Partial<EntryQuestion> = {}): EntryQuestion => ({
  id: 4,
  poljeID: 7,
  polje: 'Sistolni',
  poreklo: 'nadzor',
  stanje: 'otvoren',
  postavio: 'Nadzor Test',
  dodeljenID: 2,
  dodeljen: 'Doktorka Test',
  rok: '2026-12-05',
  kasni: false,
  poruke: [message(1, 'Da li je 250 tačno?'), message(2, 'Molim vas.')],
  pravoOdgovora: true,
  pravoZatvaranja: false,
  ...rest,
});

const within7 = (open: Partial<OpenQuestions> = {}) => {
  const questions: OpenQuestions = { entry: 3, questions: [question()], mayAsk: false, reload: vi.fn(), ...open };
  show(
    <QuestionsContext value={questions}>
      <QuestionFlag field={7} name="Sistolni" />
      <QuestionFlag field={8} name="Dijastolni" />
      <EntryQuestionsButton />
    </QuestionsContext>,
  );
  return questions;
};

it('shows a flag beside the field that is asked about, and answers in place', async () => {
  const calls = fakeApi({ 'POST /api/questions/4/messages': () => ({ status: 204 }) });
  const { reload } = within7();
  expect(screen.queryByRole('button', { name: /Dijastolni/ })).toBeNull();
  await userEvent.click(screen.getByTitle('Sistolni: otvorenih upita 1'));
  const dialog = await screen.findByRole('dialog', { name: 'Upiti: Sistolni' });
  expect(dialog).toHaveTextContent('Da li je 250 tačno?');
  expect(dialog).toHaveTextContent('rok 05.12.2026.');
  expect(within(dialog).queryByRole('button', { name: 'Zatvori upit' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Pošalji' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Tekst ima od 1 do 2.000 znakova.');
  expect(calls).toHaveLength(0);
  await userEvent.type(within(dialog).getByLabelText('Odgovor'), 'Ispravljeno.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Pošalji' }));
  expect(calls.at(-1)).toMatchObject({ path: '/api/questions/4/messages', body: { tekst: 'Ispravljeno.' } });
  expect(reload).toHaveBeenCalled();
});

it('closes over the last message that was read, and keeps what was typed where that is refused', async () => {
  const refused = { status: 409, body: { message: 'U upitu ima novih poruka. Pročitajte ih, pa ponovite.', field: null } };
  const calls = fakeApi({ 'POST /api/questions/4/close': () => refused });
  within7({ questions: [question({ pravoZatvaranja: true })] });
  await userEvent.click(screen.getByRole('button', { name: 'Upiti (1)' }));
  await userEvent.type(screen.getByLabelText('Odgovor'), 'Hvala');
  await userEvent.click(screen.getByRole('button', { name: 'Zatvori upit' }));
  expect(calls.at(-1)).toMatchObject({ body: { tekst: 'Hvala', porukaID: 2 } });
  expect(await screen.findByRole('alert')).toHaveTextContent('U upitu ima novih poruka.');
  expect(screen.getByLabelText('Odgovor')).toHaveValue('Hvala');
});

it('asks about a field that nobody has asked about, where the worker may', async () => {
  const calls = fakeApi({
    'GET /api/question-workers': () => ({ body: { data: [{ id: 2, imePrezime: 'Doktorka Test' }], total: 1 } }),
    'POST /api/entries/3/questions': () => ({ status: 201, body: { id: 5 } }),
  });
  within7({ mayAsk: true });
  await userEvent.click(screen.getByTitle('Postavi upit: Dijastolni'));
  await userEvent.type(await screen.findByLabelText(/Pitanje/), 'Zašto je prazno?');
  await userEvent.click(screen.getByRole('button', { name: 'Postavi upit' }));
  expect(calls.at(-1)).toMatchObject({ body: { poljeID: 8, tekst: 'Zašto je prazno?', dodeljenID: null, rok: null } });
});

it('counts what waits in the top bar, and shows nothing where nothing does', async () => {
  fakeApi({ 'GET /api/question-counts': () => ({ body: { cekaju: 3, postavljeni: 0, ustanova: 9, kasni: 0 } }) });
  show(<QuestionsMark />);
  expect(await screen.findByRole('link', { name: 'Upita koji čekaju: 3' })).toHaveAttribute('href', '/mojiUpiti');
});

it('lists questions by whose turn it is, each with the way to its entry', async () => {
  const calls = fakeApi({
    'GET /api/question-counts': () => ({ body: { cekaju: 1, postavljeni: 2, ustanova: 9, kasni: 0 } }),
    'GET /api/questions': () => ({
      body: {
        data: [
          {
            ...question({ kasni: true }),
            unosID: 3,
            pacijentID: 1,
            imePrezime: 'Anić Ana',
            registar: 'Kardiologija',
            formular: 'Pregled',
            datumUnosa: '2026-11-20',
            pitanje: 'Da li je 250 tačno?',
          },
        ],
        sledeciID: 4,
      },
    }),
  });
  show(<MyQuestionsScreen />, '/mojiUpiti');
  const table = await screen.findByRole('region', { name: 'Moji upiti' });
  expect(within(table).getByRole('link', { name: 'Da li je 250 tačno?' })).toHaveAttribute('href', '/unosi/3');
  expect(table).toHaveTextContent('Pregled, 20.11.2026., Sistolni');
  expect(table).toHaveTextContent('rok je prošao');
  await userEvent.click(screen.getByRole('button', { name: 'Cela ustanova (9)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sledeći' }));
  await screen.findByRole('button', { name: 'Od početka' });
  const last = calls.filter(({ path }) => path === '/api/questions').at(-1);
  expect(Object.fromEntries(last?.query ?? [])).toMatchObject({ spisak: 'ustanova', posleID: '4' });
});

it('gives a question to another and moves its day, where the worker may', async () => {
  const calls = fakeApi({
    'GET /api/question-workers': () => ({
      body: {
        data: [
          { id: 2, imePrezime: 'Doktorka Test' },
          { id: 6, imePrezime: 'Kolega Test' },
        ],
        total: 2,
      },
    }),
    'POST /api/questions/4/assign': () => ({ status: 204 }),
  });
  const { reload } = within7({ questions: [question({ pravoZatvaranja: true })] });
  await userEvent.click(screen.getByRole('button', { name: 'Upiti (1)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Dodeli drugom ili pomeri rok' }));
  const form = screen.getByRole('form', { name: 'Dodeli drugom ili pomeri rok' });
  await within(form).findByLabelText('Kome');
  await userEvent.click(form.querySelector('.p-dropdown') as HTMLElement);
  await userEvent.click(await screen.findByText('Kolega Test', { selector: '.p-dropdown-item *' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Dodeli' }));
  expect(calls.at(-1)).toMatchObject({ path: '/api/questions/4/assign', body: { dodeljenID: 6, rok: '2026-12-05' } });
  expect(reload).toHaveBeenCalled();
});
