// Taking a data set out: chosen on the screen, made by an engine, saved by the browser, and told by the log.
import { readFile } from 'node:fs/promises';
import { type Locator, type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, logIn, NARROW, openAs, quiet, registerOf, WIDE, type Visit } from './support';

let now: Visit;
let page: Page;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

const choose = async (field: string, option: string) => {
  await page
    .locator('.p-dropdown')
    .filter({ has: page.getByLabel(field) })
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test('a data set without identity is asked for with its reason, made, saved and removed; the log keeps why', async () => {
  const reason = `Provera izvoza ${Date.now().toString(36)}`;
  await openAs(now, 'admin', '/registri');
  await page.getByRole('button', { name: 'Administracija' }).click();
  await page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Izvoz podataka', exact: true }).click();
  await page.getByRole('heading', { name: 'Izvoz podataka', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Izvezi' }).click();
  await page.getByRole('alert').getByText('Izaberite registar.').first().waitFor();
  await choose('Registar', 'Reumatologija');
  await choose('Formular', 'Pregled');
  await page.getByRole('radio', { name: 'Izabrana polja' }).check();
  const tree = page.getByRole('group', { name: 'Izabrana polja' });
  await tree.getByRole('checkbox').first().waitFor();
  const texts = tree.getByRole('checkbox', { name: /slobodan tekst/ });
  for (const text of await texts.all()) expect(await text.isDisabled()).toBe(true);
  await tree.getByRole('checkbox', { disabled: false }).first().check();
  await page.getByText(/Izabrano: [1-9]\d* od/).waitFor();
  await page.getByLabel('Razlog izvoza').fill(reason);
  await page.getByRole('button', { name: 'Izvezi' }).click();

  const row = page.getByRole('region', { name: 'Moji izvozi' }).getByRole('listitem').filter({ hasText: reason });
  await row.getByText('Spreman').waitFor({ timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: 'Preuzmi' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^izvoz Reumatologija, Pregled .*\.zip$/);
  const archive = await readFile(await download.path());
  expect(archive.subarray(0, 2).toString()).toBe('PK');
  for (const name of ['podaci.csv', 'podaci.xlsx', 'sifarnik.csv', 'stavke.csv', 'ucitaj.R', 'ucitaj.sps', 'PROCITAJ.txt'])
    expect(archive.includes(name), name).toBe(true);

  await row.getByRole('button', { name: 'Ukloni' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ukloni' }).click();
  await row.waitFor({ state: 'detached' });
  await quiet(page);

  const { token } = await logIn('admin');
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const log = await call<{ data: { akcija: string; polja: { nova: unknown }[] }[] }>(
    'GET',
    `/api/log?datumOd=${today}&klaseArray=data_export`,
    { token },
  );
  const deeds = log.data.filter(({ polja }) => polja.some(({ nova }) => nova === reason)).map(({ akcija }) => akcija);
  expect(deeds).toEqual(['brisanje', 'preuzimanje', 'zahtev za izvoz']);
});

test('somebody without the right neither finds the screen nor opens it', async () => {
  await openAs(now, 'lekar', '/izvozPodataka');
  await page.getByText('Nemate pravo na ovu stranicu.').waitFor();
});

test('whom a search has shown is taken out with chosen fields, and nobody else', async () => {
  const reason = `Izvoz pretrage ${Date.now().toString(36)}`;
  const { token } = await openAs(now, 'admin', '/registri');
  const register = await registerOf('reumatologija', token);
  await page.goto(`/registri/${register}`);
  await page.getByLabel('Godina rođenja od').fill('1950');
  await page.getByLabel('Godina rođenja do').fill('1955');
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  await page.getByRole('button', { name: 'Izvoz sa poljima formulara' }).click();
  await page.getByText('Izvoze se samo pacijenti koje je prikazala vaša pretraga.').waitFor();
  await choose('Formular', 'Pregled');
  await page.getByLabel('Razlog izvoza').fill(reason);
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Izvezi', exact: true }).click();
  const row = page
    .getByRole('region', { name: 'Moji izvozi' })
    .getByRole('listitem')
    .filter({ hasText: `: ${reason}` });
  await row.getByText('iz pretrage').waitFor();
  await row.getByText('Spreman').waitFor({ timeout: 60_000 });
  const rowsOf = async (card: Locator) => Number(/redova: ([\d.]+),/.exec(await card.innerText())?.[1]?.replaceAll('.', ''));
  const found = await rowsOf(row);

  await page.getByRole('button', { name: 'Izvezi sve pacijente registra' }).click();
  await page.getByLabel('Razlog izvoza').fill(`Svi, ${reason}`);
  await page.getByRole('button', { name: 'Izvezi', exact: true }).click();
  const whole = page
    .getByRole('region', { name: 'Moji izvozi' })
    .getByRole('listitem')
    .filter({ hasText: `Svi, ${reason}` });
  await whole.getByText('Spreman').waitFor({ timeout: 60_000 });
  expect(await whole.getByText('iz pretrage').count()).toBe(0);
  expect(found).toBeGreaterThan(0);
  expect(await rowsOf(whole)).toBeGreaterThan(found);
});
