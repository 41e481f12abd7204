// An administrator's work on registers, their forms and the forms' fields, and what a doctor then fills in.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { call, launch, logIn, openAs, visit, type Visit } from './support';

let browser: Browser;
let now: Visit;
let page: Page;
let token: string;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  now = await visit(browser);
  page = now.page;
  ({ token } = await logIn('admin'));
});
afterEach(async () => {
  expect(now.complaints).toEqual([]);
  await now.context.close();
});

interface Row {
  id: number;
  naziv: string;
}

const fresh = (what: string) => `${what} ${Date.now().toString(36)}`;
const main = () => page.locator('main');
const press = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true }).click();
const field = (name: string) => main().getByLabel(name, { exact: true }).or(main().getByLabel(`${name} *`, { exact: true })).filter({ visible: true });
const cell = (name: string) => main().getByRole('cell', { name, exact: true });
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
const tab = (name: string) => main().getByRole('tab', { name, exact: true });
const listed = async (path: string) => (await call<{ data: Row[] }>('GET', path, { token })).data;
const find = async (name: string) => {
  await page.getByLabel('Filtriraj: Naziv', { exact: true }).filter({ visible: true }).fill(name);
  await cell(name).click();
};

it('a register and its form: made, refused, changed, read and deleted, each time back to where it was opened', async () => {
  const [naziv, form] = [fresh('Registar astme'), fresh('Kontrola')];
  await openAs(now, 'admin', '/admin/registar/');
  await heading('Registri');
  await press('Dodaj');
  await heading('Novi registar');
  expect(await tab('Formulari').getAttribute('aria-disabled')).toBe('true');
  await press('Dodaj');
  await told('Niste uneli naziv.');
  await field('Naziv').fill('reumatologija');
  await field('Opis').fill('Bronhijalna astma');
  await press('Dodaj');
  await told('Registar sa tim nazivom već postoji.');
  await page.locator('.p-toast-message-error').first().waitFor();
  expect(await page.locator('.p-toast-message-success').count()).toBe(0);
  expect(await field('Opis').inputValue()).toBe('Bronhijalna astma');
  await field('Naziv').fill(naziv);
  await press('Dodaj');
  await told(`Uspešno dodato: ${naziv}`);
  await heading('Registri');

  await find(naziv);
  await press('Izmeni');
  await heading(naziv);
  await tab('Formulari').click();
  await press('Dodaj');
  await heading('Novi formular');
  await press('Dodaj');
  await told('Niste uneli naziv.');
  await field('Naziv').fill(form);
  await field('Maksimalan broj instanci po pacijentu').fill('3');
  await press('Dodaj');
  await told(`Uspešno dodato: ${form}`);
  await heading(naziv);
  await find(form);
  await press('Izmeni');
  await heading(form);
  expect(await field('Maksimalan broj instanci po pacijentu').inputValue()).toBe('3');
  await page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: naziv }).click();
  await heading(naziv);
  await cell(form).waitFor();

  await tab('Registar').click();
  await main().locator('.p-dropdown').first().click();
  await page.getByRole('option', { name: form }).click();
  await field('Naziv prvog unosa').fill('Prvi pregled');
  await press('Izmeni');
  await told(`Uspešno izmenjeno: ${naziv}`);
  const register = (await listed('/api/registers?aktivan=true')).find((row) => row.naziv === naziv);
  const saved = await call<{ nazivPrviUnos: string; prviTipHijerarhijeAtributaID: number }>('GET', `/api/registers/${register?.id}`, { token });
  const [first] = await listed(`/api/forms?registar=${register?.id}`);
  expect(saved).toMatchObject({ nazivPrviUnos: 'Prvi pregled', prviTipHijerarhijeAtributaID: first?.id });

  await field('Opis').fill('Još neupisano');
  await press('Odustani');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ne' }).click();
  expect(await field('Opis').inputValue()).toBe('Još neupisano');
  await press('Odustani');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Da' }).click();
  await heading('Registri');

  await find(naziv);
  await press('Detalji');
  await heading(naziv);
  expect(await field('Opis').inputValue()).toBe('Bronhijalna astma');
  expect(await field('Opis').isDisabled()).toBe(true);
  await press('Zatvori');
  await heading('Registri');
  await call('DELETE', `/api/forms/${first?.id}`, { token });
  await find(naziv);
  await press('Obriši');
  await main().getByText(`Da li ste sigurni da želite da obrišete „${naziv}”?`).waitFor();
  await press('Obriši');
  await told(`Uspešno obrisano: ${naziv}`);
  await heading('Registri');
  expect((await listed('/api/registers?aktivan=true')).some((row) => row.naziv === naziv)).toBe(false);
});

it('a form opened with neither an id nor a state leads to the registers', async () => {
  await openAs(now, 'admin', '/admin/formular/');
  await heading('Registri');
});
