import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectFits, logIn, NARROW, openAs, storedWorker, type Visit } from './support';

let now: Visit;

const { anew } = eachVisit((opened) => {
  now = opened;
});

const menu = () => now.page.getByRole('navigation', { name: 'Glavni meni' });

test('fetches the screens of a clinician while the first one is read', async () => {
  const fetched = now.page.waitForResponse(/\/assets\/entry-[^/]*\.js$/);
  await openAs(now, 'lekar', '/registri');
  expect((await fetched).ok()).toBe(true);
});

test('brings the stylesheet of a component into the page once, however many of its kind appear', async () => {
  await openAs(now, 'lekar', '/registri');
  const button = now.page.locator('.p-button').first();
  await expect.poll(() => button.evaluate((it) => getComputedStyle(it).display)).toContain('flex');
  const kinds = await now.page
    .locator('style[data-primereact-style-id]')
    .evaluateAll((styles) => styles.map((style) => style.getAttribute('data-primereact-style-id')));
  expect(kinds).toEqual([...new Set(kinds)]);
});

test.describe('the menu', () => {
  for (const [username, items] of [
    ['lekar', ['Registri', 'Izveštaji']],
    ['sestra', ['Registri']],
  ] as const)
    test(`of ${username} has ${JSON.stringify(items)}`, async () => {
      await openAs(now, username, '/registri');
      await menu().getByRole('link', { name: 'Registri' }).waitFor();
      await expect.poll(() => menu().getByRole('link').allInnerTexts()).toEqual(items);
      await expect.poll(() => menu().getByRole('button').count()).toBe(0);
    });

  test('leads nowhere where there is no screen', async () => {
    await openAs(now, 'admin', '/registri');
    await menu().getByRole('link', { name: 'Registri' }).waitFor();
    for (const button of await menu().getByRole('button').all()) await button.click();
    const links = await menu()
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const link of links) {
      await now.page.goto(link);
      await now.page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(() => now.page.getByRole('heading', { level: 1 }).innerText(), { message: link })
        .not.toMatch(/Nije pronađena|Nemate pravo/);
    }
  });

  test('does not open to those without the right', async () => {
    await openAs(now, 'sestra', '/izvestaji');
    await now.page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
  });

  test('is a drawer on a narrow screen', async () => {
    await anew(NARROW);
    await openAs(now, 'lekar', '/registri');
    await now.page.getByRole('button', { name: 'Otvori meni' }).click();
    const drawer = now.page.getByRole('complementary').or(now.page.getByRole('dialog')).filter({ hasText: 'Odjavi se' });
    await drawer.getByRole('link', { name: 'Korisnički profil' }).click();
    await now.page.getByRole('heading', { name: 'Korisnički profil' }).waitFor();
    await expectFits(now.page);
    await expect.poll(() => now.page.getByRole('link', { name: 'Odjavi se' }).filter({ visible: true }).count()).toBe(0);
  });
});

test.describe('the registers', () => {
  test('are listed with number, name and description, and open', async () => {
    await openAs(now, 'lekar', '/registri');
    const table = now.page.getByRole('table', { name: 'Lista registara' });
    await table.getByRole('cell', { name: 'Kardiologija' }).first().waitFor();
    await expect
      .poll(async () => (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()))
      .toEqual(['R. br.', 'Naziv', 'Opis', 'Akcije']);
    await expect.poll(() => table.getByRole('row').nth(1).getByRole('cell').first().innerText()).toBe('1.');
    await now.page.getByRole('button', { name: 'Otvori registar „Kardiologija”' }).click();
    await now.page.getByRole('heading', { name: 'Kardiologija', level: 1 }).waitFor();
    expect(new URL(now.page.url()).pathname).toMatch(/^\/registri\/\d+$/);
    await now.page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: 'Registri' }).click();
    await table.waitFor();
  });

  test('that do not exist are a page not found, as is any unknown address', async () => {
    await openAs(now, 'lekar', '/registri/999999');
    await now.page.getByRole('heading', { name: 'Nije pronađena stranica' }).waitFor();
    for (const path of ['/registri/abc', '/nema-je']) {
      await now.page.goto(path);
      await now.page.getByRole('heading', { name: 'Nije pronađena stranica' }).waitFor();
    }
  });

  test('say what went wrong when the server is gone, and come back', async () => {
    await openAs(now, 'lekar', '/korisnickiProfil');
    await now.page.getByRole('heading', { name: 'Korisnički profil' }).waitFor();
    await now.context.route('**/api/registers?**', (route) => route.abort('connectionrefused'));
    await menu().getByRole('link', { name: 'Registri' }).click();
    await now.page.getByText('Server nije dostupan. Proverite mrežu i pokušajte ponovo.').waitFor();
    await now.context.unroute('**/api/registers?**');
    await now.page.getByRole('button', { name: 'Pokušaj ponovo' }).click();
    await now.page.getByRole('cell', { name: 'Kardiologija' }).first().waitFor();
  });
});

test.describe('the institution', () => {
  test('is switched from the top bar and stays switched', async () => {
    const worker = await openAs(now, 'lekar', '/registri');
    const [first, other] =
      worker.ustanovaNaziv === 'Klinički centar Srbije'
        ? ['Klinički centar Srbije', 'Klinički centar Vojvodine']
        : ['Klinički centar Vojvodine', 'Klinički centar Srbije'];
    try {
      await now.page.getByRole('button', { name: `Promeni ustanovu: ${first}` }).click();
      await now.page.getByRole('button', { name: other, exact: true }).click();
      await now.page.getByText(`Radite u ustanovi „${other}”.`).waitFor();
      await expect.poll(async () => (await storedWorker(now.page))?.ustanovaNaziv).toBe(other);
      await now.page.reload();
      await now.page.getByRole('button', { name: `Promeni ustanovu: ${other}` }).waitFor();
      expect(await logIn('lekar')).toMatchObject({ ustanovaNaziv: other });
    } finally {
      await call('PATCH', `/api/workers/${worker.id}`, { token: (await logIn('lekar')).token, body: { ustanovaID: worker.ustanovaID } });
    }
  });
});

test.describe('the own profile', () => {
  test.afterEach(async () => {
    const { id, token } = await logIn('sestra');
    await call('PATCH', `/api/workers/${id}`, { token, body: { theme: 'regix' } });
  });
  const theme = () => now.page.locator('html').getAttribute('data-theme');

  test('keeps a chosen theme for the next sign-in', async () => {
    await openAs(now, 'sestra', '/korisnickiProfil');
    await now.page.getByRole('radio', { name: /^darkly/ }).check();
    await expect.poll(theme).toBe('darkly');
    await expect.poll(async () => (await logIn('sestra')).theme).toBe('darkly');
  });

  test('keeps a theme that is chosen while the server still says which one there was', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    let [asked, answered] = [0, 0];
    await now.context.route('**/api/session', async (route) => {
      const response = await route.fetch();
      asked += 1;
      if (asked === 1) await held;
      await route.fulfill({ response });
      answered += 1;
    });
    await openAs(now, 'sestra', '/korisnickiProfil', 'regix');
    await expect.poll(() => asked).toBe(1);
    await now.page.getByRole('radio', { name: /^darkly/ }).check();
    await expect.poll(async () => (await logIn('sestra')).theme).toBe('darkly');
    answer();
    // The held answer is told the theme of before: the server is asked once more.
    await expect.poll(() => answered).toBe(2);
    await expect.poll(theme).toBe('darkly');
    await expect.poll(async () => (await storedWorker(now.page))?.theme).toBe('darkly');
  });

  test('says that the theme could not be loaded, and keeps the known one', async () => {
    await now.context.route('**/api/session', (route) =>
      route.fulfill({ status: 500, json: { message: 'Server je u kvaru.', field: null } }),
    );
    const worker = await openAs(now, 'sestra', '/korisnickiProfil');
    await now.page.getByText('Greška prilikom poništavanja podataka!').waitFor();
    await expect.poll(theme).toBe(worker.theme);
  });

  test('needs a first name, and takes back what was typed', async () => {
    await openAs(now, 'sestra', '/korisnickiProfil');
    // The theme's choices are there before the person's own fields.
    const name = now.page.getByLabel(/^Ime( \*)?$/);
    const before = await name.inputValue();
    expect(before).not.toBe('');
    await name.fill(' ');
    await now.page.getByRole('button', { name: 'Snimi' }).click();
    await now.page.getByText('Niste uneli ime.').waitFor();
    await now.page.getByRole('button', { name: 'Poništi' }).click();
    await expect.poll(() => name.inputValue()).toBe(before);
    await expect.poll(() => now.page.getByLabel('Korisničko ime').isDisabled()).toBe(true);
  });

  test('takes a birth date typed over another, or chosen in the calendar by keys alone', async () => {
    const { id, token } = await openAs(now, 'sestra', '/korisnickiProfil');
    const before = await call('GET', `/api/workers/${id}`, { token });
    const date = now.page.getByLabel('Datum rođenja');
    await date.focus();
    await now.page.keyboard.type('1.2.1980');
    await now.page.keyboard.press('Tab');
    await expect.poll(() => date.inputValue()).toBe('01.02.1980.');
    await date.focus();
    await now.page.keyboard.press('Control+A');
    await now.page.keyboard.type('15.03.1981');
    await now.page.keyboard.press('Tab');
    await expect.poll(() => date.inputValue()).toBe('15.03.1981.');
    await date.focus();
    await now.page.keyboard.press('ArrowDown');
    await expect.poll(() => now.page.evaluate(() => document.activeElement?.textContent)).toBe('15');
    await now.page.keyboard.press('ArrowLeft');
    await now.page.keyboard.press('Enter');
    await expect.poll(() => date.inputValue()).toBe('14.03.1981.');
    // The calendar gives the focus back once it has gone.
    await now.page.locator('.p-datepicker').waitFor({ state: 'detached' });
    await expect.poll(() => date.evaluate((input) => input === document.activeElement)).toBe(true);
    await date.fill('31.02.1981.');
    await now.page.keyboard.press('Enter');
    await now.page.getByText('Datum nije ispravan. Unesite ga kao DD.MM.GGGG.').waitFor();
    expect(await call('GET', `/api/workers/${id}`, { token })).toEqual(before);
    await now.page.getByRole('button', { name: 'Poništi' }).click();
    await expect.poll(() => date.inputValue()).toBe('');
  });

  test('changes the password only when the two new ones agree and the old one is right', async () => {
    await openAs(now, 'sestra', '/korisnickiProfil');
    await now.page.getByRole('button', { name: 'Promeni lozinku' }).click();
    const dialog = now.page.getByRole('dialog', { name: 'Promeni lozinku' });
    const save = dialog.getByRole('button', { name: 'Promeni lozinku' });
    await dialog.getByLabel('Stara lozinka').fill('nije-stara');
    await dialog.getByLabel('Nova lozinka').fill('zeleni vagon 1');
    await dialog.getByLabel('Potvrda lozinke').fill('zeleni vagon 2');
    await save.click();
    await dialog.getByText('Nova lozinka i potvrda lozinke nisu iste.').waitFor();
    await dialog.getByLabel('Potvrda lozinke').fill('zeleni vagon 1');
    await save.click();
    await now.page.getByText('Greška prilikom promene lozinke').waitFor();
    await dialog.getByText('Stara lozinka nije ispravna.').waitFor();
    expect(await logIn('sestra')).toMatchObject({ username: 'sestra' });
  });
});
