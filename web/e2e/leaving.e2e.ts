// Leaving an entry by no address: signing out, and working for another institution.
import { test } from '@playwright/test';
import { joints, newVisit, remove, type Visited } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, logIn, openAs, signInByHand, type Visit } from './support';

let now: Visit;
let entry: Visited;
test.beforeEach(async () => {
  entry = await newVisit();
});
test.afterEach(async () => {
  await remove(entry);
});
eachVisit((opened) => {
  now = opened;
});

const question = () => now.page.getByRole('alertdialog');
const press = (name: string) => question().getByRole('button', { name }).click();

test('the log-out asks where something is not saved, and takes the texts of searches along', async () => {
  const { page } = now;
  await page.goto(`/unosi/${entry.id}`);
  await signInByHand(page, 'lekar');
  await joints(page).waitFor();
  await page.evaluate(() => sessionStorage.setItem('regix.pretraga.1.1', '{"form":{"prezime":"Anić"}}'));
  await joints(page).fill('7');
  await page.getByRole('link', { name: 'Odjavi se' }).click();
  await press('Odustani');
  await expect.poll(() => joints(page).inputValue()).toBe('7');
  await page.getByRole('link', { name: 'Odjavi se' }).click();
  await press('Odjavi se');
  await page.getByRole('heading', { name: 'Prijava' }).waitFor();
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
});

test('another institution is asked about first, and leaves nothing on the screen that could not be saved', async () => {
  const { page } = now;
  const { token, id, ustanovaID } = await logIn('lekar');
  await openAs(now, 'lekar', `/unosi/${entry.id}`);
  await joints(page).fill('7');
  const choose = async () => {
    await page
      .getByRole('button', { name: /Promeni ustanovu/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Klinički centar Vojvodine' }).last().click();
  };
  try {
    await choose();
    await press('Odustani');
    await expect.poll(() => joints(page).inputValue()).toBe('7');
    await choose();
    await press('Promeni ustanovu');
    await page.getByText('Radite u ustanovi „Klinički centar Vojvodine”.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Snimi i ostani' }).count()).toBe(0);
  } finally {
    await call('PATCH', `/api/workers/${id}`, { token, body: { ustanovaID } });
  }
});
