// A report read on the screen: its first rows at once, the numbers of its CSV, by mouse, by keys, on a phone; a colleague's link.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BASE_URL, call, chooseOf, expectAccessible, expectFits, givenToTab, logIn, NARROW, openAs, type Visit } from './support';

let now: Visit;

const { anew } = eachVisit((opened) => {
  now = opened;
});

const OUTCOME = 'Ishod po polu i dobnoj grupi';

/** Orders the report as a reader does; gives the milliseconds until its first row was there. */
async function read(page: Page, report: string): Promise<number> {
  await page.getByRole('tree').getByText(report, { exact: true }).click();
  await page.getByRole('heading', { name: report, level: 2 }).waitFor();
  const begun = Date.now();
  await page.getByRole('button', { name: 'Prikaži na ekranu' }).click();
  await page.waitForURL(/\/izvestaji\/[0-9a-f-]{36}\/prikaz$/);
  await page.getByRole('table').first().getByRole('cell').first().waitFor();
  return Date.now() - begun;
}

const runOf = (page: Page) => /izvestaji\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';

test.describe('a board of reports', () => {
  test('is filled, arranged by keys and there again after a reload', async () => {
    const { page } = now;
    const { token } = await openAs(now, 'lekar2', '/tabla');
    await page.getByRole('heading', { name: 'Moja tabla', level: 1 }).waitFor();
    const { verzija } = await call<{ verzija: number }>('GET', '/api/board', { token });
    await call('PUT', '/api/board', { token, body: { plocice: [], filteri: {}, verzija } });
    await page.reload();
    await page.getByRole('button', { name: 'Dodaj pločicu' }).click();
    await chooseOf(page, 'Izveštaj', OUTCOME);
    await page.getByRole('dialog').getByRole('button', { name: 'Dodaj pločicu' }).click();
    await page.getByRole('button', { name: /^Pomeri: / }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Snimi' }).click();
    await page.getByRole('cell').first().waitFor({ timeout: 60_000 });
    await page.reload();
    await page.getByRole('cell').first().waitFor({ timeout: 60_000 });
    const kept = await call<{ plocice: { x: number; visina: number }[] }>('GET', '/api/board', { token });
    expect(kept.plocice).toMatchObject([{ x: 1, visina: 5 }]);
    await expectAccessible(page);
    await page.setViewportSize(NARROW);
    await expectFits(page);
  });
});

test.describe('a report on the screen', () => {
  test('has the numbers of its CSV, folds its groups, and tells the values of its charts by keys', async () => {
    const { page } = now;
    await openAs(now, 'lekar', '/izvestaji');
    expect(await read(page, OUTCOME)).toBeLessThan(5_000);
    await page.getByText(/Ovo su prvi redovi|Izveštaj se pravi/).waitFor({ state: 'detached', timeout: 60_000 });
    const sheet = page.getByRole('table').first();
    const shown = await sheet
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)).filter((cells) => cells.length > 0),
      );
    const { token } = await logIn('lekar');
    const answer = await fetch(`${BASE_URL}/api/report-runs/${runOf(page)}/download?format=CSV`, {
      headers: { Authorization: `Regix ${token}` },
    });
    const csv = await answer.text();
    const rows = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';'))
      // What it says behind its rows is none.
      .filter((row) => /^\d/.test(row[2] ?? ''));
    // Cases, patients and deaths; a row of the CSV has its group in front.
    const counts = (cells: readonly (string | null)[], first: number) => [0, 1, 2, 4].map((place) => cells[first + place]).join(' ');
    for (const row of rows) expect(shown.map((cells) => counts(cells, 1))).toContain(counts(row, 2));

    const before = await sheet.getByRole('row').count();
    await page.getByRole('button', { name: 'Sklopi sve grupe' }).click();
    await expect.poll(() => sheet.getByRole('row').count()).toBeLessThan(before);
    await page.getByRole('button', { name: 'Otvori sve grupe' }).click();
    await expect.poll(() => sheet.getByRole('row').count()).toBe(before);

    const walk = page.getByLabel('Vrednosti grafikona').first();
    await walk.focus();
    const first = await walk.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => walk.getAttribute('aria-valuetext')).not.toBe(first);
    await expectAccessible(page);
  });

  test('prints its PDF', async () => {
    const { page, context } = now;
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true }));
    await openAs(now, 'lekar', '/izvestaji');
    await read(page, OUTCOME);
    await page.getByRole('button', { name: 'Štampaj PDF' }).waitFor({ timeout: 60_000 });
    const given = givenToTab(context);
    await page.keyboard.press('Control+p');
    expect((await given).url()).toMatch(/^blob:/);
  });

  test('changes its parameters in place, and a colleague opens it in her own rights', async () => {
    const { page } = now;
    await openAs(now, 'lekar', '/izvestaji');
    await read(page, OUTCOME);
    const before = runOf(page);
    await page.getByRole('button', { name: 'Parametri izveštaja' }).click();
    const from = page.getByRole('combobox', { name: /^Od/ });
    await from.fill('01.01.2000.');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Prikaži', exact: true }).click();
    await expect.poll(() => runOf(page)).not.toBe(before);
    await page.getByRole('table').first().getByRole('cell').first().waitFor();
    const run = runOf(page);

    await anew();
    await openAs(now, 'lekar2', `/izvestaji/${run}/prikaz`);
    await now.page
      .getByRole('alert')
      .getByText(/nema izveštaja koji je poslat vama|niste njen radnik/)
      .waitFor();
  });

  test('reads on a phone, row by row, without scrolling sideways', async () => {
    await anew(NARROW);
    const { page } = now;
    await openAs(now, 'lekar', '/izvestaji');
    const { token } = await logIn('lekar');
    const runs = (await (await fetch(`${BASE_URL}/api/report-runs?limit=50`, { headers: { Authorization: `Regix ${token}` } })).json()) as {
      data: { giID: string; ekran: boolean; status: string }[];
    };
    const readable = runs.data.find(({ ekran, status }) => ekran && status === 'succeeded');
    expect(readable, 'the tests before made one').toBeDefined();
    await page.goto(`${BASE_URL}/izvestaji/${readable?.giID ?? ''}/prikaz`);
    await page.locator('td[data-label]').first().waitFor();
    await expectFits(page);
    await expectAccessible(page);
  });
});
