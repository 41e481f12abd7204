// An operator finds a run that failed, reads why and lets it begin again, also one that has killed its engines; and empties an engine and
// fills it again.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { startEngine } from './killable';
import { reportThatNeeds } from './neededReport';
import { expect } from './patience';
import { call, logIn, LONG, openAs, quiet, type Visit } from './support';

let now: Visit;
let page: Page;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

const panel = (name: string) => page.getByRole('region', { name });
const failed = () => panel('Neuspela izvršavanja u poslednja 24 sata');
const answer = (verb: string) => page.getByRole('alertdialog').getByRole('button', { name: verb }).click();

/** Orders the report, and gives how its run is. */
async function order(report: number, token: string): Promise<() => Promise<string>> {
  const body = { siID: report, parametri: {}, emails: [], formati: ['CSV'], kljuc: crypto.randomUUID() };
  const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token, body });
  return async () => (await call<{ status: string }>('GET', `/api/report-runs/${izvestajID}`, { token })).status;
}

async function beginAgain(report: string): Promise<void> {
  await failed()
    .getByRole('button', { name: `Ponovi „${report}”` })
    .click();
  await answer('Ponovi');
  await page.getByText('Izveštaj je vraćen u red').waitFor();
}

test('a failed run is found with its cause, and succeeds when the operator lets it begin again', async () => {
  test.setTimeout(120_000);
  const [admin, lekar] = [await logIn('admin'), await logIn('lekar')];
  const institution = `Ustanova ${Date.now().toString(36)}`;
  const { id, naziv } = await reportThatNeeds(institution, admin.token);
  const status = await order(id, lekar.token);
  await expect.poll(status, { timeout: 60_000, intervals: [300] }).toBe('failed');

  await openAs(now, 'admin', '/registri');
  await page.getByRole('button', { name: 'Administracija' }).click();
  await page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Rad sistema', exact: true }).click();
  await page.getByRole('heading', { name: 'Rad sistema', level: 1 }).waitFor();
  const failures = failed();
  const row = failures.getByRole('listitem').filter({ hasText: naziv });
  await row.getByText('Upit nije uspeo').waitFor();
  await row.getByText('lekar', { exact: true }).waitFor();
  await failures.getByRole('button', { name: `Ponovi „${naziv}”` }).click();
  await answer('Odustani');
  expect(await status()).toBe('failed');

  // What was missing comes, and the operator lets the doctor's run begin again.
  const { id: made } = await call<{ id: number }>('POST', '/api/institutions', { token: admin.token, body: { naziv: institution } });
  await beginAgain(naziv);
  await expect.poll(status, { timeout: 60_000, intervals: [300] }).toBe('succeeded');
  await row.waitFor({ state: 'detached' });
  for (const path of [`/api/reports/${id}`, `/api/institutions/${made}`]) await call('DELETE', path, { token: admin.token });
});

test('an engine is emptied while another goes on, and filled again', async () => {
  await openAs(now, 'admin', '/admin/radSistema');
  await panel('Sistem').getByText('radi', { exact: true }).waitFor();
  const processes = panel('Procesi');
  const first = processes.getByRole('button', { name: /^Isprazni mašina za izveštaje/ }).first();
  const name = ((await first.getAttribute('aria-label')) ?? '').replace('Isprazni ', '');
  const row = processes.getByRole('listitem').filter({ hasText: name });
  await first.click();
  await answer('Isprazni');
  await page.getByText('Mašina više ne uzima nove poslove').waitFor();
  await row.getByText(/^(prazni se|ispražnjena)$/).waitFor();
  await processes.getByRole('button', { name: /^Isprazni mašina za izveštaje/ }).waitFor();
  await row.getByRole('button', { name: `Nastavi ${name}` }).click();
  await answer('Nastavi');
  await page.getByText('Mašina ponovo uzima poslove').waitFor();
  await row.getByText('radi', { exact: true }).waitFor();
  await quiet(page);
});

test('a run that kills engines is found as such, and succeeds when it begins again on one that it does not kill', LONG, async () => {
  const [admin, lekar] = [await logIn('admin'), await logIn('lekar')];
  const operations = () =>
    call<{
      redovi: { vrsta: string; ceka: number; izvrsavaSe: number }[];
      procesi: { id: string; vrsta: string; ziv: boolean }[];
    }>('GET', '/api/operations', { token: admin.token });
  const institution = `Ustanova ${Date.now().toString(36)}`;
  const { id: made } = await call<{ id: number }>('POST', '/api/institutions', { token: admin.token, body: { naziv: institution } });
  const { id, naziv } = await reportThatNeeds(institution, admin.token);
  // Of this stack's runs it is the only one, and only those engines take it that it kills.
  const others = async () => (await operations()).redovi.filter(({ vrsta, ceka, izvrsavaSe }) => vrsta !== 'mail' && ceka + izvrsavaSe > 0);
  await expect.poll(others, { timeout: 60_000, intervals: [300] }).toEqual([]);
  const healthy = (await operations()).procesi.filter(({ vrsta, ziv }) => ziv && vrsta === 'report-engine');
  const change = (what: 'drain' | 'resume') =>
    Promise.all(healthy.map((engine) => call('POST', `/api/operations/engines/${engine.id}/${what}`, { token: admin.token })));
  await change('drain');
  const status = await order(id, lekar.token);
  try {
    for (let crash = 0; crash < 3; crash += 1) {
      const engine = await startEngine('render');
      await engine.kill();
    }
    await expect.poll(status, { timeout: 60_000, intervals: [300] }).toBe('failed');
  } finally {
    await change('resume');
  }

  await openAs(now, 'admin', '/admin/radSistema');
  const failures = failed();
  await failures.getByText(/^Ruši mašine: [1-9]/).waitFor();
  const row = failures.getByRole('listitem').filter({ hasText: naziv });
  await row.getByText('Ruši mašine', { exact: true }).waitFor();
  await row.getByText('lekar', { exact: true }).waitFor();
  await beginAgain(naziv);
  await expect.poll(status, { timeout: 60_000, intervals: [300] }).toBe('succeeded');
  await row.waitFor({ state: 'detached' });
  for (const path of [`/api/reports/${id}`, `/api/institutions/${made}`]) await call('DELETE', path, { token: admin.token });
});

test('is not for those without the right', async () => {
  await openAs(now, 'lekar', '/admin/radSistema');
  await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
});
