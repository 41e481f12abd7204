// A register of the size of a national one for a rare disease: brought in by a file through the screen, and one more of its forms built on
// the designer by clicks and keys alone, which are counted.
import { readFileSync } from 'node:fs';
import { type Page, test } from '@playwright/test';
import { counted, since, type Hands } from './counted';
import { eachVisit } from './eachVisit';
import { handworkOn } from './handwork';
import { forget, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { LONG, call, logIn, openAs, type Visit } from './support';

/** What the fields of such a register took field by field on the flat list of the first release, measured by hand. */
const BEFORE = { clicks: 2_900, inputs: 1_900 };
const FIELDS_OF_ALL_FORMS = 198;
/** A file of the system is chosen with two clicks, which no page sees. */
const SYSTEM_DIALOG = 2;

const stamp = Date.now().toString(36);
const naziv = `Porodična hiperholesterolemija ${stamp}`;
const FORM = 'Kontrola lipida';
const left: (() => Promise<unknown>)[] = [];

let now: Visit;
let page: Page;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.afterAll(async () => {
  for (const leave of left.reverse()) await leave();
});

/** The API's own test of the same file: its names are made this run's, since types are known by name. */
const file = () =>
  readFileSync(new URL('../../api/tests/it/exchange/fh.toml', import.meta.url), 'utf8')
    .replace('sifra = "fh"', `sifra = "fh_${stamp}"`)
    .replace('naziv = "Porodična hiperholesterolemija"', `naziv = "${naziv}"`)
    .replace(/naziv = "(.+)"\ntipVrednosti/g, `naziv = "$1 ${stamp}"\ntipVrednosti`)
    .replace(/tipAtributa = "(.+)"/g, `tipAtributa = "$1 ${stamp}"`);

const main = () => page.locator('main');
const button = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true });
const cell = (name: string) => main().getByRole('cell', { name, exact: true });
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const { type, property, add, next, code, formula, choose: into, paste } = handworkOn(() => page);

const SETS: readonly (readonly [string, string])[] = [
  ['Pušački status', 'Nepušač\t0\nBivši pušač\t1\nPušač\t2'],
  ['Ksantomi', 'Nema\t0\nTetivni\t1\nTuberozni\t2\nTetivni i tuberozni\t3'],
  ['Arkus rožnjače', 'Ne\t0\nDa\t1\nNepoznato\t9'],
  ['Genetska potvrda', 'Nije rađena\t0\nHeterozigot\t1\nHomozigot\t2'],
  ['Fizička aktivnost', 'Nikakva\t0\nPovremena\t1\nRedovna\t2'],
  ['Način ishrane', 'Bez dijete\t0\nHipolipemijska\t1\nVegetarijanska\t2'],
  ['Ishod kontrole', 'Nastavak terapije\t1\nIzmena terapije\t2\nUpućen dalje\t3'],
];

async function build() {
  await add('panel', 'Merenja');
  for (const panel of ['Lipidi', 'Nalazi', 'Porodica i navike', 'Datumi', 'Terapija']) await next(panel);

  await into('Merenja');
  await add('broj', 'Telesna masa');
  await code('masa');
  await next('Telesna visina');
  await code('visina');
  await next('Sistolni pritisak');
  await next('Indeks telesne mase');
  await formula('Formula za računanje', '$(masa) / pow($(visina) / 100, 2)');

  await into('Lipidi');
  await add('broj', 'Ukupni holesterol');
  for (const one of ['LDL', 'HDL', 'Trigliceridi', 'Lipoprotein(a)']) await next(one);

  await into('Nalazi');
  const [[first, items] = ['', ''], ...sets] = SETS;
  await add('skup', first);
  await paste(items);
  for (const [set, items] of sets) {
    await next(set);
    await paste(items);
  }

  await into('Porodica i navike');
  await add('izbor da/ne', 'Infarkt kod oca');
  for (const one of ['Infarkt kod majke', 'Moždani udar u porodici', 'Ksantomi u porodici', 'Dijabetes u porodici']) await next(one);
  await next('Uzima statin');
  await code('statin');

  await into('Datumi');
  await add('datum', 'Datum dijagnoze');
  for (const one of ['Datum početka terapije', 'Datum poslednjeg nalaza', 'Datum sledeće kontrole']) await next(one);

  await into('Terapija');
  await add('tekst', 'Statin i doza');
  await formula('Formula za prikaz', '$(statin) = 1');
  await into('Statin i doza');
  await add('tekst', 'Druga terapija');
  for (const one of ['Neželjena dejstva', 'Zaključak']) await next(one);
}

test(
  'is brought in by a file, and a form of thirty fields is built on the designer, in a fifth of the clicks that the flat list took',
  LONG,
  async () => {
    test.setTimeout(300_000);
    await now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const hands = await counted(now.context);
    await openAs(now, 'admin', '/admin/registri', 'regix');

    await button('Uvezi').click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Izaberi fajl').click()]);
    await chooser.setFiles({ name: 'fh.toml', mimeType: 'text/plain', buffer: Buffer.from(file()) });
    hands.clicks += SYSTEM_DIALOG;
    await button('Pregledaj').click();
    await page.getByText('0 grešaka', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Novo \(/ }).waitFor();
    await button('Uvezi').click();
    await told('Uvezeno: 7 formulara');
    await page.getByRole('heading', { name: naziv, level: 1 }).waitFor();
    await expect.poll(() => cell('Formular 6').count()).toBe(1);
    const byFile = { ...hands };

    await button('Dodaj').click();
    await page.getByRole('heading', { name: 'Novi formular', level: 1 }).waitFor();
    await property('Naziv *').or(property('Naziv')).first().click();
    await type(FORM);
    await button('Dodaj').click();
    await cell(FORM).click();
    await button('Izmeni').click();
    await button('Uredi nacrt').click();
    await button('Započni nacrt').click();
    await build();
    await button('Uticaj i objava').click();
    await page.getByRole('dialog', { name: 'Uticaj i objava' }).getByRole('button', { name: 'Objavi', exact: true }).click();
    await page.getByText('Objavljena je verzija 1', { exact: false }).waitFor();
    const byHand = since(hands, byFile);

    const { token } = await logIn('admin');
    const register = (await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/registers', { token })).data.find(
      (one) => one.naziv === naziv,
    );
    const id = register?.id ?? 0;
    const forms = (await call<{ data: { id: number; naziv: string }[] }>('GET', `/api/forms?registar=${id}`, { token })).data;
    const none = { prviTipHijerarhijeAtributaID: null, podrazumevaniTipHijerarhijeAtributaID: null };
    // The register itself stays: what is in the bin keeps it.
    for (const form of forms) left.push(() => call('DELETE', `/api/forms/${form.id}`, { token }));
    left.push(() => call('PATCH', `/api/registers/${id}`, { token, body: none }));
    expect(forms.length).toBe(8);
    const form = forms.find((one) => one.naziv === FORM)?.id ?? 0;
    const fields = await call<{ data: { nadredjeniAtributUTipuSkupaID: number | null }[] }>(
      'GET',
      `/api/form-fields?tipSkupaAtributa=${form}`,
      {
        token,
      },
    );
    const inPanels = fields.data.filter((field) => field.nadredjeniAtributUTipuSkupaID !== null).length;
    expect([fields.data.length - inPanels, inPanels]).toEqual([6, 30]);

    // The form in the designer stands for the fields of all forms: what it took, its opening and publishing too, times 198 to 30.
    const scale = FIELDS_OF_ALL_FORMS / inPanels;
    const whole = (what: keyof Hands) => Math.ceil(byFile[what] + byHand[what] * scale);
    const sums = { clicks: whole('clicks'), inputs: whole('inputs'), keys: whole('keys') };
    console.log(`by file: ${JSON.stringify(byFile)}; one form of ${inPanels}: ${JSON.stringify(byHand)}; scaled: ${JSON.stringify(sums)}`);
    expect(sums.clicks).toBeLessThan(BEFORE.clicks / 5);
    expect(sums.inputs).toBeLessThan(BEFORE.inputs / 5);

    // What was built is filled in: the result is computed, and the field under a condition comes with its answer.
    const own: OwnRegister = { id, naziv, form, types: {}, fields: {}, admin: token, doctor: await logIn('lekar') };
    const patient = await patientOf(own, 'Holesterolić', 'Proba');
    left.push(() => forget(own, patient));
    await anew();
    await openAs(now, 'lekar', `/unosi/novi?tsaID=${form}&pacijentID=${patient}&datumUnosa=2026-03-04`, 'regix');
    await page.getByLabel('Telesna masa', { exact: true }).fill('80');
    await page.getByLabel('Telesna visina', { exact: true }).fill('200');
    const result = page.locator('output').and(page.getByLabel('Indeks telesne mase', { exact: true }));
    await expect.poll(() => result.innerText()).toBe('20');
    expect(await page.getByLabel('Ksantomi', { exact: true }).locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['Nema', 'Tetivni', 'Tuberozni', 'Tetivni i tuberozni']),
    );
    await expect.poll(() => page.getByLabel('Statin i doza', { exact: true }).filter({ visible: true }).count()).toBe(0);
  },
);
