import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, expectAccessible, expectFits, launch, logIn, NARROW, openAs, visit, type Visit } from './support';

let browser: Browser;
let now: Visit;
let entry: { id: number; pacijentID: number };

interface Display {
  tsa: { id: number; verzija: number; datumUnosa: string; radnikOdgovoran: number };
  registar: { id: number };
  pacijent: { id: number };
  vrednosti: Record<string, unknown>;
  autsiArray: { id: number; sifra: string | null }[];
}

/** Every relevant item filled, so that no question about them comes up. */
const FILLED: Record<string, number> = { tjc28: 9, sjc28: 6, se: 30, crp: 12, gh: 50, ptga: 5, phga: 4 };

/** A DAS28 visit of a demo patient of the doctor's own institution; made for each test, so that none meets another's. */
async function newVisit(): Promise<typeof entry> {
  const { token } = await logIn('lekar');
  const registers = await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/registers?aktivan=true', { token });
  const registarID = registers.data.find(({ naziv }) => naziv === 'Reumatologija')?.id;
  const found = await call<{ unosi: { pacijentID: number | null; prviUnosID: number | null; prviUnos: string; poslednjiUnos: string }[] }>('POST', '/api/search', {
    token,
    body: { registarID, ime: '', prezime: '', brojRezultatePretrage: 1000, sviRezultati: false },
  });
  for (const { prviUnosID, pacijentID } of found.unosi.filter(({ pacijentID, prviUnos }) => pacijentID !== null && prviUnos === 'Pregled')) {
    const display = await call<Display & { pravoIzmene: boolean }>('GET', `/api/entry-display?haID=${prviUnosID ?? 0}`, { token });
    if (!display.pravoIzmene) continue;
    const { tsa, registar, autsiArray } = display;
    const vrednosti = { ...display.vrednosti };
    for (const { id, sifra } of autsiArray) {
      const value = FILLED[sifra ?? ''];
      if (value !== undefined) vrednosti[id] = value;
    }
    const made = await call<{ snimljenUnosID: number }>('POST', '/api/entry-values', {
      token,
      body: { tsaID: tsa.id, registarID: registar.id, pacijentID, vrednosti, datumUnosa: tsa.datumUnosa, radnikOdgovoran: tsa.radnikOdgovoran },
    });
    return { id: made.snimljenUnosID, pacijentID: pacijentID ?? 0 };
  }
  throw new Error('no demo visit that the doctor may change');
}

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  entry = await newVisit();
  now = await visit(browser);
});
afterEach(async () => {
  await now.context.close();
  const { token } = await logIn('lekar');
  await call('POST', '/api/delete-entry', { token, body: { id: entry.id } }).catch(() => undefined);
  expect(now.complaints).toEqual([]);
});

const joints = (page: Page) => page.getByLabel('Broj bolnih zglobova (TJC28)', { exact: false });
const das28 = (page: Page) => page.locator('output[aria-labelledby]').first();
const answer = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name });

describe('a DAS28 visit', () => {
  it('recomputes its scores while typed, is saved where it stands, and holds the value after a reload', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
    await joints(page).waitFor();
    await joints(page).fill('4');
    const before = await das28(page).textContent();
    await joints(page).fill('25');
    await expect.poll(() => das28(page).textContent()).not.toBe(before);
    const computed = await das28(page).textContent();
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await expectAccessible(page);
    await page.reload();
    await joints(page).waitFor();
    expect(await joints(page).inputValue()).toBe('25');
    expect(await das28(page).textContent()).toBe(computed);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('asks for a required item and for a value within its bounds, and moves to it', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Niste uneli stavku sa nazivom: Broj bolnih zglobova (TJC28).').first().waitFor();
    await expect.poll(() => joints(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await joints(page).fill('99');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Stavka sa nazivom: Broj bolnih zglobova (TJC28) nije u opsegu (0) - (28)').first().waitFor();
  });

  it('asks before unsaved answers are left, and not after a save', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('7');
    await page.getByRole('button', { name: 'Stranica pacijenta' }).click();
    await page.getByText('Da li ste sigurni da želite da napustite stranicu?').waitFor();
    await answer(page, 'Ne').click();
    expect(await joints(page).inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Snimi', exact: true }).click();
    await page.waitForURL(`**/pacijenti/${entry.pacijentID}`);
    expect(await page.getByText('Da li ste sigurni da želite da napustite stranicu?').count()).toBe(0);
  });

  it('offers what was typed and not saved after the page was lost', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    page.on('dialog', (dialog) => void dialog.accept());
    const kept = page.waitForResponse((response) => response.url().includes('/api/entry-drafts/') && response.request().method() === 'PUT');
    await joints(page).fill('13');
    await kept;
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('regix.nacrt')).forEach((key) => localStorage.removeItem(key)));
    await page.reload();
    await page.getByRole('button', { name: 'Nastavi sa unetim podacima' }).click();
    expect(await joints(page).inputValue()).toBe('13');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await page.reload();
    await joints(page).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await joints(page).inputValue()).toBe('13');
  });

  it('shows both values where another doctor changed the same item, and saves the chosen one', async () => {
    const { page } = now;
    const { token } = await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('3');
    const { tsa, registar, vrednosti, autsiArray } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
    const id = autsiArray.find(({ sifra }) => sifra === 'tjc28')?.id ?? 0;
    await call('POST', '/api/entry-values', {
      token,
      body: { unosID: entry.id, tsaID: tsa.id, registarID: registar.id, pacijentID: entry.pacijentID, vrednosti: { ...vrednosti, [id]: 21 }, osnova: vrednosti, verzija: tsa.verzija, datumUnosa: tsa.datumUnosa, radnikOdgovoran: tsa.radnikOdgovoran },
    });
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByLabel('Vrednost drugog lekara').check();
    await page.getByRole('button', { name: 'Nastavi' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    expect(await joints(page).inputValue()).toBe('21');
  });
});

describe('what is out of sight', () => {
  it('is found by the browser in a closed tab and panel, which open', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const panel = page.getByRole('button', { name: 'Zglobovi' });
    await panel.click();
    expect(await joints(page).isVisible()).toBe(false);
    const id = (await joints(page).getAttribute('id')) ?? '';
    await page.getByRole('tab', { name: 'Homunkulus' }).click();
    await page.evaluate((hash) => (location.hash = hash), id);
    await expect.poll(() => joints(page).isVisible()).toBe(true);
    expect(await panel.getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('tab', { name: 'Aktivnost bolesti' }).getAttribute('aria-selected')).toBe('true');
  });

  it('is brought into view when it is at fault', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('99');
    await page.getByRole('button', { name: 'Zglobovi' }).click();
    await page.getByRole('tab', { name: 'Homunkulus' }).click();
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Stavka sa nazivom: Broj bolnih zglobova (TJC28) nije u opsegu (0) - (28)').first().waitFor();
    await expect.poll(() => joints(page).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('comes with its calendar: a date is opened by the keyboard and by the mouse', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const date = page.getByRole('combobox', { name: 'Datum dijagnoze', exact: false });
    await date.focus();
    await page.getByRole('button', { name: 'Danas' }).click();
    expect(await date.inputValue()).toMatch(/^\d\d\.\d\d\.\d{4}\.$/);
    await page.keyboard.press('Escape');
    const examined = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
    await examined.locator('xpath=following-sibling::button').click();
    await page.getByRole('button', { name: 'Danas' }).click();
    expect(await examined.inputValue()).toBe(await date.inputValue());
  });
});

it('a new entry takes its address with the first save, wants its doctor, and is deleted after a question', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
  const { tsa, pacijent } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
  await joints(page).waitFor();
  await page.goto(`/unosi/novi?tsaID=${tsa.id}&pacijentID=${pacijent.id}&datumUnosa=2026-03-05`);
  await joints(page).fill('2');
  await page.getByLabel('Broj otečenih zglobova (SJC28)', { exact: false }).fill('1');
  expect(await page.getByLabel('Datum pregleda', { exact: false }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.').first().waitFor();
  await page.getByLabel('Ordinirajući lekar', { exact: false }).first().press('ArrowDown');
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Da li ste sigurni da želite da nastavite bez popunjenih relevantnih polja?').waitFor();
  await answer(page, 'Da').click();
  await page.waitForURL(/\/unosi\/\d+$/);
  expect(await joints(page).inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Obriši' }).click();
  await answer(page, 'Obriši').click();
  await page.getByText('Uspešno obrisan unos').waitFor();
  await page.waitForURL(`**/pacijenti/${pacijent.id}`);
});

it('reads well on a narrow screen in a dark theme', async () => {
  await now.context.close();
  now = await visit(browser, NARROW);
  await openAs(now, 'lekar', `/unosi/${entry.id}`, 'darkly');
  await joints(now.page).waitFor();
  await expectFits(now.page);
  await expectAccessible(now.page);
});
