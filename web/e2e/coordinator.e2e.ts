// A coordinator closes a quarter: finds what nobody has finished, asks three doctors about it, sees it answered, closes the questions, locks the
// period, and takes out what was signed and nothing else.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { parts } from '../src/testing/unzip';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, patientOf, forget, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { openAsPerson, OWN, person, type Person } from './person';
import { call, expectAccessible, expectFits, logIn, NARROW, quiet, WIDE, type Visit } from './support';

/** Finishing, signing, locking, asking and answering, and taking data out. */
const [FINISHING, SIGNING, LOCKING, QUESTIONS, EXPORT] = [
  'Završavanje unosa',
  'Potpisivanje unosa',
  'Zaključavanje unosa',
  'Upiti',
  'Izvoz podataka',
] as const;
let now: Visit;
let register: OwnRegister;
let coordinator: Person;
const doctors: Person[] = [];
const patients: number[] = [];
/** The entry of each doctor that is still in work. */
const waiting: number[] = [];
const made: string[] = [];

const { another } = eachVisit((opened) => {
  now = opened;
});

/** Finishes an entry as its doctor, and signs it. */
async function finish(entry: number, username: string, sign: boolean): Promise<void> {
  const { token } = await logIn(username, OWN);
  const { verzija } = await call<{ verzija: number }>('GET', `/api/entries/${entry}/states`, { token });
  await call('POST', `/api/entries/${entry}/finish`, { token, body: { verzija } });
  if (sign) await call('POST', `/api/entries/${entry}/sign`, { token, body: { verzija, znacenje: 'autor', lozinka: OWN } });
}

test.beforeAll(async () => {
  test.setTimeout(180_000);
  register = await ownRegister('kvartal', 'Kontrola', { Broj: {} }, [{ sifra: 'puls', naziv: 'Puls', tip: 'Broj' }]);
  for (const prezime of ['Perić', 'Simić', 'Tasić']) doctors.push(await person(register.admin, made, prezime, [FINISHING, SIGNING]));
  coordinator = await person(register.admin, made, 'Koordinatorka', [LOCKING, QUESTIONS, EXPORT]);
  for (const [place, { id, username, prezime }] of doctors.entries()) {
    const { token } = await logIn(username, OWN);
    const own = { ...register, doctor: { id, token } };
    const patient = await patientOf(register, `Kvartal${prezime}`, 'Proba');
    patients.push(patient);
    // Two entries of each are done: one signed, the other finished. The third waits.
    await finish(await entryOf(own, patient, `2026-07-0${place + 1}`, { puls: 70 }), username, true);
    await finish(await entryOf(own, patient, `2026-08-0${place + 1}`, { puls: 71 }), username, false);
    waiting.push(await entryOf(own, patient, `2026-09-0${place + 1}`, { puls: 72 }));
  }
});

test.afterAll(async () => {
  for (const patient of patients) await forget(register, patient);
  for (const path of made) await call('DELETE', path, { token: register.admin });
});

const lockDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Zaključaj period' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Zaključaj period' });
  await dialog.locator('.p-dropdown').click();
  await page.getByRole('option', { name: register.naziv, exact: true }).click();
  await dialog.getByLabel('Do dana').fill('30.09.2026.');
  return dialog;
};

test('a quarter is closed: what is missing is found, asked about, answered and locked, and what was signed is taken out', async () => {
  test.setTimeout(180_000);
  const { page } = now;
  // What is missing.
  await openAsPerson(now, coordinator, '/zakljucavanjePerioda');
  const dialog = await lockDialog(page);
  await dialog.getByText('Unosa u periodu: 9. Pre zaključavanja pogledajte:').waitFor();
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);
  const [found] = await Promise.all([now.context.waitForEvent('page'), dialog.getByRole('link', { name: '3 unosa je u radu' }).click()]);
  await found.getByText(/^Rezultati pretrage: 3 pacijenta/).waitFor();
  await found.getByText('Traženo: ima unos vaše ustanove u stanju „u radu”, do 30.09.2026.').waitFor();
  const results = found.getByRole('table', { name: 'Rezultati pretrage' });
  const links = results.getByRole('link', { name: /\.09\.2026\.$/ });
  expect(await links.count()).toBeGreaterThanOrEqual(3);
  expect(await results.getByRole('listitem').filter({ hasText: 'Kontrola, u radu' }).count()).toBe(3);
  await found.close();

  // Each doctor is asked where the entry stands.
  for (const [place, entry] of waiting.entries()) {
    await page.goto(`/unosi/${entry}`);
    await page.getByRole('button', { name: 'Upiti', exact: true }).click();
    const questions = page.getByRole('dialog', { name: 'Upiti' });
    await questions.getByLabel('Pitanje').fill(`Da li je unos ${place + 1} gotov?`);
    await questions.getByRole('button', { name: 'Postavi upit' }).click();
    await questions.getByText('otvoren', { exact: true }).waitFor();
    if (place === 0) await expectAccessible(page);
  }
  await page.goto('/zakljucavanjePerioda');
  await (await lockDialog(page)).getByRole('link', { name: '3 unosa ima otvoren upit' }).waitFor();

  // They answer from their own lists, and finish; one of them signs.
  for (const [place, doctor] of doctors.entries()) {
    const own = await another();
    await openAsPerson(own, doctor, '/mojiUpiti');
    await own.page.getByText(`Da li je unos ${place + 1} gotov?`).waitFor();
    await own.page.goto(`/unosi/${waiting[place]}`);
    await own.page.getByRole('button', { name: 'Upiti (1)' }).click();
    const thread = own.page.getByRole('dialog', { name: 'Upiti' });
    await thread.getByLabel('Odgovor').fill('Jeste, završavam ga.');
    await thread.getByRole('button', { name: 'Pošalji' }).click();
    await thread.getByText('odgovoren', { exact: true }).waitFor();
    await thread.getByRole('button', { name: 'Zatvori', exact: true }).last().click();
    const bar = own.page.getByRole('region', { name: 'Stanje unosa' });
    await bar.getByRole('button', { name: 'Završi' }).click();
    await bar.getByText('završen', { exact: true }).waitFor();
    if (place > 0) continue;
    await bar.getByRole('button', { name: 'Potpiši' }).click();
    const signing = own.page.getByRole('dialog', { name: 'Potpisivanje unosa' });
    await signing.getByLabel('Vaša lozinka').fill(OWN);
    await signing.getByRole('button', { name: 'Potpiši' }).click();
    await bar.getByText('potpisan', { exact: true }).waitFor();
  }

  // The coordinator reads the answers and closes the questions.
  for (const entry of waiting) {
    await page.goto(`/unosi/${entry}`);
    await page.getByRole('button', { name: 'Upiti (1)' }).click();
    const questions = page.getByRole('dialog', { name: 'Upiti' });
    await questions.getByText('Jeste, završavam ga.').waitFor();
    await questions.getByRole('button', { name: 'Zatvori upit' }).click();
    await questions.getByText('zatvoren', { exact: true }).waitFor();
  }

  // Nothing is missing any more: the quarter is locked.
  await page.goto('/zakljucavanjePerioda');
  const last = await lockDialog(page);
  await last.getByText('Unosa u periodu: 9. Svi su završeni, bez otvorenih upita i nalaza.').waitFor();
  await last.getByLabel('Razlog').fill('Kraj trećeg kvartala');
  await last.getByRole('button', { name: 'Zaključaj period' }).click();
  await page.getByRole('button', { name: `Otključaj: ${register.naziv}, do 30.09.2026.` }).waitFor();

  // What was signed leaves, locked as it is: three of July and one of September.
  await page.goto('/izvozPodataka');
  for (const [field, option] of [
    ['Registar', register.naziv],
    ['Formular', 'Kontrola'],
  ] as const) {
    await page
      .locator('.p-dropdown')
      .filter({ has: page.getByLabel(field) })
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await page.getByRole('radio', { name: 'Sa identitetom' }).check();
  await page.getByRole('radio', { name: 'Samo potpisani' }).check();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);
  await page.getByLabel('Razlog izvoza').fill('Izveštaj o trećem kvartalu');
  await page.getByRole('button', { name: 'Izvezi', exact: true }).click();
  const row = page.getByRole('region', { name: 'Moji izvozi' }).getByRole('listitem').filter({ hasText: 'Izveštaj o trećem kvartalu' });
  await row.getByText('samo potpisani', { exact: true }).waitFor();
  await row.getByText('Spreman').waitFor({ timeout: 60_000 });
  await row.getByText('redova: 4, pacijenata: 3').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: 'Preuzmi' }).click()]);
  const files = parts(await readFile(await download.path()));
  const text = (name: string) => [...files].find(([file]) => file.endsWith(name))?.[1] ?? '';
  expect(text('PROCITAJ.txt')).toContain('Unosi:       samo potpisani');
  expect(text('podaci.csv').trim().split(/\r?\n/)).toHaveLength(1 + 4);
});
