// "Štampaj": from the click on a saved entry to its PDF, and what is said about answers that are not saved.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { joints, newVisit, remove, type Visited } from './das28';
import { call, launch, logIn, openAs, visit, wordsOf, type Visit } from './support';

let browser: Browser;
let now: Visit;
let entry: Visited & { patient: string; jmbg: string };

beforeAll(async () => {
  browser = await launch();
  const { token } = await logIn('lekar');
  const made = await newVisit();
  const { ime, prezime, jmbg } = await call<Record<'ime' | 'prezime' | 'jmbg', string>>('GET', `/api/patients/${made.pacijentID}`, { token });
  entry = { ...made, patient: `${prezime} ${ime}`, jmbg };
});
afterAll(async () => {
  await remove(entry);
  await browser.close();
});
beforeEach(async () => {
  now = await visit(browser);
});
afterEach(async () => {
  await now.context.close();
  expect(now.complaints).toEqual([]);
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

it('prints the saved entry into a file named after it, where the browser keeps PDFs', async () => {
  const page = await openEntry({ showsPdf: false });
  const arriving = page.waitForEvent('download', { timeout: PRINTED });
  await button(page).click();
  const download = await arriving;
  const [form, ...names] = download.suggestedFilename().split(' ');
  expect([form, names.slice(0, -1).join(' ')]).toEqual(['Pregled', entry.patient]);
  const words = wordsOf(await readFile(await download.path()));
  for (const word of ['Reumatologija', entry.patient, entry.jmbg, 'Broj bolnih zglobova (TJC28)', 'Strana 1 od']) expect(words).toContain(word);
  expect(words).toContain((await joints(page).inputValue()).replace('.', ','));
});

it('opens the PDF in a tab of its own within the time of a click', async () => {
  const page = await openEntry({ showsPdf: true });
  const opened = page.context().waitForEvent('page');
  // The viewer's document cannot be asked from outside, so the bytes are read where the tab gets them from.
  await page.evaluate(() => {
    const made = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (content: Blob) => {
      void content.arrayBuffer().then((bytes) => ((window as unknown as { pdf: number[] }).pdf = [...new Uint8Array(bytes)]));
      return made(content);
    };
  });
  const clicked = performance.now();
  await button(page).click();
  const tab = await opened;
  await expect.poll(() => tab.url(), { timeout: PRINTED, interval: 20 }).toMatch(/^blob:/);
  console.log(`print: ${Math.round(performance.now() - clicked)} ms from the click to the open PDF`);
  const bytes = await page.waitForFunction(() => (window as unknown as { pdf?: number[] }).pdf);
  expect(wordsOf(Buffer.from((await bytes.jsonValue()) ?? []))).toContain(entry.patient);
  await expect.poll(() => button(page).isEnabled()).toBe(true);
});

it('says that unsaved answers are not printed, and prints the saved ones on demand', async () => {
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
  await expect.poll(async () => (await call<{ total: number }>('GET', `/api/entry-drafts?kljuc=unos-${entry.id}`, { token })).total, { timeout: 15_000 }).toBe(0);
});

it('says so when nobody is there to print, and leaves no empty tab', async () => {
  const page = await openEntry({ showsPdf: true });
  const message = 'Štampa trenutno nije dostupna. Pokušajte ponovo za nekoliko minuta.';
  await page.route('**/api/entry-prints', (route) => route.fulfill({ status: 503, json: { message, field: null } }));
  await button(page).click();
  await page.getByText(message).waitFor();
  await expect.poll(() => page.context().pages().length).toBe(1);
  await expect.poll(() => button(page).isEnabled()).toBe(true);
});
