// A designer writes a report from nothing, is helped through three mistakes, tries it out and publishes it; a clinician runs it. An older
// version is taken back.
import { readFile } from 'node:fs/promises';
import { type Browser, type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { expect } from './patience';
import { call, expectAccessible, expectFits, launch, logIn, NARROW, openAs, quiet, visit, WIDE, type Visit } from './support';

let browser: Browser;
let now: Visit;
let page: Page;

test.beforeAll(async () => {
  browser = await launch();
  now = await visit(browser);
  page = now.page;
});
test.afterAll(() => browser.close());

const TEMPLATE = '{{#report}}\n  {{col "naziv" head="Ustanova"}}\n  {{col "unosa" head="Unosa" foot="sum"}}\n{{/report}}';
const query = (column: string, bind: string) =>
  `select s.naziv, count(u.id) as ${column}\n  from ustanova s\n  left join unos u on u.ustanova_id = s.id and u.datum_unosa >= ${bind}::date\n group by s.id, s.naziv\n order by s.naziv`;

const editor = (name: string) => page.getByRole('textbox', { name, exact: true });
const tab = (name: string) => page.getByRole('tab', { name, exact: false });
async function write(name: string, text: string) {
  await tab(name).click();
  // Emptied first: over coloured words the browser itself would style what is typed, and the page's policy would complain of it.
  await editor(name).press('ControlOrMeta+a');
  await editor(name).press('Delete');
  await editor(name).fill(text);
}
const main = () => page.locator('main');
const press = (name: string) => main().getByRole('button', { name, exact: true }).click();
/** As texts that sort by time. */
const minute = () => new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Belgrade' }).slice(0, 16);
const faults = () => page.getByRole('region', { name: /^Greške/ }).getByRole('button');

const report = `Unosi po ustanovama ${Date.now().toString(36)}`;
let id = 0;

test.afterAll(async () => {
  const { token } = await logIn('admin');
  if (id) await call('DELETE', `/api/reports/${id}`, { token });
});

/** The report on the administration's screen, with all formats and one parameter, as far as its designer. */
async function makeReport() {
  const { dialog, tool, press, field, choose, closed, cell, open, tab, side } = crudOn(page);
  await openAs(now, 'admin', '/admin/izvestaji');
  await page.getByRole('table', { name: 'Ažuriranje izveštaja' }).getByRole('cell').first().waitFor();
  await tool('Dodaj').click();
  await field('Naziv').fill(report);
  await field('Numerička vrednost').fill('95');
  await choose('Jasper fajl', 'Bez fajla: piše se u dizajneru');
  await choose('Tip izveštaja', 'Unos podataka');
  await dialog().getByRole('switch', { name: 'Prikazuje se' }).check({ force: true });
  await press('Dodaj');
  await closed();
  await cell(report).waitFor();
  await quiet(page);

  await open('Izmeni', report);
  await tab('Formati').click();
  await dialog().getByRole('button', { name: 'Dodaj sve' }).click();
  for (const format of ['PDF', 'XLSX', 'CSV']) await side('Dodeljeno').getByRole('option', { name: format, exact: true }).waitFor();
  await tab('Parametri').click();
  await dialog().getByRole('button', { name: 'Dodaj', exact: true }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(2);
  await field('Naziv').fill('Od dana');
  await choose('Tip parametra', 'Datum');
  await field('Naziv u zahtevu').fill('od');
  await field('Prikazni redosled').fill('1');
  await field('Podrazumevana vrednost').fill('2000-01-01');
  await press('Dodaj');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  await cell('Od dana').waitFor();
  await tab('Upit i šablon').click();
  await dialog().getByRole('button', { name: 'Otvori dizajner' }).click();
}

/** What a clinician gets of it as a sheet, by the screen where reports are generated. */
async function generated({ page }: Visit): Promise<string> {
  await page.goto('/izvestaji');
  await page.getByRole('tree').getByText(report, { exact: true }).click();
  const sent = page.waitForResponse((response) => response.url().endsWith('/api/report-queue') && response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  const { izvestajID } = (await (await sent).json()) as { izvestajID: string };
  // Above it stands until then what was generated before.
  const sheet = page.getByRole('tabpanel', { name: 'Generisani' }).getByRole('button', { name: /CSV/ }).first();
  let file = '';
  page.on('request', (request) => {
    if (request.url().includes('/download')) file = request.url();
  });
  const take = async () => (await Promise.all([page.waitForEvent('download'), sheet.click()]))[0];
  let download = await take();
  while (!file.includes(izvestajID)) download = await take();
  return readFile(await download.path(), 'utf8');
}

test('a designer writes a report from nothing, is helped through three mistakes, and a clinician runs it', async () => {
  test.setTimeout(120_000);
  await makeReport();
  await page.getByRole('heading', { name: `Dizajner: ${report}`, level: 1 }).waitFor();
  id = Number(/izvestaji\/(\d+)\/dizajner/.exec(page.url())?.[1]);
  await page.getByText('Izveštaj još nema nijednu verziju.').waitFor();
  await press('Upit i šablon');

  // A slip in the SQL: the server's words and place, gone to by a press.
  await write('Šablon', TEMPLATE);
  await write('Upit (SQL)', query('unosa', ':od').replace('group by', 'grup by'));
  await press('Objavi');
  await faults().filter({ hasText: 'syntax error at or near "grup"' }).filter({ hasText: 'Upit, red 4' }).click();
  await expect.poll(() => page.locator('.cm-activeLine').first().innerText()).toContain('grup by');
  await page.getByRole('alert').filter({ hasText: 'Verzija 1 nije objavljena' }).first().waitFor();

  // A column that the template asks for and the query lacks; a bind that the report has not.
  await write('Upit (SQL)', query('pregleda', ':datumOd'));
  await press('Snimi verziju');
  await faults().filter({ hasText: 'Šablon traži kolonu „unosa”, koju upit ne vraća.' }).filter({ hasText: 'Šablon, red 3' }).waitFor();
  await faults()
    .filter({ hasText: 'Izveštaj nema parametar sa nazivom u zahtevu „datumOd”.' })
    .filter({ hasText: 'Upit, red 3' })
    .waitFor();
  await write('Upit (SQL)', query('unosa', ':od'));
  await press('Proveri');
  await page.getByText('Nema grešaka: verzija može da se objavi.').waitFor();
  await quiet(page);
  await expectAccessible(page);

  await tab('Proba').click();
  await press('Probaj');
  await page.getByText(/Proba verzije \d+ je uspela/).waitFor();
  for (const format of ['PDF', 'XLSX', 'CSV']) await page.getByRole('button', { name: format, exact: true }).waitFor();

  await press('Objavi');
  await page.getByRole('alert').filter({ hasText: 'Objavljena je verzija' }).first().waitFor();
  await tab('Verzije').click();
  await page.getByRole('listitem', { name: 'Verzija 3' }).getByText('objavljena').waitFor();
  await page.setViewportSize(NARROW);
  await quiet(page);
  await expectFits(page);

  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', '/izvestaji');
  expect(await generated(doctor)).toContain('Ustanova;Unosa');
  await doctor.context.close();
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
});

test('an older version, with who wrote it and when, is looked at and taken back, and is what the next clinician gets', async () => {
  test.setTimeout(120_000);
  const { imePrezime } = await logIn('admin');
  await page.setViewportSize(WIDE);
  await page.goto(`/admin/izvestaji/${id}/dizajner`);
  await page.getByRole('heading', { name: `Dizajner: ${report}`, level: 1 }).waitFor();
  const began = minute();
  await write('Šablon', TEMPLATE.replace('head="Unosa"', 'head="Broj unosa"'));
  await main().getByLabel('Napomena uz verziju', { exact: false }).fill('Drugi naziv kolone');
  await press('Objavi');
  await page.getByRole('alert').filter({ hasText: 'Objavljena je verzija 4' }).first().waitFor();
  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', '/izvestaji');
  expect(await generated(doctor)).toContain('Ustanova;Broj unosa');

  await tab('Verzije').click();
  const version = (broj: number) => page.getByRole('listitem', { name: `Verzija ${broj}` });
  await version(4).getByText('objavljena', { exact: true }).waitFor();
  await version(4).getByText('Drugi naziv kolone', { exact: true }).waitFor();
  const said = await version(4)
    .getByText(new RegExp(`^${imePrezime}, `))
    .innerText();
  const [, day = '', month = '', year = '', time = ''] = /, (\d\d)\.(\d\d)\.(\d{4})\. (\d\d:\d\d)/.exec(said) ?? [];
  const when = `${year}-${month}-${day} ${time}`;
  expect(when >= began && when <= minute(), `${began} ≤ ${said}`).toBe(true);
  await version(3)
    .getByText(new RegExp(`^${imePrezime}, \\d`))
    .waitFor();
  await quiet(page);
  await expectAccessible(page);

  await version(3).getByRole('button', { name: 'Pogledaj', exact: true }).click();
  await version(3).getByText('u uređivaču', { exact: true }).waitFor();
  await tab('Šablon').click();
  await expect.poll(() => editor('Šablon').innerText()).toContain('head="Unosa"');
  await version(3).getByRole('button', { name: 'Vrati ovu verziju', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Objavljena je verzija 3' }).first().waitFor();
  await version(3).getByText('objavljena', { exact: true }).waitFor();
  expect(await version(4).getByText('objavljena', { exact: true }).count()).toBe(0);
  await version(4).getByRole('button', { name: 'Objavi', exact: true }).waitFor();
  expect(await generated(doctor)).toContain('Ustanova;Unosa');
  await doctor.context.close();
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
});
