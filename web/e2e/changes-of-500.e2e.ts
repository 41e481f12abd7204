// A form is changed with five hundred entries stored: its formula, an item's weight, a unit, a bound and a name. What is shown, searched,
// printed, reported and remembered of them is as before until somebody has the results recomputed; and engines that are killed on the way
// leave each entry done once.
import { type Locator, type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { startEngine } from './killable';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { LONG, BASE_URL, call, expectAccessible, listsGone, logIn, openAs, wordsOf, type Visit } from './support';

const PATIENTS = 25;
const EACH = 20;
const ALL = PATIENTS * EACH;
/** The bound that the draft sets: two entries of each patient are above. */
const MOST = 18;
/** Of the number 6, whose items weigh 2 and then 5. */
const SIX = 5;
const [OLD, NEW] = [8, 17];
const OLD_NAME = 'Polazni broj';
const NEW_NAME = 'Šećer u krvi';

let now: Visit;
let page: Page;
let register: OwnRegister;
let report = 0;
let reportName = '';
const patients: number[] = [];
/** By patient, in the order of their numbers 1 to 20. */
const entries: number[][] = [];

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
/** Of the number 1: the one with a value in the unit that is changed, and the newest, whose values the patient's page shows. */
const WEIGHED = 0;
/** Of the number 20, above the new bound. */
const ABOVE = EACH - 1;
const day = (place: number) => `2026-02-${String(place === WEIGHED ? 25 : place + 1).padStart(2, '0')}`;
const token = () => register.doctor.token;

async function makeReport(): Promise<void> {
  const { admin } = register;
  reportName = `Zbirovi ${Date.now().toString(36)}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token: admin });
  const body = { numerickaVrednost: 96, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'ustanova' };
  report = (await call<{ id: number }>('POST', '/api/reports', { token: admin, body: { ...body, naziv: reportName } })).id;
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token: admin });
  for (const format of formats.data)
    await call('POST', '/api/report-format-links', { token: admin, body: { izvestaj: report, format: format.id } });
  const izbor = {
    registarID: register.id,
    tipUnosaID: register.form,
    prikaz: 'grupe',
    grupe: [{ po: 'mesec' }],
    mere: [
      { mera: 'brojUnosa' },
      { mera: 'srednjaVrednost', poljeID: register.fields.zbir },
      { mera: 'srednjaVrednost', poljeID: register.fields.masa },
    ],
  };
  const { broj } = await call<{ broj: number }>('POST', `/api/reports/${report}/simple-definitions`, {
    token: admin,
    body: { izbor, osnova: 0 },
  });
  await call('POST', `/api/reports/${report}/definitions/${broj}/publish`, { token: admin, body: { objavljena: 0 } });
}

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const types = { Broj: { jedinica: 'mg/L' }, Stadijum: { tipVrednostiAtributa: 4 }, Masa: { jedinica: 'g' }, Zbir: {} };
  register = await ownRegister('petsto', 'Kontrola', types, [
    { sifra: 'broj', naziv: OLD_NAME, tip: 'Broj' },
    { sifra: 'stadijum', naziv: 'Stadijum', tip: 'Stadijum' },
    { sifra: 'masa', naziv: 'Masa', tip: 'Masa' },
    { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Zbir', formula: '$(broj) + $!(stadijum)' },
  ]);
  const items: number[] = [];
  for (const [place, naziv] of ['Rani', 'Pozni'].entries()) {
    const body = { naziv, numVrednost: place + 1, redosled: place + 1, tipAtributa: register.types.Stadijum?.id };
    items.push((await call<{ id: number }>('POST', '/api/enum-items', { token: register.admin, body })).id);
  }
  for (let one = 0; one < PATIENTS; one += 1)
    patients.push(await patientOf(register, `Petstotić${String.fromCharCode(97 + one)}`, 'Proba'));
  const fill = async (patient: number) => {
    const made: number[] = [];
    for (let place = 0; place < EACH; place += 1) {
      const values = { broj: place + 1, stadijum: [items[place % 2]], ...(place === WEIGHED && { masa: 500 }) };
      made.push(await entryOf(register, patient, day(place), values));
    }
    return made;
  };
  // Four at a time: more connections than that at once are no haste.
  const waiting = [...patients.keys()];
  const next = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) entries[place] = await fill(patients[place] ?? 0);
  };
  await Promise.all([next(), next(), next(), next()]);
  await makeReport();
});
test.afterAll(async () => {
  if (report) await call('DELETE', `/api/reports/${report}`, { token: register.admin });
  for (const patient of patients) await forget(register, patient);
});

const { row, property, kept, begin, impact, publish } = designerOn(() => page);
const part = () => page.getByRole('region', { name: 'Preračunavanje snimljenih rezultata' });
const result = () => page.locator('output').and(page.getByLabel('Izračunat zbir', { exact: true }));
const entryAt = (patient: number, place: number) => entries[patient]?.[place] ?? 0;
const entryOfSix = (patient: number) => entryAt(patient, SIX);

async function type(name: string, value: string) {
  await property(name).fill(value);
  await property(name).blur();
}

/** How many patients have an entry with this result. */
async function found(value: number): Promise<number> {
  const criterion = { tipUnosaID: register.form, poljeID: register.fields.zbir, operator: '=', vrednost: String(value) };
  const search = { registarID: register.id, redPretrage: [criterion], opsegUslova: 'biloKojiUnos', sviRezultati: true };
  const { unosi } = await call<{ unosi: { pacijentID: number }[] }>('POST', '/api/search', { token: token(), body: search });
  return new Set(unosi.map(({ pacijentID }) => pacijentID)).size;
}

async function bytes(path: string): Promise<Buffer> {
  const response = await fetch(BASE_URL + path, { headers: { Authorization: `Regix ${token()}` } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
const ended = (path: string) =>
  expect
    .poll(async () => (await call<{ status: string }>('GET', path, { token: token() })).status, { timeout: 60_000, intervals: [200] })
    .toBe('succeeded');

/** The numbers of the report's one row: entries, the mean of their results, and that of the masses, in grams as they were entered. */
/** The report's numbers, and what it says of values that do not compare. */
async function reported(): Promise<[...numbers: number[], note: string]> {
  const body = { siID: report, parametri: {}, emails: [], formati: ['CSV'], kljuc: crypto.randomUUID() };
  const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token: token(), body });
  await ended(`/api/report-runs/${izvestajID}`);
  const csv = (await bytes(`/api/report-runs/${izvestajID}/download?format=CSV`)).toString('utf8');
  expect(csv).toContain('Masa (g)');
  const cells = csv.trim().split('\r\n')[1]?.split(';').slice(1) ?? [];
  const numbers = cells.slice(0, -1).map((cell) => Number(cell.replaceAll('.', '').replace(',', '.')));
  return [...numbers, cells.at(-1) ?? ''];
}

const doNotCompare = (values: number) => `Po ranijoj formuli ili jedinici: ${values}`;

async function printed(entry: number): Promise<string> {
  const { stampaID } = await call<{ stampaID: string }>('POST', '/api/entry-prints', { token: token(), body: { unosID: entry } });
  await ended(`/api/entry-prints/${stampaID}`);
  return wordsOf(await bytes(`/api/entry-prints/${stampaID}/file`));
}

/** As a doctor sees one of the entries: its words, its result, what its history and its print say. */
async function seen(entry: number, name: string, value: number, isRecomputed: boolean) {
  await anew();
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await expect.poll(() => page.getByLabel(name, { exact: true }).inputValue()).toBe('6');
  await expect.poll(() => result().innerText()).toBe(String(value));
  await page.goto(`/unosArhiva/${entry}`);
  await page.getByRole('button', { name: 'Pretraži' }).waitFor();
  const steps = page.getByText('sa verzije 1 na 2', { exact: false });
  if (isRecomputed) await steps.getByText('preračunavanje po zahtevu', { exact: false }).waitFor();
  expect(await steps.count(), 'done once, or not at all').toBe(isRecomputed ? 1 : 0);
  const words = await printed(entry);
  expect(words).toMatch(new RegExp(`${name}.*\\b6\\b`));
  expect(words).toMatch(new RegExp(`Izračunat zbir.*\\b${value}\\b`));
  expect(words.includes(name === NEW_NAME ? OLD_NAME : NEW_NAME)).toBe(false);
}

const OTHERWISE = 'Današnja formula daje drugi rezultat';
const IN_GRAMS = 'Uneto u jedinici g';
/** What the marks in it say. */
const marksIn = (part: Locator) => part.getByRole('img').evaluateAll((marks) => marks.map((mark) => mark.ariaLabel));

/** By screen, what a search in all entries says of the first patient's match, and its marks. */
async function match(item: string, value: number): Promise<[string, (string | null)[]]> {
  await page.goto(`/registri/${register.id}`);
  await page.getByRole('heading', { name: register.naziv, level: 1 }).waitFor();
  const choose = async (label: string, option: string) => {
    const place = page.locator('div:has(> label)').filter({ hasText: new RegExp(`^${label}`) });
    await place.locator('.p-dropdown').click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await listsGone(page);
  };
  await choose('Stavka unosa', item);
  await choose('Operator', 'jednako');
  await page.getByRole('listitem', { name: 'Uslov 1' }).getByLabel('Vrednost', { exact: false }).fill(String(value));
  await choose('Uslovi važe za', 'bilo koji unos');
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  const row = page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('row').filter({ hasText: 'Petstotića' });
  const found = row.getByRole('listitem').filter({ hasText: item }).filter({ visible: true }).first();
  await found.waitFor();
  return [(await found.innerText()).trim(), await marksIn(found)];
}

/** By screen, the table of the history of these items of an entry: until when each value holds, the item, what was chosen, the number. */
async function history(entry: number, items: readonly string[]): Promise<string[][]> {
  await page.goto(`/unosArhiva/${entry}`);
  await page.locator('main .p-multiselect').click();
  for (const name of items) await page.getByRole('option', { name, exact: true }).click();
  await page.keyboard.press('Escape');
  await listsGone(page);
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  const table = page.getByRole('table', { name: 'Promene vrednosti' });
  await table
    .getByRole('cell', { name: items.at(-1) ?? '', exact: true })
    .first()
    .waitFor();
  const rows = await table.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((one) => one.textContent)));
  return rows.map(([until = '', , item = '', chosen = '', , , number = '']) => [
    /^važi/.test(until) ? until : 'ranije',
    item,
    chosen,
    number,
  ]);
}
const NOW = 'važi sada';
const NOW_OTHERWISE = 'važi sada (po ranijoj formuli ili jedinici)';

/** Rows of the newest values; what changed since the visit before stands in a list of its own. */
const VALUES = 'dl:not([class*="_changes_"]) > div';

/** The first patient's page: values of the newest entry with their marks, and the days of the entries that are marked. */
async function patientPage() {
  await page.goto(`/pacijenti/${patients[0] ?? 0}`);
  const value = page.locator(VALUES).filter({ has: page.getByText('Masa', { exact: true }) });
  await value.waitFor();
  const result = page.locator(VALUES).filter({ has: page.getByText('Izračunat zbir', { exact: true }) });
  const entry = page.getByRole('list', { name: 'Kontrola' }).getByRole('listitem');
  const marked = entry.filter({ has: page.getByRole('img', { name: OTHERWISE }) });
  return {
    mass: (await value.locator('dd').innerText()).trim(),
    massMarks: await marksIn(value),
    result: (await result.locator('dd').innerText()).trim(),
    resultMarks: await marksIn(result),
    days: (await marked.getByRole('link').allInnerTexts()).map((date) => Number(date.slice(0, 2))),
  };
}

/** Of the weighed entry: its value is told in the unit in which it was entered, wherever it is read. Its result is that of the first
 *  formula, before and after, since it is never recomputed. */
async function weighed(isMarked: boolean) {
  const entry = entryAt(0, WEIGHED);
  await anew();
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  const mass = page.getByLabel('Masa', { exact: true });
  await expect.poll(() => mass.inputValue()).toBe('500');
  expect(await mass.locator('xpath=ancestor::div[contains(., "g")][1]').innerText()).toMatch(/\bg\b/);
  expect(await page.getByText('kg', { exact: true }).count()).toBe(0);
  expect(await match('Masa', 500)).toEqual(['25.02.2026. Masa: 500 g', isMarked ? [IN_GRAMS] : []]);
  const shown = isMarked ? NOW_OTHERWISE : NOW;
  expect(await history(entry, ['Masa', 'Izračunat zbir'])).toEqual([
    [NOW, 'Masa', '—', '500'],
    [shown, 'Izračunat zbir', '—', '2'],
  ]);
  const words = await printed(entry);
  expect(words).toMatch(/Masa\s+500 g/);
  expect(words.includes(OTHERWISE)).toBe(isMarked);
  const { mass: read, massMarks, result: computed, resultMarks } = await patientPage();
  expect([read, massMarks, computed, resultMarks]).toEqual(['500 g', [], '2', isMarked ? [OTHERWISE] : []]);
}

test('what is published says before what it changes, each number with its list, and leaves what is stored as it was', LONG, async () => {
  test.setTimeout(240_000);
  await seen(entryOfSix(0), OLD_NAME, OLD, false);
  expect([await found(OLD), await found(NEW)]).toEqual([PATIENTS, 0]);
  expect(await reported()).toEqual([ALL, 12, 500, '']);
  await weighed(false);
  expect((await patientPage()).days).toEqual([]);

  await anew();
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  await row(OLD_NAME).click();
  await type('Naziv', NEW_NAME);
  await type('Gornja granica brojne vrednosti', String(MOST));
  await row('Stadijum').click();
  const weight = page.getByRole('group', { name: 'Pozni' }).getByLabel('Numerička vrednost', { exact: true });
  await weight.fill('5');
  await weight.blur();
  await row('Masa').click();
  await type('Jedinica', 'kg');
  await row('Izračunat zbir').click();
  await type('Formula za računanje', '$(broj) * 2 + $!(stadijum)');
  await kept();

  const dialog = await impact();
  await dialog.getByText(`${ALL} unosa`, { exact: true }).waitFor();
  const lists: readonly (readonly [string, RegExp, number])[] = [
    [`${ALL} rezultata se menja`, /^Unos br\. \d+: Izračunat zbir$/, 201],
    [`${2 * PATIENTS} vrednosti van novih granica`, new RegExp(`^Unos br\\. \\d+: ${NEW_NAME}$`), 2 * PATIENTS],
    [`${PATIENTS} vrednosti u ranijoj jedinici`, /^Unos br\. \d+: Masa$/, PATIENTS],
    ['1 pravilo čita izmenjena polja', /^Izračunat zbir/, 1],
    ['1 izveštaj čita izmenjena polja', new RegExp(`^${reportName}`), 1],
  ];
  for (const [label, line, lines] of lists) {
    const list = dialog.locator('details').filter({ hasText: label });
    await list.getByText(label, { exact: true }).click();
    await list.getByText(line).first().waitFor();
    expect(await list.getByRole('listitem').count(), label).toBe(lines);
  }
  const results = dialog.locator('details').filter({ hasText: `${ALL} rezultata se menja` });
  await results.getByRole('button', { name: `Prikaži još 200 od ${ALL - 200}` }).click();
  await results.getByRole('button', { name: `Prikaži još ${ALL - 400}`, exact: true }).click();
  expect(await results.getByRole('listitem').count(), 'to the end').toBe(ALL);
  const all = dialog.locator('details').filter({ hasText: 'Spisak svih unosa' });
  await all.getByText('Spisak svih unosa', { exact: true }).click();
  await all.getByRole('button', { name: `Prikaži još 200 od ${ALL - 200}` }).click();
  await all.getByRole('button', { name: `Prikaži još ${ALL - 400}`, exact: true }).click();
  await expect.poll(() => all.getByRole('listitem').count()).toBe(ALL);
  await expectAccessible(page);
  await publish();
  const question = page.getByRole('alertdialog');
  const said = `${ALL} unosa, ${ALL} snimljenih rezultata se razlikuje, ${PATIENTS} vrednosti je u ranijoj jedinici.`;
  await question.getByText(said, { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByText('Objavljena je verzija 2', { exact: false }).waitFor();

  await seen(entryOfSix(0), OLD_NAME, OLD, false);
  expect([await found(OLD), await found(NEW)]).toEqual([PATIENTS, 0]);
  // Each result by the former formula, and a value of each patient in the former unit.
  expect(await reported()).toEqual([ALL, 12, 500, doNotCompare(ALL + PATIENTS)]);

  // What the new formula gives otherwise is marked wherever it is read beside others, until it is recomputed.
  await weighed(true);
  expect((await patientPage()).days.length).toBe(EACH);
  expect(await match('Izračunat zbir', OLD)).toEqual([`07.02.2026. Izračunat zbir: ${OLD}`, [OTHERWISE]]);
  expect(await history(entryOfSix(0), [OLD_NAME, 'Stadijum', 'Izračunat zbir'])).toEqual([
    [NOW, OLD_NAME, '—', '6'],
    [NOW, 'Stadijum', 'Pozni', '—'],
    [NOW_OTHERWISE, 'Izračunat zbir', '—', String(OLD)],
  ]);
  expect(await printed(entryOfSix(0))).toContain(OTHERWISE);

  // A new entry has the new words, weights and formula.
  await page.goto(`/unosi/novi?tsaID=${register.form}&pacijentID=${patients[0] ?? 0}&datumUnosa=2026-03-04`);
  await page.getByLabel(NEW_NAME, { exact: true }).fill('6');
  await page.getByLabel('Stadijum', { exact: true }).selectOption({ label: 'Pozni' });
  await expect.poll(() => result().innerText()).toBe(String(NEW));
});

test('recomputed by engines that are killed on the way, each entry is done once, and all tell the new results', LONG, async () => {
  test.setTimeout(400_000);
  const { token: admin } = await logIn('admin');
  const healthy = (
    await call<{ procesi: { id: string; vrsta: string; ziv: boolean }[] }>('GET', '/api/operations', { token: admin })
  ).procesi.filter(({ vrsta, ziv }) => ziv && vrsta === 'report-engine');
  const change = (what: 'drain' | 'resume') =>
    Promise.all(healthy.map((engine) => call('POST', `/api/operations/engines/${engine.id}/${what}`, { token: admin })));

  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await page.getByRole('tab', { name: 'Verzije' }).click();
  await change('drain');
  try {
    await part().getByRole('button', { name: 'Preračunaj', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(`Obeleženo: ${ALL} unosa`, { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Preračunaj', exact: true }).click();
    // One that has written a patient, and one in the middle of the next.
    for (const place of ['recompute-between', 'recompute-patient'] as const) await (await startEngine(place)).kill();
    await part().getByText(`Pregledano ${EACH} od ${ALL} unosa`, { exact: true }).waitFor();
  } finally {
    await change('resume');
  }
  await part().getByText('Završeno', { exact: true }).waitFor({ timeout: 120_000 });
  const left = 3 * PATIENTS;
  await part()
    .getByText(`Promenjen rezultat: ${ALL - left}. Prevedeno na verziju bez promene rezultata: 0. Ostalo kakvo jeste: ${left}.`, {
      exact: true,
    })
    .waitFor();
  await part().getByText(`Ostalo kakvo jeste: ${left} unosa`, { exact: true }).click();
  await part().getByText(`vrednost je uneta u drugoj jedinici: Masa (${PATIENTS})`, { exact: true }).waitFor();
  const broken = `vrednost ne zadovoljava novo pravilo (opseg, decimale ili obaveznost): ${NEW_NAME} (${2 * PATIENTS})`;
  await part().getByText(broken, { exact: true }).waitFor();
  await expectAccessible(page);

  // Of the patient that the first engine wrote, of the one that the second was at, and of the last.
  for (const patient of [0, 1, PATIENTS - 1]) await seen(entryOfSix(patient), NEW_NAME, NEW, true);
  expect([await found(OLD), await found(NEW)]).toEqual([0, PATIENTS]);
  // 2, 20 and 22 of the entries that stayed, and 2b + 5 or 2b + 1 of the others of a patient: 437 in 20 entries.
  expect(await reported()).toEqual([ALL, 21.85, 500, doNotCompare(left + PATIENTS)]);

  // No mark is left where it was recomputed; it is where something else would have changed.
  await weighed(true);
  expect((await patientPage()).days).toEqual([25, 20, 19]);
  expect(await match('Izračunat zbir', NEW)).toEqual([`06.02.2026. Izračunat zbir: ${NEW}`, []]);
  expect(await printed(entryOfSix(0))).not.toContain(OTHERWISE);
  // What was not computed keeps the name by which it was entered.
  const kept = await history(entryOfSix(0), [NEW_NAME, 'Izračunat zbir']);
  for (const row of [
    [NOW, OLD_NAME, '—', '6'],
    ['ranije', 'Izračunat zbir', '—', String(OLD)],
    [NOW, 'Izračunat zbir', '—', String(NEW)],
  ])
    expect(kept).toContainEqual(row);
  expect(kept.length).toBe(3);
});

test(
  'an old entry is corrected in its own words, and one above the new bound keeps its value where another one is corrected',
  LONG,
  async () => {
    test.setTimeout(180_000);
    const save = async () => {
      await page.getByRole('button', { name: 'Snimi i ostani' }).click();
      await page.getByText('Uspešno snimljen unos.').last().waitFor();
    };
    const stored = async (entry: number) => {
      const display = await call<{ obrazac: { verzija: number }; vrednosti: Record<string, number> }>(
        'GET',
        `/api/entry-display?haID=${entry}`,
        {
          token: token(),
        },
      );
      const of = (code: string) => display.vrednosti[String(register.fields[code])];
      return [display.obrazac.verzija, of('broj'), of('masa'), of('zbir')];
    };
    // By its own version.
    const [own, newest, old] = [entryAt(2, ABOVE), entryAt(3, ABOVE), entryAt(4, WEIGHED)];
    await openAs(now, 'lekar', `/unosi/${own}`, 'regix');
    await expect.poll(() => page.getByLabel(OLD_NAME, { exact: true }).inputValue()).toBe('20');
    await page.getByLabel('Masa', { exact: true }).fill('7');
    await save();
    expect(await stored(own)).toEqual([1, 20, 7, 22]);

    // By the newest one too: only what is changed is held to the bound.
    await page.goto(`/unosi/${newest}`);
    await page.getByRole('button', { name: 'Prikaži razlike' }).click();
    await page.getByRole('button', { name: 'Pređi na verziju 2' }).click();
    const number = page.getByLabel(NEW_NAME, { exact: true });
    await expect.poll(() => number.inputValue()).toBe('20');
    await page.getByLabel('Masa', { exact: true }).fill('7');
    await number.fill('21');
    await page.getByRole('button', { name: 'Snimi i ostani' }).click();
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true');
    expect(await stored(newest)).toEqual([1, 20, undefined, 22]);
    await number.fill('20');
    await save();
    expect(await stored(newest)).toEqual([2, 20, 7, 45]);

    // The history of a correction has the name and the unit of then.
    await page.goto(`/unosi/${old}`);
    await page.getByLabel(OLD_NAME, { exact: true }).fill('2');
    await page.getByLabel('Masa', { exact: true }).fill('600');
    await save();
    expect(await stored(old)).toEqual([1, 2, 600, 3]);
    const rows = await history(old, [OLD_NAME, 'Masa']);
    for (const row of [
      ['ranije', OLD_NAME, '—', '1'],
      [NOW, OLD_NAME, '—', '2'],
      ['ranije', 'Masa', '—', '500'],
      [NOW, 'Masa', '—', '600'],
    ])
      expect(rows).toContainEqual(row);
    expect(rows.length).toBe(4);
    await page.getByText('Rečenice', { exact: true }).click();
    const sentences = page.getByRole('table', { name: 'Promene vrednosti' });
    await expect.poll(() => sentences.innerText()).toMatch(/Masa.*500 g.*600 g/);
    expect(await sentences.innerText()).toMatch(new RegExp(`${OLD_NAME}.*1 mg/L.*2 mg/L`));
  },
);
