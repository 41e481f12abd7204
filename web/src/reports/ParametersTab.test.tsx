import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { Schema } from '../schema';
import { rememberRegister } from '../places';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { ParametersTab } from './ParametersTab';
import type { RequestDraft } from './request';
import type { Schedule } from './types';

const FORM: Schema<'ReportToGenerate'> = {
  izvestaj: { id: 7, naziv: 'Ishod', opis: null, prilogUMejlu: false, registarID: 4, traziRegistar: false, tabla: false },
  formati: [{ naziv: 'PDF', nazivKratki: 'PDF' }],
  parametri: [],
};

const NUMBER: Schema<'ReportToGenerate'>['parametri'][number] = {
  id: 3,
  naziv: 'Prag',
  requestNaziv: 'prag',
  multiSelect: false,
  opcioni: false,
  prikazniRedosled: 1,
  tip: { id: 5, naziv: 'Broj', sqlNumVrednost: 5 },
};

const date = (id: number, naziv: string, requestNaziv: string): Schema<'ReportToGenerate'>['parametri'][number] => ({
  ...NUMBER,
  id,
  naziv,
  requestNaziv,
  tip: { id: 6, naziv: 'Datum', sqlNumVrednost: 2 },
});
const DATES = [date(8, 'Od datuma', 'od'), date(9, 'Do datuma', 'do')];
const DAYS = {
  dani: [
    { dan: 'danas', naziv: 'danas', datum: '2026-11-23' },
    { dan: 'pocetak-proslog-meseca', naziv: 'početak prošlog meseca', datum: '2026-10-01' },
    { dan: 'kraj-proslog-meseca', naziv: 'kraj prošlog meseca', datum: '2026-10-31' },
  ],
  periodi: [{ naziv: 'prošli mesec', od: 'pocetak-proslog-meseca', do: 'kraj-proslog-meseca' }],
};

let calls: FakeCall[];
const orders = () => calls.filter(({ path }) => path === '/api/report-queue').map(({ body }) => body);

beforeEach(() => {
  signedIn();
  calls = fakeApi({
    'POST /api/report-queue': () => ({ body: {} }),
    'GET /api/report-days': () => ({ body: DAYS }),
    'POST /api/report-schedules/preview': () => ({ body: { sledeca: ['2027-03-05 08:30'], zona: 'Europe/Belgrade', upozorenje: null } }),
  });
});

const open = (editing: Schedule | null = null, drafts = new Map<string, RequestDraft>(), form = FORM) =>
  show(<ParametersTab form={form} editing={editing} drafts={drafts} stopEditing={() => undefined} done={() => undefined} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const field = (name: RegExp) => screen.getByLabelText(name);

it('names a date whose year nobody can mean, before it is sent', async () => {
  open(null, new Map(), { ...FORM, parametri: DATES });
  await userEvent.type(field(/Od datuma/), '05.03.1850.');
  await press('Generiši izveštaj');
  expect(await screen.findByText('Parametar „Od datuma” nije između 1900. i 2030. godine.')).toBeVisible();
  expect(orders()).toEqual([]);
});

it('schedules once at a date and a time typed as people type them', async () => {
  open();
  await userEvent.click(screen.getByRole('switch', { name: 'Zakaži za kasnije' }));
  await press('Jednom');
  await userEvent.type(field(/^Datum izvršavanja/), '5.3.2027');
  await userEvent.type(field(/^Vreme izvršavanja/), '8.30');
  expect(await screen.findByText('05.03.2027. 08:30')).toBeVisible();
  await press('Zakaži izveštaj');
  expect(orders()).toMatchObject([{ ponavljanje: 0, datumVreme: '2027-03-05 08:30' }]);
});

it('refuses by its name what is no date or no time, and keeps it in its field', async () => {
  open();
  await userEvent.click(screen.getByRole('switch', { name: 'Zakaži za kasnije' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dan' }));
  await userEvent.type(field(/^Vreme izvršavanja/), '25:00');
  await userEvent.type(field(/^Važi od/), '31.02.2027.');
  await userEvent.type(field(/^Važi do/), '5.3.');
  await press('Zakaži izveštaj');
  expect(screen.getByText('„Vreme izvršavanja” nije ispravno. Unesite ga kao ČČ:MM.')).toBeVisible();
  expect(screen.getByText('„Važi od” nije ispravan datum. Unesite ga kao DD.MM.GGGG.')).toBeVisible();
  expect(screen.getByText('„Važi do” nije ispravan datum. Unesite ga kao DD.MM.GGGG.')).toBeVisible();
  expect(field(/^Vreme izvršavanja/)).toHaveValue('25:00');
  expect(field(/^Važi od/)).toHaveValue('31.02.2027.');
  expect(field(/^Važi do/)).toHaveValue('5.3.');
  expect(field(/^Vreme izvršavanja/)).toHaveFocus();
  expect(orders()).toEqual([]);
});

it('takes a negative number with its minus, and refuses by its name what is no number', async () => {
  open(null, new Map(), { ...FORM, parametri: [NUMBER] });
  await userEvent.type(field(/^Prag/), '-0,5x');
  await press('Generiši izveštaj');
  expect(screen.getByText('„Prag” nije ispravan broj. Unesite ga kao 12,5.')).toBeVisible();
  expect(field(/^Prag/)).toHaveValue('-0,5x');
  expect(orders()).toEqual([]);
  await userEvent.type(field(/^Prag/), '{Backspace}');
  await press('Generiši izveštaj');
  expect(orders()).toMatchObject([{ parametri: { prag: '-0,5' } }]);
});

it('asks which number is meant where a text may be two, and does not run the report before', async () => {
  open(null, new Map(), { ...FORM, parametri: [NUMBER] });
  await userEvent.type(field(/^Prag/), '25.500');
  await press('Generiši izveštaj');
  expect(screen.getByText('„Prag”: „25.500” može da znači 25500 ili 25,500. Izaberite jedno.')).toBeVisible();
  expect(orders()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '25,500' }));
  await press('Generiši izveštaj');
  expect(orders()).toMatchObject([{ parametri: { prag: '25,5' } }]);
});

it('leads to what is missing, be it a choice of days', async () => {
  open();
  await userEvent.click(screen.getByRole('switch', { name: 'Zakaži za kasnije' }));
  await userEvent.type(field(/^Vreme izvršavanja/), '8');
  await press('Zakaži izveštaj');
  expect(screen.getByText('Izaberite bar jedan dan u nedelji.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'ponedeljak' })).toHaveFocus();
});

it('takes addresses pasted as one text apart', async () => {
  open();
  await userEvent.click(screen.getByLabelText('Pošalji na e-mail'));
  await userEvent.paste('a@b.rs; c@d.rs');
  await userEvent.keyboard('{Enter}');
  await press('Generiši izveštaj');
  expect(orders()).toMatchObject([{ emails: ['a@b.rs', 'c@d.rs'] }]);
});

it('has what was typed again after a look at another report, until it is sent', async () => {
  const drafts = new Map<string, RequestDraft>();
  const typed = () => field(/^Vreme izvršavanja/);
  let { unmount } = open(null, drafts);
  await userEvent.click(screen.getByRole('switch', { name: 'Zakaži za kasnije' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dan' }));
  await userEvent.type(typed(), '7:45');
  unmount();
  ({ unmount } = open(null, drafts));
  expect(typed()).toHaveValue('07:45');
  await press('Zakaži izveštaj');
  expect(orders()).toHaveLength(1);
  unmount();
  open(null, drafts);
  expect(screen.getByRole('switch', { name: 'Zakaži za kasnije' })).not.toBeChecked();
});

it('opens a schedule as it stands and sends it so', async () => {
  open({
    zakazivanjeID: 3,
    izvestajID: 7,
    naziv: 'Ishod',
    opis: 'svakog dana u 07:05',
    ponavljanje: 1,
    vremeIzvrsavanjaJednostruko: null,
    vremeIzvrsavanjaVisetruko: '07:05',
    vaziOd: '2027-01-02',
    vaziDo: null,
    period: 0,
    danNedelja: [],
    danMesec: [],
    politikaDana: 'skip',
    vremenskaZona: 'Europe/Belgrade',
    sledeceIzvrsavanje: null,
    pauziranoOd: null,
    razlogPauze: null,
    emails: [],
    primaoci: [],
    grupe: [],
    formati: ['PDF'],
    parametri: {},
    parametriOpis: [],
    ustanova: 'Klinika A',
    registarID: null,
  });
  expect(field(/^Vreme izvršavanja/)).toHaveValue('07:05');
  expect(field(/^Važi od/)).toHaveValue('02.01.2027.');
  await press('Snimi izmene zakazivanja');
  expect(orders()).toMatchObject([
    { zakazivanjeIzvestajaIzmenaID: 3, ponavljanje: 1, vreme: '07:05', periodOd: '2027-01-02', periodDo: null },
  ]);
});

it('sends the register of the report, or the one that was chosen last, with every request', async () => {
  calls = fakeApi({
    'POST /api/report-queue': () => ({ body: {} }),
    'GET /api/registers': () => ({ body: { data: [{ id: 9, naziv: 'Kardiologija' }], total: 1 } }),
  });
  let { unmount } = open();
  await press('Generiši izveštaj');
  expect(orders()).toMatchObject([{ registarID: 4 }]);
  unmount();
  const anyRegister = { ...FORM, izvestaj: { ...FORM.izvestaj, registarID: null, traziRegistar: true } };
  rememberRegister(8);
  ({ unmount } = open(null, new Map(), anyRegister));
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/registers')).toBe(true));
  await press('Generiši izveštaj');
  expect(await screen.findByText('Izaberite registar: izveštaj ga traži.')).toBeVisible();
  expect(orders()).toHaveLength(1);
  unmount();
  rememberRegister(9);
  open(null, new Map(), anyRegister);
  await screen.findAllByText('Kardiologija');
  await press('Generiši izveštaj');
  expect(orders().at(-1)).toMatchObject({ registarID: 9 });
});

it('takes a day that is told by the day of the run, says what it is today, and goes back to a date', async () => {
  open(null, new Map(), { ...FORM, parametri: DATES });
  await userEvent.click(await screen.findByRole('button', { name: 'Od datuma: dan prema danu izvršavanja' }));
  await userEvent.click(await screen.findByText('početak prošlog meseca (01.10.2026.)'));
  expect(field(/^Od datuma \*$/)).toHaveValue('početak prošlog meseca');
  expect(screen.getByText('Danas je to 01.10.2026.')).toBeVisible();
  await userEvent.type(field(/^Do datuma \*$/), '5.11.2026');
  await press('Generiši izveštaj');
  expect(orders()).toMatchObject([{ parametri: { od: 'pocetak-proslog-meseca', do: '2026-11-05' } }]);
  await press('Od datuma: tačan datum');
  expect(field(/^Od datuma \*$/)).toHaveValue('');
});

it('fills both ends of a period at once, and warns before a repeated report with fixed dates is saved', async () => {
  open(null, new Map(), { ...FORM, parametri: DATES });
  await userEvent.click(screen.getByRole('switch', { name: 'Zakaži za kasnije' }));
  await userEvent.type(await screen.findByLabelText(/^Od datuma \*$/), '1.1.2026');
  expect(screen.getByText(/„Od datuma” je tačan datum, pa će isti važiti za svako izvršavanje/)).toBeVisible();
  await userEvent.click(screen.getByLabelText('Period izveštaja', { selector: 'input' }).closest('.p-dropdown') ?? document.body);
  await userEvent.click(await screen.findByText('prošli mesec', { selector: '.p-dropdown-item *' }));
  expect(field(/^Od datuma \*$/)).toHaveValue('početak prošlog meseca');
  expect(field(/^Do datuma \*$/)).toHaveValue('kraj prošlog meseca');
  expect(screen.queryByText(/tačan datum, pa će/)).toBeNull();
});

it('asks before a link goes to an address without an account, and sends nothing where that is declined', async () => {
  const message = 'Adresu „niko@kcs.rs” nema niko od vaših kolega, a link otvara samo ko ima nalog.';
  calls = fakeApi({
    'POST /api/report-queue': ({ body }: FakeCall) =>
      (body as { bezNaloga: boolean }).bezNaloga ? { body: {} } : { status: 422, body: { message, field: 'bezNaloga' } },
    'GET /api/report-recipients': () => ({ body: { radnici: [], grupe: [] } }),
  });
  open();
  const asked = () => orders().map((body) => (body as { bezNaloga: boolean }).bezNaloga);
  await press('Generiši izveštaj');
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/Adresu „niko@kcs\.rs” nema niko.*Da li ipak da se pošalje\?/)).toBeVisible();
  await userEvent.click(question.getByRole('button', { name: 'Odustani' }));
  expect(asked()).toEqual([false]);
  await press('Generiši izveštaj');
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Ipak pošalji' }));
  await waitFor(() => expect(asked()).toEqual([false, false, true]));
});
