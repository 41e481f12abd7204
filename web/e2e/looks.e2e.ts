// A record of every look: a doctor searches, opens and prints; the officer finds all three by the patient and by the worker; a nurse
// without the right finds nothing.
import { type Page, test } from '@playwright/test';
import { joints, newVisit, remove, type Visited } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, logIn, NARROW, openAs, registerOf, type Visit } from './support';

let now: Visit;
let entry: Visited & { ime: string; prezime: string; jmbg: string };
let lekar: { id: number; ime: string; prezime: string };

const { another } = eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  const { token, id } = await logIn('lekar');
  lekar = await call<typeof lekar>('GET', `/api/workers/${id}`, { token });
  const made = await newVisit();
  const { ime, prezime, jmbg } = await call<{ ime: string; prezime: string; jmbg: string }>('GET', `/api/patients/${made.pacijentID}`, {
    token,
  });
  entry = { ...made, ime, prezime, jmbg };
});
test.afterAll(async () => {
  await remove(entry);
});

const looks = (page: Page) => page.getByRole('tabpanel').getByRole('table', { name: 'Uvidi' });
const ask = (page: Page) => page.getByRole('tabpanel').getByRole('button', { name: 'Pretraži', exact: true }).click();

/** A look of the doctor at the patient, in this way. */
const found = (page: Page, way: string) =>
  looks(page)
    .getByRole('row')
    .filter({ hasText: `${lekar.prezime} ${lekar.ime}` })
    .filter({ has: page.getByRole('cell', { name: way, exact: true }) })
    .filter({ hasText: `${entry.prezime} ${entry.ime}` })
    .first()
    .waitFor();

test('what a doctor searched, opened and printed is found by the patient and by the worker', async () => {
  const doctor = await another();
  const { page, context } = doctor;
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
  const { token } = await openAs(doctor, 'lekar', '/registri', 'regix');
  await page.goto(`/registri/${await registerOf('reumatologija', token)}`);
  await page.getByLabel('JMBG').fill(entry.jmbg);
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  await page
    .getByRole('link', { name: `${entry.prezime} ${entry.ime}` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Ko je pregledao podatke' }).waitFor();
  await page.goto(`/unosi/${entry.id}`);
  await joints(page).waitFor();
  const printed = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Štampaj', exact: true }).click();
  await printed;
  await context.close();
  expect(doctor.complaints).toEqual([]);

  const officer = now.page;
  await openAs(now, 'admin', '/evidencijaUvida', 'regix');
  await officer.getByRole('heading', { name: 'Evidencija uvida', level: 1 }).waitFor();
  await ask(officer);
  await officer.getByRole('alert').filter({ hasText: 'Niste izabrali pacijenta.' }).first().waitFor();
  await officer.getByRole('combobox', { name: 'Pacijent' }).pressSequentially(entry.jmbg);
  await officer.getByRole('option', { name: `${entry.prezime} ${entry.ime}` }).click();
  await ask(officer);
  for (const way of ['pretraga', 'otvaranje', 'štampa']) await found(officer, way);
  await expectAccessible(officer);

  await officer.getByRole('tab', { name: 'Po radniku' }).click();
  const worker = officer.getByRole('tabpanel').getByRole('combobox', { name: 'Radnik' });
  await worker.fill(`${lekar.prezime} ${lekar.ime}`);
  await officer.keyboard.press('Enter');
  await ask(officer);
  for (const way of ['pretraga', 'otvaranje', 'štampa']) await found(officer, way);

  await officer.getByRole('tab', { name: 'Neuobičajen obim' }).click();
  await ask(officer);
  await officer.getByText('Dan je neuobičajen kada', { exact: false }).waitFor();
  await expectAccessible(officer);
  await officer.setViewportSize(NARROW);
  await expectFits(officer);
});

test('a nurse without the right is refused by the screen and by the server', async () => {
  const { token } = await openAs(now, 'sestra', '/evidencijaUvida', 'regix');
  await now.page.getByText('Nemate pravo na ovu stranicu.').waitFor();
  await expect(call('GET', `/api/looks?datumOd=2020-01-01&pacijentID=${entry.pacijentID}`, { token })).rejects.toThrow(/Nemate pravo/);
});
