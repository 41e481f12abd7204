// A section that repeats: its designer makes and tries it, a doctor types rows by the keyboard, two windows are joined, the history
// tells of each row, and the print has the table.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, NARROW, openAs, WIDE, wordsOf, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;
let entry = 0;

const { anew, another } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Redović',
  () => ownRegister('sekcija', 'Kontrola', { Broj: {} }, [{ sifra: 'puls', naziv: 'Puls', tip: 'Broj' }]),
  (made, theirs) => {
    register = made;
    patient = theirs;
  },
);

const { main, button, row, addField, kept, begin, impact, publish } = designerOn(() => page);
const cell = (name: string, on: Page = page) => on.getByRole('textbox', { name, exact: true });

async function saved(on: Page = page) {
  await on.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await on.getByText('Uspešno snimljen unos.').waitFor();
}

test('is made on the designer, where its rows are tried', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  await row('Puls').click();
  await addField('panel', 'Terapija', 'terapija');
  await main().getByLabel('Ponavlja se', { exact: true }).first().click();
  await addField('tekst', 'Lek', 'lek');
  await row('Lek').click();
  await addField('broj', 'Doza', 'doza');
  await kept();
  await button('Dodaj red: Terapija').click();
  await cell('Lek, 1. red').fill('Proba');
  await expectAccessible(page);
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
});

test('takes three rows by the keyboard and keeps them', async () => {
  test.setTimeout(60_000);
  entry = await entryOf(register, patient, '2026-03-01', { puls: 70 });
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await button('Dodaj red: Terapija').focus();
  await page.keyboard.press('Enter');
  for (const [lek, doza] of [
    ['Aspirin', '50'],
    ['Insulin', '7,5'],
  ]) {
    await page.keyboard.type(lek ?? '');
    await page.keyboard.press('Tab');
    await page.keyboard.type(doza ?? '');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('Brufen');
  await expect.poll(() => cell('Lek, 3. red').inputValue()).toBe('Brufen');
  await saved();
  await page.reload();
  await expect.poll(() => cell('Doza, 2. red').inputValue()).toBe('7,5');
  await expectAccessible(page);
});

test('joins the rows of two windows, and its history and print tell of them', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'lekar', `/unosi/${entry}`);
  const beside = await another();
  await openAs(beside, 'lekar', `/unosi/${entry}`);
  await cell('Doza, 1. red', beside.page).fill('75');
  await cell('Lek, 1. red').waitFor();
  await saved(beside.page);
  await button('Ukloni 2. red: Terapija').click();
  await button('Dodaj red: Terapija').click();
  await page.keyboard.type('Metformin');
  await saved();
  await expect.poll(() => cell('Doza, 1. red').inputValue()).toBe('75');
  await expect.poll(() => cell('Lek, 3. red').inputValue()).toBe('Metformin');

  const fields = await call<{ data: { id: number; naziv: string }[] }>('GET', `/api/entries/${entry}/items`, {
    token: register.doctor.token,
  });
  const section = fields.data.find(({ naziv }) => naziv === 'Terapija')?.id ?? 0;
  const told = await call<{ promene: { redovi: string[] }[] }>('GET', `/api/entries/${entry}/archive?nizAutsID=${section}`, {
    token: register.doctor.token,
  });
  expect(told.promene.map(({ redovi }) => redovi.join('; '))).toEqual([
    'uklonjen 2. red (Lek: Insulin, Doza: 7,5); dodat 3. red (Lek: Metformin)',
    '1. red, Doza: 50 → 75',
    'dodat 1. red (Lek: Aspirin, Doza: 50); dodat 2. red (Lek: Insulin, Doza: 7,5); dodat 3. red (Lek: Brufen)',
  ]);

  await now.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
  await page.reload();
  await cell('Lek, 1. red').waitFor();
  const arriving = page.waitForEvent('download', { timeout: 60_000 });
  await button('Štampaj').click();
  const words = wordsOf(await readFile(await (await arriving).path()));
  expect(words).toMatch(/Lek +Doza/);
  expect(words).toMatch(/Aspirin +75/);
  expect(words).not.toContain('Insulin');
});

for (const [name, size, theme] of [
  ['wide and light', WIDE, 'regix'],
  ['wide and dark', WIDE, 'darkly'],
  ['narrow and light', NARROW, 'regix'],
  ['narrow and dark', NARROW, 'darkly'],
] as const)
  test(`fits and reads well: ${name}`, async () => {
    await anew(size);
    await openAs(now, 'lekar', `/unosi/${entry}`, theme);
    await cell(size === NARROW ? 'Lek' : 'Lek, 1. red')
      .first()
      .waitFor();
    await expectFits(page);
    await expectAccessible(page);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name.replaceAll(' ', '-')}.png`, fullPage: true });
  });
