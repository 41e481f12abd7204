// A doctor who knows ten patients of her own asks for all institutions: few of others are no rows, in the report on its screen, in its files,
// in the search and in an export; and each of these says what is not there.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, listsGone, logIn, NARROW, openAs, quiet, WIDE, wordsOf, type Visit } from './support';

/** How many patients have this value: her own have one, others' another; three are few, six are not. */
const [OWN, FEW, MANY] = [
  { value: 11, patients: 10 },
  { value: 22, patients: 3 },
  { value: 33, patients: 6 },
];
const LEFT_OUT = 'nema grupa sa manje od 5 pacijenata drugih ustanova';

let now: Visit;
let register: OwnRegister;
let elsewhere: OwnRegister;
let report: { id: number; naziv: string };
const patients: [OwnRegister, number][] = [];

eachVisit((opened) => {
  now = opened;
});

async function groupsOf({ form, admin: token }: OwnRegister) {
  const naziv = `Grupe ${Date.now().toString(36)}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token });
  const body = { naziv, numerickaVrednost: 95, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'sve' };
  const { id } = await call<{ id: number }>('POST', '/api/reports', { token, body });
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token });
  for (const format of formats.data) await call('POST', '/api/report-format-links', { token, body: { izvestaj: id, format: format.id } });
  const upit = `select b.ustanova_id, b.vrednost::int as grupa, count(distinct b.pacijent_id) as pacijenata,
                       array_agg(distinct b.pacijent_id) as grupa_pacijenata
                  from report.broj b where b.tip_unosa_id = ${form} and b.sifra = 'crp' group by 1, 2 order by 2`;
  const sablon = '{{#report}}{{col "grupa" head="Grupa"}}{{col "pacijenata" head="Pacijenata"}}{{/report}}';
  const { broj } = await call<{ broj: number }>('POST', `/api/reports/${id}/definitions`, { token, body: { upit, sablon, osnova: 0 } });
  await call('POST', `/api/reports/${id}/definitions/${broj}/publish`, { token, body: { objavljena: 0 } });
  return { id, naziv };
}

test.beforeAll(async () => {
  test.setTimeout(180_000);
  register = await ownRegister('grupe', 'Kontrola', { CRP: {} }, [{ sifra: 'crp', naziv: 'CRP', tip: 'CRP' }]);
  elsewhere = { ...register, doctor: await logIn('lekar2') };
  for (const [of, { value, patients: many }] of [
    [register, OWN],
    [elsewhere, FEW],
    [elsewhere, MANY],
  ] as const) {
    for (let number = 0; number < many; number += 1) {
      const patient = await patientOf(of, 'Grupić', `Broj${String(number)}`);
      patients.push([of, patient]);
      // Two of her own were examined two years before the others.
      const day = of === register && number < 2 ? '2024-03-05' : '2026-03-05';
      await entryOf(of, patient, day, { crp: value });
    }
  }
  report = await groupsOf(register);
});
test.afterAll(async () => {
  test.setTimeout(120_000);
  await call('DELETE', `/api/reports/${String(report.id)}`, { token: register.admin });
  for (const [of, patient] of patients) await forget(of, patient);
});

const save = async (page: Page, press: () => Promise<void>): Promise<Buffer> => {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await file.path());
};

test('a doctor of ten patients learns of no few of others, and is told what is not there', async () => {
  const { page } = now;
  await openAs(now, 'lekar', '/izvestaji');
  await page.getByRole('tree').getByText(report.naziv, { exact: true }).click();
  await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  const made = page.getByRole('tabpanel', { name: 'Generisani' });
  const file = (format: string) => made.getByRole('button', { name: new RegExp(`Preuzmi ${format}`) }).first();
  await file('CSV').waitFor({ timeout: 60_000 });
  await made.getByText(`Sve ustanove: ${LEFT_OUT}.`).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);

  const csv = (await save(page, () => file('CSV').click())).toString('utf8').replace('\u{feff}', '').trim().split('\r\n');
  expect(csv).toEqual([
    'Grupa;Pacijenata',
    `${String(OWN.value)};${String(OWN.patients)}`,
    `${String(MANY.value)};${String(MANY.patients)}`,
    `# Sve ustanove: ${LEFT_OUT}.;`,
  ]);
  const pdf = wordsOf(await save(page, () => file('PDF').click())).replace(/\s+/g, ' ');
  expect(pdf).toContain(LEFT_OUT);
  expect(pdf).toMatch(/11 10\b.*33 6\b/);
  expect(pdf).not.toMatch(/\b22 3\b/);
  expect(now.complaints).toEqual([]);
});

test('the search says a number of them and has no row, on the screen and in its file', async () => {
  const { page } = now;
  await openAs(now, 'lekar', `/registri/${register.id}`);
  const criterion = page.getByRole('listitem', { name: 'Uslov 1' });
  const choose = async (label: string, option: string) => {
    await criterion
      .locator('div:has(> label)')
      .filter({ hasText: new RegExp(`^${label}`) })
      .locator('.p-dropdown')
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await listsGone(page);
  };
  await choose('Stavka unosa', 'CRP');
  await choose('Operator', 'jednako');
  const ask = async (value: number | undefined) => {
    await criterion.getByLabel('Vrednost', { exact: false }).fill(String(value));
    await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
    await quiet(page);
  };
  await ask(FEW.value);
  await page.getByRole('heading', { name: /manje od 5 iz drugih ustanova/ }).waitFor();
  expect(await page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('row').filter({ hasText: '05.03.2026.' }).count()).toBe(0);
  await ask(OWN.value);
  const rows = page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('link', { name: /^Grupić/ });
  await expect.poll(() => rows.count()).toBe(OWN.patients);
  await page.getByRole('button', { name: 'Izvoz', exact: true }).click();
  const csv = (await save(page, () => page.getByRole('menuitem', { name: 'CSV', exact: true }).click()))
    .toString('utf8')
    .trim()
    .split('\r\n');
  expect(csv).toHaveLength(12);
  expect(csv.at(-1)).toMatch(/^# Nije izvezeno: manje od 5 iz drugih ustanova\.;+$/);
});

test('an export without identity of fewer than the least is refused by its name', async () => {
  const { page } = now;
  await openAs(now, 'admin', '/izvozPodataka');
  for (const [field, option] of [
    ['Registar', register.naziv],
    ['Formular', 'Kontrola'],
  ] as const) {
    await page
      .locator('.p-dropdown')
      .filter({ has: page.getByLabel(field) })
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await listsGone(page);
  }
  await page.getByLabel('Pregledi od').fill('01.01.2024.');
  await page.getByLabel('Pregledi do').fill('31.12.2024.');
  await page.getByLabel('Razlog izvoza').fill('Provera najmanjeg broja pacijenata');
  await page.getByRole('button', { name: 'Izvezi', exact: true }).click();
  await page.getByText('Bez identiteta izlaze podaci najmanje 5 pacijenata. Proširite period ili ustanove.').first().waitFor();
});
