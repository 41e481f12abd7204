// Pictures of the guide's pages about patients over years, docs/vodic: each page shows what its screen looks like, and each picture is made here.
// `GUIDE_PICTURES=1`, on a stack that was just made, writes them into the guide's folder.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Locator, type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BEGINNING, daysAgo, examine, forgetPlanned, plannedPatient, type PlannedPatient } from './plannedPatient';
import { call, listsGone, openAs, quiet, type Visit } from './support';

const GUIDE = resolve(import.meta.dirname, '../../docs/vodic');
const WRITES = process.env.GUIDE_PICTURES === '1';
/** Of one picture. */
const MOST_BYTES = 60_000;
const SIZE = { width: 960, height: 1000 };
const PAGES = ['posete', 'moja-lista', 'status-pacijenta', 'saglasnosti', 'plan-poseta', 'moj-dan', 'plan-registra', 'spajanje'];

let now: Visit;
let page: Page;
const patients: PlannedPatient[] = [];
const pictures = new Map<string, Buffer>();

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

test.beforeAll(async () => {
  const patient = await plannedPatient('Radnić', 'Dragan');
  patients.push(patient);
  await examine(patient, 'Pregled', daysAgo(92), BEGINNING);
  await examine(patient, 'Pregled', daysAgo(2), { ...BEGINNING, tjc28Uneto: 4, sjc28Uneto: 2, crp: 6, se: 18 });
  await examine(patient, 'HAQ-DI', daysAgo(2));
  const consents = `/api/patients/${String(patient.id)}/consents`;
  for (const [svrha, dat, days] of [
    ['istrazivanje', true, 90],
    ['kontakt', true, 90],
    ['istrazivanje', false, 3],
  ] as const)
    await call('POST', consents, { token: patient.token, body: { registarID: patient.register, svrha, dat, dan: daysAgo(days) } });
});
test.afterAll(async () => {
  for (const patient of patients) await forgetPlanned(patient);
});

async function picture(name: string, of: Locator, height = SIZE.height) {
  await page.setViewportSize({ ...SIZE, height });
  await of.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await quiet(page);
  pictures.set(name, await of.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.setViewportSize(SIZE);
}

const region = (name: string | RegExp) => page.getByRole('region', { name, exact: typeof name === 'string' });
const unfold = (name: string) => region(name).getByRole('button', { name, exact: true }).click();

async function ofThePatient(): Promise<void> {
  const [patient] = patients;
  await openAs(now, 'lekar', `/pacijenti/${String(patient?.id)}`, 'regix');
  await region('Plan poseta').waitFor();
  await picture('termini.png', region('Plan poseta'));
  await picture('poseta.png', region('Posete'));
  await picture('promene.png', region(/^Od prošle posete/));
  await unfold('Saglasnosti');
  await region('Saglasnosti').getByText('Istorija', { exact: true }).waitFor();
  await picture('saglasnosti.png', region('Saglasnosti'));
  await page.getByRole('button', { name: 'Zabeleži status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Novi status pacijenta' });
  await dialog
    .locator('.p-dropdown')
    .filter({ has: page.getByLabel('Status', { exact: false }) })
    .first()
    .click();
  await page.getByRole('option', { name: 'Izgubljen iz praćenja', exact: true }).click();
  await listsGone(page);
  await dialog.getByLabel('Dan').fill('01.06.2026.');
  await dialog.getByLabel('Dan').press('Tab');
  await picture('status.png', dialog);
  await dialog.getByRole('button', { name: 'Odustani' }).click();
  await page.getByRole('button', { name: 'Ponudi drugoj ustanovi' }).click();
  const offer = page.getByRole('dialog', { name: 'Premeštanje pacijenta' });
  await offer.locator('.p-dropdown').click();
  await page.getByRole('option').first().click();
  await listsGone(page);
  await offer.getByLabel('Razlog', { exact: false }).fill('Preselio se u drugi grad i tamo nastavlja lečenje.');
  await picture('premestanje.png', offer);
  await offer.getByRole('button', { name: 'Odustani' }).click();
}

async function ofTheDay(): Promise<void> {
  await page.goto('/mojDan');
  await page.getByRole('region', { name: 'Cela ustanova' }).waitFor();
  await picture('moj-dan.png', page.locator('main'), 800);
  await page.goto('/mojaLista');
  await page.getByRole('button', { name: /^Moji pacijenti/ }).waitFor();
  await picture('moja-lista.png', page.locator('main'), 800);
}

/** The same person, registered once more by the same hospital. */
async function ofMerging(): Promise<void> {
  const twin = await plannedPatient('Radnić', 'Dragan');
  patients.push(twin);
  await page.goto(`/spajanjePacijenata/${String(patients[0]?.id)}?drugi=${twin.jmbg}`);
  await page.getByRole('table', { name: 'Spajanje dva kartona' }).waitFor();
  await picture('spajanje.png', page.getByRole('table', { name: 'Spajanje dva kartona' }), 1400);
}

async function ofTheRegister(): Promise<void> {
  await anew();
  await openAs(now, 'admin', `/admin/registar/${String(patients[0]?.register)}`, 'regix');
  await page.getByRole('tab', { name: 'Planovi poseta' }).click();
  await page.getByRole('tabpanel').filter({ visible: true }).getByText('Praćenje', { exact: false }).first().waitFor();
  await picture('plan-registra.png', page.getByRole('tabpanel').filter({ visible: true }));
}

test('each page about patients over years shows its screen, in a small picture that is made here', async () => {
  test.setTimeout(180_000);
  await page.setViewportSize(SIZE);
  await ofThePatient();
  await ofTheDay();
  await ofMerging();
  await ofTheRegister();
  if (WRITES) for (const [name, content] of pictures) writeFileSync(join(GUIDE, name), content);
  const shown = PAGES.map((name) => {
    const text = readFileSync(join(GUIDE, `${name}.md`), 'utf8');
    return { name, files: [...text.matchAll(/!\[.+?\]\((.+?)\)/g)].map(([, file]) => file ?? '') };
  });
  expect(shown.filter(({ files }) => files.length === 0).map(({ name }) => name)).toEqual([]);
  expect(shown.flatMap(({ files }) => files).sort()).toEqual([...pictures.keys()].sort());
  for (const [name, made] of pictures) {
    expect(made.length, name).toBeLessThan(2 * MOST_BYTES); // lists grow with what other tests have left
    expect(existsSync(join(GUIDE, name)), name).toBe(true);
    const kept = readFileSync(join(GUIDE, name));
    expect(kept.subarray(1, 4).toString(), name).toBe('PNG');
    expect(kept.length, name).toBeLessThan(MOST_BYTES);
  }
});
