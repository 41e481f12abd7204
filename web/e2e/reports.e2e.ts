import { type Page, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { eachVisit } from './eachVisit';
import { reportThatNeeds } from './neededReport';
import { expect } from './patience';
import {
  BASE_URL,
  call,
  expectAccessible,
  expectFits,
  givenToTab,
  logIn,
  LONG,
  MAIL_URL,
  NARROW,
  openAs,
  signInByHand,
  wordsOf,
  type Visit,
} from './support';

let now: Visit;

const { anew } = eachVisit((opened) => {
  now = opened;
});

const OUTCOME = 'Ishod po polu i dobnoj grupi';

const choose = async (page: Page, report: string) => {
  await page.getByRole('tree').getByText(report, { exact: true }).click();
  await page.getByRole('heading', { name: report, level: 2 }).waitFor();
};
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const expectTab = (page: Page, name: string) => expect.poll(() => tab(page, name).getAttribute('aria-selected')).toBe('true');
const openTab = async (page: Page, name: string) => {
  await tab(page, name).click();
  await expectTab(page, name);
};
/** A date field: its label ends with the mark of a required one. */
const field = (page: Page, label: string) => page.getByRole('combobox', { name: new RegExp(`^${label}`) });
/** The newest run of the list that is shown. */
const newest = (page: Page) => page.getByRole('tabpanel').filter({ visible: true }).getByRole('listitem').first();

interface Mail {
  subject: string;
  to: { address: string }[];
  html?: string;
  text?: string;
}

const mailsTo = async (address: string): Promise<Mail[]> => {
  const answer = (await (await fetch(`${MAIL_URL}/api/email`)).json()) as Mail[] | { emails: Mail[] };
  return (Array.isArray(answer) ? answer : answer.emails).filter(({ to }) => to.some((recipient) => recipient.address === address));
};

/** The path of the link that a mail leads to. */
const linkIn = (mail: Mail | undefined): string => {
  const link = /\/izvestaji\/[0-9a-f-]{36}/.exec(`${mail?.html ?? ''}${mail?.text ?? ''}`)?.[0];
  expect(link, 'the mail has a link').toBeTruthy();
  return link ?? '';
};

/** The next full minute in Belgrade, leaving time to save. */
const nextMinute = () => {
  const at = new Date(Date.now() + 105_000);
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Belgrade',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'long',
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const weekday = {
    Monday: 'ponedeljak',
    Tuesday: 'utorak',
    Wednesday: 'sreda',
    Thursday: 'četvrtak',
    Friday: 'petak',
    Saturday: 'subota',
    Sunday: 'nedelja',
  }[part('weekday')];
  return { time: `${part('hour')}:${part('minute')}`, weekday: weekday ?? '' };
};

test.describe('a report', () => {
  test('is generated while the screen follows, and is downloaded in all three formats', async () => {
    const { page, context } = now;
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true }));
    await openAs(now, 'lekar', '/izvestaji');
    await choose(page, OUTCOME);
    await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
    await expectTab(page, 'Generisani izveštaji');
    await newest(page).getByText('Završen').waitFor({ timeout: 60_000 });
    const kinds: [string, (file: Buffer) => boolean][] = [
      ['PDF', (file) => file.subarray(0, 5).toString() === '%PDF-'],
      ['XLSX', (file) => file.subarray(0, 2).toString() === 'PK'],
      ['CSV', (file) => file.toString('utf8').includes(';')],
    ];
    for (const [format, holds] of kinds) {
      const arriving = page.waitForEvent('download');
      await newest(page)
        .getByRole('button', { name: `Preuzmi ${format}` })
        .click();
      const file = await arriving;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^ishod.*\\.${format.toLowerCase()}$`));
      expect(holds(await readFile(await file.path())), format).toBe(true);
    }
    const shown = givenToTab(context);
    await newest(page).getByRole('button', { name: 'Otvori PDF' }).click();
    const file = await shown;
    expect(file.url()).toMatch(/^blob:/);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
    await expectAccessible(page);
  });

  test('asks for a required parameter at its place and keeps what is typed over a look at another tab', async () => {
    const { page } = now;
    await openAs(now, 'lekar', '/izvestaji');
    await choose(page, 'Karton pacijenta');
    await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
    await page.getByText('Parametar „Pacijent” je obavezan.').waitFor();
    await choose(page, OUTCOME);
    const from = field(page, 'Od');
    await from.fill('05.03.2022.');
    await page.keyboard.press('Tab');
    await openTab(page, 'Zakazani izveštaji');
    await openTab(page, 'Parametri');
    await expect.poll(() => from.inputValue()).toBe('05.03.2022.');
  });

  for (const [where, there, leave] of [
    ['another tab', /prikaz=kalendar/, (page: Page) => openTab(page, 'Kalendar')],
    [
      'another screen',
      /\/registri$/,
      (page: Page) =>
        page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Registri', exact: true }).first().click(),
    ],
  ] as const)
    test(`brings nobody back who went to ${where} while it was sent`, async () => {
      const { page } = now;
      await openAs(now, 'lekar', '/izvestaji');
      // The answer is held back until they have left, and the code of where they go until they are told how it ended.
      let answer: () => void = () => undefined;
      let arrive: () => void = () => undefined;
      const left = new Promise<void>((resolve) => (answer = resolve));
      const told = new Promise<void>((resolve) => (arrive = resolve));
      await page.route('**/api/report-queue', async (route) => {
        await left;
        await route.continue();
      });
      await page.route('**/assets/RegisterListScreen-*.js', async (route) => {
        await told;
        await route.continue();
      });
      await choose(page, OUTCOME);
      await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
      await leave(page);
      answer();
      await page.getByText('Generisanje je pokrenuto').first().waitFor();
      arrive();
      await expect.poll(() => page.url()).toMatch(there);
    });

  test('is refused by the server with its message at the field', async () => {
    const { page } = now;
    await openAs(now, 'lekar', '/izvestaji');
    await choose(page, OUTCOME);
    await field(page, 'Od').fill('05.03.2025.');
    await page.keyboard.press('Tab');
    await field(page, 'Do').fill('05.03.2022.');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
    await page.getByText('Datum „do” ne sme biti pre datuma „od”.').first().waitFor();
  });
});

test.describe('a weekly schedule', () => {
  test('is saved, shows on the calendar, fires, and its e-mail arrives', LONG, async () => {
    const { page } = now;
    const worker = await openAs(now, 'lekar', '/izvestaji');
    const address = `primalac-${Date.now()}@primer.rs`;
    await choose(page, OUTCOME);
    await page.getByLabel('Pošalji na e-mail').fill(address);
    await page.keyboard.press('Enter');
    await page.getByLabel('Zakaži za kasnije').check({ force: true });
    await page.getByRole('button', { name: 'Nedelja', exact: true }).click();
    const { time, weekday } = nextMinute();
    await page.getByRole('button', { name: weekday, exact: true }).click();
    await page.getByRole('textbox', { name: 'Vreme izvršavanja' }).fill(time);
    await page.keyboard.press('Tab');
    await page.getByText('Sledeća izvršavanja').waitFor();
    await expect.poll(() => page.locator('ol > li').filter({ hasText: time }).count()).toBe(5);
    await page.getByRole('button', { name: 'Zakaži izveštaj' }).click();
    await expectTab(page, 'Zakazani izveštaji');
    const schedule = page.getByRole('tabpanel').filter({ visible: true }).getByRole('listitem').filter({ hasText: address });
    await schedule.waitFor();
    await openTab(page, 'Kalendar');
    await page.getByText(`${OUTCOME} (zakazan)`).first().waitFor();
    await expectAccessible(page);

    await expect.poll(async () => (await mailsTo(address)).length, { timeout: 200_000, intervals: [1_000] }).toBe(1);
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toContain(OUTCOME);
    await page.goto(BASE_URL + linkIn(mail));
    await page.getByRole('heading', { name: OUTCOME, level: 1 }).waitFor();
    await page.getByText('Završen').waitFor();
    await page.getByRole('link', { name: 'Svi moji izveštaji ove vrste' }).click();

    await openTab(page, 'Zakazani izveštaji');
    await schedule.getByRole('button', { name: 'Obriši' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Obriši' }).click();
    await page.getByText('Zakazani izveštaj je obrisan').waitFor();
    const left = await call<{ data: { emails: string[] }[] }>('GET', '/api/report-schedules', { token: worker.token });
    expect(left.data.filter(({ emails }) => emails.includes(address))).toEqual([]);
  });
});

test.describe('what was ordered', () => {
  test('is paused, resumed and run now by its owner, and a run is made again without a mail', async () => {
    test.setTimeout(180_000);
    const { page } = now;
    const worker = await openAs(now, 'lekar', '/izvestaji');
    const address = `nacelnik-${Date.now()}@primer.rs`;
    await choose(page, OUTCOME);
    await page.getByLabel('Pošalji na e-mail').fill(address);
    await page.keyboard.press('Enter');
    await page.getByLabel('Zakaži za kasnije').check({ force: true });
    await page.getByRole('button', { name: 'Dan', exact: true }).click();
    await page.getByRole('textbox', { name: 'Vreme izvršavanja' }).fill('03:05');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Zakaži izveštaj' }).click();
    const card = page.getByRole('tabpanel').filter({ visible: true }).getByRole('listitem').filter({ hasText: address });
    const question = page.getByRole('alertdialog');

    await card.getByRole('button', { name: 'Pauziraj' }).click();
    await card.getByText(/^pauzirano, od \d\d\.\d\d\.\d{4}\. \d\d:\d\d$/).waitFor();
    await expectAccessible(page);
    await openTab(page, 'Kalendar');
    await page.getByText(`${OUTCOME} (pauzirano)`).first().waitFor();
    await openTab(page, 'Zakazani izveštaji');
    await card.getByRole('button', { name: 'Nastavi' }).click();
    await card.getByText(/^sledeći put .* 03:05/).waitFor();

    await card.getByRole('button', { name: 'Pokreni sada' }).click();
    await question.getByText(address).waitFor();
    await question.getByRole('button', { name: 'Pokreni i pošalji' }).click();
    await expect.poll(async () => (await mailsTo(address)).length, { timeout: 60_000, intervals: [500] }).toBe(1);
    const link = linkIn((await mailsTo(address))[0]);
    await card.getByRole('button', { name: 'Obriši' }).click();
    await question.getByRole('button', { name: 'Obriši' }).click();
    await page.getByText('Zakazani izveštaj je obrisan').waitFor();

    await page.goto(BASE_URL + link);
    await page.getByText('Završen').waitFor();
    await page.getByRole('button', { name: 'Pokreni ponovo' }).click();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Pokreni bez slanja' }).click();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(link);
    await page.getByText('Završen').waitFor({ timeout: 60_000 });
    const run = await call<{ emails: string[]; moj: boolean }>(
      'GET',
      new URL(page.url()).pathname.replace('/izvestaji/', '/api/report-runs/'),
      {
        token: worker.token,
      },
    );
    expect(run).toMatchObject({ emails: [], moj: true });
    expect(await mailsTo(address)).toHaveLength(1);
  });
});

test.describe('a scheduled report that is not made', () => {
  test('is told to its owner by a mail with the reason and by a mark in the menu, until she has looked', LONG, async () => {
    const { page } = now;
    const [admin, owner] = [await logIn('admin'), await logIn('lekar')];
    const address = `vlasnik-${Date.now()}@primer.rs`;
    await call('PATCH', `/api/workers/${owner.id}`, { token: admin.token, body: { email: address } });
    const { id, naziv } = await reportThatNeeds(`Ustanova ${Date.now().toString(36)}`, admin.token);
    const mark = page.getByRole('navigation', { name: 'Glavni meni' }).getByText(/zakazani izveštaj nije napravljen/);

    await openAs(now, 'lekar', '/izvestaji');
    await choose(page, naziv);
    await page.getByLabel('Zakaži za kasnije').check({ force: true });
    await page.getByRole('button', { name: 'Dan', exact: true }).click();
    const { time } = nextMinute();
    await page.getByRole('textbox', { name: 'Vreme izvršavanja' }).fill(time);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Zakaži izveštaj' }).click();
    const card = page
      .getByRole('tabpanel')
      .filter({ visible: true })
      .getByRole('listitem', { name: new RegExp(`^${naziv}, `) });
    await card.getByText(new RegExp(`^sledeći put .* ${time} \\(Europe/Belgrade\\)$`)).waitFor();
    // She works on something else meanwhile.
    await page.goto('/registri');
    await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
    expect(await mark.count()).toBe(0);

    await expect.poll(async () => (await mailsTo(address)).length, { timeout: 200_000, intervals: [1_000] }).toBe(1);
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toContain(`${naziv}: zakazani izveštaj nije uspeo`);
    expect(mail?.subject).toContain(`${time}, Europe/Belgrade`);
    expect(mail?.text).toContain('Upit izveštaja nije uspeo.');
    expect(mail?.text).toContain('Proverite parametre zakazivanja.');

    await page.reload();
    await mark.first().waitFor();
    await expectAccessible(page);
    await page.goto(BASE_URL + linkIn(mail));
    await page.getByRole('heading', { name: naziv, level: 1 }).waitFor();
    await page.getByText('Upit izveštaja nije uspeo.').waitFor();
    await page.getByRole('link', { name: 'Svi moji izveštaji ove vrste' }).click();
    await newest(page).getByText('Upit izveštaja nije uspeo.').waitFor();
    await expect.poll(() => mark.count()).toBe(0);
    await page.reload();
    await newest(page).waitFor();
    expect(await mark.count()).toBe(0);
    const kept = await call<{ data: { zakazivanjeID: number }[] }>('GET', `/api/report-schedules?izvestaj=${id}`, { token: owner.token });
    for (const { zakazivanjeID } of kept.data) await call('DELETE', `/api/report-schedules/${zakazivanjeID}`, { token: owner.token });
    await call('DELETE', `/api/reports/${id}`, { token: admin.token });
  });
});

test.describe('a mailed link', () => {
  test('leads its recipient through the sign-in to that report, on a phone, and tells others what they lack', async () => {
    test.setTimeout(120_000);
    const address = `sef-${Date.now()}@primer.rs`;
    const [lekar, admin] = [await logIn('lekar'), await logIn('admin')];
    await call('PATCH', `/api/workers/${admin.id}`, { token: admin.token, body: { email: address } });
    const tree = await call<{ data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[] }>(
      'GET',
      '/api/report-categories/tree',
      { token: lekar.token },
    );
    const siID = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji)).find(({ naziv }) => naziv === OUTCOME)?.id;
    const body = { siID, parametri: { od: '2018-01-01', do: '2025-12-31' }, emails: [address] };
    await call('POST', '/api/report-queue', { token: lekar.token, body });
    await expect.poll(async () => (await mailsTo(address)).length, { timeout: 60_000, intervals: [500] }).toBe(1);
    const link = linkIn((await mailsTo(address))[0]);

    await anew(NARROW);
    const { page } = now;
    await page.goto(link);
    await signInByHand(page, 'admin');
    await page.getByRole('heading', { name: OUTCOME, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(link);
    await page.getByText('po zahtevu: Čedomir Živković').waitFor();
    await expectFits(page);
    await expectAccessible(page);
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Preuzmi PDF' }).click();
    const words = wordsOf(await readFile(await (await arriving).path())).replace(/\s+/g, ' ');
    expect(words).toContain('umrli u bolnici i u toku praćenja');
    // The study's 500 patients: 40 died in hospital, 215 by the end of follow-up.
    expect(words).toMatch(/Ukupno oba pola 500 500 40 8,0 215 43,0 /);
    await expect.poll(() => page.getByRole('button', { name: 'Obriši' }).count()).toBe(0);

    for (const [username, words] of [
      ['lekar2', 'Ovde nema izveštaja za vas'],
      ['sestra', 'potrebno je pravo „Izveštaji”'],
    ] as const) {
      await anew(NARROW);
      await openAs(now, username, link);
      await now.page.getByText(words).waitFor();
      await expectFits(now.page);
    }
    await anew();
    await openAs(now, 'lekar', link);
    await now.page.getByText(/Preuzeli: .*Ana Đorđević/).waitFor();
  });
});

test('reads well on a narrow screen', async () => {
  await anew(NARROW);
  await openAs(now, 'lekar', '/izvestaji', 'regix');
  await now.page.getByRole('textbox', { name: 'Izaberi izveštaj' }).waitFor({ state: 'attached' });
  await expectFits(now.page);
  for (const name of ['Zakazani izveštaji', 'Kalendar']) {
    await openTab(now.page, name);
    await now.page.waitForLoadState('networkidle');
    await expectFits(now.page);
  }
});
