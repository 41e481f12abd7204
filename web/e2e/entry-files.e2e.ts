// Files of an entry: a designer makes the field, a doctor sends and saves, a colleague opens, another hospital is refused, and the history
// opens what was taken out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Locator, type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { BASE_URL, call, expectAccessible, expectFits, logIn, NARROW, openAs, WIDE, type Visit } from './support';

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const pdf = () => {
  const body = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n';
  return Buffer.from(`${body}xref\n0 1\ntrailer\n<<>>\nstartxref\n${body.length}\n%%EOF\n`);
};

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;
let entry = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeAll(async () => {
  test.setTimeout(120_000);
  register = await ownRegister(
    'prilozi',
    'Pregled',
    { Broj: {}, Nalazi: { tipVrednostiAtributa: 13, najviseFajlova: 3, vrsteFajlova: ['pdf', 'png'] } },
    [
      { sifra: 'puls', naziv: 'Puls', tip: 'Broj' },
      { sifra: 'nalaz', naziv: 'Nalaz', tip: 'Nalazi' },
    ],
  );
  patient = await patientOf(register, 'Prilogović', 'Proba');
  entry = await entryOf(register, patient, '2026-03-01', { puls: 70 });
});
test.afterAll(async () => {
  if (patient) await forget(register, patient);
});

const add = () => page.locator('input[type="file"]');
const list = () => page.getByRole('list', { name: 'Fajlovi: Nalaz' });
const file = (name: string) => page.getByRole('button', { name: `Otvori fajl: ${name}`, exact: true });

async function saved() {
  await page.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
}

test('takes files as they are chosen, refuses what they are not, and keeps them in a draft until the save', async () => {
  test.setTimeout(90_000);
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await add().setInputFiles([
    { name: 'nalaz.pdf', mimeType: 'application/pdf', buffer: pdf() },
    { name: 'strana.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html><script>alert(1)</script>') },
  ]);
  await file('nalaz.pdf').waitFor();
  await list().getByText('Fajl je veb-strana, SVG slika ili XML, a takvi se ne prilažu.').waitFor();
  await page.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await page.getByText('Fajl „strana.pdf” nije poslat.').first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Ukloni fajl: strana.pdf' }).click();
  await add().setInputFiles({ name: 'snimak.png', mimeType: 'image/png', buffer: PICTURE });
  await file('snimak.png').waitFor();
  await list().locator('img').waitFor();
  // The server has the draft before the window is gone.
  await page.waitForResponse((answer) => answer.url().includes('/api/entry-drafts/') && answer.request().method() === 'PUT');
  await anew();
  await openAs(now, 'lekar', `/unosi/${entry}`);
  await page.getByRole('button', { name: 'Nastavi sa unetim podacima' }).click();
  await file('nalaz.pdf').waitFor();
  await saved();
  await page.reload();
  await file('snimak.png').waitFor();
});

test('takes a file that is dropped on the field, and stays where it is when one falls beside it', async () => {
  test.setTimeout(60_000);
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await file('nalaz.pdf').waitFor();
  const dropped = join(await mkdtemp(join(tmpdir(), 'regix-')), 'spusten.pdf');
  await writeFile(dropped, pdf());
  const devtools = await page.context().newCDPSession(page);
  const drop = async (onto: Locator) => {
    const box = await onto.boundingBox();
    if (!box) throw new Error('nothing to drop onto');
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
  };
  await drop(page.getByRole('heading', { level: 1 }));
  await drop(list());
  await file('spusten.pdf').waitFor();
  expect(page.url()).toBe(`${BASE_URL}/unosi/${entry}`);
  await page.getByRole('button', { name: 'Ukloni fajl: spusten.pdf' }).click();
  await rm(dirname(dropped), { recursive: true });
});

test('is opened by a colleague, fits a telephone, and is not there for another hospital', async () => {
  test.setTimeout(60_000);
  await anew(NARROW);
  await openAs(now, 'sestra', `/unosi/${entry}`, 'regix');
  await file('nalaz.pdf').waitFor();
  await expectFits(page);
  await expectAccessible(page);
  const [{ token: own }, { token: other }] = [await logIn('lekar'), await logIn('lekar2')];
  const { vrednosti } = await call<{ vrednosti: Record<string, { id: number }[]> }>('GET', `/api/entry-display?haID=${entry}`, {
    token: own,
  });
  const id = vrednosti[String(register.fields.nalaz)]?.[0]?.id ?? 0;
  const asked = (token: string, which: number) =>
    fetch(`${BASE_URL}/api/entry-files/${which}`, { headers: { Authorization: `Regix ${token}` } });
  expect((await asked(own, id)).status).toBe(200);
  const [hidden, missing] = [await asked(other, id), await asked(other, 987_654_321)];
  expect([hidden.status, await hidden.text()]).toEqual([404, await missing.text()]);
});

test('tells in the history which file was taken out, and opens it there', async () => {
  test.setTimeout(60_000);
  await openAs(now, 'lekar', `/unosi/${entry}`, 'darkly');
  await page.getByRole('button', { name: 'Ukloni fajl: nalaz.pdf' }).click();
  await expect.poll(() => file('nalaz.pdf').count()).toBe(0);
  await saved();
  await page.getByRole('button', { name: 'Istorija verzija' }).click();
  await page.locator('main .p-multiselect').click();
  await page.getByRole('option', { name: 'Nalaz', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  await file('nalaz.pdf').first().waitFor();
  await page
    .getByRole('button', { name: 'Rečenice' })
    .or(page.getByText('Rečenice', { exact: true }))
    .first()
    .click();
  await page.getByText(/uklonjen fajl nalaz\.pdf/).waitFor();
  await expectAccessible(page);
  const opening = page.waitForResponse((answer) => answer.url().includes('/api/entry-files/'));
  await file('nalaz.pdf').first().click();
  expect((await opening).status()).toBe(200);
});

for (const [name, size, theme] of [
  ['wide and light', WIDE, 'regix'],
  ['wide and dark', WIDE, 'darkly'],
  ['narrow and light', NARROW, 'regix'],
  ['narrow and dark', NARROW, 'darkly'],
] as const)
  test(`fits and reads well: ${name}`, async () => {
    await anew(size);
    await openAs(now, 'lekar', `/unosi/${entry}`, theme);
    await file('snimak.png').waitFor();
    await list().locator('img').waitFor();
    await expectFits(page);
    await expectAccessible(page);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name.replaceAll(' ', '-')}.png`, fullPage: true });
  });
