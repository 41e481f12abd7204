// A designer who writes no SQL chooses a report from nothing, tries it out and publishes it; a clinician runs it and reads its numbers.
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

test.beforeAll(async () => {
  browser = await launch();
  now = await visit(browser);
  page = now.page;
  register = await ownRegister('izbor', 'Kontrola', { CRP: { jedinica: 'mg/L' } }, [
    { sifra: 'crp', naziv: 'CRP "hitni" {{1}}', tip: 'CRP' },
  ]);
});
test.afterAll(() => browser.close());

const { main, press, choose } = choosingOn(() => page);

test('a report is chosen without SQL, tried out, published, run by another worker, and opened again as it was chosen', async () => {
  const patients = [await patientOf(register, 'Izborić', 'Ana'), await patientOf(register, 'Izborić', 'Iva')] as const;
  // Two of March and one of April above 3; one below, and one without a value.
  await entryOf(register, patients[0], '2026-03-10', { crp: 4 });
  await entryOf(register, patients[0], '2026-03-20', { crp: 7 });
  await entryOf(register, patients[1], '2026-04-02', { crp: 10 });
  await entryOf(register, patients[1], '2026-04-03', { crp: 1 });
  await entryOf(register, patients[1], '2026-04-04', {});
  const { id, naziv, remove } = await chosenReport('Izabran', 97);

  await openAs(now, 'admin', `/admin/izvestaji/${id}/dizajner`);
  await choose('Registar', register.naziv);
  await choose('Formular', 'Kontrola');
  await press('Dodaj uslov po polju');
  const condition = page.getByRole('listitem', { name: 'Uslov 1' });
  await choose('Polje', 'CRP "hitni" {{1}}', condition);
  await choose('Operator', 'veće od', condition);
  await press('Proveri');
  await page.getByRole('alert').filter({ hasText: 'Uslov 1 nije popunjen do kraja.' }).waitFor();
  await condition.getByLabel('Vrednost', { exact: false }).fill('3');
  await choose('Grupiši po', 'Mesec unosa');
  await press('Dodaj meru');
  await choose('Mera', 'Srednja vrednost', page.getByRole('listitem', { name: 'Mera 2' }));
  await choose('Grafikon', 'Stubići', page.getByRole('region', { name: 'Grafikon' }));
  await press('Proveri');
  await page.getByText('Nema grešaka: verzija može da se objavi.').waitFor();
  await quiet(page);
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Proba' }).click();
  await press('Probaj');
  await page.getByText('Proba verzije 1 je uspela: 2 reda.').waitFor();
  await press('Objavi');
  await page.getByRole('alert').filter({ hasText: 'Objavljena je verzija 1' }).first().waitFor();
  await page.setViewportSize(NARROW);
  await quiet(page);
  await expectFits(page);

  // The doctor is asked for the period that came with the report, and leaves it out.
  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', '/izvestaji');
  await doctor.page.getByRole('tree').getByText(naziv, { exact: true }).click();
  await doctor.page.getByLabel('Od', { exact: true }).first().waitFor();
  await doctor.page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  const csv = doctor.page.getByRole('tabpanel', { name: 'Generisani' }).getByRole('button', { name: /CSV/ }).first();
  const [download] = await Promise.all([doctor.page.waitForEvent('download'), csv.click()]);
  const lines = (await readFile(await download.path(), 'utf8')).replace('\u{feff}', '').trim().split('\r\n');
  expect(lines).toEqual([
    'Mesec;Broj unosa;"CRP ""hitni"" {{1}} (mg/L), srednja vrednost";Napomena',
    expect.stringMatching(/^03\.2026\.;2;5,50?;$/),
    expect.stringMatching(/^04\.2026\.;1;10(,00?)?;$/),
  ]);

  // Opened again it is the choice; turned into SQL it says so.
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(now, 'admin', `/admin/izvestaji/${id}/dizajner`);
  await condition.getByLabel('Vrednost', { exact: false }).waitFor();
  expect(await condition.getByLabel('Vrednost', { exact: false }).inputValue()).toBe('3');
  await main().getByRole('button', { name: 'Upit i šablon', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pretvori u SQL' }).click();
  await page.getByText('Pretvoreno u SQL').first().waitFor();
  await page.getByRole('textbox', { name: 'Upit (SQL)', exact: true }).filter({ hasText: 'report.unos' }).waitFor();

  await remove();
  for (const patient of patients) await forget(register, patient);
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
});
