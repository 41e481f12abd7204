// Lists and choices that are longer than what a screen holds: the server finds what stands behind the first page.
import { test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, listsGone, logIn, NARROW, openAs, type Visit } from './support';

let now: Visit;
let on: ReturnType<typeof crudOn>;
let token: string;
const made: { path: string; id: number }[] = [];

const { anew } = eachVisit((opened) => {
  now = opened;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});
test.afterEach(async () => {
  for (const { path, id } of made.splice(0).reverse()) await call('DELETE', `${path}/${String(id)}`, { token });
});

const make = async (path: string, body: object): Promise<number> => {
  const { id } = await call<{ id: number }>('POST', path, { token, body });
  made.push({ path, id });
  return id;
};
const numbered = (n: number) => String(n).padStart(2, '0');
/** Institutions whose names end in their numbers, more than a list of choices holds. */
const institutions = async (tag: string, many: number) => {
  for (let n = 1; n <= many; n += 1) await make('/api/institutions', { naziv: `Bolnica ${tag} ${numbered(n)}`, adresa: 'Stara 1' });
};
const filter = (name: string) => now.page.getByLabel(`Filtriraj: ${name}`, { exact: true });
const rows = () => now.page.locator('main .p-datatable-tbody > tr');
const tag = () => `Č${Date.now().toString(36)}`;
const panel = () => now.page.locator('.p-multiselect-panel, .p-dropdown-panel');

test('a filter finds the one on the last page, who is changed there; columns sort both ways over all pages', async () => {
  const own = tag();
  await institutions(own, 45);
  await openAs(now, 'admin', '/admin/ustanove');
  await filter('Naziv').fill(`BOLNICA ${own.replace('Č', 'c')}`);
  await now.page.getByText('1–20 od 45').waitFor();
  await now.page.getByRole('columnheader', { name: 'Naziv' }).click();
  await on.cell(`Bolnica ${own} 01`).waitFor();
  await now.page.getByRole('columnheader', { name: 'Naziv' }).click();
  await on.cell(`Bolnica ${own} 45`).waitFor();
  await now.page.getByRole('button', { name: 'Poslednja strana' }).click();
  await now.page.getByText('41–45 od 45').waitFor();
  await on.cell(`Bolnica ${own} 01`).waitFor();

  await filter('Naziv').fill(`${own} 33`);
  await now.page.getByText('1–1 od 1').waitFor();
  await on.open('Izmeni', `Bolnica ${own} 33`);
  await on.field('Adresa').fill('Nova 33');
  await on.press('Izmeni');
  await on.closed();
  await on.told(`Uspešno izmenjeno: Bolnica ${own} 33`);
  await on.cell('Nova 33').waitFor();
  await expect.poll(() => filter('Naziv').inputValue()).toBe(`${own} 33`);
  await expectAccessible(now.page);
});

test('a worker is given an institution that is found behind the first ones, and keeps it', async () => {
  const own = tag();
  await institutions(own, 55);
  const username = `lista${Date.now().toString(36)}`;
  await make('/api/workers', { username, password: 'tanjir-kiša-olovka', ime: 'Đurđa', prezime: own });
  await openAs(now, 'admin', '/admin/radnici');
  await filter('Korisničko ime').fill(username);
  await on.open('Izmeni', username);
  await on
    .dialog()
    .locator('.p-dropdown')
    .filter({ has: now.page.getByLabel('Ustanova', { exact: false }) })
    .click();
  await panel()
    .getByText(/^Prikazano je prvih 50 od \d+\. Suzite pretragu\.$/)
    .waitFor();
  await panel().locator('.p-dropdown-filter').fill(`${own} 55`);
  await now.page.getByRole('option', { name: `Bolnica ${own} 55`, exact: true }).click();
  await listsGone(now.page);
  await on.press('Izmeni');
  await on.closed();
  await on.cell(`Bolnica ${own} 55`).waitFor();
  await on.open('Izmeni', username);
  await on
    .dialog()
    .locator('.p-dropdown-label')
    .filter({ hasText: `Bolnica ${own} 55` })
    .waitFor();

  await on.tab('Ustanove').click();
  await on.side('Dostupno').getByRole('textbox').fill(`${own} 54`);
  await on
    .side('Dostupno')
    .getByRole('option', { name: `Bolnica ${own} 54` })
    .click();
  await on.dialog().getByRole('button', { name: 'Dodaj izabrano' }).click();
  await on
    .side('Dodeljeno')
    .getByRole('option', { name: `Bolnica ${own} 54` })
    .waitFor();
  await on
    .side('Dodeljeno')
    .getByRole('option', { name: `Bolnica ${own} 54` })
    .click();
  await on.dialog().getByRole('button', { name: 'Vrati izabrano' }).click();
  await expect
    .poll(() =>
      on
        .side('Dodeljeno')
        .getByRole('option', { name: `Bolnica ${own} 54` })
        .count(),
    )
    .toBe(0);
});

test('a multi-select finds what stands behind its first choices, and keeps what was chosen before', async () => {
  const own = tag();
  await institutions(own, 55);
  await openAs(now, 'admin', '/admin/statistikaUnosa');
  const several = now.page.locator('.p-multiselect').filter({ has: now.page.getByLabel('Ustanove') });
  await several.click();
  await panel()
    .getByText(/^Prikazano je prvih 50 od \d+\. Suzite pretragu\.$/)
    .waitFor();
  for (const n of ['55', '07']) {
    await panel()
      .locator('.p-multiselect-filter-container input')
      .fill(`bolnica ${own.replace('Č', 'c')} ${n}`);
    await now.page.getByRole('option', { name: `Bolnica ${own} ${n}`, exact: true }).click();
  }
  await now.page.keyboard.press('Escape');
  await listsGone(now.page);
  await several.getByText(`Bolnica ${own} 55, Bolnica ${own} 07`).waitFor();
});

test('a choice in the filter of a column narrows the list, and taken back gives it whole again', async () => {
  const own = tag();
  await make('/api/roles', { ime: `Uloga ${own} svuda`, sveUstanove: true });
  await make('/api/roles', { ime: `Uloga ${own} ovde` });
  await openAs(now, 'admin', '/admin/uloge');
  await filter('Naziv').fill(own);
  await now.page.getByText('1–2 od 2').waitFor();
  const choose = async (option: string) => {
    await now.page
      .locator('.p-dropdown.p-column-filter')
      .filter({ has: filter('Administrira radnike svih ustanova') })
      .click();
    await panel().getByRole('option', { name: option, exact: true }).click();
    await listsGone(now.page);
  };
  await choose('Da');
  await now.page.getByText('1–1 od 1').waitFor();
  await on.cell(`Uloga ${own} svuda`).waitFor();
  await choose('Sve');
  await now.page.getByText('1–2 od 2').waitFor();
  await on.cell(`Uloga ${own} ovde`).waitFor();
});

test('fits a narrow screen', async () => {
  await anew(NARROW);
  await openAs(now, 'admin', '/admin/uloge');
  await rows().first().waitFor();
  await expectAccessible(now.page);
});
