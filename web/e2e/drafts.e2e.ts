// Nothing typed is lost: a killed browser, a closed tab, a lost network, an ended session, a restarted server, other people.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page, test } from '@playwright/test';
import { joints, newVisit, remove, saved, saveElsewhere, swollen, type Display, type Visited } from './das28';
import { startApi, startBrowser } from './killable';
import { expect } from './patience';
import { BASE_URL, call, launch, logIn, openAs, signIn, signInByHand, storedWorker, visit, type Visit } from './support';

let browser: Browser;
let now: Visit;
let entry: Visited;

test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());
test.beforeEach(async () => {
  entry = await newVisit();
  now = await visit(browser);
});
test.afterEach(async () => {
  await letGo(now.context);
  await remove(entry);
  expect(now.complaints).toEqual([]);
});

const at = () => `/unosi/${entry.id}`;
const offer = (page: Page) => page.getByRole('dialog', { name: 'Nesnimljen unos' });
const goOn = (page: Page) => offer(page).getByRole('button', { name: 'Nastavi sa unetim podacima' }).click();
const keep = (page: Page) => page.getByRole('button', { name: 'Snimi i ostani' }).click();
const isSaved = (page: Page) => page.getByText('Uspešno snimljen unos.').waitFor();

/** The drafts that this browser's disk holds, whoever's they are. */
const onDevice = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const local = Object.entries(localStorage)
          .filter(([key]) => key.startsWith('regix.nacrt'))
          .map(([, text]) => String(text));
        const opening = indexedDB.open('regix', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('nacrti');
        opening.onsuccess = () => {
          const all = opening.result.transaction('nacrti').objectStore('nacrti').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve([...local, ...all.result.map((draft) => JSON.stringify(draft))]);
          };
        };
      }),
  );

const onServer = async (username: string): Promise<number> => {
  const { token } = await logIn(username);
  return (await call<{ total: number }>('GET', `/api/entry-drafts?kljuc=unos-${entry.id}`, { token })).total;
};

const draftSent = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/api/entry-drafts/') && response.request().method() === 'PUT');

/** Closes a window. Chromium now and then never says that it has, when another tab has just signed one out: it goes with the browser then. */
const letGo = (context: BrowserContext) => Promise.race([context.close(), new Promise((given) => setTimeout(given, 10_000))]);

/** Closes the tab as a person does, who lets it go when it asks. */
async function closeTab(page: Page): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
}

async function anotherTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(at());
  return page;
}

async function isOpenWithoutQuestion(page: Page): Promise<void> {
  await joints(page).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
}

test.describe('what is typed survives', () => {
  test('a browser that is killed, without any network', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'regix-profile-'));
    const worker = await logIn('lekar');
    const open = async (context: BrowserContext) => {
      await signIn(context, worker);
      const page = await context.newPage();
      await page.goto(BASE_URL + at());
      return page;
    };
    let chromium = await startBrowser(profile);
    try {
      const page = await open(chromium.context);
      await joints(page).waitFor();
      await chromium.context.setOffline(true);
      await joints(page).fill('13');
      await expect.poll(async () => (await onDevice(page)).length).toBe(1);
      await swollen(page).fill('11');
      await expect.poll(async () => (await onDevice(page))[0]).toContain(':11,');
      await chromium.kill();
      chromium = await startBrowser(profile);
      const again = await open(chromium.context);
      await goOn(again);
      await expect.poll(async () => [await joints(again).inputValue(), await swollen(again).inputValue()]).toEqual(['13', '11']);
      await keep(again);
      await isSaved(again);
      expect((await saved(entry)).fields).toMatchObject({ tjc28: 13, sjc28: 11 });
    } finally {
      await chromium.kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  test('a tab that is closed with the last key', async () => {
    await openAs(now, 'lekar', at());
    await joints(now.page).waitFor();
    await now.context.setOffline(true);
    await joints(now.page).fill('14');
    await closeTab(now.page);
    await now.context.setOffline(false);
    const page = await anotherTab(now.context);
    await goOn(page);
    await expect.poll(() => joints(page).inputValue()).toBe('14');
  });

  test('an entry that could not be loaded at first: its draft is offered as soon as it can', async () => {
    await openAs(now, 'lekar', at());
    await joints(now.page).waitFor();
    await now.context.setOffline(true);
    await joints(now.page).fill('24');
    await closeTab(now.page);
    await now.context.setOffline(false);
    const page = await now.context.newPage();
    await page.route('**/api/entry-display?*', (route) => route.abort('connectionreset'), { times: 1 });
    await page.goto(at());
    await page.getByRole('button', { name: 'Pokušaj ponovo' }).click();
    await goOn(page);
    await expect.poll(() => joints(page).inputValue()).toBe('24');
  });

  test('a network that goes away during the save, and the save is then done once', async () => {
    const { page } = now;
    await openAs(now, 'lekar', at());
    await joints(page).fill('15');
    await now.context.setOffline(true);
    await keep(page);
    await page.getByText('Ništa od unetog nije izgubljeno.').waitFor();
    await expect.poll(() => joints(page).inputValue()).toBe('15');
    await now.context.setOffline(false);
    // This one arrives, and its answer is lost.
    await page.route(
      '**/api/entry-values',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await expect.poll(async () => (await saved(entry)).fields.tjc28).toBe(15);
    await expect.poll(() => page.getByRole('button', { name: 'Snimi i ostani' }).isEnabled()).toBe(true);
    await swollen(page).fill('5');
    await keep(page);
    await isSaved(page);
    expect(await saved(entry)).toMatchObject({ verzija: 3, fields: { tjc28: 15, sjc28: 5 } });
  });

  test('a session that ends while it is typed: the password is asked in place', async () => {
    const { page } = now;
    const { token } = await openAs(now, 'lekar', at());
    await joints(page).waitFor();
    await call('POST', '/api/logout', { token });
    await joints(page).fill('16');
    // The page has calls of its own, so the question may stand before the button: then it is pressed afterwards.
    const kept = keep(page);
    const dialog = page.getByRole('dialog', { name: 'Prijava je istekla' });
    await dialog.getByLabel('Lozinka').fill('lekar');
    await page.keyboard.press('Enter');
    await kept;
    await isSaved(page);
    expect((await saved(entry)).fields.tjc28).toBe(16);
    await page.reload();
    await isOpenWithoutQuestion(page);
  });

  test('a server that is killed between typing and saving', async () => {
    const api = await startApi();
    try {
      const { page } = now;
      await openAs(now, 'lekar', api.url + at());
      await joints(page).fill('17');
      await api.kill();
      await keep(page);
      await page.getByText('Ništa od unetog nije izgubljeno.').waitFor();
      await api.start();
      await page.getByRole('button', { name: 'Snimi i ostani' }).click();
      await isSaved(page);
      expect((await saved(entry)).fields.tjc28).toBe(17);
    } finally {
      await api.kill();
    }
  });

  test('a device that is lost: another one offers it', async () => {
    await openAs(now, 'lekar', at());
    const sent = draftSent(now.page);
    await joints(now.page).fill('18');
    await sent;
    const elsewhere = await visit(browser);
    await openAs(elsewhere, 'lekar', at());
    await goOn(elsewhere.page);
    await expect.poll(() => joints(elsewhere.page).inputValue()).toBe('18');
    await elsewhere.context.close();
  });

  test('an entry that another doctor deletes meanwhile: it may become a new one', async () => {
    const { page } = now;
    await openAs(now, 'lekar', at());
    await joints(page).fill('19');
    await remove(entry);
    await keep(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Snimi kao nov unos' }).click();
    await isSaved(page);
    await expect.poll(() => page.url()).not.toContain(at());
    entry = { ...entry, id: Number(new URL(page.url()).pathname.split('/').pop()) };
    expect((await saved(entry)).fields.tjc28).toBe(19);
    await expect.poll(() => onDevice(page)).toEqual([]);
  });
});

test.describe('two people, two tabs', () => {
  test('a draft goes on over what was saved since; where both changed the same, both are shown', async () => {
    await openAs(now, 'lekar', at());
    const sent = draftSent(now.page);
    await joints(now.page).fill('13');
    await sent;
    await closeTab(now.page);
    await saveElsewhere(entry, { tjc28: 21, sjc28: 2 });
    const page = await anotherTab(now.context);
    await goOn(page);
    await expect.poll(async () => [await joints(page).inputValue(), await swollen(page).inputValue()]).toEqual(['13', '2']);
    await keep(page);
    const clash = page.getByRole('dialog', { name: 'Neko je u međuvremenu izmenio ista polja' });
    await expect.poll(() => clash.getByLabel('Moja vrednost: 13').evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => clash.getByRole('group').count()).toBe(1);
    await clash.getByLabel(/^Snimljena vrednost \(.+, .+\): 21$/).waitFor();
    await page.getByRole('button', { name: 'Nastavi' }).click();
    await isSaved(page);
    expect((await saved(entry)).fields).toMatchObject({ tjc28: 13, sjc28: 2 });
  });

  test('the header is merged as the items are, and a clash names the doctors', async () => {
    const { page } = now;
    const { token } = await openAs(now, 'lekar', at());
    await joints(page).waitFor();
    const { tsa, radniciOdgovorni } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
    const [mine, theirs] = radniciOdgovorni.filter(({ id }) => id !== tsa.radnikOdgovoran);
    if (!mine || !theirs) throw new Error('too few doctors in the demo');
    await page.getByLabel('Ordinirajući lekar', { exact: false }).first().press('ArrowDown');
    await page.getByRole('option', { name: mine.imePrezime }).click();
    await saveElsewhere(entry, {}, { radnikOdgovoran: theirs.id, datumUnosa: '2026-02-03' });
    await keep(page);
    const clash = page.getByRole('dialog', { name: 'Neko je u međuvremenu izmenio ista polja' });
    await clash.getByLabel(`Moja vrednost: ${mine.imePrezime}`).waitFor();
    await clash.getByLabel(new RegExp(`^Snimljena vrednost \\(.+\\): ${theirs.imePrezime}$`)).check();
    await page.getByRole('button', { name: 'Nastavi' }).click();
    await isSaved(page);
    expect(await saved(entry)).toMatchObject({ datumUnosa: '2026-02-03', radnikOdgovoran: theirs.id });
    await expect.poll(() => page.getByLabel('Datum pregleda', { exact: false }).inputValue()).toBe('03.02.2026.');
  });

  test('a doctor who is not to be chosen any more stays shown and saved', async () => {
    const { page } = now;
    const admin = await logIn('admin');
    const other = await logIn('lekar3');
    const { token } = await logIn('lekar');
    const { radniciOdgovorni } = await call<Display>('GET', `/api/entry-display?haID=${entry.id}`, { token });
    const one = radniciOdgovorni.find(({ id }) => id === other.id);
    if (!one) throw new Error('the other doctor is not to be chosen in the demo');
    const sestra = await logIn('sestra');
    expect(
      radniciOdgovorni.map(({ id }) => id),
      'a nurse is not to be chosen',
    ).not.toContain(sestra.id);
    const roles = await call<{ data: { id: number }[] }>('GET', `/api/roles?radnik=${one.id}`, { token: admin.token });
    const ulogeID = roles.data.map(({ id }) => id);
    await saveElsewhere(entry, {}, { radnikOdgovoran: one.id });
    await call('POST', '/api/worker-roles-delete', { token: admin.token, body: { radnikID: one.id, ulogeID } });
    try {
      await openAs(now, 'lekar', at());
      await expect
        .poll(() => page.getByLabel('Ordinirajući lekar', { exact: false }).first().inputValue())
        .toBe(`${one.imePrezime} (više nije u izboru)`);
      await joints(page).fill('3');
      await keep(page);
      await isSaved(page);
      expect(await saved(entry)).toMatchObject({ radnikOdgovoran: one.id, fields: { tjc28: 3 } });
    } finally {
      for (const uloga of ulogeID) await call('POST', '/api/worker-roles', { token: admin.token, body: { radnik: one.id, uloga } });
    }
  });

  test('two tabs on one entry keep a draft each, and neither is offered while its tab is open', async () => {
    await openAs(now, 'lekar', at());
    await joints(now.page).waitFor();
    await joints(now.page).fill('5');
    await expect.poll(async () => (await onDevice(now.page)).length).toBe(1);
    const second = await anotherTab(now.context);
    await isOpenWithoutQuestion(second);
    await swollen(second).fill('3');
    await expect.poll(async () => (await onDevice(second)).length).toBe(2);
    await closeTab(second);
    await closeTab(now.page);

    const page = await anotherTab(now.context);
    await goOn(page);
    await expect.poll(() => swollen(page).inputValue()).toBe('3');
    await keep(page);
    await isSaved(page);
    await page.reload();
    await goOn(page);
    await expect.poll(() => joints(page).inputValue()).toBe('5');
    await keep(page);
    await isSaved(page);
    expect((await saved(entry)).fields).toMatchObject({ tjc28: 5, sjc28: 3 });
    await page.reload();
    await isOpenWithoutQuestion(page);
  });
});

test.describe("a draft is its worker's", () => {
  test('signing out asks first and takes it from the device; nobody else is shown it, and it waits on the server', async () => {
    const { page } = now;
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions += 1;
      void dialog.accept();
    });
    await page.goto(at());
    await signInByHand(page, 'lekar');
    await joints(page).fill('20');
    await page.getByRole('link', { name: 'Odjavi se' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Odjavi se' }).click();
    await page.getByRole('heading', { name: 'Prijava' }).waitFor();
    await expect.poll(() => onDevice(page)).toEqual([]);
    expect(questions).toBe(0);

    await page.goto(at());
    await signInByHand(page, 'sestra');
    await isOpenWithoutQuestion(page);
    await expect.poll(() => joints(page).inputValue()).toBe('9');
    await page.getByRole('link', { name: 'Odjavi se' }).click();
    await page.getByRole('heading', { name: 'Prijava' }).waitFor();

    await page.goto(at());
    await signInByHand(page, 'lekar');
    await goOn(page);
    await expect.poll(() => joints(page).inputValue()).toBe('20');
  });

  test('a tab of a worker whom another tab signed out hands nothing to the next one', async () => {
    await now.page.goto(at());
    await signInByHand(now.page, 'lekar');
    await joints(now.page).fill('22');
    await expect.poll(async () => (await onDevice(now.page)).length).toBe(1);
    const other = await anotherTab(now.context);
    await joints(other).waitFor();
    await other.getByRole('link', { name: 'Odjavi se' }).click();
    await now.page.getByRole('heading', { name: 'Prijava' }).waitFor();
    await signInByHand(other, 'sestra');
    await expect.poll(async () => (await storedWorker(other))?.username).toBe('sestra');
    await expect.poll(() => onDevice(other)).toEqual([]);
    await expect.poll(async () => [await onServer('sestra'), await onServer('lekar')]).toEqual([0, 1]);
  });
});

test.describe('after a clean save', () => {
  test('nothing is left and nothing asks; before it, closing the window asks', async () => {
    const { page } = now;
    await openAs(now, 'lekar', at());
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const sent = draftSent(page);
    await joints(page).fill('23');
    await sent;
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(page.isClosed()).toBe(false);
    await keep(page);
    await isSaved(page);
    await expect.poll(() => onDevice(page)).toEqual([]);
    await expect.poll(() => onServer('lekar')).toBe(0);
    await page.reload();
    await isOpenWithoutQuestion(page);
    await page.getByRole('button', { name: 'Stranica pacijenta' }).click();
    await page.waitForURL(`**/pacijenti/${entry.pacijentID}`);
    expect(asked).toEqual(['beforeunload']);
  });

  test('a draft that is thrown away is not offered again', async () => {
    await openAs(now, 'lekar', at());
    const sent = draftSent(now.page);
    await joints(now.page).fill('24');
    await sent;
    await closeTab(now.page);
    const page = await anotherTab(now.context);
    await offer(page).getByRole('button', { name: 'Odbaci ih' }).click();
    await expect.poll(() => joints(page).inputValue()).toBe('9');
    await expect.poll(() => onServer('lekar')).toBe(0);
    await page.reload();
    await isOpenWithoutQuestion(page);
    await expect.poll(() => onDevice(page)).toEqual([]);
  });
});
