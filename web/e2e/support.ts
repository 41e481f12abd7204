// The browser and the things that every test does: sign in, wait, look with axe.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Download, type Page, type Request } from '@playwright/test';
import type { SignedInWorker } from '../src/api/types';
import { expect } from './patience';

/** Where there are several stacks, each of the files that run at the same time has one of its own. */
const ownOf = (stacks: string) => {
  const all = stacks.split(' ');
  return all[Number(process.env.TEST_PARALLEL_INDEX ?? 0) % all.length] ?? stacks;
};

export const BASE_URL = ownOf(process.env.E2E_BASE_URL ?? 'http://127.0.0.1:8080');
/** The mail catcher's inbox. */
export const MAIL_URL = ownOf(process.env.E2E_MAIL_URL ?? 'http://127.0.0.1:1080');

const KEY = 'regix.ulogovaniRadnik';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** A test that needs its minute: `./dev test long` runs it. */
export const LONG = { tag: '@long' };
/** How long anything on a page may take. */
export const PATIENCE = 20_000;

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });

/** Lists fade away: what is chosen next must not be looked for in the one before. */
export const listsGone = (page: Page) =>
  expect.poll(() => page.locator('.p-dropdown-panel, .p-multiselect-panel').count(), { timeout: PATIENCE }).toBe(0);

/** Takes an option of the dropdown under this label. */
export async function chooseOf(page: Page, label: string, option: string): Promise<void> {
  await page
    .locator('div')
    .filter({ has: page.locator(`> label:text-is("${label}")`) })
    .locator('.p-dropdown')
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await listsGone(page);
}

/** The PDF that is shown in the next tab: the browser of the tests has no viewer, and takes it as a file. */
export const givenToTab = (context: BrowserContext): Promise<Download> =>
  new Promise((resolve) => context.once('page', (tab) => tab.once('download', resolve)));

const asked = new WeakMap<Page, Set<Request>>();

/** Waits until the page has drawn what it asked for and asks for nothing more. */
export async function quiet(page: Page): Promise<void> {
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  const open = async () => {
    await drawn();
    return asked.get(page)?.size;
  };
  for (let silent = 0; silent < 3; silent += 1) {
    if (await open()) silent = -1;
  }
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What the page itself complained of. */
  complaints: string[];
}

export async function visit(browser: Browser, viewport = WIDE): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport,
    locale: 'sr-Latn-RS',
    timezoneId: 'Europe/Belgrade',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests = new Set<Request>();
  asked.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; the tests look at what the screen makes of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** Passwords of those who have signed in, by their tokens. */
const passwords = new Map<string, string>();

/** Gives the password of a session once more, as dangerous changes ask. */
export const confirmPassword = (token: string, site = BASE_URL): Promise<void> =>
  call('POST', '/api/session/confirm', { token, body: { lozinka: passwords.get(token) }, site });

/** Calls the API as a program does; a dangerous change is confirmed by itself. */
export async function call<T>(
  method: string,
  path: string,
  { token, body, site = BASE_URL }: { token?: string; body?: unknown; site?: string } = {},
): Promise<T> {
  const response = await fetch(site + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Regix ${token}` } : {}) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (response.status === 428 && token && passwords.has(token)) {
    await confirmPassword(token, site);
    return call(method, path, { token, body, site });
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function logIn(username: string, password = username): Promise<SignedInWorker> {
  const { ulogovaniRadnik } = await call<{ ulogovaniRadnik: SignedInWorker }>('POST', '/api/login', { body: { username, password } });
  passwords.set(ulogovaniRadnik.token, password);
  return ulogovaniRadnik;
}

/** A new worker's first duty: the password that an administrator gave becomes an own one. */
export async function choosePassword(username: string, given: string, own: string): Promise<void> {
  const { id, token } = await logIn(username, given);
  const body = { radnikID: id, staraLozinka: given, novaLozinka: own, potvrdaLozinke: own, isAdmin: false };
  await call('POST', '/api/worker-password-change', { token, body });
}

/** Makes somebody signed in on every page to come. */
export const signIn = (context: BrowserContext, worker: SignedInWorker): Promise<unknown> =>
  context.addInitScript(([key, record]) => localStorage.getItem(key) ?? localStorage.setItem(key, record), [
    KEY,
    JSON.stringify(worker),
  ] as const);

/** Opens a page as somebody already signed in, in a theme of choice. Who administers has just confirmed the password: the question for
 *  it is in `confirming.e2e.ts`. */
export async function openAs(visit: Visit, username: string, path: string, theme?: string): Promise<SignedInWorker> {
  const worker = await logIn(username);
  if (theme) {
    await call('PATCH', `/api/workers/${worker.id}`, { token: worker.token, body: { theme } });
    worker.theme = theme;
  }
  if (username === 'admin') await confirmPassword(worker.token);
  await signIn(visit.context, worker);
  await visit.page.goto(path);
  return worker;
}

/** The id of one of the demo's registers. */
export async function registerOf(sifra: 'kardiologija' | 'reumatologija', token: string): Promise<number> {
  const { data } = await call<{ data: { id: number; sifra: string }[] }>('GET', '/api/registers?aktivan=true', { token });
  const found = data.find((register) => register.sifra === sifra);
  if (!found) throw new Error(`the demo has no register ${sifra}`);
  return found.id;
}

/** The words of a PDF, as they lie on its pages. */
export function wordsOf(pdf: Buffer): string {
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  return execFileSync(process.env.PDFTOTEXT ?? 'pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
}

/** Types into the sign-in screen and presses Enter. */
export async function signInByHand(page: Page, username: string, password = username): Promise<void> {
  await page.getByLabel('Korisničko ime').fill(username);
  await page.getByLabel('Lozinka', { exact: false }).first().fill(password);
  await page.keyboard.press('Enter');
}

export const storedWorker = (page: Page): Promise<SignedInWorker | null> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as SignedInWorker | null, KEY);

interface Violation {
  id: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** Fails with every accessibility fault that axe sees on the page as it stands; `rules` names some of its rules. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // Once for each page that is loaded: it takes as long as a small look.
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Colours are judged at rest, not in the middle of a blink or a fade.
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    });
    await page.evaluate(AXE);
  }
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run: (options: { runOnly?: string[]; resultTypes: string[] }) => Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary ?? ''}`),
    ),
  ).toEqual([]);
}

/** The page is no wider than the window: nothing is cut off or scrolls sideways. */
export async function expectFits(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

let newest = 0;

/** A JMBG that nobody has: born on 14 May 1961, region and serial by the clock, and of two asked for at once by the next moment. */
export function freshJmbg(): string {
  newest = Math.max(Date.now(), newest + 1);
  const serial = String(newest % 500).padStart(3, '0');
  const digits = `1405961${String(70 + (Math.floor(newest / 500) % 20))}${serial}`;
  const rest = 11 - (Array.from(digits).reduce((sum, digit, i) => sum + Number(digit) * (i < 6 ? 7 - i : 13 - i), 0) % 11);
  return `${digits}${rest > 9 ? 0 : rest}`;
}

/** Says on an entry's screen who answers for it: the doctor of the demo's `lekar`. */
export async function chooseDoctor(page: Page): Promise<void> {
  const doctor = page.getByRole('combobox', { name: 'Ordinirajući lekar' });
  await doctor.focus();
  await page.keyboard.type('ced ziv');
  await page.keyboard.press('Enter');
  await expect.poll(() => doctor.inputValue()).toBe('Živković Čedomir');
}
