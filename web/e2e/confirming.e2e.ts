// A dangerous change asks for the password once more, over the form, and stands out in the log.
import { type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, logIn, NARROW, signIn, type Visit } from './support';

let now: Visit;
let page: Page;
let on: ReturnType<typeof crudOn>;
let token: string;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});

const question = () => page.getByRole('dialog', { name: 'Potvrdite lozinkom' });
const password = () => question().getByLabel('Lozinka', { exact: false }).first();
const gone = () => question().waitFor({ state: 'detached' });
const answer = (name: string) => question().getByRole('button', { name, exact: true }).click();

interface Role {
  id: number;
  opis: string | null;
  pacijenti: string;
  sveUstanove: boolean;
}

/** A role that opens nothing, on its screen, by an administrator who has signed in and has not confirmed. */
async function openRole(): Promise<{ name: string; stored: () => Promise<Role>; done: () => Promise<void> }> {
  const name = `Zapisničar ${Date.now().toString(36)}`;
  const { id } = await call<Role>('POST', '/api/roles', { token, body: { ime: name } });
  await signIn(now.context, await logIn('admin'));
  await page.goto('/admin/uloge');
  await on.open('Izmeni', name);
  const stored = () => call<Role>('GET', `/api/roles/${id}`, { token });
  return { name, stored, done: () => call('DELETE', `/api/roles/${id}`, { token }) };
}

test('is saved after the right password, with everything that was typed, and stands out in the log', async () => {
  const { name, stored, done } = await openRole();
  try {
    await on.field('Opis').fill('Otkucano pre pitanja');
    await on.choose('Pacijenti', 'Čitanje');
    await on.press('Izmeni');
    await question().getByText('Uloga otvara pacijente: čitanje.', { exact: false }).waitFor();
    await expectAccessible(page);
    await answer('Potvrdi');
    await question().getByText('Niste uneli lozinku.').waitFor();
    await password().fill('nije-admin');
    await password().press('Enter');
    await question().getByText('Lozinka nije ispravna.').waitFor();
    expect(await stored()).toMatchObject({ opis: null, pacijenti: 'ne' });

    await password().fill('admin');
    await answer('Potvrdi');
    await gone();
    await on.closed();
    expect(await stored()).toMatchObject({ opis: 'Otkucano pre pitanja', pacijenti: 'uvid' });

    // For five minutes the same session is not asked again.
    await on.open('Izmeni', name);
    await on.choose('Pacijenti', 'Čitanje i izmena');
    await on.press('Izmeni');
    await on.closed();
    expect(await stored()).toMatchObject({ pacijenti: 'izmena' });

    await page.goto('/admin/log');
    await page.getByRole('button', { name: 'Pretraži' }).click();
    const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Uloga otvara pacijente: čitanje.' });
    await row.locator('.p-tag').filter({ hasText: 'opasna izmena' }).waitFor();
  } finally {
    await done();
  }
});

test('that is not confirmed changes nothing, and leaves the form as it was', async () => {
  const { stored, done } = await openRole();
  try {
    await on.field('Opis').fill('Ostaje na ekranu');
    await on.dialog().getByLabel('Administrira radnike svih ustanova').click();
    await on.press('Izmeni');
    await question().getByText('Uloga administrira radnike svih ustanova.', { exact: false }).waitFor();
    await answer('Odustani');
    await gone();
    await on.told('Izmena nije snimljena jer nije potvrđena lozinkom.');
    await expect.poll(() => on.field('Opis').inputValue()).toBe('Ostaje na ekranu');
    expect(await stored()).toMatchObject({ opis: null, sveUstanove: false });

    await on.press('Izmeni');
    await password().fill('admin');
    await page.keyboard.press('Escape');
    await gone();
    await on.dialog().waitFor();
    await on.press('Izmeni');
    await password().fill('admin');
    await answer('Potvrdi');
    await gone();
    await on.closed();
    expect(await stored()).toMatchObject({ opis: 'Ostaje na ekranu', sveUstanove: true });
  } finally {
    await done();
  }
});

test('fits a telephone', async () => {
  await anew(NARROW);
  const { done } = await openRole();
  try {
    await on.choose('Pacijenti', 'Čitanje');
    await on.press('Izmeni');
    await question().waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await answer('Odustani');
  } finally {
    await done();
  }
});
