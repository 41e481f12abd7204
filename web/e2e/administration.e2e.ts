// An administrator's work on the screens of the administration, and what others see of them.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, listsGone, logIn, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let token: string;
/** What a test changes for everybody is as it was afterwards, whatever became of the test. */
let putBack: (() => Promise<void>) | null = null;

const { another } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});
test.afterEach(async () => {
  await putBack?.();
  putBack = null;
});

const fresh = (what: string) => `${what} ${Date.now().toString(36)}`;
const dialog = () => page.getByRole('dialog');
const tool = (name: string) => page.locator('main').getByRole('button', { name, exact: true });
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const field = (name: string) => dialog().getByLabel(name, { exact: false }).first();
const cell = (name: string) => page.getByRole('cell', { name, exact: true });
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const closed = () => dialog().waitFor({ state: 'detached' });
const openList = async (path: string, title: string) => {
  await openAs(now, 'admin', path);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('table', { name: title }).waitFor();
};
const open = async (mode: string, name: string) => {
  const row = page.getByRole('row').filter({ has: cell(name) });
  if ((await row.getAttribute('aria-selected')) !== 'true') await cell(name).click();
  await tool(mode).click();
  await dialog().waitFor();
};
const remove = async (name: string) => {
  await open('Obriši', name);
  await dialog().getByText(`Da li ste sigurni da želite da obrišete „${name}”?`).waitFor();
  await press('Obriši');
  await closed();
  await cell(name).waitFor({ state: 'detached' });
};

test.describe('who may not administer', () => {
  const SCREENS = [
    '/admin/verzije',
    '/admin/upozorenja',
    '/admin/ustanove',
    '/admin/uloge',
    '/admin/parametri',
    '/admin/kategorijeIzvestaja',
    '/admin/tipoviStatistickogIzvestaja',
    '/admin/grupePrimalaca',
    '/admin/izvestaji',
    '/admin/tipoviParametraIzvestaja',
    '/admin/registri',
    '/admin/registar/1',
    '/admin/formular/1',
    '/admin/radnici',
    '/admin/tipoviAtributa',
  ];

  test('sees neither the menu nor a screen', async () => {
    await openAs(now, 'lekar', '/registri');
    await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Administracija' }).count()).toBe(0);
    for (const path of SCREENS) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Nemate pravo na ovu stranicu.' }).waitFor();
    }
  });

  test('may look at the sponsors and not change them', async () => {
    await openAs(now, 'lekar', '/admin/sponzori');
    await page.getByRole('table', { name: 'Sponzori' }).getByRole('img').first().waitFor();
    for (const name of ['Dodaj', 'Izmeni', 'Obriši']) await expect.poll(() => tool(name).count(), { message: name }).toBe(0);
  });
});

test.describe('the menu of an administrator', () => {
  test('leads to every screen', async () => {
    await openAs(now, 'admin', '/registri');
    await page.getByRole('button', { name: 'Administracija' }).click();
    const menu = page.getByRole('navigation', { name: 'Glavni meni' });
    for (const name of [
      'Uloga',
      'Ustanove',
      'Radnici',
      'Tipovi atributa',
      'Parametri',
      'Upozorenja',
      'Verzije',
      'Sponzori',
      'Održavanje',
    ]) {
      await menu.getByRole('link', { name, exact: true }).waitFor();
    }
    // The clinicians' and the administrators' own.
    await expect.poll(() => menu.getByRole('link', { name: 'Registri', exact: true }).count()).toBe(2);
    await page.getByRole('button', { name: 'Izveštaji' }).click();
    for (const name of ['Kategorija izveštaja', 'Tipovi izveštaja', 'Ažuriranje izveštaja', 'Tipovi parametara'])
      await menu.getByRole('link', { name, exact: true }).waitFor();
    await menu.getByRole('link', { name: 'Tipovi izveštaja', exact: true }).click();
    await page.getByRole('heading', { name: 'Tipovi izveštaja', level: 1 }).waitFor();
  });
});

test('versions: both parts, the server closed at first, a version opened to its changes', async () => {
  await openAs(now, 'admin', '/admin/verzije');
  const frontend = page.getByRole('table', { name: 'Korisnički deo (frontend)' });
  await frontend.getByRole('cell', { name: '2.2.0', exact: true }).waitFor();
  for (const name of ['Oznaka', 'Datum od', 'Datum do', 'Kratak opis']) await frontend.getByRole('columnheader', { name }).waitFor();
  for (const version of ['2.0.0', '2.1.0']) await frontend.getByRole('cell', { name: version, exact: true }).waitFor();
  const backend = page.getByRole('table', { name: 'Serverski deo (backend)' });
  await expect.poll(() => backend.count()).toBe(0);
  await page.getByRole('button', { name: 'Serverski deo (backend)' }).click();
  await backend.getByRole('row').filter({ hasText: '2.1.0' }).getByRole('button').click();
  const changes = page.getByRole('table', { name: 'Izmene u verziji 2.1.0' });
  await changes.getByRole('cell', { name: 'Izvršavanje izveštaja u pozadini' }).waitFor();
  for (const name of ['Broj', 'Naslov', 'Opis', 'Napomena', 'Tiket']) await changes.getByRole('columnheader', { name }).waitFor();
  await page.getByRole('button', { name: /^Okruženje: / }).click();
  await told('verzija 2.2.0');
});

test('the warning is asked for its text, stands on every page, and is taken away', async () => {
  const message = fresh('Radovi na mreži u 22 časa');
  putBack = () => call('POST', '/api/delete-warning', { token, body: {} });
  await call('POST', '/api/delete-warning', { token, body: {} });
  await openAs(now, 'admin', '/admin/upozorenja');
  const text = page.getByLabel('Tekst upozorenja');
  await text.fill('  ');
  await page.getByRole('button', { name: 'Snimi' }).click();
  await told('Niste uneli tekst upozorenja.');
  await text.fill(message);
  await page.route('**/api/save-warning', (route) => route.abort());
  await page.getByRole('button', { name: 'Snimi' }).click();
  await told('Server nije dostupan.');
  await expect.poll(() => text.inputValue()).toBe(message);
  await page.unroute('**/api/save-warning');
  await page.getByRole('button', { name: 'Snimi' }).click();
  await told('Upozorenje je snimljeno');
  const other = await another();
  await openAs(other, 'lekar', '/registri');
  await other.page.getByRole('alert').filter({ hasText: message }).waitFor();
  await other.context.close();
  await page.getByRole('button', { name: 'Obriši' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Obriši' }).click();
  await told('Upozorenje je obrisano');
  await expect.poll(() => text.inputValue()).toBe('');
  expect((await call<{ message: string }>('GET', '/api/warning', { token })).message).toBe('');
});

test.describe('institutions', () => {
  test('are made, found, changed and deleted; a refused name is named and nothing typed is lost', async () => {
    const [naziv, renamed] = [fresh('Opšta bolnica Šabac'), fresh('Dom zdravlja Čačak')];
    await openList('/admin/ustanove', 'Ustanove');
    await tool('Dodaj').click();
    await press('Dodaj');
    await dialog().getByText('Niste uneli naziv.').waitFor();
    await field('Naziv').fill('klinički centar srbije');
    await field('Adresa').fill('Popa Karana 4');
    await press('Dodaj');
    await dialog().getByText('Ustanova sa tim nazivom već postoji.').waitFor();
    await expect.poll(() => field('Adresa').inputValue()).toBe('Popa Karana 4');
    await field('Naziv').fill(naziv);
    await page.route('**/api/institutions', (route) => route.abort());
    await press('Dodaj');
    await dialog().getByText('Server nije dostupan.').waitFor();
    await expect.poll(() => field('Naziv').inputValue()).toBe(naziv);
    await page.unroute('**/api/institutions');
    await dialog().getByRole('button', { name: 'Dodaj' }).dblclick();
    await closed();
    await told(`Uspešno dodato: ${naziv}`);
    await page.getByLabel('Filtriraj: Naziv').fill('SABAC');
    await cell('Klinički centar Srbije').waitFor({ state: 'detached' });
    await expect.poll(() => cell(naziv).count()).toBe(1);
    await page.getByLabel('Filtriraj: Naziv').fill('');
    await open('Izmeni', naziv);
    await field('Naziv').fill(renamed);
    await press('Izmeni');
    await closed();
    await cell(renamed).waitFor();
    await open('Detalji', renamed);
    await expect.poll(() => field('Adresa').inputValue()).toBe('Popa Karana 4');
    await expect.poll(() => field('Adresa').isDisabled()).toBe(true);
    await dialog().locator('.p-dialog-footer').getByRole('button', { name: 'Zatvori' }).click();
    await closed();
    await remove(renamed);
  });

  test('that somebody else has changed are not overwritten: both changes are in the open form, with who it was', async () => {
    const naziv = fresh('Bolnica dvoje');
    const { id } = await call<{ id: number }>('POST', '/api/institutions', { token, body: { naziv } });
    await openList('/admin/ustanove', 'Ustanove');
    await open('Izmeni', naziv);
    await field('Telefon').fill('011/111');
    await call('PATCH', `/api/institutions/${id}`, { token, body: { telefon: '011/222', adresa: 'Pasterova 2' } });
    await press('Izmeni');
    await dialog().getByText('Podatak je u međuvremenu izmenjen (').waitFor();
    await dialog().getByText('U međuvremenu izmenjeno: bilo je —, a sada je „011/222”. Vaš unos je ostao u polju.').waitFor();
    await expect.poll(() => field('Telefon').inputValue()).toBe('011/111');
    await expect.poll(() => field('Adresa').inputValue()).toBe('Pasterova 2');
    await press('Izmeni');
    await closed();
    const stored = await call<Record<string, unknown>>('GET', `/api/institutions/${id}`, { token });
    expect(stored).toMatchObject({ telefon: '011/111', adresa: 'Pasterova 2' });
    await remove(naziv);
  });
});

test('roles: a name that exists is refused, rights are given and taken at once, workers are shown', async () => {
  const ime = fresh('Šef odeljenja');
  await openList('/admin/uloge', 'Uloge');
  await tool('Dodaj').click();
  await expect.poll(() => dialog().getByRole('tab', { name: 'Aplikativna prava' }).getAttribute('aria-disabled')).toBe('true');
  await field('Naziv').fill('lekar');
  await press('Dodaj');
  await dialog().getByText('Uloga sa tim nazivom već postoji.').waitFor();
  await field('Naziv').fill(ime);
  await press('Dodaj');
  await closed();
  await open('Izmeni', ime);
  await dialog().getByRole('tab', { name: 'Aplikativna prava' }).click();
  await expect.poll(() => dialog().getByRole('button', { name: 'Izmeni' }).count()).toBe(0);
  const side = (name: string) => dialog().getByRole('region', { name });
  await side('Dostupno').getByRole('option', { name: 'Ustanove', exact: true }).click();
  await side('Dostupno').getByRole('option', { name: 'Parametri', exact: true }).click();
  await press('Dodaj izabrano');
  await side('Dodeljeno').getByRole('option', { name: 'Parametri', exact: true }).waitFor();
  await side('Dodeljeno').getByRole('option', { name: 'Ustanove', exact: true }).click();
  await press('Vrati izabrano');
  await side('Dostupno').getByRole('option', { name: 'Ustanove', exact: true }).waitFor();
  const { data: roles } = await call<{ data: { id: number; ime: string }[] }>('GET', '/api/roles', { token });
  const { data: rights } = await call<{ data: { naziv: string }[] }>(
    'GET',
    `/api/application-rights?uloga=${roles.find((role) => role.ime === ime)?.id}`,
    { token },
  );
  expect(rights.map(({ naziv }) => naziv)).toEqual(['Parametri']);
  await dialog().locator('.p-dialog-footer').getByRole('button', { name: 'Zatvori' }).click();
  await closed();
  await remove(ime);
  await open('Detalji', 'Lekar');
  await dialog().getByRole('tab', { name: 'Radnici sa ulogom' }).click();
  const workers = dialog().getByRole('table', { name: 'Radnici sa ulogom' });
  await workers.getByRole('cell').first().waitFor();
  await expect
    .poll(async () => (await workers.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean))
    .toEqual(['Ime', 'Prezime']);
});

test('parameters: each switch saves itself, and goes back when it could not', async () => {
  const saved = async () =>
    (await call<{ prikazPacijentStrucnaSprema: boolean }>('GET', '/api/parameter/pacijent', { token })).prikazPacijentStrucnaSprema;
  const counted = async () =>
    (await call<{ vrednost: string }>('GET', '/api/parameters/by-name/brojRezultataUPretrazi', { token })).vrednost;
  const [before, count] = [await saved(), await counted()];
  putBack = async () => {
    for (const [naziv, vrednost] of [
      ['prikazPacijentStrucnaSprema', String(before)],
      ['brojRezultataUPretrazi', count],
    ])
      await call('POST', '/api/parameters', { token, body: { naziv, vrednost } });
  };
  await openAs(now, 'admin', '/admin/parametri');
  const education = page.getByRole('switch', { name: 'Stručna sprema' });
  await education.waitFor();
  const toggle = () => page.locator('li').filter({ hasText: 'Stručna sprema' }).locator('.p-inputswitch').click();
  await page.route('**/api/parameters', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await toggle();
  await told('Server nije dostupan.');
  await expect.poll(() => education.isChecked()).toBe(before);
  await page.unroute('**/api/parameters');
  await toggle();
  await told('Uspešno izmenjeno: Stručna sprema');
  await expect.poll(() => education.isChecked()).toBe(!before);
  expect(await saved()).toBe(!before);
  await expect.poll(() => education.isEnabled()).toBe(true);
  await toggle();
  await expect.poll(saved).toBe(before);
  await page.getByRole('tab', { name: 'Pretraga registra' }).click();
  for (const name of ['Godina od', 'Godina do', 'Ime', 'Prezime', 'JMBG', 'LBO', 'Pol', 'Odabir datuma pregleda pre unosa']) {
    await page.getByRole('switch', { name, exact: true }).waitFor();
  }
  const choose = async (count: string) => {
    await page.locator('li').filter({ hasText: 'Broj rezultata u pretrazi' }).locator('.p-dropdown').click();
    await page.getByRole('option', { name: count, exact: true }).click();
    await listsGone(page);
  };
  await choose('Svi');
  await expect.poll(counted).toBe('-1');
  await told('Uspešno izmenjeno: Broj rezultata u pretrazi');
  await choose(count === '-1' ? 'Svi' : count);
  await expect.poll(counted).toBe(count);
});

test('parameters: what is typed says what it may be, and stays as it was typed when it is refused', async () => {
  await openAs(now, 'admin', '/admin/parametri');
  await page.getByRole('tab', { name: 'Izveštaji' }).click();
  const days = page.getByLabel('Dana čuvanja izveštaja', { exact: true });
  await page.getByText('Posle toga se fajlovi izveštaja brišu. Dozvoljeno: ceo broj od 1 do 9.999.').waitFor();
  const before = await days.inputValue();
  await days.fill('trideset');
  await page.getByRole('button', { name: 'Snimi: Dana čuvanja izveštaja' }).click();
  await page.getByRole('tabpanel', { name: 'Izveštaji' }).getByText('Unesite ceo broj od 1 do 9.999.').waitFor();
  expect(await days.inputValue()).toBe('trideset');
  expect((await call<{ vrednost: string }>('GET', '/api/parameters/by-name/danaCuvanjaIzvestaja', { token })).vrednost).toBe(before);
  await page.getByRole('tab', { name: 'Prijava' }).click();
  await page.getByText('Dozvoljeno: ceo broj od 1 do 480, ili 0 da se ekran nikada ne zaključava.', { exact: false }).waitFor();
});

test('sponsors: a logo is a picture of at most a million bytes, and stands at the foot of the page', async () => {
  const [name, code] = [fresh('Društvo Žaračka'), fresh('sponzor')];
  const picture = (bytes: number) => ({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]),
  });
  await openList('/admin/sponzori', 'Sponzori');
  await tool('Dodaj').click();
  for (const [label, value, message] of [
    ['Naziv', name, 'Niste uneli naziv.'],
    ['Šifra', code, 'Niste uneli šifru.'],
    ['Prikazni redosled', '99', 'Niste uneli prikazni redosled.'],
  ] as const) {
    await press('Dodaj');
    await dialog().getByText(message).waitFor();
    await field(label).fill(value);
  }
  const file = dialog().locator('input[type=file]');
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await dialog().getByText('Dozvoljene su samo slike.').waitFor();
  await file.setInputFiles(picture(1_000_001));
  await dialog().getByText('Slika je veća od 1.000.000 bajtova.').waitFor();
  await file.setInputFiles(picture(1_000_000));
  await dialog().getByRole('img', { name: 'Logo' }).waitFor();
  await field('Veb adresa').fill('primer.rs');
  await press('Dodaj');
  await dialog().getByText('Adresa sajta mora početi sa http:// ili https://.').waitFor();
  await field('Veb adresa').fill('https://primer.example/');
  await press('Dodaj');
  await closed();
  await page.getByRole('table', { name: 'Sponzori' }).getByRole('img', { name }).waitFor();
  await page.getByRole('complementary', { name: 'Prijatelji projekta' }).getByRole('img', { name }).waitFor();
  await remove(name);
  await page.getByRole('complementary', { name: 'Prijatelji projekta' }).getByRole('img', { name }).waitFor({ state: 'detached' });
});

/** One dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

test('institutions: a logo is kept as it is chosen, is there when the dialog is opened again, and is taken away', async () => {
  const name = fresh('Klinika Čačak');
  const { id } = await call<{ id: number }>('POST', '/api/institutions', { token, body: { naziv: name } });
  putBack = () => call('DELETE', `/api/institutions/${id}`, { token });
  const logo = dialog().getByRole('img', { name: `Logo ustanove ${name}` });
  const openLogo = async (mode: string) => {
    await open(mode, name);
    await dialog().getByRole('tab', { name: 'Logo' }).click();
  };
  await openList('/admin/ustanove', 'Ustanove');
  await openLogo('Izmeni');
  const file = dialog().locator('input[type=file]');
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await told('Dozvoljene su samo slike.');
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG });
  await told('Logo je snimljen.');
  await logo.waitFor();
  await page.reload();
  await openLogo('Detalji');
  await logo.waitFor();
  await expect.poll(() => dialog().locator('input[type=file]').count()).toBe(0);
  await page.reload();
  await openLogo('Izmeni');
  await press('Ukloni sliku');
  await page.getByRole('button', { name: 'Ukloni logo' }).click();
  await told('Logo je uklonjen.');
  await logo.waitFor({ state: 'detached' });
});

test('categories and types of reports: what is missing is named in order, a type belongs to its category', async () => {
  const [category, type] = [fresh('Kategorija'), fresh('Tip')];
  await openList('/admin/kategorijeIzvestaja', 'Kategorije izveštaja');
  await tool('Dodaj').click();
  await press('Dodaj');
  await dialog().getByText('Niste uneli naziv.').waitFor();
  await field('Naziv').fill(category);
  await press('Dodaj');
  await dialog().getByText('Niste uneli numeričku vrednost.').waitFor();
  await field('Numerička vrednost').fill('77');
  await page.keyboard.press('Enter');
  await closed();
  await cell(category).waitFor();
  await openList('/admin/tipoviStatistickogIzvestaja', 'Tipovi izveštaja');
  await tool('Dodaj').click();
  await field('Naziv').fill(type);
  await field('Numerička vrednost').fill('78');
  await press('Dodaj');
  await dialog().getByText('Niste izabrali kategoriju izveštaja.').waitFor();
  await dialog().locator('.p-dropdown').click();
  await page.getByRole('option', { name: category }).click();
  await press('Dodaj');
  await closed();
  await page
    .getByRole('row')
    .filter({ has: cell(type) })
    .filter({ has: cell(category) })
    .waitFor();
  await remove(type);
  await openList('/admin/kategorijeIzvestaja', 'Kategorije izveštaja');
  await remove(category);
});

test('Escape closes the topmost layer only, and a dialog with what is typed after a question', async () => {
  await openList('/admin/tipoviStatistickogIzvestaja', 'Tipovi izveštaja');
  await tool('Dodaj').click();
  await field('Naziv').fill('Nije za bacanje');
  const list = page.locator('.p-dropdown-panel');
  await dialog().locator('.p-dropdown').click();
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  const question = page.getByRole('alertdialog');
  await expect.poll(() => question.count()).toBe(0);
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => field('Naziv').inputValue()).toBe('Nije za bacanje');
  await dialog().getByRole('button', { name: 'Zatvori' }).click();
  await question.getByRole('button', { name: 'Odbaci' }).click();
  await closed();
});
