import { type Page, test } from '@playwright/test';
import { formatDate } from '../src/format';
import { demoVisit, joints, newVisit, remove, saveElsewhere, swollen, type Display, type Visited } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, expectFits, NARROW, openAs, type Visit } from './support';

let now: Visit;
let entry: Visited;

test.beforeEach(async () => {
  entry = await newVisit();
});
test.afterEach(async () => {
  await remove(entry);
});
const { anew } = eachVisit((opened) => {
  now = opened;
});

const das28 = (page: Page) => page.locator('output[aria-labelledby]').first();
const answer = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name });

test.describe('a DAS28 visit', () => {
  test('recomputes its scores while typed, is saved where it stands, and holds the value after a reload', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
    await joints(page).waitFor();
    const type = async (count: string) => {
      const before = await das28(page).textContent();
      await joints(page).fill(count);
      await expect.poll(() => das28(page).textContent()).not.toBe(before);
    };
    await type('4');
    await type('25');
    const computed = await das28(page).textContent();
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await expectAccessible(page);
    await page.reload();
    await joints(page).waitFor();
    await expect.poll(() => joints(page).inputValue()).toBe('25');
    await expect.poll(() => das28(page).textContent()).toBe(computed);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('asks for a required item and for a value within its bounds, and moves to it', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Niste uneli stavku sa nazivom: Broj bolnih zglobova (TJC28).').first().waitFor();
    await expect.poll(() => joints(page).evaluate((input) => input === document.activeElement)).toBe(true);
    const message = page.locator('.p-toast-message-enter-done');
    await message.waitFor();
    await swollen(page).fill('1');
    await expect.poll(() => message.count()).toBe(1);
    await joints(page).fill('99');
    await message.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Stavka sa nazivom: Broj bolnih zglobova (TJC28) nije u opsegu (0) - (28)').first().waitFor();
  });

  test('asks which number is meant where a text may be two, and tells a wrong one when its field is left', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('6,6');
    await page.keyboard.press('Tab');
    await page.getByText('Stavka sa nazivom: Broj bolnih zglobova (TJC28) mora biti ceo broj.').waitFor();
    await expect.poll(() => das28(page).textContent()).toBe('—');
    await page.getByText('Ne računa se dok nije ispravna stavka: Broj bolnih zglobova (TJC28).').first().waitFor();
    await joints(page).fill('6');
    const stiffness = page.getByLabel('Jutarnja ukočenost', { exact: false }).first();
    await stiffness.fill('1.108');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Stavka sa nazivom: Jutarnja ukočenost: „1.108” može da znači 1108 ili 1,108. Izaberite jedno.').first().waitFor();
    await expectAccessible(page);
    await stiffness.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await expect.poll(() => stiffness.inputValue()).toBe('1.108');
    await page.reload();
    await joints(page).waitFor();
    await expect.poll(() => stiffness.inputValue()).toBe('1.108');
    await stiffness.focus();
    await expect.poll(() => stiffness.inputValue()).toBe('1108');
    await stiffness.fill('1.108');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => stiffness.inputValue()).toBe('1,108');
  });

  test('says that a day has its visit already before anything is filled in, and before this one is moved there', async () => {
    const { page } = now;
    const { token } = await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const { tsa, pacijent } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
    const full = page.getByRole('alert').filter({ hasText: 'Za taj dan već postoji unos. Otvorite ga.' });
    const other = (await demoVisit(token)).display.tsa.datumUnosa;
    const date = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
    const own = await date.inputValue();
    await date.focus();
    for (const [typed, expected] of [
      [formatDate(other), 1],
      [own, 0],
    ] as const) {
      await date.fill(typed);
      await expect.poll(() => full.count()).toBe(expected);
    }
    await date.fill(formatDate(other));
    await full.waitFor();
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Došlo je do greške prilikom snimanja unosa.').waitFor();
    await date.fill(own);
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await page.goto(`/unosi/novi?tsaID=${tsa.id}&pacijentID=${pacijent.id}&datumUnosa=${tsa.datumUnosa}`);
    await full.waitFor();
    await expectAccessible(page);
  });

  test('keeps the parts of its header apart at every width', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const date = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
    // The calendar takes the place of the plain input, and is the wider of the two.
    await date.focus();
    for (const width of [800, 1024, 1060, 1100, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const isApart = () =>
        date.evaluate((input) => {
          const cell = input.closest('div');
          const button = cell?.querySelector('button');
          return cell && button ? button.getBoundingClientRect().right <= cell.getBoundingClientRect().right + 1 : false;
        });
      await expect.poll(isApart, { message: `${width} px` }).toBe(true);
    }
  });

  test('is not deleted over what somebody changed since it was opened: that is shown first, and what is typed stays', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('3');
    await saveElsewhere(entry, { sjc28: 11 });
    const remove = async () => {
      await page.getByRole('button', { name: 'Obriši' }).click();
      await answer(page, 'Obriši').click();
    };
    await remove();
    await page.getByRole('alertdialog').getByText('Neko je izmenio unos otkad ste ga otvorili').waitFor();
    await answer(page, 'Prikaži izmene').click();
    await expect.poll(() => swollen(page).inputValue()).toBe('11');
    await expect.poll(() => joints(page).inputValue()).toBe('3');
    await remove();
    await page.getByText('Uspešno obrisan unos').waitFor();
  });

  test('takes no second click while it is saved, keeps what was typed when the network is lost, and saves it afterwards', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('7');
    const buttons = ['Snimi i ostani', 'Snimi', 'Obriši'].map((name) => page.getByRole('button', { name, exact: true }));
    let lose = () => {};
    const lost = new Promise<void>((resolve) => (lose = resolve));
    await page.route('**/api/entry-values', async (route) => {
      await lost;
      await route.abort('internetdisconnected');
    });
    await buttons[0]?.click();
    for (const button of buttons) await expect.poll(() => button.isDisabled()).toBe(true);
    lose();
    await page.getByText('Došlo je do greške prilikom snimanja unosa.').waitFor();
    await page.unroute('**/api/entry-values');
    await expect.poll(() => joints(page).inputValue()).toBe('7');
    for (const button of buttons) await expect.poll(() => button.isDisabled()).toBe(false);
    await buttons[0]?.click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
  });

  test('asks before unsaved answers are left, and not after a save', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('7');
    await page.getByRole('button', { name: 'Stranica pacijenta' }).click();
    await page.getByText('Da li ste sigurni da želite da napustite stranicu?').waitFor();
    await answer(page, 'Odustani').click();
    await expect.poll(() => joints(page).inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Snimi', exact: true }).click();
    await page.waitForURL(`**/pacijenti/${entry.pacijentID}`);
    await expect.poll(() => page.getByText('Da li ste sigurni da želite da napustite stranicu?').count()).toBe(0);
  });

  test('shows both values where another doctor changed the same item, and saves the chosen one', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('3');
    await saveElsewhere(entry, { tjc28: 21 });
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByLabel(/^Snimljena vrednost/).check();
    await page.getByRole('button', { name: 'Nastavi' }).click();
    await page.getByText('Uspešno snimljen unos.').waitFor();
    await expect.poll(() => joints(page).inputValue()).toBe('21');
  });
});

test.describe('what is out of sight', () => {
  test('is found by the browser in a closed tab and panel, which open', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const panel = page.getByRole('button', { name: 'Zglobovi' });
    await panel.click();
    await expect.poll(() => joints(page).isVisible()).toBe(false);
    const id = (await joints(page).getAttribute('id')) ?? '';
    await page.getByRole('tab', { name: 'Homunkulus' }).click();
    await page.evaluate((hash) => (location.hash = hash), id);
    await expect.poll(() => joints(page).isVisible()).toBe(true);
    await expect.poll(() => panel.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => page.getByRole('tab', { name: 'Aktivnost bolesti' }).getAttribute('aria-selected')).toBe('true');
  });

  test('is brought into view when it is at fault', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    await joints(page).fill('99');
    await page.getByRole('button', { name: 'Zglobovi' }).click();
    await page.getByRole('tab', { name: 'Homunkulus' }).click();
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await page.getByText('Stavka sa nazivom: Broj bolnih zglobova (TJC28) nije u opsegu (0) - (28)').first().waitFor();
    await expect.poll(() => joints(page).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('comes with its calendar: a date is opened by the keyboard and by the mouse', async () => {
    const { page } = now;
    await openAs(now, 'lekar', `/unosi/${entry.id}`);
    const date = page.getByRole('combobox', { name: 'Datum dijagnoze', exact: false });
    const today = page.getByRole('button', { name: 'Danas' });
    await date.focus();
    const place = await page.evaluate(() => window.scrollY);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.p-datepicker') !== null)).toBe(true);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
    await today.click();
    await expect.poll(() => date.inputValue()).toMatch(/^\d\d\.\d\d\.\d{4}\.$/);
    await page.keyboard.press('Escape');
    const examined = page.getByRole('combobox', { name: 'Datum pregleda', exact: false });
    await examined.locator('xpath=following-sibling::button').click();
    await expect.poll(() => today.count()).toBe(1);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.p-datepicker') !== null)).toBe(true);
    await today.click();
    await expect.poll(() => examined.inputValue()).toBe(await date.inputValue());
  });
});

test('a new entry takes its address with the first save, wants its doctor, and is deleted after a question', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'lekar', `/unosi/${entry.id}`, 'regix');
  const { tsa, pacijent } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
  await joints(page).waitFor();
  await page.goto(`/unosi/novi?tsaID=${tsa.id}&pacijentID=${pacijent.id}&datumUnosa=2026-03-05`);
  await joints(page).fill('2');
  await swollen(page).fill('1');
  await expect.poll(() => page.getByLabel('Datum pregleda', { exact: false }).isDisabled()).toBe(true);
  await page.getByLabel('Ordinirajući lekar', { exact: false }).first().fill('');
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.').first().waitFor();
  await page.getByLabel('Ordinirajući lekar', { exact: false }).first().press('ArrowDown');
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Potvrdi sve' }).click();
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Da li ste sigurni da želite da nastavite bez popunjenih relevantnih polja?').waitFor();
  await answer(page, 'Nastavi').click();
  await page.waitForURL(/\/unosi\/\d+$/);
  await expect.poll(() => joints(page).inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Obriši' }).click();
  await answer(page, 'Obriši').click();
  await page.getByText('Uspešno obrisan unos').waitFor();
  await page.waitForURL(`**/pacijenti/${pacijent.id}`);
});

test('reads well on a narrow screen in a dark theme', async () => {
  await anew(NARROW);
  await openAs(now, 'lekar', `/unosi/${entry.id}`, 'darkly');
  await joints(now.page).waitFor();
  await expectFits(now.page);
  await expectAccessible(now.page);
  await joints(now.page).fill('99');
  const save = now.page.getByRole('button', { name: 'Snimi i ostani' });
  await save.click();
  const message = now.page.locator('.p-toast-message-enter-done');
  await message.waitFor();
  const top = await save.evaluate((button) => button.getBoundingClientRect().top);
  expect(await message.evaluate((box) => box.getBoundingClientRect().bottom)).toBeLessThan(top);
});
