// What a worker of administration alone may not: open a patient, give what she does not hold, reset the password of who holds more;
// and what a clinician must confirm about who a patient is.
import { test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import {
  call,
  choosePassword,
  expectAccessible,
  freshJmbg,
  listsGone,
  logIn,
  openAs,
  registerOf,
  signInByHand,
  type Visit,
} from './support';

let now: Visit;
let on: ReturnType<typeof crudOn>;
let token: string;

eachVisit((opened) => {
  now = opened;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});

const OWN = 'zeleni vagon peva';

/** A worker whose one role has one right, and opens no patient. */
async function withRight(pravo: number): Promise<{ username: string; done: () => Promise<void> }> {
  const name = `kadrovi${Date.now().toString(36)}`;
  const role = await call<{ id: number }>('POST', '/api/roles', { token, body: { ime: `Uloga ${name}`, sveUstanove: true } });
  await call('POST', '/api/role-rights', { token, body: { uloga: role.id, aplikativnoPravo: pravo } });
  const body = { username: name, password: 'tanjir-kiša-olovka', ime: 'Kadrovska', prezime: 'Radnica' };
  const worker = await call<{ id: number }>('POST', '/api/workers', { token, body });
  await choosePassword(name, body.password, OWN);
  await call('POST', '/api/worker-roles', { token, body: { radnik: worker.id, uloga: role.id } });
  const done = async () => {
    await call('DELETE', `/api/workers/${worker.id}`, { token });
    await call('DELETE', `/api/roles/${role.id}`, { token });
  };
  return { username: name, done };
}

test('the right to administer workers alone opens no patient, gives no role and resets no password of who holds more', async () => {
  const { username, done } = await withRight(4);
  try {
    await now.page.goto('/');
    await signInByHand(now.page, username, OWN);
    await now.page.getByText('Vaša uloga ne otvara pacijente.', { exact: false }).waitFor();
    await expect.poll(() => now.page.getByRole('button', { name: /^Otvori registar/ }).count()).toBe(0);
    await expectAccessible(now.page);
    for (const path of ['/registri/1', '/pacijenti/1', '/unosi/1', '/pacijentArhiva/1', '/unosArhiva/1']) {
      await now.page.goto(path);
      await now.page.getByRole('heading', { name: 'Vaša uloga ne otvara pacijente.' }).waitFor();
    }

    await now.page.goto('/admin/radnici');
    await now.page.getByLabel('Filtriraj: Korisničko ime').fill(username);
    await on.open('Izmeni', username);
    await on.tab('Uloge').click();
    await on.side('Dostupno').getByRole('option', { name: 'Administrator' }).click();
    await on.dialog().getByRole('button', { name: 'Dodaj izabrano' }).click();
    await on.told('Ova uloga daje više nego što vi imate. Nedostaje vam:');
    await on.side('Dostupno').getByRole('option', { name: 'Administrator' }).waitFor();
    await expect.poll(() => on.side('Dodeljeno').getByRole('option', { name: 'Administrator' }).count()).toBe(0);
    await on.press('Zatvori');
    await on.closed();

    await now.page.getByLabel('Filtriraj: Korisničko ime').fill('sestra');
    await on.open('Izmeni', 'sestra');
    await on.tab('Promena lozinke').click();
    await on.field('Nova lozinka').fill('stara čaša trepće');
    await on.field('Potvrda').fill('stara čaša trepće');
    await on.press('Izmeni');
    await on.told('Ovaj radnik ima prava koja vi nemate. Nedostaje vam: „Pacijenti: izmena”.');
    await logIn('sestra');
  } finally {
    await done();
  }
});

test('a role says on its screen what it opens of patients', async () => {
  const name = `Stažista ${Date.now().toString(36)}`;
  await openAs(now, 'admin', '/admin/uloge');
  await on.tool('Dodaj').click();
  await on.field('Naziv').fill(name);
  await on.choose('Pacijenti', 'Čitanje');
  await on.press('Dodaj');
  await on.closed();
  await now.page
    .getByRole('row')
    .filter({ has: on.cell(name) })
    .filter({ has: on.cell('Čitanje') })
    .waitFor();
  await on.remove(name);
});

test('what the JMBG says follows it, and what contradicts it is saved only when it is confirmed', async () => {
  const lekar = await logIn('lekar');
  const register = await registerOf('kardiologija', lekar.token);
  await openAs(now, 'lekar', `/registri/${register}`);
  await now.page.getByRole('button', { name: 'Novi pacijent' }).click();
  const form = now.page.getByRole('dialog', { name: 'Novi pacijent' });
  const save = form.getByRole('button', { name: 'Snimi' });
  await save.click();
  for (const missing of ['ime', 'prezime', 'JMBG', 'datum rođenja', 'LBO', 'kontakt telefon'])
    await form.getByText(`Niste uneli ${missing}.`, { exact: true }).waitFor();
  await form.getByText('Niste izabrali pol.').waitFor();
  await expect
    .poll(() =>
      form
        .getByLabel('Ime', { exact: false })
        .first()
        .evaluate((input) => input === document.activeElement),
    )
    .toBe(true);

  const [jmbg, birth] = [freshJmbg(), form.getByLabel('Datum rođenja')];
  await now.page.keyboard.type('Čedomirka');
  await expect
    .poll(() => form.getByLabel('Ime', { exact: false }).first().inputValue(), { message: 'the focus stays while faults are mended' })
    .toBe('Čedomirka');
  await form.getByLabel('Prezime').fill('Neslagalović');
  await form.getByLabel('JMBG').pressSequentially('0601953726029');
  await expect.poll(() => birth.inputValue()).toBe('06.01.1953.');
  for (let digit = 0; digit < 13; digit++) await form.getByLabel('JMBG').press('Backspace');
  await form.getByLabel('JMBG').pressSequentially(`${jmbg.slice(0, 7)} ${jmbg.slice(7)}`);
  await expect.poll(() => birth.inputValue()).toBe('14.05.1961.');
  await form.getByLabel('LBO').fill(`${jmbg.slice(2, 6)} ${jmbg.slice(6)}`);
  await form.getByLabel('Kontakt telefon').fill('011/1234567');
  await birth.fill('15.05.1961.');
  await birth.press('Tab');
  await form.getByText('Datum rođenja se ne slaže sa JMBG.').waitFor();
  await save.click();
  const asked = now.page.getByRole('alertdialog');
  const anyway = form.getByRole('button', { name: 'Ipak snimi novog pacijenta' });
  await asked.or(anyway).first().waitFor();
  if (await anyway.isVisible()) await anyway.click();
  await asked.getByText('Datum rođenja se ne slaže sa JMBG.', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'Podaci su ispravni' }).click();
  await now.page.getByRole('heading', { name: 'Čedomirka Neslagalović', level: 1 }).waitFor();
  const id = /\d+$/.exec(new URL(now.page.url()).pathname)?.[0] ?? '';
  const saved = await call<{ jmbg: string; lbo: string; datumRodjenja: string }>('GET', `/api/patients/${id}`, { token: lekar.token });
  expect(saved).toMatchObject({ jmbg, lbo: jmbg.slice(2), datumRodjenja: '1961-05-15' });
  const today = new Date().toISOString().slice(0, 10);
  const { data } = await call<{ data: { akcija: string; opis: string | null }[] }>(
    'GET',
    `/api/log?datumOd=${today}&klaseArray=patient&akcijeArray=potvrda`,
    { token },
  );
  expect(data[0]?.opis).toBe('Potvrđeno pre čuvanja: Datum rođenja se ne slaže sa JMBG.');
  await call('PATCH', `/api/patients/${id}`, { token: lekar.token, body: { aktivan: false } });
  await listsGone(now.page);
});
