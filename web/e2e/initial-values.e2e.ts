import { type Locator, type Page, test } from '@playwright/test';
import { formatDate } from '../src/format';
import { ValueType } from '../src/forms/valueType';
import { newVisit, remove, saved, type Display, type Visited } from './das28';
import { eachVisit } from './eachVisit';
import { ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseDoctor, expectAccessible, expectFits, listsGone, logIn, NARROW, openAs, type Visit } from './support';

let now: Visit;
let entry: Visited;
let display: Display;
let token: string;

test.beforeEach(async () => {
  entry = await newVisit();
  token = (await logIn('lekar')).token;
  display = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
});
test.afterEach(async () => {
  await remove(entry);
});
eachVisit((opened) => {
  now = opened;
});

const field = (page: Page, name: string): Locator =>
  page
    .locator('input')
    .and(page.getByLabel(name, { exact: false }))
    .first();
const diagnosed = (page: Page): Locator => field(page, 'Datum dijagnoze');
const answer = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name });
const day = (after: string, days: number): string => new Date(Date.parse(after) + days * 86_400_000).toISOString().slice(0, 10);

/** Ids of the patient's entries in a register of the test's own. */
async function entriesOf({ id, doctor }: OwnRegister, patient: number): Promise<number[]> {
  const path = `/api/patients/${patient}/entries?registarID=${id}`;
  const { data } = await call<{ data: { unosi: { id: number }[] }[] }>('GET', path, { token: doctor.token });
  return data.flatMap(({ unosi }) => unosi.map((one) => one.id));
}

/** The visit is saved once more, with this answer to the item of this code. */
async function write(code: string, value: unknown) {
  const id = display.autsiArray.find(({ sifra }) => sifra === code)?.id ?? 0;
  const shown = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
  const { verzija, datumUnosa, radnikOdgovoran } = shown.tsa;
  await call('POST', '/api/entry-values', {
    token,
    body: {
      unosID: entry.id,
      tsaID: shown.tsa.id,
      registarID: shown.registar.id,
      pacijentID: entry.pacijentID,
      vrednosti: { ...shown.vrednosti, [id]: value },
      osnova: shown.vrednosti,
      verzija,
      datumUnosa,
      radnikOdgovoran,
    },
  });
}

test('a backdated visit takes its first values from before it, marks them, follows its day, and asks for a confirmation', async () => {
  const { page } = now;
  await write('datumDijagnoze', '1999-09-09');
  const mine = display.tsa.datumUnosa;
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${display.tsa.id}&pacijentID=${entry.pacijentID}`, 'regix');
  const date = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
  const setDate = async (to: string) => {
    await date.focus();
    await date.fill(formatDate(to));
  };
  await setDate(day(mine, 1));
  await expect.poll(() => diagnosed(page).inputValue()).toBe('09.09.1999.');
  const source = page.getByText(`preuzeto iz unosa od ${formatDate(mine)}`).first();
  await source.waitFor();
  await expectAccessible(page);

  // Before that visit there is nothing of it.
  await setDate(day(mine, -1));
  await expect.poll(() => diagnosed(page).inputValue()).not.toBe('09.09.1999.');
  await expect.poll(() => source.count()).toBe(0);

  await setDate(day(mine, 1));
  await expect.poll(() => diagnosed(page).inputValue()).toBe('09.09.1999.');
  await page.getByRole('button', { name: 'Potvrdi početnu vrednost: Datum dijagnoze' }).click();
  await setDate(day(mine, -1));
  await expect.poll(() => page.getByRole('button', { name: 'Snimi', exact: true }).isEnabled()).toBe(true);
  await expect.poll(() => diagnosed(page).inputValue(), { message: 'what was confirmed stays' }).toBe('09.09.1999.');
  await setDate(day(mine, 1));

  for (const [name, value] of Object.entries({ 'Broj bolnih zglobova (TJC28)': '2', 'Broj otečenih zglobova (SJC28)': '1' }))
    await field(page, name).fill(value);
  await page.getByLabel('Ordinirajući lekar', { exact: false }).first().press('ArrowDown');
  await page.getByRole('option').first().click();
  await listsGone(page);
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  const waiting = page.getByRole('alertdialog').getByRole('listitem');
  await waiting.first().waitFor();
  await expect
    .poll(async () => (await waiting.allInnerTexts()).some((text) => text.startsWith('Datum dijagnoze')), { message: 'confirmed already' })
    .toBe(false);
  await answer(page, 'Odustani').click();
  await page.getByRole('button', { name: 'Potvrdi sve' }).click();
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Da li ste sigurni da želite da nastavite bez popunjenih relevantnih polja?').waitFor();
  await answer(page, 'Nastavi').click();
  await page.waitForURL(/\/unosi\/\d+$/);
  const made = { id: Number(/\d+$/.exec(page.url())?.[0]), pacijentID: entry.pacijentID };
  expect((await saved(made)).fields.datumDijagnoze).toBe('1999-09-09');
  await remove(made);
});

test('an examination in the future is refused where it is typed', async () => {
  const { page } = now;
  await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
  const date = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
  await date.focus();
  await date.fill(formatDate(day(new Date().toISOString(), 2)));
  await page.getByText('Datum pregleda ne može biti u budućnosti').first().waitFor();
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await expect.poll(() => date.evaluate((input) => input === document.activeElement)).toBe(true);
  expect((await saved(entry)).datumUnosa).toBe(display.tsa.datumUnosa);
});

test('a finding is blank until somebody answers it, and may be taken back', async () => {
  const { page } = now;
  const finding = page.getByRole('group', { name: 'Anti-CCP pozitivan', exact: false });
  const save = async () => {
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').last().waitFor();
  };
  await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
  await finding.getByLabel('Ne', { exact: true }).check();
  await save();
  expect((await saved(entry)).fields.antiCcp).toBe(false);
  await finding.getByRole('button', { name: 'Poništi izbor: Anti-CCP pozitivan' }).click();
  await save();
  await expect.poll(async () => (await saved(entry)).fields.antiCcp).toBeUndefined();
});

test.describe('a form that begins with a dose and has a box to tick', () => {
  let own: OwnRegister;
  let patient: number;
  const types = { doza: { jedinica: 'mg' }, kutija: { tipVrednostiAtributa: ValueType.Choice } };
  const fields = [
    { sifra: 'doza', naziv: 'Doza', tip: 'doza' },
    { sifra: 'kontrola', naziv: 'Kontrola za dana', tip: 'doza' },
    { sifra: 'pomagalo', naziv: 'Pomagalo', tip: 'kutija' },
  ];
  withPatient(
    'Početnić',
    () => ownRegister('početnih vrednosti', 'Terapija', types, fields),
    async (register, whose) => {
      [own, patient] = [register, whose];
      const change = (code: string, body: object) => call('PATCH', `/api/form-fields/${own.fields[code]}`, { token: own.admin, body });
      await change('doza', { inicijalnaBrojnaVrednost: 10, opcioni: false });
      await change('kontrola', { inicijalnaBrojnaVrednost: 90 });
    },
  );
  const open = () => openAs(now, 'lekar', `/unosi/novi?tsaID=${own.form}&pacijentID=${patient}&datumUnosa=2026-03-05`, 'regix');
  const asked = (page: Page) => page.getByRole('alertdialog').getByRole('listitem').allInnerTexts();
  const save = (page: Page) => page.getByRole('button', { name: 'Snimi i ostani' }).click();

  test('marks what it begins with, asks for it by name, and saves what was confirmed', async () => {
    const { page } = now;
    await open();
    await chooseDoctor(page);
    await expect.poll(() => page.getByText('početna vrednost formulara').count()).toBe(2);
    await page.getByText('Početne vrednosti koje čekaju potvrdu: 2').waitFor();
    await expectAccessible(page);
    await save(page);
    await expect
      .poll(() => asked(page))
      .toEqual(['Doza: 10 mg (obavezna stavka, početna vrednost formulara)', 'Kontrola za dana: 90 mg (početna vrednost formulara)']);
    await answer(page, 'Odustani').click();
    expect(await entriesOf(own, patient)).toEqual([]);

    await field(page, 'Doza').fill('20');
    await page.getByRole('button', { name: 'Potvrdi početnu vrednost: Kontrola za dana' }).click();
    await expect.poll(() => page.getByText('početna vrednost formulara').count()).toBe(0);
    await save(page);
    await page.waitForURL(/\/unosi\/\d+$/);
    const made = { id: Number(/\d+$/.exec(page.url())?.[0]), pacijentID: patient };
    expect((await saved(made)).fields, 'a box that was left without a tick is a No').toEqual({ doza: 20, kontrola: 90, pomagalo: false });
    await remove(made);
  });

  test('is refused by the server while a client says that nobody confirmed it', async () => {
    const body = {
      tsaID: own.form,
      registarID: own.id,
      pacijentID: patient,
      vrednosti: { [own.fields.doza ?? 0]: 10 },
      nepotvrdjeno: [own.fields.doza],
      datumUnosa: '2026-03-05',
      radnikOdgovoran: own.doctor.id,
    };
    const refused = call('POST', '/api/entry-values', { token: own.doctor.token, body });
    await expect(refused).rejects.toThrow('Niste potvrdili početnu vrednost stavke sa nazivom: Doza.');
  });
});

test('the history names who wrote a value, as a table and as sentences, on a narrow screen too', async () => {
  const { page } = now;
  await write('crp', 22);
  const ask = async () => {
    await page.getByText('Datum pregleda', { exact: true }).waitFor();
    await page
      .locator('.p-multiselect')
      .filter({ has: page.getByLabel('Stavke unosa', { exact: false }) })
      .click();
    await page.getByRole('option', { name: 'CRP', exact: true }).click();
    await page.keyboard.press('Escape');
    await listsGone(page);
    await page.getByRole('button', { name: 'Pretraži' }).click();
  };
  const rows = () => page.getByRole('table', { name: 'Promene vrednosti' }).getByRole('row');
  await openAs(now, 'lekar', `/unosArhiva/${entry.id}`, 'regix');
  await ask();
  await expect.poll(() => rows().count()).toBe(3);
  const present = await rows().nth(1).getByRole('cell').allInnerTexts();
  expect([present[0], present[6], present[8]]).toEqual(['važi sada', '22', 'Živković Čedomir']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Rečenice' }).click();
  await expect.poll(() => rows().nth(1).innerText()).toMatch(/^CRP 12.* → 22.*, Živković Čedomir, \d{2}\.\d{2}\.\d{4}\. \d{2}:\d{2}$/);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await page.reload();
  await ask();
  await page.getByText('Upisao', { exact: true }).first().waitFor();
  await expectFits(page);
  await page.getByRole('button', { name: 'Rečenice' }).click();
  await page.getByText('→').first().waitFor();
  await expectFits(page);
});
