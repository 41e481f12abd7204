// `./dev bench form`: opening, typing in and saving the two large forms of form.register.mjs on a processor four times slower. Fails where
// a goal is not met: opened, recalculated, saved in time. What opens and recalculates is held against a bare page of 800 inputs that shows and
// hides as much, measured in turns with it: machines differ, and the same one from day to day. A machine shared with others is slower at
// times; what was measured then is told by the arithmetic beside it, shown, and not held against the goals.
import { cpus, loadavg } from 'node:os';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Schema } from '../src/schema';
import { BASE_URL, call, launch, logIn, openAs, visit, type Visit } from '../e2e/support';
import { ValueType } from '../src/forms/valueType';
import { install, SlowPage, type Took } from './probe';

const RATE = 4;
const OPENINGS = Number(process.env.OPENINGS ?? 9);
/** How often the first keystrokes after an opening are measured: so few of them say little of the slowest. */
const FIRST_TYPED = 3;
const SAVES = 30;
/** Filled rows of the section that repeats, and of the one whose rows calculate. */
const ROWS = 20;
const CALCULATING_ROWS = 50;
/** Times what the bare page takes to open, and to paint the same keystroke, which changes nothing else; a save in milliseconds. `keyOfAll`
 * is of a keystroke that changes a result in each of the rows. */
const GOAL = { open: 2, key: 0.8, keyOfAll: 1.25, save: 300 };
/** Of keystrokes the slowest of twenty is held against the goal. */
const KEY_AT = 0.95;
/** Arithmetic that takes so much longer than in the run's quickest tenth: others had the machine. */
const DISTURBED = 1.25;
/** Of so few nothing can be said: an opening's median, a keystroke's slowest of twenty. */
const ENOUGH = { open: 3, key: 40 };
/** Keystrokes in a row, before the other page has its turn: a machine is not equally quick in every minute. */
const TURN = 20;
const FIRST_INPUT = '[id^="polje-"]:not([id="polje--1"]):not([id="polje--2"])';

interface Field {
  id: number;
  sifra: string;
  tvaNumVrednost: Schema<'ValueType'>;
  formulaZaRacunanje: unknown;
  formulaZaPrikaz: { deps: string[] } | null;
  enumStavkeSve: { id: number }[];
  kolone?: Field[];
  tipAtributa: { gornjaGranicaBrojneVrednosti: number | null };
}

interface Display {
  tsa: { id: number; verzija: number; datumUnosa: string; radnikOdgovoran: number | null };
  registar: { id: number };
  pacijent: { id: number };
  autsiArray: Field[];
  vrednosti: Record<string, unknown>;
  radniciOdgovorni: { id: number }[];
}

interface Row {
  what: string;
  took: Took[];
  /** What the bare page took for the same. */
  floor?: Took[];
  /** Times the floor; milliseconds where there is none. */
  goal?: number;
  /** Which quantile is held against the goal. */
  at: number;
}

const rows: Row[] = [];
let browser: Browser;
let token: string;
let doctor: number | null;

const quantile = (figures: readonly number[], q: number) =>
  [...figures].sort((a, b) => a - b)[Math.min(figures.length - 1, Math.floor(q * figures.length))] ?? NaN;
const clocks = (took: readonly Took[]) => took.map(({ clock }) => clock);
const works = (took: readonly Took[]) => took.map(({ work }) => work);
/** What was measured while nobody else had the machine; saves, at the server, are all taken. */
function calm(took: readonly Took[]): readonly Took[] {
  const quick = quantile(
    rows.flatMap((row) => row.took.flatMap(({ arithmetic }) => arithmetic ?? [])),
    0.1,
  );
  return took.filter(({ arithmetic = 0 }) => arithmetic <= DISTURBED * quick);
}
const figure = ({ took, at }: Pick<Row, 'took' | 'at'>) => quantile(clocks(calm(took)), at);
const isScant = ({ took, at }: Row) => calm(took).length < Math.min(took.length, at === KEY_AT ? ENOUGH.key : ENOUGH.open);
const floorOf = ({ floor, at }: Row) => (floor ? figure({ took: floor, at }) : NaN);
const isOver = (row: Row) => row.goal !== undefined && figure(row) > row.goal * (row.floor ? floorOf(row) : 1);

/** An answer for every field that takes one; sections have so many rows. */
function answers(fields: readonly Field[], count: number): Record<string, unknown> {
  const value = ({ id, tvaNumVrednost, enumStavkeSve }: Field): unknown =>
    (
      ({
        [ValueType.Choice]: true,
        [ValueType.Number]: id % 40,
        [ValueType.Text]: `Nalaz ${id}`,
        [ValueType.Set]: [enumStavkeSve[id % Math.max(enumStavkeSve.length, 1)]?.id],
        [ValueType.Date]: `2026-03-${String(1 + (id % 28)).padStart(2, '0')}`,
      }) as Partial<Record<Schema<'ValueType'>, unknown>>
    )[tvaNumVrednost];
  const answered = fields.filter((field) => value(field) !== undefined && !field.formulaZaRacunanje);
  const typed = (columns: readonly Field[]) => columns.filter(({ formulaZaRacunanje }) => !formulaZaRacunanje);
  const cells = (columns: readonly Field[]) => Object.fromEntries(typed(columns).map((column) => [column.id, value(column)]));
  const rows = fields.flatMap(({ id, kolone = [] }) =>
    kolone.length > 0 ? [[id, Array.from({ length: count }, (_, n) => ({ id: n + 1, v: cells(kolone) }))]] : [],
  );
  return { ...Object.fromEntries(answered.map((field) => [field.id, value(field)])), ...(Object.fromEntries(rows) as object) };
}

const saveOf = ({ tsa, registar, pacijent }: Display, vrednosti: unknown, more: object = {}) => ({
  tsaID: tsa.id,
  registarID: registar.id,
  pacijentID: pacijent.id,
  vrednosti,
  datumUnosa: '2026-03-05',
  radnikOdgovoran: doctor,
  ...more,
});

/** A filled entry of a large form, of a demo patient whom the doctor may change. */
async function filledEntry(name: string, count = ROWS): Promise<{ id: number; display: Display }> {
  const registers = await call<{ data: { id: number; naziv: string; sifra: string }[] }>('GET', '/api/registers?aktivan=true', { token });
  const of = (naziv: string) => registers.data.find((one) => one.naziv === naziv)?.id;
  const { tipoviUnosa } = await call<{ tipoviUnosa: { id: number; naziv: string }[] }>(
    'GET',
    `/api/registers/${of('Veliki obrasci') ?? 0}/search-setup`,
    { token },
  );
  const form = tipoviUnosa.find(({ naziv }) => naziv === name);
  const found = await call<{ unosi: { pacijentID: number | null }[] }>('POST', '/api/search', {
    token,
    body: { registarID: of('Reumatologija'), ime: '', prezime: '', brojRezultatePretrage: 50, sviRezultati: false },
  });
  const patient = found.unosi.find(({ pacijentID }) => pacijentID !== null)?.pacijentID;
  if (!form || !patient) throw new Error('the large forms are not imported, or there is no patient');
  const display = await call<Display>('GET', `/api/entry-display?tsaID=${form.id}&pacijentID=${patient}`, { token });
  doctor = display.radniciOdgovorni[0]?.id ?? null;
  const saved = await call<{ snimljenUnosID: number }>('POST', '/api/entry-values', {
    token,
    body: saveOf(display, answers(display.autsiArray, count)),
  });
  return { id: saved.snimljenUnosID, display: await call<Display>('GET', `/api/entry-display?haID=${saved.snimljenUnosID}`, { token }) };
}

/** The floor: as many inputs in as many groups, and no script but one that shows and hides 24 of them as the form does. */
const BARE = `<!doctype html><html lang="sr"><meta charset="utf-8"><title>Goli obrazac</title><style>label:not([hidden]){display:block}</style>${Array.from(
  { length: 140 },
  (_, group) =>
    `<fieldset><legend>Grupa ${group + 1}</legend>${Array.from({ length: Math.floor(((group + 1) * 800) / 140) - Math.floor((group * 800) / 140) }, (_, i) => `<label>Polje ${i + 1} <input type="text" id="polje-${group}-${i}"></label>`).join('')}</fieldset>`,
).join('')}<script>
const switched = [...document.querySelectorAll('label')].slice(1, 49).filter((_, i) => i % 2);
document.getElementById('polje-0-1').addEventListener('input', ({ target }) => switched.forEach((one) => (one.hidden = target.value <= 50)));
</script></html>`;

async function bareForm(page: Page): Promise<void> {
  await page.route('**/goli-obrazac', (route) => route.fulfill({ contentType: 'text/html', body: BARE }));
  await page.goto(`${BASE_URL}/goli-obrazac`);
}

/** Opens a page in a fresh browser context that has opened it once before, as a clinician has today: its code is in the cache. */
async function opening(open: (page: Page) => Promise<unknown>): Promise<Took> {
  const now = await visit(browser);
  const { page } = now;
  await install(page, FIRST_INPUT);
  await openAs(now, 'lekar', '/registri');
  await page.getByRole('heading').first().waitFor();
  await open(page);
  await page.evaluate(() => window.probe.usable);
  await page.goto(`${BASE_URL}/registri`);
  await page.getByRole('heading').first().waitFor();
  const took = await (await SlowPage.of(page, RATE)).slowly((slow) => slow.open(open));
  await now.context.close();
  return took;
}

/** Openings of a page and of the bare one, in turns. */
async function openings(open: (page: Page) => Promise<unknown>): Promise<{ took: Took[]; floor: Took[] }> {
  const [took, floor]: [Took[], Took[]] = [[], []];
  for (let n = 0; n < OPENINGS; n++) {
    took.push(await opening(open));
    floor.push(await opening(bareForm));
  }
  return { took, floor };
}

const typed = (text: string, times: number) => text.repeat(times).split('');
const erasing = (keys: readonly string[]) => keys.flatMap((key) => [key, 'Backspace']);

/** Keystrokes into a field of the form and into one of the bare page, in turns. */
async function inTurns(
  form: SlowPage,
  field: string,
  bare: SlowPage,
  bareField: string,
  keys: readonly string[],
): Promise<{ took: Took[]; floor: Took[] }> {
  const [took, floor]: [Took[], Took[]] = [[], []];
  for (let from = 0; from < keys.length; from += TURN) {
    const turn = keys.slice(from, from + TURN);
    took.push(...(await form.slowly((slow) => slow.type(field, turn))));
    floor.push(...(await bare.slowly((slow) => slow.type(bareField, turn))));
  }
  return { took, floor };
}

beforeAll(async () => {
  browser = await launch();
  ({ token } = await logIn('lekar'));
});
afterAll(() => browser.close());

it.each(['Veliki obrazac u karticama', 'Veliki obrazac na jednoj strani'])('measures %s', async (name) => {
  const { id, display } = await filledEntry(name);
  const what = name.replace('Veliki obrazac ', '');
  const open = (label: string, both: { took: Took[]; floor: Took[] }) =>
    rows.push({ what: `${what}: ${label}`, ...both, goal: GOAL.open, at: 0.5 });
  const key = (label: string, took: Took[], floor: Took[]) => {
    const recalculated = took.map(({ heeded = NaN, work, arithmetic }) => ({ clock: heeded, work, arithmetic }));
    rows.push({ what: `${what}: ${label}, recalculated`, took: recalculated, floor, goal: GOAL.key, at: KEY_AT });
    rows.push({ what: `${what}: ${label}, painted`, took, floor, at: KEY_AT });
  };

  open('open by its address', await openings((page) => page.goto(`/unosi/${id}`)));
  open(
    'open within the site',
    await openings((page) =>
      page.evaluate(
        ([path, selector]) => {
          window.probe.await(selector, performance.now());
          history.pushState(null, '', path);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        [`/unosi/${id}`, FIRST_INPUT] as const,
      ),
    ),
  );

  const byCode = new Map(display.autsiArray.map((field) => [field.sifra, field]));
  const atOnce = erasing(typed('12', 20));
  /** A page opened anew, and the first keystrokes in it. */
  const begin = async (open: (now: Visit) => Promise<unknown>, field: string) => {
    const now = await visit(browser);
    await install(now.page, FIRST_INPUT);
    const slow = await SlowPage.of(now.page, RATE);
    const took = await slow.slowly(async () => {
      await open(now);
      await now.page.evaluate(() => window.probe.usable);
      return slow.type(field, atOnce);
    });
    return { ...now, slow, took };
  };
  const beginBare = () => begin(({ page }) => bareForm(page), '#polje-0-0');
  const beginForm = () => begin((now) => openAs(now, 'lekar', `/unosi/${id}`), `#polje-${byCode.get('p1')?.id ?? 0}`);
  let [empty, now] = [await beginBare(), await beginForm()];
  const [first, firstFloor] = [now.took, empty.took];
  for (let n = 1; n < FIRST_TYPED; n++) {
    await Promise.all([now.context.close(), empty.context.close()]);
    [empty, now] = [await beginBare(), await beginForm()];
    first.push(...now.took);
    firstFloor.push(...empty.took);
  }
  key('keystroke at once after opening', first, firstFloor);

  const beside = async (label: string, field: Field | undefined, bareField: string, keys: readonly string[], first = '') => {
    if (!field) throw new Error(`the form has no field for: ${label}`);
    await inInput(label, `#polje-${field.id}`, bareField, keys, first);
  };
  const inInput = async (label: string, own: string, bareField: string, keys: readonly string[], first = '') => {
    await now.page.locator(own).fill(first);
    await empty.page.locator(bareField).fill(first);
    const { took, floor } = await inTurns(now.slow, own, empty.slow, bareField, keys);
    key(label, took, floor);
  };
  // From here on with all of it drawn.
  await now.page.waitForFunction(() => !document.querySelector('[class*="_later_"]'), null, { timeout: 120_000 });
  const read = new Set(
    display.autsiArray.flatMap(({ formulaZaRacunanje, formulaZaPrikaz }) =>
      [(formulaZaRacunanje as { deps: string[] } | null)?.deps ?? [], formulaZaPrikaz?.deps ?? []].flat(),
    ),
  );
  const inFirst = display.autsiArray.filter(({ sifra }) => /^p\d$|^p[123]\d$/.test(sifra));
  const plain = inFirst.find(
    ({ tvaNumVrednost, sifra, formulaZaPrikaz }) => tvaNumVrednost === ValueType.Text && !formulaZaPrikaz && !read.has(sifra),
  );
  await beside('keystroke in a plain field', plain, '#polje-0-0', typed('Bez promena ', 20));
  const score = inFirst.find(({ formulaZaRacunanje }) => formulaZaRacunanje);
  const feeding = byCode.get((score?.formulaZaRacunanje as { deps: string[] } | undefined)?.deps[1] ?? '');
  await beside('keystroke that feeds calculations', feeding, '#polje-0-0', erasing(typed('12', 100)));
  await inInput(
    'keystroke in one of twenty rows',
    '[data-row="1"] td:nth-of-type(1) :is(input, textarea)',
    '#polje-0-0',
    typed('Bez promena ', 20),
  );
  // 51 shows twenty-four fields, 5 hides them again: every second key switches.
  await beside(
    'keystroke that shows and hides 24',
    byCode.get('p0'),
    '#polje-0-1',
    typed('1', 100).flatMap((one) => [one, 'Backspace']),
    '5',
  );
  expect(now.complaints).toEqual([]);
  await now.context.close();
  await empty.context.close();

  const saves: Took[] = [];
  let { vrednosti } = display;
  let { verzija } = display.tsa;
  for (let n = 0; n < SAVES; n++) {
    // One answer, a tenth of them, all numbers: as a visit changes them.
    const numbers = display.autsiArray.filter(
      ({ tvaNumVrednost, formulaZaRacunanje, sifra }) => tvaNumVrednost === ValueType.Number && !formulaZaRacunanje && sifra !== 'p0',
    );
    const sent = Object.fromEntries(
      Object.entries(vrednosti).filter(([field]) => !display.autsiArray.find((one) => String(one.id) === field)?.formulaZaRacunanje),
    );
    for (const field of numbers.slice(0, [1, 80, 400][n % 3])) sent[field.id] = (n + field.id) % 40;
    const body = saveOf(display, sent, { unosID: id, osnova: vrednosti, verzija });
    const start = performance.now();
    const saved = await call<{ verzija: number; vrednosti: Record<string, unknown> }>('POST', '/api/entry-values', { token, body });
    saves.push({ clock: performance.now() - start, work: NaN });
    ({ verzija, vrednosti } = saved);
  }
  rows.push({ what: `${what}: save at the server`, took: saves, goal: GOAL.save, at: 0.95 });
  await call('POST', '/api/delete-entry', { token, body: { id } });
});

/** Each keystroke computes two cells of its row, shows or hides a third, and the share of each other row by their sum. */
it('measures rows that calculate', async () => {
  const { id, display } = await filledEntry('Redovi koji računaju', CALCULATING_ROWS);
  const what = `${String(CALCULATING_ROWS)} rows that calculate`;
  rows.push({ what: `${what}: open by its address`, ...(await openings((page) => page.goto(`/unosi/${id}`))), goal: GOAL.open, at: 0.5 });

  const [now, empty] = [await visit(browser), await visit(browser)];
  for (const { page } of [now, empty]) await install(page, FIRST_INPUT);
  const [slow, bare] = [await SlowPage.of(now.page, RATE), await SlowPage.of(empty.page, RATE)];
  await openAs(now, 'lekar', `/unosi/${id}`);
  await bareForm(empty.page);
  const dose = `[data-row="1"] td:nth-of-type(1) input`;
  await now.page.locator(`[data-row="${String(CALCULATING_ROWS)}"] td:nth-of-type(1) input`).waitFor();
  // 1 hides the reason, 12 and 123 stand on either side of 20.
  for (const [page, field] of [
    [now.page, dose],
    [empty.page, '#polje-0-0'],
  ] as const)
    await page.locator(field).fill('1');
  const keys = ['2', '3', 'Backspace', 'Backspace'];
  const { took, floor } = await inTurns(slow, dose, bare, '#polje-0-0', Array.from({ length: 50 }, () => keys).flat());
  const recalculated = took.map(({ heeded = NaN, work, arithmetic }) => ({ clock: heeded, work, arithmetic }));
  rows.push({ what: `${what}: keystroke in one, recalculated`, took: recalculated, floor, goal: GOAL.keyOfAll, at: KEY_AT });
  rows.push({ what: `${what}: keystroke in one, painted`, took, floor, at: KEY_AT });
  expect(now.complaints).toEqual([]);
  await now.context.close();
  await empty.context.close();

  const section = display.autsiArray.find(({ sifra }) => sifra === 'terapija');
  const changed = section?.kolone?.find(({ sifra }) => sifra === 'doza')?.id ?? 0;
  const saves: Took[] = [];
  let { vrednosti } = display;
  let { verzija } = display.tsa;
  for (let n = 0; n < SAVES; n++) {
    const table = vrednosti[section?.id ?? 0] as { id: number; v: Record<string, unknown> }[];
    const sent = { ...vrednosti, [section?.id ?? 0]: table.map((row) => ({ ...row, v: { ...row.v, [changed]: (n + row.id) % 40 } })) };
    const body = saveOf(display, sent, { unosID: id, osnova: vrednosti, verzija });
    const start = performance.now();
    const saved = await call<{ verzija: number; vrednosti: Record<string, unknown> }>('POST', '/api/entry-values', { token, body });
    saves.push({ clock: performance.now() - start, work: NaN });
    ({ verzija, vrednosti } = saved);
  }
  rows.push({ what: `${what}: save at the server`, took: saves, goal: GOAL.save, at: 0.95 });
  await call('POST', '/api/delete-entry', { token, body: { id } });
});

it('meets the goals', () => {
  const ms = (figure: number) => (Number.isNaN(figure) ? '' : figure.toFixed(figure < 100 ? 1 : 0)).padStart(8);
  const line = (row: Row) => {
    const { what, took, floor, goal, at } = row;
    const quiet = calm(took);
    const ratio = floor ? (figure(row) / floorOf(row)).toFixed(2) : '';
    const judged = goal
      ? `${`p${at * 100} <= ${goal}${floor ? ' x' : ''}`.padStart(14)}  ${isOver(row) ? 'OVER' : isScant(row) ? 'TOO FEW' : 'ok'}`
      : '';
    const figures = [
      ...[0.5, 0.95, 1].map((q) => quantile(clocks(quiet), q)),
      quantile(works(quiet), at),
      quantile(clocks(took), at),
      floorOf(row),
    ];
    return `${what.padEnd(56)}${figures.map(ms).join('')}${ratio.padStart(8)}${`${quiet.length}/${took.length}`.padStart(9)}${judged}`;
  };
  const columns = ['p50', 'p95', 'max', 'work', 'all', 'bare', 'x bare'].map((one) => one.padStart(8)).join('');
  const head = `${`milliseconds, processor ${RATE}x slower but for the saves`.padEnd(56)}${columns}${'calm/n'.padStart(9)}${'goal'.padStart(14)}`;
  const legend = `work: of the main thread, at the goal's quantile. all: by the clock, at it, with what was measured while others had the machine.`;
  const load = (loadavg()[0] ?? 0).toFixed(1);
  process.stdout.write(`\n${cpus().length} processors, load ${load}\n${legend}\n${head}\n${rows.map(line).join('\n')}\n\n`);
  expect(rows.filter(isOver).map(({ what }) => what)).toEqual([]);
  expect(
    rows.filter(isScant).map(({ what }) => what),
    'others had this machine nearly all the time: nothing can be said',
  ).toEqual([]);
});
