// One visit and its identity: two people who begin it at once, and a draft of Friday's visit that is found on Monday.
import { type Browser, type Page, test } from '@playwright/test';
import { demoVisit, joints, newVisit, remove, saved, swollen, type Display, type Visited } from './das28';
import { expect } from './patience';
import { call, chooseDoctor, expectAccessible, launch, logIn, openAs, visit, type Visit } from './support';

let browser: Browser;
let first: Visit;
let second: Visit;
/** A visit of the demo's patient, and the form by which others of her are begun. */
let pattern: Display;
const made: Visited[] = [];

test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());
test.beforeEach(async () => {
  pattern = (await demoVisit((await logIn('lekar')).token)).display;
  for (const username of ['lekar', 'lekar3']) await forgetDrafts(username);
  [first, second] = [await visit(browser), await visit(browser)];
});
test.afterEach(async () => {
  await Promise.all([first.context.close(), second.context.close()]);
  for (const username of ['lekar', 'lekar3']) await forgetDrafts(username);
  for (const entry of made.splice(0)) await remove(entry);
  expect([first.complaints, second.complaints]).toEqual([[], []]);
});

/** What a test has left unsaved would be offered in the next one. */
async function forgetDrafts(username: string): Promise<void> {
  const { token } = await logIn(username);
  const path = `/api/entry-drafts?pacijentID=${pattern.pacijent.id}`;
  const { data } = await call<{ data: { kljuc: string }[] }>('GET', path, { token });
  for (const { kljuc } of data) await call('DELETE', `/api/entry-drafts/${encodeURIComponent(kljuc)}`, { token });
}

/** Days on which the patient has no visit. */
async function freeDays(count: number): Promise<string[]> {
  const days: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const entry = await newVisit();
    made.push(entry);
    days.push((await saved(entry)).datumUnosa);
  }
  for (const entry of made.splice(0)) await remove(entry);
  return days;
}

const at = (day: string) => `/unosi/novi?tsaID=${pattern.tsa.id}&pacijentID=${pattern.pacijent.id}&datumUnosa=${day}`;
const shown = (day: string) => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}.`;
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const draftSent = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/api/entry-drafts/') && response.request().method() === 'PUT');

/** Answers whatever is asked before a save is sent: relevant blanks, and values that were taken from before. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  const question = page.getByRole('alertdialog');
  const sent = page.getByText('Uspešno snimljen unos.').or(dialog(page, 'Pregled je već započet'));
  await expect
    .poll(async () => {
      if (await question.count()) await question.getByRole('button', { name: /^(Nastavi|Potvrdi i snimi)$/ }).click();
      return sent.count();
    })
    .toBe(1);
}

test('the second of two who begin one visit is told who was first, joins, and nothing that either typed is lost', async () => {
  const [day = ''] = await freeDays(1);
  await openAs(first, 'lekar', at(day));
  await openAs(second, 'lekar3', at(day));
  for (const { page } of [first, second]) await chooseDoctor(page);
  await joints(first.page).fill('3');
  await swollen(first.page).fill('4');
  await joints(second.page).fill('8');
  await swollen(second.page).fill('4');
  await save(first.page);
  await first.page.waitForURL(/\/unosi\/\d+$/);
  const id = Number(new URL(first.page.url()).pathname.split('/').pop());
  made.push({ id, pacijentID: pattern.pacijent.id });

  await save(second.page);
  const join = dialog(second.page, 'Pregled je već započet');
  await join.getByText(`Unos za pregled od ${shown(day)}`, { exact: false }).waitFor();
  await expectAccessible(second.page);
  await join.getByRole('button', { name: 'Pridruži se unosu' }).click();
  const clash = dialog(second.page, 'Neko je u međuvremenu izmenio ista polja');
  await clash.getByLabel(/^Snimljena vrednost \(.+\): 3$/).waitFor();
  await clash.getByLabel('Moja vrednost: 8').check();
  await clash.getByRole('button', { name: 'Nastavi' }).click();
  await second.page.getByText('Uspešno snimljen unos.').waitFor();
  await second.page.waitForURL(`**/unosi/${id}`);
  expect((await saved({ id, pacijentID: pattern.pacijent.id })).fields).toMatchObject({ tjc28: 8, sjc28: 4 });
  // Whoever comes later sees it before typing, with the way there.
  await first.page.goto(at(day));
  await first.page.getByText('Za taj dan već postoji unos. Otvorite ga.').waitFor();
  await first.page.getByRole('link', { name: 'Otvori postojeći unos' }).click();
  await first.page.waitForURL(`**/unosi/${id}`);
});

test("what was typed for Friday's visit is not Monday's: it is opened in its own, or moved by who says so", async () => {
  const [friday = '', monday = ''] = await freeDays(2);
  const { page } = first;
  await openAs(first, 'lekar', at(friday));
  const sent = draftSent(page);
  await swollen(page).fill('2');
  await joints(page).fill('11');
  await sent;
  page.on('dialog', (question) => void question.accept());
  await page.goto(at(monday));
  const offer = dialog(page, 'Nesnimljen unos');
  await offer
    .getByText(`Ovde je otvoren pregled od ${shown(monday)}, a podaci su uneti za pregled od ${shown(friday)}`, { exact: false })
    .waitFor();
  await expect.poll(() => offer.getByRole('button', { name: 'Nastavi sa unetim podacima' }).count()).toBe(0);
  await expectAccessible(page);
  await offer.getByRole('button', { name: 'Ostavi za kasnije' }).click();
  await expect.poll(() => joints(page).inputValue()).toBe('');

  // The patient's page tells of it too, and leads to its own visit.
  await page.goto(`/pacijenti/${pattern.pacijent.id}`);
  await page
    .getByRole('region', { name: 'Nesnimljen unos' })
    .getByRole('link', { name: `pregled od ${shown(friday)}` })
    .click();
  await offer.getByRole('button', { name: 'Nastavi sa unetim podacima' }).click();
  await expect.poll(() => joints(page).inputValue()).toBe('11');
  await expect.poll(() => page.getByLabel('Datum pregleda', { exact: false }).first().inputValue()).toBe(shown(friday));

  await page.goto(at(monday));
  await offer.getByRole('button', { name: `Otvori pregled od ${shown(friday)}` }).click();
  await page.waitForURL(`**datumUnosa=${friday}`);
  await offer.getByRole('button', { name: 'Nastavi sa unetim podacima' }).waitFor();

  await page.goto(at(monday));
  await offer.getByRole('button', { name: `Prenesi u pregled od ${shown(monday)}` }).click();
  const question = page.getByRole('alertdialog', { name: 'Prenos u drugi pregled' });
  await question.getByText(`za pregled od ${shown(friday)}`, { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Prenesi' }).click();
  await expect.poll(() => joints(page).inputValue()).toBe('11');
  await chooseDoctor(page);
  await save(page);
  await page.waitForURL(/\/unosi\/\d+$/);
  const id = Number(new URL(page.url()).pathname.split('/').pop());
  made.push({ id, pacijentID: pattern.pacijent.id });
  expect(await saved({ id, pacijentID: pattern.pacijent.id })).toMatchObject({ datumUnosa: monday, fields: { tjc28: 11 } });
});
