// The own account: the second step of a sign-in with its codes, sessions elsewhere, and the screen that locks itself.
import { createHmac } from 'node:crypto';
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import {
  call,
  choosePassword,
  expectAccessible,
  expectFits,
  logIn,
  NARROW,
  openAs,
  quiet,
  signIn,
  signInByHand,
  type Visit,
} from './support';

const GIVEN = 'tanjir-kiša-olovka';
const OWN = 'zeleni vagon peva';

let now: Visit;

const { another } = eachVisit((opened) => {
  now = opened;
});

/** A worker of the demo's institution, with an own password. */
async function made(): Promise<{ username: string; done: () => Promise<unknown> }> {
  const { token, ustanovaID } = await logIn('admin');
  const username = `korak${Date.now().toString(36)}`;
  const body = { username, password: GIVEN, ime: 'Mira', prezime: 'Dvokoračna', ustanovaID };
  const { id } = await call<{ id: number }>('POST', '/api/workers', { token, body });
  await choosePassword(username, GIVEN, OWN);
  return { username, done: () => call('DELETE', `/api/workers/${id}`, { token }) };
}

/** What a telephone shows for the key, so many half minutes from now (RFC 6238). */
function codeOf(key: string, later = 0): string {
  const bits = Array.from(key, (sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const place = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const registers = (page: Page) => page.getByRole('heading', { name: 'Registri', level: 1 });

test('with the second step on, the password alone signs nobody in, and a code on paper stands in for the telephone', async () => {
  const { username, done } = await made();
  try {
    await now.page.goto('/korisnickiProfil');
    await signInByHand(now.page, username, OWN);
    await now.page.getByRole('button', { name: 'Uključi' }).click();
    const dialog = now.page.getByRole('dialog', { name: 'Prijava u dva koraka' });
    await dialog.getByLabel('Lozinka', { exact: false }).first().fill('pogrešna');
    await dialog.getByRole('button', { name: 'Dalje' }).click();
    await dialog.getByText('Lozinka nije ispravna.').waitFor();
    await dialog.getByLabel('Lozinka', { exact: false }).first().fill(OWN);
    await dialog.getByRole('button', { name: 'Dalje' }).click();
    await dialog.getByRole('img', { name: 'QR kod za aplikaciju na telefonu' }).waitFor();
    await expectAccessible(now.page);
    const key = await dialog.locator('code').innerText();
    await dialog.getByLabel('Kod koji aplikacija sada prikazuje').fill('000000');
    await dialog.getByRole('button', { name: 'Potvrdi' }).click();
    await dialog.getByText('Kod nije ispravan, ili je već iskorišćen.').waitFor();
    await dialog.getByLabel('Kod koji aplikacija sada prikazuje').fill(codeOf(key));
    await dialog.getByRole('button', { name: 'Potvrdi' }).click();
    await dialog.getByRole('heading', { name: 'Rezervni kodovi' }).waitFor();
    const [paper] = await dialog.getByRole('listitem').allInnerTexts();
    await dialog.getByRole('button', { name: 'Zapisao sam kodove' }).click();
    await now.page.getByText('Neiskorišćenih rezervnih kodova: 10.').waitFor();

    for (const code of [codeOf(key, 1), paper ?? '']) {
      await now.page.getByRole('link', { name: 'Odjavi se' }).click();
      await now.page.getByRole('heading', { name: 'Prijava', exact: true }).waitFor();
      await signInByHand(now.page, username, OWN);
      const input = now.page.getByLabel('Kod sa telefona ili rezervni kod');
      await input.waitFor();
      await expectAccessible(now.page);
      await input.fill('nije kod');
      await now.page.keyboard.press('Enter');
      await now.page.getByText('Kod nije ispravan, ili je već iskorišćen.').waitFor();
      await input.fill(code);
      await now.page.keyboard.press('Enter');
      await registers(now.page).waitFor();
    }
    await expect(logIn(username, OWN)).rejects.toThrow('Unesite kod');
  } finally {
    await done();
  }
});

test('a session elsewhere is seen with its device and ended from here', async () => {
  const { username, done } = await made();
  const other = await another(NARROW);
  try {
    await other.page.goto('/');
    await signInByHand(other.page, username, OWN);
    await registers(other.page).waitFor();
    await signIn(now.context, await logIn(username, OWN));
    await now.page.goto('/korisnickiProfil');
    await now.page.getByText('ova prijava').waitFor();
    await now.page.getByRole('button', { name: 'Odjavi: Chrome, Linux' }).first().click();
    await now.page.getByText('Prijava je završena').waitFor();
    await other.page.reload();
    await other.page.getByRole('dialog', { name: 'Prijava je istekla' }).waitFor();
    await expectFits(other.page);
  } finally {
    await other.context.close();
    await done();
  }
});

test('an abandoned screen locks, shows nothing, and goes on with what was typed', async () => {
  await now.page.clock.install();
  const worker = await openAs(now, 'lekar', '/korisnickiProfil');
  const address = now.page.getByLabel('Adresa');
  await address.fill('Nesnimljena 7');
  await quiet(now.page);
  await now.page.clock.fastForward('14:00');
  await expect.poll(() => now.page.getByRole('dialog').count()).toBe(0);
  await now.page.clock.fastForward('02:00');
  const dialog = now.page.getByRole('dialog', { name: 'Ekran je zaključan' });
  await dialog.waitFor();
  await expect.poll(() => call('GET', '/api/session', { token: worker.token }).then(String, String)).toContain('401');
  const covered = await now.page.evaluate(() => {
    const mask = document.querySelector('.p-dialog-mask');
    const { backgroundColor } = getComputedStyle(mask as Element);
    const { width, height } = (mask as Element).getBoundingClientRect();
    return { isOpaque: !/rgba\(.*, 0?\.\d+\)|transparent/.test(backgroundColor), all: width >= innerWidth && height >= innerHeight };
  });
  expect(covered).toEqual({ isOpaque: true, all: true });
  const unlock = async () => {
    await dialog.getByLabel('Lozinka', { exact: false }).first().fill('lekar');
    await now.page.keyboard.press('Enter');
    await expect.poll(() => dialog.count()).toBe(0);
  };
  await unlock();
  await expect.poll(() => address.inputValue()).toBe('Nesnimljena 7');

  await now.page.getByRole('button', { name: 'Poništi' }).click();
  await now.page.clock.fastForward('16:00');
  await dialog.waitFor();
  // Loading the page anew opens nothing.
  await now.page.reload();
  await dialog.waitFor();
  await unlock();
  await now.page.getByRole('heading', { name: 'Korisnički profil' }).waitFor();
});
