// "Štampaj": from the click on a saved entry to its PDF, and what is said about answers that are not saved.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { formatDate } from '../src/format';
import { joints, newVisit, remove, type Display, type Visited } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, givenToTab, logIn, openAs, wordsOf, type Visit } from './support';

let now: Visit;
let entry: Visited & { patient: string; jmbg: string; datumRodjenja: string; polTrenutni: boolean };

eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  const { token } = await logIn('lekar');
  const made = await newVisit();
  const { ime, prezime, jmbg, datumRodjenja, polTrenutni } = await call<{
    ime: string;
    prezime: string;
    jmbg: string;
    datumRodjenja: string;
    polTrenutni: boolean;
  }>('GET', `/api/patients/${made.pacijentID}`, { token });
  entry = { ...made, patient: `${prezime} ${ime}`, jmbg, datumRodjenja, polTrenutni };
});
test.afterAll(async () => {
  await remove(entry);
});

/** How long a print may take where the engine begins with it. */
const PRINTED = 60_000;
const button = (page: Page) => page.getByRole('button', { name: 'Štampaj', exact: true });

/** Opens the entry in a browser that shows PDFs itself, or in one that keeps them as files. */
async function openEntry({ showsPdf }: { showsPdf: boolean }): Promise<Page> {
  const { page, context } = now;
  await context.addInitScript((shows) => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => shows }), showsPdf);
  await openAs(now, 'lekar', `/unosi/${entry.id}`);
  await joints(page).waitFor();
  return page;
}

test('prints the saved entry into a file named after it, where the browser keeps PDFs', async () => {
  const page = await openEntry({ showsPdf: false });
  const arriving = page.waitForEvent('download', { timeout: PRINTED });
  await button(page).click();
  const download = await arriving;
  const [form, ...names] = download.suggestedFilename().split(' ');
  expect([form, names.slice(0, -1).join(' ')]).toEqual(['Pregled', entry.patient]);
  const words = wordsOf(await readFile(await download.path()));
  for (const word of ['Reumatologija', 'Broj bolnih zglobova (TJC28)', 'Strana 1 od']) expect(words).toContain(word);
  const about = {
    Pacijent: entry.patient,
    'Datum rođenja': formatDate(entry.datumRodjenja),
    Pol: entry.polTrenutni ? 'Muški' : 'Ženski',
    JMBG: entry.jmbg,
  };
  for (const [what, value] of Object.entries(about)) expect(words).toMatch(new RegExp(`${what} +${value} `));
  expect(words).toMatch(/Starost +\d+ (god|mes)\. na dan pregleda/);
  expect(words).toContain((await joints(page).inputValue()).replace('.', ','));
});

test('every clinical screen carries who it is about, with the age at the visit', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'lekar', '/registri');
  const { tsa } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
  const banner = page.getByRole('group', { name: 'Pacijent', exact: true });
  const [year = 0, month = 1, day = 1] = entry.datumRodjenja.split('-').map(Number);
  const ageOn = (date: string) => {
    const [y = 0, m = 1, d = 1] = date.split('-').map(Number);
    return y - year - (m < month || (m === month && d < day) ? 1 : 0);
  };
  const backdated = '2020-01-15';
  const ages = {
    [`/unosi/${entry.id}`]: ageOn(tsa.datumUnosa),
    [`/unosArhiva/${entry.id}`]: null,
    [`/pacijenti/${entry.pacijentID}`]: null,
    [`/pacijentArhiva/${entry.pacijentID}`]: null,
  };
  ages[`/unosi/novi?tsaID=${tsa.id}&pacijentID=${entry.pacijentID}&datumUnosa=${backdated}`] = ageOn(backdated);
  const [surname = '', ...names] = entry.patient.split(' ');
  for (const [path, age] of Object.entries(ages)) {
    await page.goto(path);
    await banner.waitFor();
    const said = await banner.innerText();
    for (const word of [entry.jmbg, entry.polTrenutni ? 'muški' : 'ženski', age === null ? 'god' : `${age} god`])
      expect(said.toLowerCase(), path).toContain(word);
    await page
      .getByText(`${names.join(' ')} ${surname}`)
      .first()
      .waitFor();
  }
});

test('opens the PDF in a tab of its own within the time of a click', async () => {
  const page = await openEntry({ showsPdf: true });
  const shown = givenToTab(page.context());
  const clicked = performance.now();
  await button(page).click();
  const file = await shown;
  console.log(`print: ${Math.round(performance.now() - clicked)} ms from the click to the open PDF`);
  expect(file.url()).toMatch(/^blob:/);
  expect(wordsOf(await readFile(await file.path()))).toContain(entry.patient);
  await expect.poll(() => button(page).isEnabled()).toBe(true);
});

test('says that unsaved answers are not printed, and prints the saved ones on demand', async () => {
  const page = await openEntry({ showsPdf: false });
  const saved = await joints(page).inputValue();
  await joints(page).fill(saved === '27' ? '26' : '27');
  await button(page).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Štampa se poslednja snimljena verzija, bez tih izmena.').waitFor();
  await dialog.getByRole('button', { name: 'Odustani' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => button(page).isEnabled()).toBe(true);

  await button(page).click();
  const arriving = page.waitForEvent('download', { timeout: PRINTED });
  await dialog.getByRole('button', { name: 'Štampaj snimljenu verziju' }).click();
  expect(wordsOf(await readFile(await (await arriving).path()))).toMatch(new RegExp(`TJC28\\)\\s+${saved}\\s`));
  await expect.poll(() => joints(page).inputValue(), { message: 'what was typed is still there' }).toBe(saved === '27' ? '26' : '27');
  // As it was saved again, its draft goes: the next test must not be offered it.
  await joints(page).fill(saved);
  const { token } = await logIn('lekar');
  await expect
    .poll(async () => (await call<{ total: number }>('GET', `/api/entry-drafts?kljuc=unos-${entry.id}`, { token })).total, {
      timeout: 15_000,
    })
    .toBe(0);
});

test('says so when nobody is there to print, and leaves no empty tab', async () => {
  const page = await openEntry({ showsPdf: true });
  const message = 'Štampa trenutno nije dostupna. Pokušajte ponovo za nekoliko minuta.';
  await page.route('**/api/entry-prints', (route) => route.fulfill({ status: 503, json: { message, field: null } }));
  await button(page).click();
  await page.getByText(message).waitFor();
  await expect.poll(() => page.context().pages().length).toBe(1);
  await expect.poll(() => button(page).isEnabled()).toBe(true);
});
