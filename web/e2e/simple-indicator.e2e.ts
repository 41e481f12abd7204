// An administrator chooses an indicator by conditions, sees of how many it can be told before it is saved, and publishes it; a doctor reads
// it on the screen, and its numbers lead, by mouse and by keys, to the patients whom they count.
import { readFile } from 'node:fs/promises';
import { type Browser, type Page, test } from '@playwright/test';
import { choosingOn, chosenReport } from './chosenReport';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { expectAccessible, expectFits, launch, NARROW, openAs, quiet, visit, type Visit } from './support';

let browser: Browser;
let now: Visit;
let page: Page;
let register: OwnRegister;
const patients: number[] = [];

test.beforeAll(async () => {
  browser = await launch();
  now = await visit(browser);
  page = now.page;
  register = await ownRegister('udeo', 'Kontrola', { CRP: { jedinica: 'mg/L' } }, [{ sifra: 'crp', naziv: 'CRP', tip: 'CRP' }]);
  for (const value of [2, 3, 4, 12, 15, null]) {
    const patient = await patientOf(register, 'Udelović', `Ana ${'ABCDEF'[patients.length] ?? ''}`);
    patients.push(patient);
    await entryOf(register, patient, '2026-03-10', value === null ? {} : { crp: value });
  }
});
test.afterAll(async () => {
  for (const patient of patients) await forget(register, patient);
  await browser.close();
});

const { main, press, choose } = choosingOn(() => page);

test('an indicator is chosen by conditions, told of how many, and leads to whom it counts', async () => {
  test.setTimeout(180_000);
  const { id, naziv, remove } = await chosenReport('Udeo', 98);

  await openAs(now, 'admin', `/admin/izvestaji/${id}/dizajner`);
  await choose('Registar', register.naziv);
  await choose('Formular', 'Kontrola');
  await main().getByRole('button', { name: 'Indikator', exact: true }).click();
  const numerator = main().getByRole('region', { name: 'Brojilac: kod koga jeste' });
  await numerator.getByText('Kada su uslovi potpuni, ovde se vidi koliko ih je.').waitFor();
  await numerator.getByRole('button', { name: 'Dodaj uslov po polju' }).click();
  const condition = numerator.getByRole('listitem', { name: 'Uslov 1' });
  await choose('Polje', 'CRP', condition);
  await choose('Operator', 'manje od', condition);
  await condition.getByLabel('Vrednost', { exact: false }).fill('5');
  await numerator.getByText(/Vrednosti koje brojilac traži ima .+ unosa\./).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await quiet(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await press('Proveri');
  await page.getByText('Nema grešaka: verzija može da se objavi.').waitFor();
  await page.getByRole('tab', { name: 'Proba' }).click();
  await press('Probaj');
  await page.getByText(/Proba verzije 1 je uspela/).waitFor();
  await press('Objavi');
  await page.getByRole('alert').filter({ hasText: 'Objavljena je verzija 1' }).first().waitFor();

  // The choice goes out as a file, and comes in as conditions of another report; one that does not fit is told in words.
  const [taken] = await Promise.all([page.waitForEvent('download'), press('Preuzmi izbor')]);
  const file = await readFile(await taken.path(), 'utf8');
  const other = await chosenReport('Udeo iz fajla', 99);
  await page.goto(`/admin/izvestaji/${other.id}/dizajner`);
  const bring = (content: string) =>
    page.locator('input[type="file"]').setInputFiles({ name: 'udeo.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await main().locator('button').filter({ hasText: 'Učitaj izbor' }).waitFor();
  await bring(file.replace('"crp"', '"nestalo"'));
  await page.getByRole('alert').filter({ hasText: 'nema polja „CRP” (šifra „nestalo”)' }).waitFor();
  await bring(file);
  await page.getByText('Izbor je učitan. Pogledajte uslove, pa ga snimite.').waitFor();
  await expect.poll(() => condition.getByLabel('Vrednost', { exact: false }).inputValue()).toBe('5');
  await quiet(page);
  await expectAccessible(page);
  await other.remove();

  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', '/izvestaji');
  await doctor.page.getByRole('tree').getByText(naziv, { exact: true }).click();
  await doctor.page.getByRole('heading', { name: naziv, level: 2 }).waitFor();
  await doctor.page.getByRole('button', { name: 'Prikaži na ekranu' }).click();
  await doctor.page.waitForURL(/\/izvestaji\/[0-9a-f-]{36}\/prikaz$/);
  await doctor.page.getByRole('cell').first().waitFor();
  const counted = doctor.page.getByRole('row', { name: /^Pacijenti kod kojih jeste/ }).getByRole('link', { name: '3', exact: true });
  await counted.first().waitFor();
  await counted.first().focus();
  await doctor.page.keyboard.press('Enter');
  await doctor.page.waitForURL(/#pretraga=/);
  await doctor.page.getByText('Udelović Ana A', { exact: false }).first().waitFor();
  const found = doctor.page.getByRole('row').filter({ hasText: 'Udelović' });
  await expect.poll(() => found.count()).toBe(3);

  await remove();
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
});
