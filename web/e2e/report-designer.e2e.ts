// A designer writes a report from nothing, is helped through three mistakes, tries it out and publishes it; a clinician runs it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crudOn } from './crud';
import { call, expectAccessible, expectFits, launch, logIn, NARROW, openAs, quiet, visit, type Visit } from './support';

let browser: Browser;
let now: Visit;
let page: Page;

beforeAll(async () => {
  browser = await launch();
  now = await visit(browser);
  page = now.page;
});
afterAll(() => browser.close());

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
const press = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click();
const faults = () => page.getByRole('region', { name: /^Greške/ }).getByRole('button');

it('a designer writes a report from nothing, is helped through three mistakes, and a clinician runs it', async () => {
  const { token } = await logIn('admin');
  const report = `Unosi po ustanovama ${Date.now().toString(36)}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token });
  const { id } = await call<{ id: number }>('POST', '/api/reports', {
    token,
    body: { naziv: report, numerickaVrednost: 95, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'ustanova' },
  });
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token });
  for (const format of formats.data) await call('POST', '/api/report-format-links', { token, body: { izvestaj: id, format: format.id } });
  const kinds = await call<{ data: { id: number; sqlNumVrednost: number }[] }>('GET', '/api/report-parameter-types?aktivan=true', {
    token,
  });
  const date = kinds.data.find(({ sqlNumVrednost }) => sqlNumVrednost === 2)?.id;
  await call('POST', '/api/report-parameters', {
    token,
    body: { izvestajID: id, naziv: 'Od dana', tipID: date, requestNaziv: 'od', prikazniRedosled: 1, podrazumevano: '2000-01-01' },
  });

  await openAs(now, 'admin', '/admin/izvestaji');
  await page.getByRole('cell', { name: report, exact: true }).waitFor();
  await quiet(page);
  await crudOn(page).open('Izmeni', report);
  await crudOn(page).tab('Upit i šablon').click();
  await crudOn(page).dialog().getByRole('button', { name: 'Otvori dizajner' }).click();
  await page.getByRole('heading', { name: `Dizajner: ${report}`, level: 1 }).waitFor();
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
  await press('Sačuvaj verziju');
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
  await doctor.page.getByRole('tree').getByText(report, { exact: true }).click();
  await doctor.page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  await doctor.page.getByRole('tabpanel', { name: 'Generisani' }).getByRole('button', { name: /CSV/ }).first().waitFor();
  await call('DELETE', `/api/reports/${String(id)}`, { token });
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
});
