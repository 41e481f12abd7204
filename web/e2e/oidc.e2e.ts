// Signing in by the hospital's provider, a real one (.config/oidc): names and passwords there are those of the demo.
import { type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, logIn, NARROW, quiet, signInByHand, storedWorker, type Visit } from './support';

const BUTTON = 'Prijava preko bolnice';

let now: Visit;
let page: Page;

const { anew, another } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

/** A worker of the demo's institution who knows no password here, with a role. */
async function made(): Promise<{ id: number; username: string; done: () => Promise<unknown> }> {
  const { token, ustanovaID } = await logIn('admin');
  const username = `spolja${Date.now().toString(36)}`;
  const body = { username, password: 'tanjir-kiša-olovka', ime: 'Mira', prezime: 'Spoljašnja', ustanovaID };
  const { id } = await call<{ id: number }>('POST', '/api/workers', { token, body });
  const { data: roles } = await call<{ data: { id: number; ime: string }[] }>('GET', '/api/roles?aktivan=true', { token });
  const role = roles.find(({ ime }) => ime === 'Lekar') ?? roles[0];
  await call('POST', '/api/worker-roles', { token, body: { radnik: id, uloga: role?.id } });
  return { id, username, done: () => call('DELETE', `/api/workers/${id}`, { token }) };
}

/** Fills in the provider's page. */
async function atProvider(where: Page, username: string): Promise<void> {
  await where.getByRole('heading', { name: 'Prijava bolnice' }).waitFor();
  await where.getByLabel('Nalog').fill(username);
  await where.getByLabel('Lozinka').fill(username);
  await where.getByRole('button', { name: 'Prijavi se' }).click();
}

/** Proves it in the window that a button opens, which closes by itself. */
async function proveInWindow(username: string): Promise<void> {
  const opened = now.context.waitForEvent('page');
  await page.getByRole('button', { name: BUTTON }).click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await atProvider(popup, username);
  await closed;
}

const profile = () => page.getByRole('heading', { name: 'Korisnički profil' });

test('opens the linked page, keeps no code in the address, and asks anew after signing out', async () => {
  const { username, done } = await made();
  try {
    await page.goto('/korisnickiProfil#podaci');
    await page.getByRole('button', { name: BUTTON }).click();
    await atProvider(page, username);
    await profile().waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/korisnickiProfil#podaci');
    expect(await storedWorker(page)).toMatchObject({ username, spoljna: true, obaveza: null });
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('kod=');

    await page.goto('/korisnickiProfil');
    await page.getByRole('link', { name: 'Odjavi se' }).click();
    await page.getByRole('button', { name: BUTTON }).click();
    // The provider knows her still, and asks for all that.
    await atProvider(page, username);
    await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
  } finally {
    await done();
  }
});

test('refuses an account that is nobody here, in words, and the password still signs in', async () => {
  await page.goto('/korisnickiProfil');
  await page.getByRole('button', { name: BUTTON }).click();
  await atProvider(page, 'nepoznata');
  await page.getByText('Vaš nalog nije povezan sa radnikom koji može da se prijavi.', { exact: false }).waitFor();
  await expectAccessible(page);
  expect(await storedWorker(page)).toBeNull();
  await signInByHand(page, 'lekar');
  await profile().waitFor();
  expect(await storedWorker(page)).toMatchObject({ username: 'lekar', spoljna: false });
});

test('says so when the provider is left without signing in', async () => {
  await page.goto('/korisnickiProfil');
  await page.getByRole('button', { name: BUTTON }).click();
  await page.getByRole('button', { name: 'Odustani' }).click();
  await page.getByText('Prijava je prekinuta.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/korisnickiProfil');
});

test('unlocks a screen in a window beside it, for its own worker only, with what was typed', async () => {
  const { username, done } = await made();
  try {
    await page.clock.install();
    await page.goto('/korisnickiProfil');
    await page.getByRole('button', { name: BUTTON }).click();
    await atProvider(page, username);
    await profile().waitFor();
    const address = page.getByLabel('Adresa');
    await address.fill('Nesnimljena 7');
    await quiet(page);
    await page.clock.fastForward('16:00');
    const dialog = page.getByRole('dialog', { name: 'Ekran je zaključan' });
    await dialog.waitFor();
    await expectAccessible(page);

    await proveInWindow('lekar');
    await dialog.getByText('Kod pružaoca prijave ste prijavljeni kao neko drugi.').waitFor();
    await proveInWindow(username);
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => address.inputValue()).toBe('Nesnimljena 7');
    await page.getByRole('button', { name: 'Snimi' }).click();
    await page.getByText('Podaci su snimljeni', { exact: false }).first().waitFor();
  } finally {
    await done();
  }
});

test('goes on after a session that has ended, and sets up the own second step, without a password', async () => {
  const { username, done } = await made();
  try {
    await page.goto('/korisnickiProfil');
    await page.getByRole('button', { name: BUTTON }).click();
    await atProvider(page, username);
    await profile().waitFor();
    await page.getByRole('button', { name: 'Uključi' }).click();
    await page.getByRole('dialog', { name: 'Prijava u dva koraka' }).getByRole('button', { name: 'Dalje' }).click();
    await page.getByRole('dialog', { name: 'Potvrdite novom prijavom' }).waitFor();
    await expectAccessible(page);
    await proveInWindow(username);
    await page.getByRole('img', { name: 'QR kod za aplikaciju na telefonu' }).waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return page.getByRole('dialog').count();
      })
      .toBe(0);

    const worker = await storedWorker(page);
    await page.getByLabel('Adresa').fill('Otkucana posle isteka');
    await call('POST', '/api/logout', { token: worker?.token, body: {} });
    // Not by the pointer: the screen may hear of it by itself first, and ask over the button.
    await page.getByRole('button', { name: 'Snimi' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Prijava je istekla' });
    await dialog.waitFor();
    await proveInWindow(username);
    await expect.poll(() => dialog.count()).toBe(0);
    const fresh = await storedWorker(page);
    const stored = () => call<{ adresa: string }>('GET', `/api/workers/${worker?.id}`, { token: fresh?.token });
    await expect.poll(async () => (await stored()).adresa).toBe('Otkucana posle isteka');
  } finally {
    await done();
  }
});

test('confirms a dangerous change in a window beside the form, and shows and takes away a link', async () => {
  const { username, done } = await made();
  const on = crudOn(page);
  try {
    const other = await another(NARROW);
    await other.page.goto('/');
    await other.page.getByRole('button', { name: BUTTON }).click();
    await atProvider(other.page, username);
    await other.page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();

    await page.goto('/admin/radnici');
    await page.getByRole('button', { name: BUTTON }).click();
    await atProvider(page, 'admin');
    await page.getByRole('heading', { name: 'Radnici', level: 1 }).waitFor();
    await on.open('Izmeni', username);
    await on.dialog().getByRole('tab', { name: 'Promena lozinke' }).click();
    await on.dialog().getByText('Povezan sa nalogom za prijavu preko ustanove', { exact: false }).waitFor();
    await on.dialog().getByRole('button', { name: 'Raskini vezu sa nalogom' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Raskini vezu sa nalogom' }).click();
    const question = page.getByRole('dialog', { name: 'Potvrdite novom prijavom' });
    await question.getByText('Potvrdite izmenu ponovnom prijavom.', { exact: false }).waitFor();
    await proveInWindow('admin');
    await question.waitFor({ state: 'detached' });
    await on.told('Veza sa nalogom je raskinuta: Mira Spoljašnja');
    await other.page.reload();
    await other.page.getByRole('dialog', { name: 'Prijava je istekla' }).waitFor();
    await expectFits(other.page);
    await expectAccessible(other.page);
    await other.context.close();
  } finally {
    await done();
  }
});

test('fits a telephone', async () => {
  await anew(NARROW);
  await page.goto('/');
  await page.getByRole('button', { name: BUTTON }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
});
