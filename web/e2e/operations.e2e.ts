// An operator finds a run that failed, reads why and lets it begin again; and empties an engine and fills it again.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eachVisit } from './eachVisit';
import { call, logIn, openAs, quiet, type Visit } from './support';

let now: Visit;
let page: Page;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

const panel = (name: string) => page.getByRole('region', { name });
const answer = (verb: string) => page.getByRole('alertdialog').getByRole('button', { name: verb }).click();

/** A report that cannot be computed while there is no institution of this name. */
async function reportThatNeeds(institution: string, token: string): Promise<{ id: number; naziv: string }> {
  const naziv = `Pregled za ${institution}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token });
  const body = { naziv, numerickaVrednost: 96, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'sve' };
  const { id } = await call<{ id: number }>('POST', '/api/reports', { token, body });
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token });
  for (const format of formats.data) await call('POST', '/api/report-format-links', { token, body: { izvestaj: id, format: format.id } });
  const upit = `select 1 / (select count(*) from ustanova where naziv = '${institution}') as deo`;
  const sablon = '{{#report}}{{col "deo" head="Deo"}}{{/report}}';
  const { broj } = await call<{ broj: number }>('POST', `/api/reports/${id}/definitions`, { token, body: { upit, sablon, osnova: 0 } });
  await call('POST', `/api/reports/${id}/definitions/${broj}/publish`, { token, body: { objavljena: 0 } });
  return { id, naziv };
}

it('a failed run is found with its cause, and succeeds when the operator lets it begin again', async () => {
  const [admin, lekar] = [await logIn('admin'), await logIn('lekar')];
  const institution = `Ustanova ${Date.now().toString(36)}`;
  const { id, naziv } = await reportThatNeeds(institution, admin.token);
  const order = { siID: id, parametri: {}, emails: [], formati: ['CSV'], kljuc: crypto.randomUUID() };
  const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token: lekar.token, body: order });
  const status = async () => (await call<{ status: string }>('GET', `/api/report-runs/${izvestajID}`, { token: lekar.token })).status;
  await expect.poll(status, { timeout: 60_000, interval: 300 }).toBe('failed');

  await openAs(now, 'admin', '/registri');
  await page.getByRole('button', { name: 'Administracija' }).click();
  await page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Rad sistema', exact: true }).click();
  await page.getByRole('heading', { name: 'Rad sistema', level: 1 }).waitFor();
  const failures = panel('Neuspela izvršavanja u poslednja 24 sata');
  const row = failures.getByRole('listitem').filter({ hasText: naziv });
  await row.getByText('Upit nije uspeo').waitFor();
  await row.getByText('lekar', { exact: true }).waitFor();
  await failures.getByRole('button', { name: `Ponovi „${naziv}”` }).click();
  await answer('Odustani');
  expect(await status()).toBe('failed');

  // What was missing comes, and the operator lets the doctor's run begin again.
  const { id: made } = await call<{ id: number }>('POST', '/api/institutions', { token: admin.token, body: { naziv: institution } });
  await failures.getByRole('button', { name: `Ponovi „${naziv}”` }).click();
  await answer('Ponovi');
  await page.getByText('Izveštaj je vraćen u red').waitFor();
  await expect.poll(status, { timeout: 60_000, interval: 300 }).toBe('succeeded');
  await row.waitFor({ state: 'detached' });
  await call('DELETE', `/api/reports/${id}`, { token: admin.token });
  await call('DELETE', `/api/institutions/${made}`, { token: admin.token });
}, 120_000);

it('an engine is emptied while another goes on, and filled again', async () => {
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

it('is not for those without the right', async () => {
  await openAs(now, 'lekar', '/admin/radSistema');
  await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
});
