// A doctor who has never seen it makes statistics of her own cohort by clicks, which are counted, and gets them by mail.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { counted, since } from './counted';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, listsGone, LONG, MAIL_URL, NARROW, openAs, quiet, type Visit } from './support';

let now: Visit;
eachVisit((opened) => {
  now = opened;
});

const MOST_CLICKS = 25;

/** Opens the list of the label with a click, and takes what is offered with another. */
async function choose(page: Page, label: string, option: string | RegExp) {
  await page
    .locator('main .p-dropdown')
    .filter({ has: page.getByLabel(label, { exact: false }) })
    .first()
    .click();
  const offered = page.getByRole('option', { name: option, exact: true });
  await offered.first().waitFor();
  await offered.first().click();
  await listsGone(page);
}
const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true }).first().click();

interface Mail {
  to: { address: string }[];
  text?: string;
  html?: string;
}

const mailTo = async (address: string): Promise<Mail | undefined> => {
  const answer = (await (await fetch(`${MAIL_URL}/api/email`)).json()) as unknown;
  const mails = (Array.isArray(answer) ? answer : (answer as { emails: unknown[] }).emails) as Mail[];
  return mails.find(({ to }) => to.some((recipient) => recipient.address === address));
};

/** A minute that comes after the schedule has been saved, by the clock of Belgrade. */
const nextMinute = () => {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Belgrade', hour: '2-digit', minute: '2-digit' }).formatToParts(
    new Date(Date.now() + 105_000),
  );
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('hour')}:${part('minute')}`;
};

test('a doctor makes Table 1 and a survival curve of her own cohort in 25 clicks, schedules it and receives it', LONG, async () => {
  const { page, context } = now;
  const hands = await counted(context);
  const { token } = await openAs(now, 'lekar', '/analiza');
  const stamp = Date.now().toString(36);
  const known = await call<unknown[]>('GET', '/api/cohorts', { token });
  await page.getByRole('heading', { name: '1. Kohorta: koji pacijenti' }).waitFor();
  const before = { ...hands };

  if (known.length > 0) await press(page, 'Nova kohorta');
  await page.getByLabel('Naziv kohorte').click();
  await page.keyboard.type(`Infarkti ${stamp}`);
  await choose(page, 'Registar', 'Kardiologija');
  await press(page, 'Snimi kohortu');
  for (const name of ['Starost', 'BMI', 'Kardiogeni šok']) await press(page, `Dodaj: ${name}`);
  await choose(page, 'Grupe', 'Pol');
  await press(page, 'Snimi i pokreni');
  const result = page.getByRole('group', { name: /^Tabela: / });
  await result.first().waitFor({ timeout: 60_000 });
  await expect.poll(() => result.first().innerText()).toContain('Kardiogeni šok');

  await press(page, 'Nova analiza');
  if (known.length > 0) await choose(page, 'Kohorta', `Infarkti ${stamp}`);
  await page.getByText('Koliko dugo do događaja').click();
  await choose(page, 'Vreme praćenja', 'Trajanje praćenja');
  await choose(page, 'Događaj', 'Umro u toku praćenja');
  await choose(page, 'Grupe', 'Pol');
  await press(page, 'Snimi i pokreni');
  const curve = page.locator('main figure svg').first();
  await curve.waitFor({ timeout: 60_000 });
  const hers = since(hands, before);
  expect(hers.clicks).toBeLessThanOrEqual(MOST_CLICKS);

  await page.getByText('Tabela vrednosti').first().click();
  await page
    .getByRole('group', { name: /^Tabela vrednosti: / })
    .first()
    .getByRole('row')
    .nth(3)
    .waitFor();
  // The drawing is data: both curves are in it as steps.
  const curves = (file: Buffer) => file.toString('utf8').match(/data-kind="steps?"/g)?.length ?? 0;
  for (const [button, holds] of [
    ['Slika SVG', (file: Buffer) => file.toString('utf8').startsWith('<svg') && curves(file) >= 2],
    ['Slika PNG', (file: Buffer) => file.subarray(1, 4).toString() === 'PNG'],
  ] as const) {
    const arriving = page.waitForEvent('download');
    await press(page, button);
    expect(holds(await readFile(await (await arriving).path())), button).toBe(true);
  }
  await press(page, 'Šta je to: Preživljavanje');
  await page.getByRole('dialog').getByText('Kaplan i Majer').waitFor();
  await page.keyboard.press('Escape');
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await quiet(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('link', { name: 'Zakaži i pošalji' }).click();
  const address = `analiza-${stamp}@primer.rs`;
  await page.getByLabel('Pošalji na e-mail').fill(address);
  await page.keyboard.press('Enter');
  await page.getByLabel('Zakaži za kasnije').check({ force: true });
  await page.getByRole('button', { name: 'Dan', exact: true }).click();
  const time = nextMinute();
  await page.getByRole('textbox', { name: 'Vreme izvršavanja' }).fill(time);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Zakaži izveštaj' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ipak pošalji' }).click();
  await expect.poll(async () => mailTo(address), { timeout: 240_000, intervals: [2_000] }).toBeTruthy();

  // What she has made goes, with its schedule.
  for (const analysis of await call<{ id: number; naziv: string }[]>('GET', '/api/analyses', { token })) {
    if (!analysis.naziv.endsWith(`Infarkti ${stamp}`)) continue;
    await call('DELETE', `/api/analyses/${analysis.id}?potvrdjenoZakazivanja=${analysis.naziv.startsWith('Preživljavanje') ? 1 : 0}`, {
      token,
    });
  }
  for (const cohort of await call<{ id: number; naziv: string }[]>('GET', '/api/cohorts', { token })) {
    if (cohort.naziv === `Infarkti ${stamp}`) await call('DELETE', `/api/cohorts/${cohort.id}`, { token });
  }
});

test('a search is kept as a cohort, an analysis takes it, and it opens as the same search', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'lekar', '/registri');
  const registers = await call<{ id: number; naziv: string }[]>('GET', '/api/analysis-registers', { token });
  const register = registers.find(({ naziv }) => naziv === 'Kardiologija');
  await page.goto(`/registri/${String(register?.id)}`);
  const stamp = `Rođeni do 1930 ${Date.now().toString(36)}`;
  await page.getByLabel('Prezime', { exact: true }).fill('Petrović');
  await page.getByLabel('Godina rođenja do').fill('1930');
  await page.getByRole('button', { name: 'Snimi kao kohortu' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Ime, prezime, JMBG, LBO i uslovi po tekstu ne ulaze u kohortu.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Naziv kohorte').fill(stamp);
  await dialog.getByRole('button', { name: 'Snimi i otvori analizu' }).click();
  await page.getByText('2. Promenljive').waitFor();
  const kept = await call<{ id: number; naziv: string; izbor: Record<string, unknown> }[]>('GET', '/api/cohorts', { token });
  const mine = kept.find(({ naziv }) => naziv === stamp);
  expect(mine?.izbor).toMatchObject({ rodjenjeDo: 1930, filteri: [] });
  expect(JSON.stringify(mine?.izbor)).not.toContain('Petrović');
  const counted = await call<{ pacijenata: number }>('POST', '/api/cohort-count', { token, body: mine?.izbor });

  await press(page, 'Otvori u pretrazi');
  await page.waitForURL(/\/registri\/\d+#pretraga=/);
  await expect(page.getByLabel('Godina rođenja do')).toHaveValue('1930');
  await expect(page.getByLabel('Prezime', { exact: true })).toHaveValue('');
  expect(counted.pacijenata).toBeGreaterThan(0);
  await call('DELETE', `/api/cohorts/${String(mine?.id)}`, { token });
});
