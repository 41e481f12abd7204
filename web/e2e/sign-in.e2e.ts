import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, openAs, signInByHand, storedWorker, type Visit } from './support';

let now: Visit;

eachVisit((opened) => {
  now = opened;
});

test.describe('sign-in', () => {
  test('is all that is shown, at any address, while nobody is signed in', async () => {
    for (const path of ['/', '/login', '/registri', '/korisnickiProfil', '/nema-je']) {
      await now.page.goto(path);
      await now.page.getByRole('heading', { name: 'Prijava' }).waitFor();
      await expect.poll(() => now.page.getByRole('navigation').count()).toBe(0);
    }
  });

  test('asks for what is missing without calling the server', async () => {
    const calls: string[] = [];
    now.page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await now.page.goto('/');
    await now.page.getByRole('button', { name: 'Prijavi se' }).click();
    await now.page.getByText('Niste uneli korisničko ime.').waitFor();
    await now.page.getByLabel('Korisničko ime').fill('lekar');
    await now.page.keyboard.press('Enter');
    await now.page.getByText('Niste uneli šifru.').waitFor();
    expect(calls).not.toContain('/api/login');
  });

  test('refuses a wrong password and leaves the message standing', async () => {
    await now.page.goto('/');
    await signInByHand(now.page, 'lekar', 'nije-lekar');
    await now.page.getByText('Neispravno korisničko ime i/ili lozinka.').waitFor();
    await expect.poll(() => storedWorker(now.page)).toBeNull();
    await now.page.getByLabel('Korisničko ime').fill('lekar2');
    await expect.poll(() => now.page.getByText('Neispravno korisničko ime i/ili lozinka.').isVisible()).toBe(true);
  });

  test('leads to the registers, keeps the login over a reload and forgets it at log-out', async () => {
    await now.page.goto('/login');
    await signInByHand(now.page, 'lekar');
    await now.page.waitForURL('**/registri');
    await now.page.getByRole('heading', { name: 'Registri' }).waitFor();
    const worker = await storedWorker(now.page);
    expect(worker).toMatchObject({ username: 'lekar', prava: [1, 18, 19, 20, 21, 26, 27, 29] });

    await now.page.reload();
    await now.page.getByRole('heading', { name: 'Registri' }).waitFor();

    await now.page.getByRole('link', { name: 'Odjavi se' }).click();
    await now.page.getByRole('heading', { name: 'Prijava' }).waitFor();
    await expect.poll(() => storedWorker(now.page)).toBeNull();
    await expect(call('GET', '/api/session', { token: worker?.token })).rejects.toThrow('401');
  });

  test('stays at the address that a link opened', async () => {
    await now.page.goto('/korisnickiProfil');
    await signInByHand(now.page, 'lekar');
    await now.page.getByRole('heading', { name: 'Korisnički profil' }).waitFor();
    expect(new URL(now.page.url()).pathname).toBe('/korisnickiProfil');
  });
});

test.describe('a session that ends while someone types', () => {
  test('asks for the password over the page, loses nothing and saves what was asked', async () => {
    const worker = await openAs(now, 'lekar2', '/korisnickiProfil');
    const address = now.page.getByLabel('Adresa');
    await address.waitFor();
    const typed = `Bulevar oslobođenja ${String(Date.now() % 1000)}`;
    await address.fill(typed);
    await call('POST', '/api/logout', { token: worker.token });

    await now.page.getByRole('button', { name: 'Snimi' }).click();
    const dialog = now.page.getByRole('dialog', { name: 'Prijava je istekla' });
    await dialog.waitFor();
    await dialog.getByLabel('Lozinka').fill('pogrešna');
    await now.page.keyboard.press('Enter');
    await dialog.getByText('Neispravno korisničko ime i/ili lozinka.').waitFor();
    await dialog.getByLabel('Lozinka').fill('lekar2');
    await now.page.keyboard.press('Enter');

    await now.page.getByText('Podaci su snimljeni').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => address.inputValue()).toBe(typed);
    const token = (await storedWorker(now.page))?.token;
    expect(token).not.toBe(worker.token);
    expect(await call('GET', `/api/workers/${worker.id}`, { token })).toMatchObject({ adresa: typed });
  });
});

test.describe('the auto-login page', () => {
  test('wipes the address at once and signs nobody in while the parameter is off', async () => {
    await now.page.goto('/autologin?username=lekar&password=lekar');
    await now.page.getByRole('heading', { name: 'Prijava' }).waitFor();
    expect(now.page.url()).not.toContain('password');
    const { autoPrijava } = await call<{ autoPrijava: boolean }>('GET', '/api/application');
    expect(autoPrijava).toBe(false);
    await expect.poll(() => storedWorker(now.page)).toBeNull();
  });
});
