// axe on every screen there is, with its dialogs and faults, and no English label, wide and narrow, light and dark; contrast in all themes.
import { type Browser, type Page, test } from '@playwright/test';
import { THEMES } from '../src/gen/themes';
import { screens } from '../src/screens';
import { joints } from './das28';
import { expect } from './patience';
import { findScreens, heading, load, press, SCREENS, search, undress, visitOfPatient } from './screens';
import { expectAccessible, expectFits, launch, LONG, NARROW, openAs, visit, WIDE } from './support';

let browser: Browser;

test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());

const wear = (page: Page, theme: string) => page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);

/** A field at fault has the focus, and what has it is neither out of the window nor under something that stays while the page scrolls. */
async function expectFocusSeen(page: Page) {
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement ?? document.body;
      const name = `${focused.tagName} ${focused.id} ${focused.className}`;
      const atFault = Array.from(document.querySelectorAll('[aria-invalid="true"], .p-invalid, [data-invalid="true"]')).filter((field) =>
        field.checkVisibility(),
      );
      if (atFault.length > 0 && !atFault.some((field) => field.contains(focused))) return `${name} has the focus, and not what is at fault`;
      if (focused === document.body) return null;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
      if (!seen) return `${name} is out of the window`;
      for (let over: Element | null = seen; over && !over.contains(focused); over = over.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(over).position)) return `${name} is under ${over.tagName} ${over.className}`;
      return null;
    });
  await expect.poll(covered).toBeNull();
}

/** Words of the components' own labels, which are English until they are given others. */
const ENGLISH = new RegExp(
  `\\b(${['jump', 'page', 'pages', 'next', 'previous', 'first', 'last', 'close', 'clear', 'select', 'selected', 'unselected', 'unselect', 'choose', 'show', 'hide', 'row', 'rows', 'items?', 'toggle', 'expand', 'expanded', 'collapse', 'collapsed', 'month', 'year', 'today', 'navigation', 'option', 'password', 'search', 'scroll', 'remove', 'cancel', 'loading', 'listbox', 'dropdown', 'upload', 'open', 'menu'].join('|')})\\b`,
  'i',
);

/** What is only heard, or read under the pointer, is Serbian as what is seen is. */
async function expectSerbian(page: Page) {
  const labels = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-roledescription], .p-hidden-accessible, .sr-only'),
    ).flatMap((element) => [
      ...['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription'].map((name) => element.getAttribute(name) ?? ''),
      element.matches('.p-hidden-accessible, .sr-only') ? element.textContent : '',
    ]),
  );
  expect([...new Set(labels)].filter((label) => ENGLISH.test(label))).toEqual([]);
}

/** Fails with what axe sees in either theme, or where the page is wider than the window, or the focus is not where it should be. */
async function expectFaultless(page: Page, where: string) {
  await expectFocusSeen(page).catch((error: unknown) => {
    throw new Error(`${where}: ${String(error)}`);
  });
  await expectSerbian(page).catch((error: unknown) => {
    throw new Error(`${where}: ${String(error)}`);
  });
  // What a theme changes is its colours.
  for (const [theme, rules] of [
    ['darkly', ['color-contrast']],
    ['regix', undefined],
  ] as const) {
    await wear(page, theme);
    await expectAccessible(page, rules && [...rules]).catch((error: unknown) => {
      throw new Error(`${where}, ${theme}: ${String(error)}`);
    });
    await expectFits(page);
  }
}

test('no screen is left out', () => {
  expect(Object.keys(SCREENS).sort()).toEqual(screens.map(({ path }) => path).sort());
});

for (const [width, viewport] of [
  ['wide', WIDE],
  ['narrow', NARROW],
] as const)
  test(`the sign-in has no fault on a ${width} screen, with an error on it neither`, async () => {
    const { page, context } = await visit(browser, viewport);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Prijava' }).waitFor();
    await expectFaultless(page, 'the sign-in');
    await page.getByRole('button', { name: 'Prijavi se' }).click();
    await page.getByText('Niste uneli korisničko ime.').waitFor();
    await expectFaultless(page, 'the sign-in, nothing typed');
    await context.close();
  });

test.describe('every screen', LONG, () => {
  test.beforeAll(findScreens);
  test.afterAll(undress);

  for (const [username, width, viewport] of [
    ['lekar', 'wide', WIDE],
    ['lekar', 'narrow', NARROW],
    ['admin', 'wide', WIDE],
    ['admin', 'narrow', NARROW],
  ] as const)
    test(`no screen of ${username} has a fault on a ${width} window, in a light or a dark theme, whatever is open on it`, async () => {
      const now = await visit(browser, viewport);
      const { page } = now;
      // Unsaved answers of one state must not hold up the next.
      page.on('dialog', (dialog) => void dialog.accept());
      await openAs(now, username, '/nema-je', 'regix');
      await heading('Nije pronađena stranica')(page);
      await expectFaultless(page, `nothing, ${width}`);
      for (const [path, screen] of Object.entries(SCREENS).filter(([, { as = 'lekar' }]) => as === username)) {
        await load(now, screen);
        await expectFaultless(page, `${path}, ${width}`);
        for (const [i, [what, open]] of Object.entries(screen.states ?? {}).entries()) {
          if (i > 0) await load(now, screen);
          await open(page).catch((error: unknown) => {
            throw new Error(`${path}, ${width}, ${what}: ${String(error)}`);
          });
          await expectFaultless(page, `${path}, ${width}, ${what}`);
        }
      }
      await now.context.close();
    });

  test('every theme reads: a form with a fault and a highlight, results with hidden patients, an open calendar', async () => {
    const now = await visit(browser);
    const { page } = now;
    page.on('dialog', (dialog) => void dialog.accept());
    const everyTheme = async () => {
      for (const { name } of THEMES) {
        await wear(page, name);
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
    await page.getByRole('alertdialog').getByRole('button', { name: 'Odustani' }).click();
    await joints(page).fill('99');
    await press(page, 'Snimi i ostani');
    await everyTheme();
    await page.goto('/korisnickiProfil');
    await press(page, 'Izaberi datum');
    await page.locator('.p-datepicker').waitFor();
    await everyTheme();
    await now.context.close();
  });
});
