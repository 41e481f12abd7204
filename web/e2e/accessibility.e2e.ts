// axe on every screen there is, with its dialogs and faults, wide and narrow, light and dark; contrast in all themes; nothing jumps.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THEMES } from '../src/gen/themes';
import { screens } from '../src/screens';
import { demoVisit, joints } from './das28';
import { call, expectAccessible, expectFits, launch, logIn, NARROW, openAs, visit, WIDE, type Visit } from './support';

interface Screen {
  /** Where to look at it. */
  at: () => string;
  /** What is there once it is loaded. */
  ready: (page: Page) => Promise<unknown>;
  /** Dialogs and faults on it, by what leads to each; every one begins on the loaded screen. */
  states?: Record<string, (page: Page) => Promise<unknown>>;
}

let browser: Browser;
let register: number;
let patient: number;
let entry: number;

beforeAll(async () => {
  browser = await launch();
  const { token } = await logIn('lekar');
  const { id, display } = await demoVisit(token);
  [entry, register, patient] = [id, display.registar.id, display.pacijent.id];
});
afterAll(async () => {
  const { id, token } = await logIn('lekar');
  await call('PATCH', `/api/workers/${id}`, { token, body: { theme: 'regix' } });
  await browser.close();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

const search: Screen = {
  at: () => `/registri/${register}`,
  ready: heading('Reumatologija'),
  states: {
    'its results': async (page) => {
      await press(page, 'Pretraži');
      await page.getByRole('heading', { name: /^Rezultati pretrage: / }).waitFor();
    },
    'the menu of formats': async (page) => {
      await press(page, 'Pretraži');
      await press(page, 'Izvoz');
      await page.getByRole('menuitem', { name: 'PDF' }).waitFor();
    },
    'a new patient without a name': async (page) => {
      await press(page, 'Novi pacijent');
      await page.getByRole('dialog').getByRole('button', { name: 'Sačuvaj' }).click();
      await page.getByText('Niste uneli ime.').waitFor();
    },
  },
};
const visitOfPatient: Screen = {
  at: () => `/unosi/${entry}`,
  ready: (page) => joints(page).waitFor(),
  states: {
    'an item out of bounds': async (page) => {
      await joints(page).fill('99');
      await press(page, 'Snimi i ostani');
      await page.getByRole('alert').filter({ hasText: 'nije u opsegu (0) - (28)' }).first().waitFor();
    },
    'the question before leaving': async (page) => {
      await joints(page).fill('7');
      await press(page, 'Stranica pacijenta');
      await page.getByRole('alertdialog').waitFor();
    },
    'the picture': (page) => page.getByRole('tab', { name: 'Homunkulus' }).click(),
    'the drugs, opened': async (page) => {
      await page.getByRole('tab', { name: 'Terapija' }).click();
      await page.locator('.p-multiselect').first().click();
      await page.getByRole('option').first().waitFor();
    },
    'the chart': async (page) => {
      await page.getByRole('tab', { name: 'Tok bolesti' }).click();
      await page.getByRole('img', { name: 'Grafik: Tok bolesti' }).waitFor();
    },
    'the calendar': async (page) => {
      await press(page, 'Izaberi datum');
      await page.locator('.p-datepicker').waitFor();
    },
  },
};

/** One for each line of `screens.ts`. */
const SCREENS: Record<string, Screen> = {
  '/registri': { at: () => '/registri', ready: heading('Registri') },
  '/izvestaji': { at: () => '/izvestaji', ready: heading('Izveštaji') },
  '/registri/:id': search,
  '/registri2/:id': { at: () => `/registri2/${register}`, ready: heading('Reumatologija') },
  '/pacijenti/:id': {
    at: () => `/pacijenti/${patient}`,
    ready: (page) => page.getByRole('heading', { name: 'Unosi', exact: true }).waitFor(),
    states: {
      'its data, edited': async (page) => {
        await press(page, 'Izmeni podatke');
        await page.getByRole('dialog').waitFor();
      },
      'the question before it is deleted': async (page) => {
        await press(page, 'Obriši pacijenta');
        await page.getByRole('alertdialog').waitFor();
      },
    },
  },
  '/pacijentArhiva/:id': { at: () => `/pacijentArhiva/${patient}`, ready: (page) => page.getByRole('table').waitFor() },
  '/unosi/:id': visitOfPatient,
  '/unosi2/:id': { at: () => `/unosi2/${entry}`, ready: visitOfPatient.ready },
  '/unosArhiva/:id': {
    at: () => `/unosArhiva/${entry}`,
    ready: (page) => page.getByRole('heading', { name: 'Podaci o unosu' }).waitFor(),
    states: {
      'no item chosen': async (page) => {
        await press(page, 'Pretraži');
        await page.getByText('Morate izabrati bar jednu stavku unosa.').waitFor();
      },
    },
  },
  '/korisnickiProfil': {
    at: () => '/korisnickiProfil',
    ready: heading('Korisnički profil'),
    states: {
      'a new password, nothing typed': async (page) => {
        await press(page, 'Promeni lozinku');
        await page.getByRole('dialog').getByRole('button', { name: 'Promeni lozinku' }).click();
        await page.getByText('Niste uneli staru lozinku.').waitFor();
      },
    },
  },
};

/** Loads a screen as for the first time: what earlier looks at it left unsaved is offered again, draft by draft, and thrown away. */
async function load({ page }: Visit, { at, ready }: Screen) {
  await page.goto(at());
  await ready(page);
  await page.waitForLoadState('networkidle');
  const discard = page.getByRole('button', { name: 'Odbaci ih' });
  const offered = async () => {
    if (await discard.isVisible()) await discard.click({ timeout: 1000 }).catch(() => undefined);
    return discard.count();
  };
  await expect.poll(offered, { timeout: 20_000 }).toBe(0);
}

it('no screen is left out', () => {
  expect(Object.keys(SCREENS).sort()).toEqual(screens.map(({ path }) => path).sort());
});

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

  it.each(['regix', 'darkly'])('no screen has a fault in %s, whatever is open on it', async (theme) => {
    const now = await visit(browser, viewport);
    const { page } = now;
    // Unsaved answers of one state must not hold up the next.
    page.on('dialog', (dialog) => void dialog.accept());
    await openAs(now, 'lekar', '/nema-je', theme);
    await heading('Nije pronađena stranica')(page);
    await expectAccessible(page);
    for (const [path, screen] of Object.entries(SCREENS)) {
      await load(now, screen);
      await expectAccessible(page);
      await expectFits(page);
      for (const [what, open] of Object.entries(screen.states ?? {})) {
        await load(now, screen);
        await open(page).catch((error: unknown) => {
          throw new Error(`${path}, ${what}: ${String(error)}`);
        });
        await expectAccessible(page);
        await expectFits(page);
      }
    }
    await now.context.close();
  }, 300_000);
});

it('every theme reads: a form with a fault and a highlight, results with hidden patients, an open calendar', async () => {
  const now = await visit(browser);
  const { page } = now;
  page.on('dialog', (dialog) => void dialog.accept());
  const everyTheme = async () => {
    for (const { name } of THEMES) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), name);
      await expectAccessible(page, ['color-contrast']).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      });
    }
  };
  await openAs(now, 'lekar', '/registri', 'regix');
  await load(now, search);
  await search.states?.['its results']?.(page);
  await everyTheme();
  await load(now, visitOfPatient);
  await page.getByLabel('Sedimentacija eritrocita').fill('');
  await press(page, 'Snimi i ostani');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ne' }).click();
  await joints(page).fill('99');
  await press(page, 'Snimi i ostani');
  await everyTheme();
  await page.goto('/korisnickiProfil');
  await press(page, 'Izaberi datum');
  await page.locator('.p-datepicker').waitFor();
  await everyTheme();
  await now.context.close();
}, 300_000);

it('nothing jumps while a screen loads', async () => {
  const jumps: Record<string, number> = {};
  for (const [path, screen] of Object.entries(SCREENS)) {
    const now = await visit(browser);
    await now.context.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!shift.hadRecentInput) shifts.push(shift.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await openAs(now, 'lekar', screen.at());
    await screen.ready(now.page);
    await now.page.waitForLoadState('networkidle');
    jumps[path] = await now.page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0));
    await now.context.close();
  }
  console.info('layout shifts', jumps);
  expect(Object.entries(jumps).filter(([, value]) => value > 0.1)).toEqual([]);
}, 120_000);
