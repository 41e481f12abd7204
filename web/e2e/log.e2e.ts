// What was done in the application, read by those who may: the log, and how much was entered.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, listsGone, logIn, openAs, type Visit } from './support';

let now: Visit;
let page: Page;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const search = () => page.getByRole('button', { name: 'Pretraži', exact: true }).click();
const choose = async (name: string, option: string) => {
  await page
    .locator('.p-multiselect')
    .filter({ has: page.getByLabel(name) })
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
  await listsGone(page);
};

test.describe('the log', () => {
  test('asks for its first day, finds a change and shows its fields', async () => {
    const { token, id } = await logIn('admin');
    const address = `Ulica log ${Date.now().toString(36)}`;
    await call('PATCH', `/api/workers/${id}`, { token, body: { adresa: address } });
    await openAs(now, 'admin', '/admin/log');
    await page.getByRole('heading', { name: 'Pregled loga', level: 1 }).waitFor();
    const from = page.getByLabel('Datum od');
    const today = await from.inputValue();
    await from.fill('');
    await search();
    await told('Niste uneli datum od.');
    await from.fill('31.02.2026.');
    await search();
    await told('Datum od nije ispravan datum.');
    await from.fill(today);
    await choose('Klase', 'Radnik');
    await choose('Akcije', 'izmena');
    await search();
    const results = page.getByRole('table', { name: 'Rezultati pretrage' });
    const row = results
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'Radnik', exact: true }) })
      .first();
    await row.click();
    const dialog = page.getByRole('dialog', { name: /^Izmenjena polja/ });
    const changed = dialog.getByRole('row').filter({ hasText: 'Adresa' });
    await changed.getByRole('cell', { name: address, exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Zatvori' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await call('PATCH', `/api/workers/${id}`, { token, body: { adresa: null } });
  });

  test('is closed to those without its right', async () => {
    await openAs(now, 'lekar', '/admin/log');
    await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
    await page.goto('/admin/statistikaUnosa');
    await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
  });
});

test('the statistics ask for a register, and count what was entered by institution and worker', async () => {
  await openAs(now, 'admin', '/admin/statistikaUnosa');
  await page.getByRole('heading', { name: 'Statistika unosa podataka', level: 1 }).waitFor();
  await search();
  await told('Niste izabrali registar.');
  await page
    .locator('.p-dropdown')
    .filter({ has: page.getByLabel('Registar') })
    .click();
  await page.getByRole('option', { name: 'Reumatologija', exact: true }).click();
  await page.getByLabel('Datum do').fill('01.01.2020.');
  await search();
  await told('Datum do ne sme biti pre datuma od.');
  await page.getByLabel('Datum do').fill('');
  await search();
  const table = page.getByRole('table', { name: 'Statistika unosa podataka' });
  for (const name of ['Ustanova', 'Radnik', 'Napravljeni unosi', 'Ukupno', 'Pacijenti', 'Izmenjeni unosi'])
    await table.getByRole('columnheader', { name }).waitFor();
  await table.getByRole('row').filter({ hasText: 'Klinički centar Srbije' }).first().waitFor();
  const of = async (row: string) =>
    (await table.getByRole('row').filter({ hasText: row }).last().getByRole('cell').allInnerTexts()).at(-3)?.replace('.', '');
  expect(Number(await of('Zbir'))).toBeGreaterThan(0);
});
