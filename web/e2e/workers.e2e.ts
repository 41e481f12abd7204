// An administrator's work with workers, and what each of them may do after it.
import { test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, choosePassword, expectAccessible, logIn, openAs, PATIENCE, signInByHand, type Visit } from './support';

let now: Visit;
let on: ReturnType<typeof crudOn>;
let token: string;

const { another } = eachVisit((opened) => {
  now = opened;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});
test.afterEach(async () => {
  for (const { id } of made.splice(0)) await call('DELETE', `/api/workers/${id}`, { token });
});

const fresh = (what: string) => `${what}${Date.now().toString(36)}`;
const openList = async () => {
  await openAs(now, 'admin', '/admin/radnici');
  await now.page.getByRole('table', { name: 'Radnici' }).getByRole('cell').first().waitFor();
};
const GIVEN = 'tanjir-kiša-olovka';
const OWN = 'zeleni vagon peva';
const OTHER = 'stara čaša trepće';
interface Made {
  id: number;
  username: string;
}
const made: Made[] = [];
const make = async (username: string): Promise<Made> => {
  const body = { username, password: GIVEN, ime: 'Žarko', prezime: `Prezime ${username}`, datumRodjenja: '1961-05-14' };
  const worker = await call<Made>('POST', '/api/workers', { token, body });
  made.push(worker);
  await choosePassword(username, GIVEN, OWN);
  return worker;
};
/** The main page of somebody who has signed in by hand. */
const enter = async ({ page }: Visit, username: string, password: string) => {
  await page.goto('/');
  await signInByHand(page, username, password);
  await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
  await page.getByRole('link', { name: `Žarko Prezime ${username}` }).waitFor();
};

test('a worker is made with what is missing named in order, found, changed and deleted', async () => {
  const username = fresh('radnik');
  const password = ' sa razmacima ';
  await openList();
  await expect
    .poll(async () => (await now.page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean))
    .toEqual(['Ime', 'Prezime', 'Datum rođenja', 'Korisničko ime', 'Ustanova', 'Šifra', 'Adresa']);
  await on.tool('Dodaj').click();
  for (const name of ['Uloge', 'Promena lozinke', 'Ustanove']) await expect.poll(() => on.isOff(name), { message: name }).toBe(true);
  for (const [label, value, message] of [
    ['Korisničko ime', 'lekar', 'Niste uneli korisničko ime.'],
    ['Lozinka', password, 'Niste uneli lozinku.'],
    ['Ime', 'Žarko', 'Niste uneli ime.'],
    ['Prezime', username, 'Niste uneli prezime.'],
  ] as const) {
    await on.press('Dodaj');
    await on.dialog().getByText(message).waitFor();
    await on
      .dialog()
      .getByLabel(new RegExp(`^${label}( \\*)?$`))
      .fill(value);
  }
  await on.field('Datum rođenja').fill('31.02.1980.');
  await on.press('Dodaj');
  await on.dialog().getByText('Datum nije ispravan.').waitFor();
  await on.field('Datum rođenja').fill('14.05.1961.');
  await on.choose('Pol', 'Muški');
  await on.choose('Tema', 'yeti');
  await on.choose('Ustanova', 'Klinički centar Srbije');
  await on.press('Dodaj');
  await on.dialog().getByText('Radnik sa tim korisničkim imenom već postoji.').waitFor();
  await on.field('Korisničko ime').fill(username);
  await on.press('Dodaj');
  await on.closed();
  await on.told(`Uspešno dodato: Žarko ${username}`);
  await now.page.getByLabel('Filtriraj: Datum rođenja').fill('14.05.1961');
  await now.page
    .getByRole('row')
    .filter({ has: on.cell(username) })
    .filter({ has: on.cell('14.05.1961.') })
    .filter({ has: on.cell('Klinički centar Srbije') })
    .waitFor();

  const worker = await logIn(username, password);
  expect(worker).toMatchObject({ theme: 'yeti', ustanovaNaziv: 'Klinički centar Srbije' });
  const { data } = await call<{ data: { naziv: string }[] }>('GET', `/api/institutions?radnik=${worker.id}`, { token });
  expect(
    data.map(({ naziv }) => naziv),
    'the primary one is among them',
  ).toEqual(['Klinički centar Srbije']);

  await now.page.getByLabel('Filtriraj: Korisničko ime').fill(username);
  const row = () => now.page.locator('.p-datatable-tbody tr');
  await expect.poll(() => row().count(), { timeout: PATIENCE }).toBe(1);
  await row().click();
  await on.tool('Izmeni').click();
  await on.field('Prezime').fill('');
  await on.press('Izmeni');
  await on.dialog().getByText('Niste uneli prezime.').waitFor();
  await on.field('Prezime').fill('Šćepanović');
  await on.field('Adresa').fill('Pasterova 2');
  await on.press('Izmeni');
  await on.closed();
  await on.told('Uspešno izmenjeno: Žarko Šćepanović');
  await on.cell('Pasterova 2').waitFor();
  await logIn(username, password);

  await on.open('Detalji', 'Pasterova 2');
  await expect.poll(() => on.field('Prezime').isDisabled()).toBe(true);
  await expect.poll(() => on.isOff('Promena lozinke')).toBe(true);
  await expect.poll(() => on.dialog().getByText('Lozinka', { exact: true }).count()).toBe(0);
  await on.press('Zatvori');
  await on.closed();
  await on.tool('Obriši').click();
  await on.press('Obriši');
  await on.closed();
  await row().filter({ hasText: 'Nema podataka' }).waitFor();
  await expect(logIn(username, password)).rejects.toThrow('Neispravno korisničko ime i/ili lozinka.');
});

test('roles and institutions move at once, and the worker has what they give', async () => {
  const username = fresh('uloge');
  await make(username);
  await openList();
  await on.open('Izmeni', username);
  await on.tab('Uloge').click();
  await on.side('Dostupno').getByRole('option', { name: 'Administrator' }).click();
  await on.dialog().getByRole('button', { name: 'Dodaj izabrano' }).click();
  await on.side('Dodeljeno').getByRole('option', { name: 'Administrator' }).waitFor();
  await expect.poll(() => on.dialog().getByRole('button', { name: 'Izmeni', exact: true }).count()).toBe(0);
  await on.tab('Ustanove').click();
  await on.side('Dostupno').getByRole('option', { name: 'Klinički centar Srbije' }).click();
  await on.dialog().getByRole('button', { name: 'Dodaj izabrano' }).click();
  await on.side('Dodeljeno').getByRole('option', { name: 'Klinički centar Srbije' }).waitFor();
  await expect.poll(() => on.dialog().getByRole('button', { name: 'Izmeni', exact: true }).count()).toBe(0);

  const other = await another();
  await enter(other, username, OWN);
  await other.page.getByRole('button', { name: 'Administracija' }).waitFor();
  await other.page.goto('/admin/uloge');
  await other.page.getByRole('table', { name: 'Uloge' }).waitFor();

  await on.tab('Radnik').click();
  await on.choose('Ustanova', 'Klinički centar Srbije');
  await on.press('Izmeni');
  await on.closed();
  await on.open('Izmeni', username);
  await on.tab('Ustanove').click();
  await on.dialog().getByRole('button', { name: 'Vrati sve' }).click();
  await on.told('Radnik radi u ovoj ustanovi. Prvo mu promenite ustanovu.');
  await on.side('Dodeljeno').getByRole('option', { name: 'Klinički centar Srbije' }).waitFor();
  await on.tab('Uloge').click();
  await on.dialog().getByRole('button', { name: 'Vrati sve' }).click();
  await on.side('Dostupno').getByRole('option', { name: 'Administrator' }).waitFor();
  await on.press('Zatvori');
  await on.closed();
  await expect(call('GET', '/api/roles', { token: (await logIn(username, OWN)).token })).rejects.toThrow('403');
  await other.context.close();
});

test('an administrator changes a password without the old one, and typed data are not thrown away for it', async () => {
  const username = fresh('lozinka');
  const worker = await make(username);
  const { token: session } = await logIn(username, OWN);
  await openList();
  await on.open('Izmeni', username);
  await on.field('Adresa').fill('Nesnimljena 1');
  await on.tab('Promena lozinke').click();
  for (const [label, value, message] of [
    ['Nova lozinka', OTHER, 'Niste uneli novu lozinku.'],
    ['Potvrda lozinke', 'drugačija', 'Niste uneli potvrdu lozinke.'],
    ['Potvrda lozinke', OTHER, 'Nova lozinka i potvrda lozinke nisu iste.'],
  ] as const) {
    if (label === 'Nova lozinka') {
      const question = now.page.getByRole('alertdialog').filter({ hasText: 'Izmene na drugom tabu nisu snimljene.' });
      await on.press('Izmeni');
      await question.getByRole('button', { name: 'Odustani' }).click();
      await on.tab('Radnik').click();
      await expect.poll(() => on.field('Adresa').inputValue()).toBe('Nesnimljena 1');
      await on.field('Adresa').fill('');
      await on.tab('Promena lozinke').click();
    }
    await on.press('Izmeni');
    await on.dialog().getByText(message).waitFor();
    await on.field(label).fill(value);
  }
  await on.press('Izmeni');
  await on.closed();
  await on.told(`Lozinka je promenjena: Žarko Prezime ${username}`);
  await expect(call('GET', `/api/workers/${worker.id}`, { token: session }), 'the worker is signed out').rejects.toThrow('401');
  await expect(logIn(username, OWN)).rejects.toThrow('401');
  const other = await another();
  await other.page.goto('/');
  await signInByHand(other.page, username, OTHER);
  await other.page.getByRole('heading', { name: 'Nova lozinka' }).waitFor();
  await expectAccessible(other.page);
  for (const [label, value] of [
    ['Stara lozinka', OTHER],
    ['Nova lozinka', OWN],
    ['Potvrda lozinke', OWN],
  ] as const) {
    await other.page.getByLabel(label).fill(value);
  }
  await other.page.getByRole('button', { name: 'Promeni lozinku' }).click();
  await other.page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
  await other.context.close();

  // The worker's own change is a newer version of the record.
  await openList();
  await on.open('Izmeni', username);
  await on.tab('Promena lozinke').click();
  await expect.poll(() => on.field('Nova lozinka').inputValue(), { message: 'nothing is left of the last one' }).toBe('');
  await on.press('Odustani');
  await on.closed();
  await on.open('Izmeni', username);
  await on.field('Adresa').fill('Pasterova 2');
  await on.press('Izmeni');
  await on.closed();
  await on.cell('Pasterova 2').waitFor();
});

test('whoever changes the own record sees the name at once', async () => {
  const username = fresh('sam');
  const worker = await make(username);
  const { data } = await call<{ data: { id: number; ime: string }[] }>('GET', '/api/roles?filter=administrator', { token });
  await call('POST', '/api/worker-roles', { token, body: { radnik: worker.id, uloga: data[0]?.id } });
  await enter(now, username, OWN);
  await now.page.goto('/admin/radnici');
  await on.open('Izmeni', username);
  await on.field('Prezime').fill(`Novi ${username}`);
  await on.press('Izmeni');
  await now.page.getByRole('link', { name: `Žarko Novi ${username}` }).waitFor();
});
