// An administrator whose role does not reach every institution: her lists, what her pickers offer, and what she is refused.
import { test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, choosePassword, expectAccessible, logIn, signInByHand, type Visit } from './support';

const OWN = 'zeleni vagon peva';
const HERE = 'Klinički centar Srbije';
const ELSEWHERE = 'Klinički centar Vojvodine';

let now: Visit;
let on: ReturnType<typeof crudOn>;
let token: string;
let admin: string;
let shared: string;
let here: number;
const gone: (() => Promise<unknown>)[] = [];

/** A worker of the first institution, who has chosen her own password. */
async function worker(username: string, ime: string): Promise<number> {
  const body = { username, password: 'tanjir-kiša-olovka', ime, prezime: 'Probna', ustanovaID: here };
  const { id } = await call<{ id: number }>('POST', '/api/workers', { token, body });
  gone.push(() => call('DELETE', `/api/workers/${id}`, { token }));
  await choosePassword(username, body.password, OWN);
  return id;
}

eachVisit((opened) => {
  now = opened;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
  const { data } = await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/institutions', { token });
  const named = (naziv: string) => data.find((one) => one.naziv === naziv)?.id ?? 0;
  here = named(HERE);
  const mark = Date.now().toString(36);
  [admin, shared] = [`lokalna${mark}`, `zajednicki${mark}`];
  const role = await call<{ id: number }>('POST', '/api/roles', { token, body: { ime: `Kadrovi ${mark}` } });
  await call('POST', '/api/role-rights', { token, body: { uloga: role.id, aplikativnoPravo: 4 } });
  const radnik = await worker(admin, 'Lokalna');
  await call('POST', '/api/worker-roles', { token, body: { radnik, uloga: role.id } });
  const both = await worker(shared, 'Zajednički');
  await call('POST', '/api/worker-institutions', { token, body: { radnik: both, ustanova: named(ELSEWHERE) } });
  gone.push(() => call('DELETE', `/api/roles/${role.id}`, { token }));
  await now.page.goto('/');
  await signInByHand(now.page, admin, OWN);
  await now.page.getByText('Vaša uloga ne otvara pacijente.', { exact: false }).waitFor();
  await now.page.goto('/admin/radnici');
  await now.page.getByRole('table', { name: 'Radnici' }).getByRole('cell').first().waitFor();
});
test.afterEach(async () => {
  for (const one of gone.splice(0)) await one();
});

const find = (username: string) => now.page.getByLabel('Filtriraj: Korisničko ime').fill(username);
const rows = () => now.page.locator('.p-datatable-tbody tr');

test('lists the workers of her own institutions, and nobody of others', async () => {
  await find('lekar');
  await on.cell('lekar').waitFor();
  await expect.poll(() => on.cell('lekar2').count()).toBe(0);
  await find('lekar2');
  await rows().filter({ hasText: 'Nema podataka' }).waitFor();
  await find(shared);
  await on.cell(shared).waitFor();
  await expectAccessible(now.page);
});

test('offers her own institutions alone, for a new worker and for one who is there', async () => {
  await on.tool('Dodaj').click();
  await on
    .dialog()
    .locator('.p-dropdown')
    .filter({ has: now.page.getByLabel('Ustanova', { exact: false }) })
    .click();
  await now.page.getByRole('option', { name: HERE, exact: true }).waitFor();
  expect(await now.page.getByRole('option').allInnerTexts()).toEqual([HERE]);
  await now.page.keyboard.press('Escape');
  await on.press('Odustani');
  await on.closed();

  await find(admin);
  await on.open('Izmeni', admin);
  await on.tab('Ustanove').click();
  await on.side('Dodeljeno').getByRole('option', { name: HERE }).waitFor();
  expect(await on.side('Dostupno').getByRole('option', { name: ELSEWHERE }).count()).toBe(0);
  await on.press('Zatvori');
  await on.closed();
});

test('refuses the account of who belongs elsewhere too, and saves what is only here', async () => {
  const refused = 'Ovaj radnik pripada i ustanovi koju ne administrirate. To menja administrator svih njegovih ustanova.';
  await find(shared);
  await on.open('Izmeni', shared);
  await on.field('Adresa').fill('Pasterova 2');
  await on.press('Izmeni');
  await on.closed();
  await on.cell('Pasterova 2').waitFor();

  await on.open('Izmeni', shared);
  await on.tab('Promena lozinke').click();
  await on.field('Nova lozinka').fill('stara čaša trepće');
  await on.field('Potvrda').fill('stara čaša trepće');
  await on.press('Izmeni');
  await on.told(refused);
  await logIn(shared, OWN);
  await on.tab('Radnik').click();
  await on.field('E-mail').fill('neko@primer.rs');
  await on.press('Izmeni');
  const question = now.page.getByRole('alertdialog').filter({ hasText: 'Izmene na drugom tabu nisu snimljene.' });
  await question.waitFor();
  // What is told next is of this try.
  await expect.poll(() => now.page.getByRole('alert').count()).toBe(0);
  await question.getByRole('button', { name: 'Odbaci' }).click();
  await on.told(refused);
});
