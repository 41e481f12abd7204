// A register of stroke, built by clicks and keys alone, which are counted: moments whose minutes formulas give, NIHSS at admission and mRS
// after 90 days from the library of blocks. A doctor then fills in one patient and sees door to needle and both scores computed.
import { type Page, test } from '@playwright/test';
import { counted } from './counted';
import { eachVisit } from './eachVisit';
import { handworkOn } from './handwork';
import { forget, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseDoctor, logIn, openAs, type Visit } from './support';

/** What such a register took before there were blocks, each score built by hand. */
const BEFORE = { clicks: 217, inputs: 168 };

const stamp = Date.now().toString(36);
const naziv = `Moždani udar ${stamp}`;
const FORMS = { admission: 'Prijem', nihss: 'Neurološki nalaz', outcome: 'Ishod posle 90 dana' } as const;

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.afterAll(async () => {
  if (patient) await forget(register, patient);
});

const main = () => page.locator('main');
const press = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true }).click();
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
const cell = (name: string) => main().getByRole('cell', { name, exact: true });
const { type, property, add, next, code, formula, choose, paste } = handworkOn(() => page);

/** Types into a field that is clicked first. */
async function into(field: string, text: string) {
  await property(field)
    .or(property(`${field} *`))
    .first()
    .click();
  await type(text);
}

async function takeBlock(name: string, first: string) {
  await press('Dodaj blok…');
  await page
    .getByRole('dialog', { name: 'Biblioteka blokova' })
    .getByRole('button', { name: `Dodaj u formular: ${name}`, exact: true })
    .click();
  await page
    .getByRole('treeitem', { name: new RegExp(`^${first}`) })
    .first()
    .waitFor();
}

async function admission() {
  await add('panel', 'Vremena');
  await next('Pri prijemu');
  await choose('Vremena');
  await add('datum i vreme', 'Početak simptoma');
  await code('pocetak');
  await next('Dolazak u bolnicu');
  await code('vrata');
  await next('Snimanje glave');
  await code('ct');
  await next('Tromboliza');
  await code('igla');
  await add('vreme', 'Poslednji put viđen zdrav');
  await add('broj', 'Od početka do vrata');
  await formula('Formula za računanje', 'minutes_between($(pocetak), $(vrata))');
  await add('broj', 'Od vrata do snimanja');
  await formula('Formula za računanje', 'minutes_between($(vrata), $(ct))');
  await add('broj', 'Od vrata do igle');
  await formula('Formula za računanje', 'minutes_between($(vrata), $(igla))');
  await choose('Pri prijemu');
  await add('skup', 'Vrsta moždanog udara');
  await paste('Ishemijski\t1\nIntracerebralno krvarenje\t2\nSubarahnoidno krvarenje\t3\nTIA\t4');
  await next('Strana');
  await paste('Leva\t1\nDesna\t2\nObe\t3');
  await add('izbor da/ne', 'Atrijalna fibrilacija');
  for (const one of ['Hipertenzija', 'Dijabetes', 'Uzima antikoagulans']) await next(one);
  await add('broj', 'Sistolni pritisak');
  for (const one of ['Dijastolni pritisak', 'Glikemija']) await next(one);
}

async function nihss() {
  await add('datum i vreme', 'Vreme pregleda');
  await takeBlock('NIHSS', 'NIHSS');
}

async function outcome() {
  await add('datum', 'Datum kontrole');
  await add('izbor da/ne', 'Ponovljen moždani udar');
  await add('skup', 'Gde boravi');
  await paste('Kod kuće\t1\nRehabilitacija\t2\nUstanova za negu\t3');
  await add('tekst', 'Zaključak');
  await takeBlock('mRS', 'Modifikovana Rankinova skala');
}

async function makeForm(name: string, build: () => Promise<void>) {
  await press('Dodaj');
  await heading('Novi formular');
  await into('Naziv', name);
  await press('Dodaj');
  await cell(name).click();
  await press('Izmeni');
  await press('Uredi nacrt');
  await press('Započni nacrt');
  await build();
  await press('Uticaj i objava');
  await page.getByRole('dialog', { name: 'Uticaj i objava' }).getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByText('Objavljena je verzija 1', { exact: false }).waitFor();
  await page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: naziv }).click();
  await heading(naziv);
  await cell(name).waitFor();
}

test('is built of blocks in under half of the clicks and inputs that it took by hand', async () => {
  test.setTimeout(240_000);
  await now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const hands = await counted(now.context);
  await openAs(now, 'admin', '/admin/registri', 'regix');
  await press('Dodaj');
  await heading('Novi registar');
  await into('Naziv', naziv);
  await press('Dodaj');
  await heading('Registri');
  await into('Filtriraj: Naziv', naziv);
  await cell(naziv).click();
  await press('Izmeni');
  await heading(naziv);
  await main().getByRole('tab', { name: 'Formulari', exact: true }).click();
  await makeForm(FORMS.admission, admission);
  await makeForm(FORMS.nihss, nihss);
  await makeForm(FORMS.outcome, outcome);
  console.log(`a stroke register of three forms: ${JSON.stringify(hands)}`);
  expect(hands.clicks).toBeLessThan(BEFORE.clicks / 2);
  expect(hands.inputs).toBeLessThan(BEFORE.inputs / 2);

  const { token } = await logIn('admin');
  const listed = async (path: string) => (await call<{ data: { id: number; naziv: string }[] }>('GET', path, { token })).data;
  const id = (await listed('/api/registers')).find((one) => one.naziv === naziv)?.id ?? 0;
  register = { id, naziv, form: 0, types: {}, fields: {}, admin: token, doctor: await logIn('lekar') };
  const forms = await listed(`/api/forms?registar=${id}`);
  for (const { id, naziv } of forms) register.fields[naziv] = id;
  expect(forms.map(({ naziv }) => naziv)).toEqual(Object.values(FORMS));
  const counts = await Promise.all(forms.map(async ({ id }) => (await listed(`/api/form-fields?tipSkupaAtributa=${id}`)).length));
  // With the panels; NIHSS is 18 of its form's, mRS four of its.
  expect(counts).toEqual([19, 19, 8]);
});

const result = (name: string) => page.locator('output').and(page.getByLabel(name, { exact: true }));
const openNew = async (form: string, day: string) => {
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${register.fields[form] ?? 0}&pacijentID=${patient}&datumUnosa=${day}`, 'regix');
};
async function moment(name: string, day: string, time: string) {
  await page.getByLabel(name, { exact: true }).click();
  await page.getByLabel(name, { exact: true }).fill(day);
  await page.getByLabel(`${name}: vreme`, { exact: true }).fill(time);
  await page.getByLabel(`${name}: vreme`, { exact: true }).blur();
}
/** The option at this place of a question of a block. */
const mark = (question: string, at: number) =>
  page
    .getByRole('group', { name: new RegExp(`^${question.replace('.', '\\.')}`) })
    .first()
    .getByRole('radio')
    .nth(at)
    .check();
async function save(): Promise<unknown[]> {
  await chooseDoctor(page);
  await page.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
  await page.waitForURL(/\/unosi\/\d+$/);
  const entry = /\d+$/.exec(page.url())?.[0] ?? '';
  const kept = await call<{ vrednosti: Record<string, unknown> }>('GET', `/api/entry-display?haID=${entry}`, {
    token: register.doctor.token,
  });
  return Object.values(kept.vrednosti);
}

test('a doctor fills it in and sees door to needle and both scores computed', async () => {
  test.setTimeout(180_000);
  patient = await patientOf(register, 'Moždanić', 'Proba');
  await openNew(FORMS.admission, '2026-03-06');
  await moment('Početak simptoma', '05.03.2026', '22:40');
  await moment('Dolazak u bolnicu', '05.03.2026', '23:35');
  await moment('Snimanje glave', '05.03.2026', '23:52');
  await moment('Tromboliza', '06.03.2026', '00:17');
  await expect.poll(() => result('Od vrata do igle').textContent()).toBe('42');
  await expect.poll(() => result('Od vrata do snimanja').textContent()).toBe('17');
  await expect.poll(() => result('Od početka do vrata').textContent()).toBe('55');
  expect(await save()).toEqual(expect.arrayContaining([42, 17, 55]));

  // The right hemisphere, as the block's own example of NINDS has it: 16.
  await openNew(FORMS.nihss, '2026-03-06');
  const answers: Record<string, number> = { '2': 1, '3': 2, '4': 2, '5a': 4, '6a': 3, '8': 1, '10': 1, '11': 2 };
  for (const item of ['1a', '1b', '1c', '2', '3', '4', '5a', '5b', '6a', '6b', '7', '8', '9', '10', '11']) {
    await mark(`${item}. `, answers[item] ?? 0);
  }
  await expect.poll(() => result('NIHSS, zbir').textContent()).toBe('16');
  await expect.poll(() => result('Težina moždanog udara po NIHSS').textContent()).toBe('Umereno težak');
  expect(await save()).toEqual(expect.arrayContaining([16]));

  await openNew(FORMS.outcome, '2026-06-04');
  await mark('mRS', 2);
  await expect.poll(() => result('Funkcionalno nezavisan (mRS 0–2)').textContent()).toBe('Da');
  await expect.poll(() => result('Odličan ishod (mRS 0–1)').textContent()).toBe('Ne');
  expect(await save()).toEqual(expect.arrayContaining([true, false]));
});
