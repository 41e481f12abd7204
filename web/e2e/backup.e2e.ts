// Where the tests run, the second site was made of the first one's backup in a cluster that had nothing: every report of the demo runs on
// each site, and the one of a closed study says the same on both.
import { test } from '@playwright/test';
import type { Schema } from '../src/schema';
import type { SignedInWorker } from '../src/api/types';
import { Kind, type Run } from '../src/reports/types';
import { expect } from './patience';
import { call } from './support';

/** The closed study that no other test adds to. */
const STUDY = 'Ishod po polu i dobnoj grupi';

/** What the demo has; other tests make reports of their own. */
const DEMO = [STUDY, 'Aktivnost bolesti po mesecima', 'Lista pacijenata', 'Karton pacijenta', 'Popunjenost unosa po ustanovama'];

const SITES = (process.env.E2E_BASE_URL ?? 'http://127.0.0.1:8080').split(' ');

interface Tree {
  data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[];
}

/** What somebody would choose who only wants to see the report: its defaults, and the first of each list. */
async function firstChoices(form: Schema<'ReportToGenerate'>, token: string, site: string) {
  const values: Record<string, string> = {};
  for (const { id, requestNaziv, opcioni, podrazumevano, tip } of form.parametri) {
    if (opcioni || podrazumevano || tip.sqlNumVrednost !== Kind.Set) continue;
    const { data } = await call<{ data: { value: string }[] }>('GET', `/api/report-parameters/${id}/options`, { token, site });
    values[requestNaziv] = data[0]?.value ?? '';
  }
  for (const { requestNaziv, podrazumevano } of form.parametri) if (podrazumevano) values[requestNaziv] = podrazumevano;
  return values;
}

async function csvOf(siID: number, token: string, site: string): Promise<string> {
  const form = await call<Schema<'ReportToGenerate'>>('GET', `/api/reports/${siID}/parameters`, { token, site });
  const body = { siID, parametri: await firstChoices(form, token, site), emails: [], formati: ['CSV'], kljuc: crypto.randomUUID() };
  const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token, body, site });
  const run = () => call<Run>('GET', `/api/report-runs/${izvestajID}`, { token, site });
  await expect.poll(async () => (await run()).status, { timeout: 60_000, intervals: [300] }).not.toMatch(/queued|running/);
  expect(await run()).toMatchObject({ status: 'succeeded', greska: null });
  const file = await fetch(`${site}/api/report-runs/${izvestajID}/download?format=CSV`, { headers: { Authorization: `Regix ${token}` } });
  return file.text();
}

test('every report runs where the backup was restored, and says what it said before', async () => {
  test.setTimeout(180_000);
  const studies: string[] = [];
  for (const site of SITES) {
    const body = { username: 'admin', password: 'admin' };
    const { token } = (await call<{ ulogovaniRadnik: SignedInWorker }>('POST', '/api/login', { body, site })).ulogovaniRadnik;
    const tree = await call<Tree>('GET', '/api/report-categories/tree', { token, site });
    const reports = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji));
    for (const naziv of DEMO) {
      const report = reports.find((one) => one.naziv === naziv);
      expect(report, naziv).toBeDefined();
      const csv = await csvOf(report?.id ?? 0, token, site);
      expect(csv.trim().split('\n').length, naziv).toBeGreaterThan(3);
      if (naziv === STUDY) studies.push(csv);
    }
  }
  expect(studies).toHaveLength(SITES.length);
  for (const study of studies) expect(study).toBe(studies[0]);
});
