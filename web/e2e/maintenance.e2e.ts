// The maintenance area: templates, connection pools and parameters, as an administrator finds and uses them.
import { type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, logIn, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let token: string;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});

const navigation = () => page.getByRole('navigation', { name: 'Održavanje' });
const heading = (name: string) => page.getByRole('heading', { name: `Održavanje: ${name}`, level: 1 }).waitFor();

test('is found in the menu, and its navigation leads to its three screens', async () => {
  await openAs(now, 'admin', '/registri');
  await page.getByRole('button', { name: 'Administracija' }).click();
  await page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Održavanje', exact: true }).click();
  await heading('Jasperi');
  for (const [name, path] of [
    ['Konekcija', '/reload/konekcija'],
    ['Parametri', '/reload/parametri'],
    ['Jasperi', '/reload/jasperi'],
  ] as const) {
    await navigation().getByRole('link', { name }).click();
    await heading(name);
    expect(new URL(page.url()).pathname).toBe(path);
    await expect.poll(() => navigation().getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
  }
});

test('is not for those without the right', async () => {
  await openAs(now, 'lekar', '/registri');
  for (const path of ['/reload', '/reload/jasperi', '/reload/konekcija', '/reload/parametri']) {
    await page.goto(path);
    await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
  }
});

test('templates are found, dropped one by one and all together, and stay in the list', async () => {
  const { told, cell } = crudOn(page);
  const table = page.getByRole('table', { name: 'Jasperi' });
  const drop = (name: string) => page.getByRole('button', { name: `Obriši jasper „${name}”` });
  await openAs(now, 'admin', '/reload/jasperi');
  await page.getByText('Fajl ostaje na svom mestu.').waitFor();
  await drop('karton-pacijenta').waitFor();
  await page.getByLabel('Filtriraj: Naziv').fill('LISTA');
  await drop('karton-pacijenta').waitFor({ state: 'detached' });
  await drop('lista-pacijenata').click();
  await told('Obrisan jasper: lista-pacijenata');
  await expect.poll(() => drop('lista-pacijenata').count()).toBe(1);
  await page.getByLabel('Filtriraj: Naziv').fill('');
  await drop('karton-pacijenta').waitFor();
  const before = await table.getByRole('row').count();
  await page.route('**/api/obrisi-jasper', (route) => route.abort());
  await drop('karton-pacijenta').click();
  await told('Greška prilikom brisanja jaspera');
  await page.unroute('**/api/obrisi-jasper');
  await page.getByRole('button', { name: 'Obriši sve' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odustani' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Obriši sve' }).click();
  const asked = page.waitForRequest('**/api/obrisi-jasper');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Obriši sve' }).click();
  expect((await asked).postDataJSON()).toEqual({ putanjaJaspera: '' });
  await told('Obrisani su svi jasperi');
  await expect.poll(() => table.getByRole('row').count()).toBe(before);
  await page.route('**/api/jasperi', (route) => route.fulfill({ json: templates(23) }));
  await page.reload();
  await cell('šablon-01 reports/šablon-01.hbs').waitFor();
  await expect.poll(() => table.getByRole('button', { name: /^Obriši jasper/ }).count()).toBe(10);
  await page.unroute('**/api/jasperi');
  await page.route('**/api/jasperi', (route) => route.fulfill({ status: 403, json: { message: 'Nemate pravo na ovu radnju.' } }));
  await page.reload();
  await page.getByText('Greška prilikom učitavanja jaspera').waitFor();
});

const templates = (count: number) => {
  const data = Array.from({ length: count }, (_, i) => `šablon-${String(i + 1).padStart(2, '0')}`).map((naziv) => ({
    naziv,
    putanja: `reports/${naziv}.hbs`,
  }));
  return { data, total: count };
};

test('connections: how many are busy of how many, and a pool is cleaned by its name', async () => {
  const { told, cell } = crudOn(page);
  const { data: pools } = await call<{ data: { naziv: string; najvise: number }[] }>('GET', '/api/konekcije', { token });
  const pool = pools.find(({ naziv }) => naziv.endsWith('/regix_report'));
  if (!pool) throw new Error('no engine has a pool of reports');
  await openAs(now, 'admin', '/reload/konekcija');
  const row = page.getByRole('row').filter({ has: cell(pool.naziv) });
  await row.getByRole('cell', { name: new RegExp(`^\\d+ od ${pool.najvise}$`) }).waitFor();
  const source = page.getByLabel('Naziv izvora podataka');
  const clean = page.getByRole('button', { name: 'Očisti pul konekcija' });
  await clean.click();
  await told('Niste uneli naziv izvora podataka.');
  await source.fill('nema-ga');
  await clean.click();
  await page.getByText('Izvor podataka sa tim nazivom ne postoji.').first().waitFor();
  await told('Greška prilikom čišćenja pula konekcija');
  await expect.poll(() => source.inputValue()).toBe('nema-ga');
  await row.getByRole('button', { name: `Izaberi ${pool.naziv}` }).click();
  await expect.poll(() => source.inputValue()).toBe(pool.naziv);
  await clean.click();
  await told(`Pul konekcija „${pool.naziv}” je očišćen`);
  await source.fill('regix_report');
  await page.keyboard.press('Enter');
  await told('Pul konekcija „regix_report” je očišćen');
});

test('parameters are made, changed, read anew and deleted; a name that is taken changes nothing', async () => {
  const { dialog, tool, press, field, closed, cell, open, remove, told } = crudOn(page);
  const naziv = `probniParametar${Date.now().toString(36)}`;
  await openAs(now, 'admin', '/reload/parametri');
  await page.getByRole('table', { name: 'Parametri' }).getByRole('cell', { name: 'autoPrijava' }).waitFor();
  await tool('Dodaj').click();
  await press('Dodaj');
  await dialog().getByText('Niste uneli naziv.').waitFor();
  await field('Naziv').fill('danaCuvanjaIzvestaja');
  await press('Dodaj');
  await dialog().getByText('Niste uneli vrednost.').waitFor();
  await field('Vrednost').fill('1');
  await press('Dodaj');
  await dialog().getByText('Parametar sa tim nazivom već postoji.').waitFor();
  const days = await call<{ vrednost: string }>('GET', '/api/parameters/by-name/danaCuvanjaIzvestaja', { token });
  expect(days.vrednost).not.toBe('1');
  await field('Naziv').fill(naziv);
  await press('Dodaj');
  await closed();
  await page.getByLabel('Filtriraj: Naziv').fill(naziv);
  await cell(naziv).waitFor();
  await open('Izmeni', naziv);
  await field('Vrednost').fill('dva');
  await field('Opis').fill('Za probu');
  await press('Izmeni');
  await closed();
  await cell('dva').waitFor();
  const { id } = (await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/parameters?aktivan=true', { token })).data.find(
    (one) => one.naziv === naziv,
  ) ?? { id: 0 };
  await call('PATCH', `/api/parameters/${id}`, { token, body: { vrednost: 'tri' } });
  await page.getByRole('button', { name: 'Osveži parametre' }).click();
  await told('Parametri su osveženi');
  await cell('tri').waitFor();
  await page.route('**/api/reload-parametara', (route) => route.abort());
  await page.getByRole('button', { name: 'Osveži parametre' }).click();
  await told('Greška prilikom osvežavanja parametara');
  await remove(naziv);
});
