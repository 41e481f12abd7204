// The administrator's guide, docs/vodic, walked step by step on a register of its own. What the guide prints in bold is a button, tab or
// field of the site: each of them is used here, and each of its pictures is made here. `GUIDE_PICTURES=1`, on a stack that was just made,
// writes the pictures into the guide's folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Locator, type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { LONG, call, choosePassword, freshJmbg, listsGone, logIn, openAs, quiet, signIn, WIDE, type Visit } from './support';

const GUIDE = resolve(import.meta.dirname, '../../docs/vodic');
const WRITES = process.env.GUIDE_PICTURES === '1';
const MOST_BYTES = 1_500_000;

/** Names are those of the guide where its pictures are made, and this run's elsewhere. */
const stamp = Date.now().toString(36);
const named = (name: string) => (WRITES ? name : `${name} ${stamp}`);
const [REGISTER, REPORT, ROLE] = [named('Registar hipertenzije'), named('Pritisak po mesecima'), named('Lekar u ambulanti')];
const WORKER = WRITES ? 'azarkovic' : `azarkovic${stamp}`;
const [GIVEN, OWN] = ['tanjir-kiša-olovka', 'prozor-jesen-kafa'];
const FORM = 'Kontrola pritiska';
const TALL = 1200;

let now: Visit;
let page: Page;
const used = new Set<string>();
const pictures = new Map<string, Buffer>();
const left: (() => Promise<unknown>)[] = [];

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.afterAll(async () => {
  for (const leave of left.reverse()) await leave();
});

const main = () => page.locator('main');
const dialog = () => page.getByRole('dialog').last();
/** What the guide calls by this name. */
const by = (name: string) => {
  used.add(name);
  return name;
};
const press = (name: string, within: Locator = main()) =>
  within
    .getByRole('button', { name: by(name), exact: true })
    .filter({ visible: true })
    .first()
    .click();
const inDialog = (name: string) => press(name, dialog());
const tab = (name: string, within: Locator = main()) => within.getByRole('tab', { name: by(name), exact: true }).click();
async function fill(name: string, value: string, within: Locator = main()) {
  const field = within
    .getByLabel(by(name), { exact: true })
    .or(within.getByLabel(`${name} *`, { exact: true }))
    .filter({ visible: true })
    .first();
  await field.fill(value);
  await field.blur();
}
async function choose(name: string, option: string | RegExp, within: Locator = main()) {
  await within
    .locator('.p-dropdown')
    .filter({ has: page.getByLabel(by(name), { exact: false }) })
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await listsGone(page);
}
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
async function pick(name: string) {
  const filter = page.getByLabel('Filtriraj: Naziv', { exact: true }).filter({ visible: true });
  if (await filter.count()) await filter.fill(name);
  await main().getByRole('cell', { name, exact: true }).click();
}
/** What is taller than the window is shown whole in a higher one. */
async function picture(name: string, of: Locator | Page = page, height = WIDE.height) {
  await page.setViewportSize({ ...WIDE, height });
  for (const toast of await page.locator('.p-toast-icon-close').all()) await toast.click().catch(() => undefined);
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const one of document.querySelectorAll('*')) one.scrollTop = 0;
  });
  await quiet(page);
  pictures.set(name, await of.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.setViewportSize(WIDE);
}
async function addField(kind: string, name: string, code?: string) {
  used.add('Dodaj polje…');
  await main().locator('[role="toolbar"] .p-dropdown').click();
  await page.getByRole('option', { name: kind, exact: true }).click();
  await listsGone(page);
  await fill('Naziv', name);
  if (code) await fill('Šifra', code);
}
const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();

/** From the top menu to a screen: what is pressed next must not be a button of the one before. */
async function menu(group: string, name: string, heading = name) {
  const top = page.getByRole('navigation', { name: 'Glavni meni' });
  await top.getByRole('button', { name: by(group) }).click();
  await top
    .getByRole('link', { name: by(name), exact: true })
    .filter({ visible: true })
    .last()
    .click();
  await page.waitForURL((url) => url.pathname !== '/registri');
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
}

async function makeRegister() {
  await openAs(now, 'admin', '/registri', 'regix');
  await menu('Administracija', 'Registri');
  await press('Dodaj');
  await fill('Naziv', REGISTER);
  await fill('Šifra', `hipertenzija_${stamp}`);
  await fill('Opis', 'Bolesnici sa povišenim krvnim pritiskom');
  if (WRITES) await fill('Šifra', 'hipertenzija');
  await picture('registar.png', main());
  await press('Dodaj');
  await told('Uspešno dodato');
  await pick(REGISTER);
  await press('Izmeni');
  await tab('Formulari');
  await press('Dodaj');
  await fill('Naziv', FORM);
  await press('Dodaj');
  await told('Uspešno dodato');
  await main().getByRole('cell', { name: FORM, exact: true }).click();
  await press('Izmeni');
}

async function makeForm() {
  await press('Uredi nacrt');
  await press('Započni nacrt');
  await addField('panel', 'Merenja');
  await addField('broj', 'Sistolni pritisak', 'sistolni');
  await fill('Jedinica', 'mmHg');
  await addField('broj', 'Dijastolni pritisak', 'dijastolni');
  await fill('Jedinica', 'mmHg');
  await addField('broj', 'Pulsni pritisak', 'pulsni');
  await fill('Formula za računanje', '$(sistolni) - $(dijastolni)');
  await addField('skup', 'Stepen hipertenzije', 'stepen');
  await press('Nalepi iz tabele');
  await fill('Nalepljene stavke', 'Bez hipertenzije\t0\nPrvi stepen\t1\nDrugi stepen\t2\nTreći stepen\t3');
  await press('Preuzmi stavke');
  await addField('panel', 'Terapija', 'terapija');
  await press('Izvuci iz panela (Alt+←)');
  await main().getByLabel(by('Ponavlja se'), { exact: true }).first().click();
  await addField('tekst', 'Lek', 'lek');
  await addField('broj', 'Doza (mg)', 'doza');
  await row('Sistolni pritisak');
  await row('Pulsni pritisak');
  // In the form beside, as the doctor will see it.
  const tried = main()
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Izgled u unosu' }) });
  await tried.getByLabel('Sistolni pritisak', { exact: true }).fill('150');
  await tried.getByLabel('Dijastolni pritisak', { exact: true }).fill('95');
  await expect.poll(() => tried.locator('output').first().innerText()).toBe('55');
  await page.getByText('Nacrt je snimljen', { exact: true }).waitFor();
  await picture('formular.png');

  await press('Pravila formulara (0)');
  used.add('Pravila formulara');
  await press('Dodaj pravilo');
  await main().getByLabel(by('Kada (uslov)'), { exact: true }).fill('$(dijastolni) >= $(sistolni)');
  await fill('Poruka', 'Dijastolni mora biti manji od sistolnog.');
  await page.getByText('Nacrt je snimljen', { exact: true }).waitFor();
  await picture('pravilo.png', page.getByRole('region', { name: 'Pravila formulara' }));

  await press('Uticaj i objava');
  await dialog().getByText('0 unosa', { exact: true }).waitFor();
  await dialog().getByText('Sistolni pritisak', { exact: false }).first().waitFor();
  await picture('objava.png', dialog(), TALL);
  await inDialog('Objavi');
  await page.getByText('Objavljena je verzija 1', { exact: false }).waitFor();
}

async function makePeople() {
  await menu('Administracija', 'Uloga', 'Uloge');
  await press('Dodaj');
  await fill('Naziv', ROLE, dialog());
  await dialog()
    .getByRole('switch', { name: by('Može biti odgovorni lekar') })
    .check({ force: true });
  await choose('Pacijenti', 'Čitanje i izmena', dialog());
  await picture('uloga.png', dialog());
  await inDialog('Dodaj');
  await told('Uspešno dodato');
  await main().getByRole('cell', { name: ROLE, exact: true }).click();
  await press('Izmeni');
  await tab('Aplikativna prava', dialog());
  await dialog().getByRole('region', { name: 'Dostupno' }).getByRole('option', { name: 'Izveštaji', exact: true }).click();
  await inDialog('Dodaj izabrano');
  await dialog().getByRole('region', { name: 'Dodeljeno' }).getByRole('option', { name: 'Izveštaji', exact: true }).waitFor();
  await inDialog('Zatvori');

  await menu('Administracija', 'Radnici');
  await press('Dodaj');
  await fill('Korisničko ime', WORKER, dialog());
  await fill('Lozinka', GIVEN, dialog());
  await fill('Ime', 'Ana', dialog());
  await fill('Prezime', 'Žarković', dialog());
  await choose('Ustanova', 'Klinički centar Srbije', dialog());
  await inDialog('Dodaj');
  await told('Uspešno dodato');
  await page.getByLabel('Filtriraj: Korisničko ime').fill(WORKER);
  await main().getByRole('cell', { name: WORKER, exact: true }).click();
  await press('Izmeni');
  await tab('Uloge', dialog());
  await dialog().getByRole('region', { name: 'Dostupno' }).getByRole('option', { name: ROLE, exact: true }).click();
  await inDialog('Dodaj izabrano');
  await dialog().getByRole('region', { name: 'Dodeljeno' }).getByRole('option', { name: ROLE, exact: true }).waitFor();
  await inDialog('Zatvori');
}

async function enter() {
  await choosePassword(WORKER, GIVEN, OWN);
  await anew();
  await signIn(now.context, await logIn(WORKER, OWN));
}

async function fillIn() {
  await enter();
  await page.goto('/registri');
  const register = main().getByRole('row').filter({ hasText: REGISTER });
  await main().getByRole('row').nth(1).waitFor();
  const further = main().locator('.p-paginator-next:not(.p-disabled)');
  await quiet(page);
  while ((await register.count()) === 0 && (await further.count()) > 0) {
    await further.click();
    await quiet(page);
  }
  await register.click();
  await page.getByRole('heading', { name: REGISTER, level: 1 }).waitFor();
  await press('Novi pacijent');
  const jmbg = WRITES ? '1405961710018' : freshJmbg();
  await fill('Ime', 'Ljubiša', dialog());
  await fill('Prezime', 'Šćepanović', dialog());
  await fill('JMBG', jmbg, dialog());
  await fill('LBO', jmbg.slice(2), dialog());
  await fill('Kontakt telefon', '011/1234567', dialog());
  await picture('pacijent.png', dialog(), TALL);
  await inDialog('Snimi');
  const heading = page.getByRole('heading', { name: 'Ljubiša Šćepanović', level: 1 });
  const anyway = page.getByRole('button', { name: 'Ipak snimi novog pacijenta' });
  await heading.or(anyway).first().waitFor();
  if (await anyway.isVisible()) await anyway.click();
  await heading.waitFor();
  const patient = /\d+$/.exec(new URL(page.url()).pathname)?.[0] ?? '';
  const { token } = await logIn(WORKER, OWN);
  left.push(() => call('PATCH', `/api/patients/${patient}`, { token, body: { aktivan: false } }));

  used.add('Novi unos');
  await main()
    .getByRole('button', { name: `Novi unos: ${FORM}`, exact: true })
    .first()
    .click();
  await fill('Datum pregleda', '04.03.2026.', dialog());
  await inDialog('Kreiraj');
  await page.getByLabel('Sistolni pritisak', { exact: true }).fill('150');
  await page.getByLabel('Dijastolni pritisak', { exact: true }).fill('95');
  await page.getByLabel('Stepen hipertenzije', { exact: true }).selectOption({ label: 'Prvi stepen' });
  await page.getByRole('button', { name: 'Dodaj red: Terapija', exact: true }).click();
  used.add('Dodaj red');
  await page.getByRole('textbox', { name: 'Lek, 1. red', exact: true }).fill('Ramipril');
  await page.getByRole('textbox', { name: 'Doza (mg), 1. red', exact: true }).fill('5');
  const doctor = page.getByRole('combobox', { name: by('Ordinirajući lekar') });
  await doctor.focus();
  await page.keyboard.type('zarkovic ana');
  await page.keyboard.press('Enter');
  await expect.poll(() => doctor.inputValue()).toBe('Žarković Ana');
  await picture('unos.png');
  await press('Snimi i ostani');
  await page.getByText('Uspešno snimljen unos.').waitFor();
}

async function makeReport() {
  await anew();
  const { token } = await openAs(now, 'admin', '/registri', 'regix');
  await menu('Izveštaji', 'Ažuriranje izveštaja');
  await press('Dodaj');
  await fill('Naziv', REPORT, dialog());
  await fill('Numerička vrednost', '95', dialog());
  await choose('Jasper fajl', 'Bez fajla: piše se u dizajneru', dialog());
  await choose('Tip izveštaja', 'Unos podataka', dialog());
  await dialog()
    .getByRole('switch', { name: by('Prikazuje se') })
    .check({ force: true });
  await inDialog('Dodaj');
  await told('Uspešno dodato');
  const reports = await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/reports', { token });
  left.push(() => call('DELETE', `/api/reports/${reports.data.find(({ naziv }) => naziv === REPORT)?.id ?? 0}`, { token }));
  await pick(REPORT);
  await press('Izmeni');
  await tab('Formati', dialog());
  await inDialog('Dodaj sve');
  await dialog().getByRole('region', { name: 'Dodeljeno' }).getByRole('option', { name: 'CSV', exact: true }).waitFor();
  await tab('Upit i šablon', dialog());
  await inDialog('Otvori dizajner');

  await choose('Registar', REGISTER);
  await choose('Formular', FORM);
  await choose('Grupiši po', 'Mesec unosa');
  await press('Dodaj meru');
  const measure = page.getByRole('listitem', { name: 'Mera 2' });
  await choose('Mera', 'Srednja vrednost', measure);
  await choose('Polje', 'Sistolni pritisak', measure);
  await choose('Grafikon', 'Stubići', page.getByRole('region', { name: 'Grafikon' }));
  await press('Proveri');
  await page.getByText('Nema grešaka: verzija može da se objavi.').waitFor();
  await picture('izvestaj.png', main(), 1500);
  await tab('Proba');
  await press('Probaj');
  await page.getByText('Proba verzije 1 je uspela', { exact: false }).waitFor();
  await press('Objavi');
  await told('Objavljena je verzija 1');
}

async function schedule() {
  await anew();
  await signIn(now.context, await logIn(WORKER, OWN));
  await page.goto('/registri');
  await page
    .getByRole('navigation', { name: 'Glavni meni' })
    .getByRole('link', { name: by('Izveštaji') })
    .click();
  await page.getByRole('tree').getByText(REPORT, { exact: true }).click();
  await page.getByRole('heading', { name: REPORT, level: 2 }).waitFor();
  await press('Generiši izveštaj');
  await page
    .getByRole('tabpanel')
    .filter({ visible: true })
    .getByRole('listitem')
    .first()
    .getByText('Završen')
    .waitFor({ timeout: 60_000 });
  await tab('Parametri');
  await fill('Pošalji na e-mail', 'nacelnik@primer.rs');
  await page.getByLabel('Pošalji na e-mail').focus();
  await page.keyboard.press('Enter');
  await choose('Period izveštaja', /^prošli mesec/);
  await page.getByLabel(by('Zakaži za kasnije')).check({ force: true });
  await press('Mesec');
  await page
    .getByRole('group', { name: by('Dani u mesecu') })
    .getByRole('button', { name: '1', exact: true })
    .click();
  await fill('Vreme izvršavanja', '06:30');
  await page.getByRole('heading', { name: 'Sledeća izvršavanja' }).waitFor();
  await picture('raspored.png', page.locator('.p-tabview'), 1400);
  await press('Zakaži izveštaj');
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: by('Ipak pošalji') })
    .click();
  const card = page.getByRole('tabpanel').filter({ visible: true }).getByRole('listitem').filter({ hasText: 'nacelnik@primer.rs' });
  await card.waitFor();
  await card.getByRole('button', { name: 'Obriši' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Obriši' }).click();
  await page.getByText('Zakazani izveštaj je obrisan').waitFor();
}

test('leads from no register to a scheduled report, as it is written, with its own pictures', LONG, async () => {
  test.setTimeout(300_000);
  await makeRegister();
  await makeForm();
  await makePeople();
  await fillIn();
  await makeReport();
  await schedule();

  const guide = readFileSync(join(GUIDE, 'README.md'), 'utf8');
  const bold = [...guide.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name ?? '');
  const shown = [...guide.matchAll(/!\[.*?\]\((.+?)\)/g)].map(([, file]) => file ?? '');
  expect(
    bold.filter((name) => !used.has(name)),
    'what the guide names and this test did not find',
  ).toEqual([]);
  expect([...shown].sort()).toEqual([...pictures.keys()].sort());
  const bytes = [...pictures.values()].reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  if (WRITES) for (const [name, content] of pictures) writeFileSync(join(GUIDE, name), content);
  else for (const name of shown) expect(readFileSync(join(GUIDE, name)).subarray(1, 4).toString(), name).toBe('PNG');
});
