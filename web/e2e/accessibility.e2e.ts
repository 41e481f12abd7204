import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { THEMES } from '../src/gen/themes';
import { call, expectAccessible, expectFits, launch, logIn, NARROW, openAs, visit, WIDE } from './support';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  const { id, token } = await logIn('lekar');
  await call('PATCH', `/api/workers/${id}`, { token, body: { theme: 'regix' } });
  await browser.close();
});

const SCREENS: readonly [path: string, heading: string][] = [
  ['/registri', 'Registri'],
  ['/izvestaji', 'Izveštaji'],
  ['/korisnickiProfil', 'Korisnički profil'],
  ['/nema-je', 'Nije pronađena stranica'],
];

describe.each([
  ['wide', WIDE],
  ['narrow', NARROW],
] as const)('on a %s screen', (_width, viewport) => {
  it('the sign-in has no fault, with an error on it neither', async () => {
    const { page, context } = await visit(browser, viewport);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Prijava' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Prijavi se' }).click();
    await page.getByText('Niste uneli korisničko ime.').waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await context.close();
  });

  it.each(['regix', 'darkly'])('no screen has a fault in %s', async (theme) => {
    const now = await visit(browser, viewport);
    for (const [path, heading] of SCREENS) {
      if (path === '/registri') await openAs(now, 'lekar', path, theme);
      else await now.page.goto(path);
      await now.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await now.page.waitForLoadState('networkidle');
      await expectAccessible(now.page);
      await expectFits(now.page);
    }
    await now.context.close();
  });
});

it('every theme reads, calendar open', async () => {
  const now = await visit(browser);
  await openAs(now, 'lekar', '/korisnickiProfil', 'regix');
  for (const { name } of THEMES) {
    await now.page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
    await now.page.getByRole('button', { name: 'Izaberi datum' }).click();
    await now.page.getByRole('dialog').or(now.page.locator('.p-datepicker')).first().waitFor();
    await expectAccessible(now.page, ['color-contrast']);
    await now.page.keyboard.press('Escape');
  }
  await now.context.close();
}, 180_000);
