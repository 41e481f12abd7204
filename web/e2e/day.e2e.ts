// A clinician's day in Reumatologija: a new patient, the medical history, a visit with its indices, HAQ-DI, finding again, reading back.
import { type Locator, test } from '@playwright/test';
import type { Display } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, chooseDoctor, chooseOf, expectAccessible, freshJmbg, listsGone, logIn, openAs, registerOf, type Visit } from './support';

let now: Visit;
let token: string;
let register: number;
/** The patient of the day, made by the first test. */
let patient: number;
let forms: { id: number; naziv: string }[];
const jmbg = freshJmbg();

eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  ({ token } = await logIn('lekar'));
  register = await registerOf('reumatologija', token);
  forms = (await call<{ tipoviUnosa: typeof forms }>('GET', `/api/registers/${register}/search-setup`, { token })).tipoviUnosa;
});
test.afterAll(async () => {
  if (patient) await call('PATCH', `/api/patients/${patient}`, { token, body: { aktivan: false } });
});
test.beforeEach(async () => {
  // What one test leaves unsaved does not wait for the next on the server.
  await now.context.route('**/api/entry-drafts/**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 204 }) : route.continue(),
  );
});

const form = (name: string) => forms.find(({ naziv }) => naziv === name)?.id ?? 0;
const field = (name: string): Locator =>
  now.page
    .locator('input, select, textarea')
    .and(now.page.getByLabel(name, { exact: false }))
    .first();
const computed = (name: string): Locator => now.page.locator('output').and(now.page.getByLabel(name, { exact: true }));
const group = (name: string): Locator => now.page.getByRole('group', { name, exact: false });
const joint =
  (picture: string) =>
  (name: string): Locator =>
    now.page.getByRole('group', { name: picture, exact: true }).getByRole('checkbox', { name, exact: true });
const [tender, swollen] = [joint('Bolni zglobovi'), joint('Otečeni zglobovi')];
const dialog = (name: string): Locator => now.page.getByRole('dialog', { name });
const question = (): Locator => now.page.getByRole('alertdialog');
const saveHere = () => now.page.getByRole('button', { name: 'Snimi i ostani' }).click();
const saved = () => now.page.getByText('Uspešno snimljen unos.').last().waitFor();
const tab = (name: string) => now.page.getByRole('tab', { name, exact: true }).click();
const isFocused = (input: Locator) => expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true);

/** Opens a new entry of the day's patient, its responsible doctor chosen. */
async function openNew(name: string, date = '2026-03-05') {
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${form(name)}&pacijentID=${patient}&datumUnosa=${date}`, 'regix');
  await now.page.getByRole('heading', { name, level: 1 }).waitFor();
}
/** The items of a multi-select of this name, each toggled once. */
async function toggle(name: string, ...items: string[]) {
  await now.page
    .locator('.p-multiselect')
    .filter({ has: now.page.getByLabel(name, { exact: false }) })
    .click();
  for (const item of items) await now.page.getByRole('option', { name: item, exact: true }).click();
  await now.page.keyboard.press('Escape');
  await listsGone(now.page);
}
const newest = async (name: string) => {
  const { data } = await call<{ data: { naziv: string; unosi: { id: number }[] }[] }>(
    'GET',
    `/api/patients/${patient}/entries?registarID=${register}`,
    { token },
  );
  return data.find(({ naziv }) => naziv === name)?.unosi[0]?.id ?? 0;
};

test('a patient is registered; every rule that is broken is said in turn', async () => {
  await openAs(now, 'lekar', `/registri/${register}`, 'regix');
  await now.page.getByRole('button', { name: 'Novi pacijent' }).click();
  const box = dialog('Novi pacijent');
  const fill = async (label: string, value: string) => {
    await box.getByLabel(label, { exact: false }).first().fill(value);
    await now.page.keyboard.press('Tab');
  };
  const refuses = async (message: string) => {
    await box.getByRole('button', { name: 'Snimi' }).click();
    await box.getByText(message, { exact: true }).waitFor();
  };
  const wrongDigit = `${jmbg.slice(0, 12)}${(Number(jmbg[12]) + 1) % 10}`;
  await refuses('Niste uneli ime.');
  await fill('Ime', 'Ljubiša');
  await refuses('Niste uneli prezime.');
  await fill('Prezime', 'Šćepanović');
  await refuses('Niste uneli datum rođenja.');
  await fill('Datum rođenja', '14.05.1961.');
  await refuses('Niste uneli JMBG.');
  await fill('JMBG', '123');
  await refuses('JMBG mora imati tačno 13 cifara.');
  await fill('JMBG', '3202961712345');
  await refuses('JMBG ne sadrži ispravan datum rođenja.');
  await fill('JMBG', wrongDigit);
  await refuses('Kontrolna cifra u JMBG nije ispravna.');
  await fill('JMBG', jmbg);
  await refuses('Niste uneli LBO.');
  await fill('LBO', '123');
  await refuses('LBO mora imati 11 cifara.');
  await fill('LBO', jmbg.slice(2));
  await refuses('Niste uneli kontakt telefon.');
  await fill('Kontakt telefon', '11/1234567');
  await refuses('Kontakt telefon nije u formatu XXX/XXXXXXYY.');
  await fill('Kontakt telefon', '011/1234567');
  await fill('Mobilni telefon', '064/12345');
  await refuses('Mobilni telefon nije u formatu XXX/XXXXXXYY.');
  await fill('Mobilni telefon', '064/12345678');
  await fill('E-mail', 'ljubisa@');
  await refuses('E-mail adresa nije ispravna.');
  await fill('E-mail', 'ljubisa@primer.rs');
  await box.getByRole('button', { name: 'Snimi' }).click();
  const heading = now.page.getByRole('heading', { name: 'Ljubiša Šćepanović', level: 1 });
  const anyway = box.getByRole('button', { name: 'Ipak snimi novog pacijenta' });
  await heading.or(anyway).first().waitFor();
  if (await anyway.isVisible()) await anyway.click();
  await heading.waitFor();
  patient = Number(/\d+$/.exec(new URL(now.page.url()).pathname)?.[0]);
  expect(patient).toBeGreaterThan(0);
});

test.describe('the medical history', () => {
  test('is begun from the search, once its type is chosen', async () => {
    await openAs(now, 'lekar', `/registri/${register}`, 'regix');
    await now.page.getByLabel('JMBG').fill(jmbg);
    await now.page.keyboard.press('Enter');
    await now.page.getByRole('button', { name: 'Novi unos: Šćepanović Ljubiša' }).click();
    const box = dialog('Novi unos');
    await box.getByRole('button', { name: 'Kreiraj' }).click();
    await box.getByText('Morate odabrati neki od unosa.').waitFor();
    await expectAccessible(now.page);
    await box.getByLabel('Anamneza').check();
    await box.getByRole('button', { name: 'Kreiraj' }).click();
    await now.page.waitForURL(new RegExp(`/unosi/novi\\?tsaID=${form('Anamneza')}&pacijentID=${patient}&datumUnosa=\\d{4}-\\d{2}-\\d{2}$`));
    await now.page.getByRole('heading', { name: 'Anamneza', level: 1 }).waitFor();
  });

  test('starts with initial values of every kind and takes every widget, with its marks and help', async () => {
    await openNew('Anamneza');
    // On the day of the examination, not today.
    await expect.poll(() => field('Starost').inputValue()).toBe('64');
    await now.page.getByText('preuzeto iz ranijih podataka').waitFor();
    // What the form itself gives is marked as what was taken from elsewhere is.
    await expect.poll(() => now.page.getByText('početna vrednost formulara').count()).toBe(2);
    await expect.poll(() => field('Uputna dijagnoza').inputValue()).toBe('Arthritis rheumatoides');
    await expect.poll(() => field('Broj ranijih pregleda').inputValue()).toBe('0');
    await expect
      .poll(() => group('Konzumira alkohol').getByLabel('Ne').isChecked(), { message: 'a finding is nobody’s default' })
      .toBe(false);
    await now.page.getByText('Popunjava se iz datuma rođenja').waitFor();
    await expect.poll(() => now.page.locator('label', { hasText: /^Starost/ }).innerText()).toContain('*');
    await now.page
      .locator('label', { hasText: /^Visina/ })
      .getByTitle('relevantno polje')
      .waitFor();

    await field('Visina').fill('170');
    await field('Masa').fill('70,5');
    await expect.poll(() => computed('BMI').innerText()).toBe('24,39');
    await field('Pušenje').selectOption('Sadašnji pušač');
    await field('Cigareta dnevno').fill('10');
    await field('Pušenje').selectOption('Bivši pušač');
    await field('Cigareta dnevno').waitFor({ state: 'hidden' });
    await field('Alergije na lekove').fill('Penicilin\nSulfasalazin');
    for (const disease of ['Hipertenzija', 'Druga bolest']) await group('Pridružene bolesti').getByLabel(disease).check();
    await field('Koja druga bolest').waitFor();

    await now.page.getByRole('button', { name: 'Info: Pridružene bolesti' }).click();
    await dialog('Info').getByText('terapijom koju pacijent uzima').waitFor();
    await expect.poll(() => dialog('Info').getByRole('listitem').count()).toBe(2);
    await expectAccessible(now.page);
    await dialog('Info').getByRole('button', { name: 'Zatvori' }).last().click();
    await isFocused(now.page.getByRole('button', { name: 'Info: Pridružene bolesti' }));

    await expect.poll(() => now.page.getByRole('tab', { name: 'Porodična anamneza' }).count()).toBe(0);
    await now.page.getByRole('button', { name: 'Prikaži skrivene segmente' }).click();
    await tab('Porodična anamneza');
    await now.page.getByRole('heading', { name: 'Reumatske bolesti u porodici' }).waitFor();
    await field('Obolelih srodnika').fill('1');
    await expectAccessible(now.page);

    await now.page.keyboard.press('Control+s');
    await now.page.getByText('Niste uneli stavku sa nazivom: Koja druga bolest.').first().waitFor();
    await isFocused(field('Koja druga bolest'));
    await field('Koja druga bolest').fill('Psorijaza');
    // Who begins an entry answers for it, until she says otherwise.
    await expect.poll(() => field('Ordinirajući lekar').inputValue()).toBe('Živković Čedomir');
    await field('Ordinirajući lekar').fill('');
    await now.page.keyboard.press('Control+s');
    await now.page.getByText('Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.').first().waitFor();
    await isFocused(field('Ordinirajući lekar'));
    await chooseDoctor(now.page);
    await now.page.keyboard.press('Control+s');
    await question().getByText('Ove početne vrednosti niste uneli ni potvrdili').waitFor();
    await expect
      .poll(() => question().getByRole('listitem').allInnerTexts())
      .toEqual([
        'Starost: 64 god. (obavezna stavka, preuzeto iz ranijih podataka)',
        'Uputna dijagnoza: Arthritis rheumatoides (početna vrednost formulara)',
        'Broj ranijih pregleda: 0 (početna vrednost formulara)',
      ]);
    await question().getByRole('button', { name: 'Potvrdi i snimi' }).click();
    await question().getByText('Da li ste sigurni da želite da nastavite bez popunjenih relevantnih polja?').waitFor();
    await question().getByRole('button', { name: 'Odustani' }).click();
    await expect.poll(() => now.page.locator('[data-marked=true]').count()).toBe(1);
    await isFocused(field('Prvi simptomi'));
    await now.page.keyboard.press('ArrowDown');
    await now.page.locator('.p-datepicker').waitFor();
    await expectAccessible(now.page);
    await now.page.keyboard.press('Escape');
    await isFocused(field('Prvi simptomi'));
    await saveHere();
    await question().getByRole('button', { name: 'Nastavi' }).click();
    await expect.poll(() => question().getByRole('listitem').allInnerTexts()).toEqual(['Cigareta dnevno']);
    await question().getByRole('button', { name: 'Nastavi' }).click();
    await saved();
    await now.page.waitForURL(/\/unosi\/\d+$/);

    await now.page.reload();
    await field('Koja druga bolest').waitFor();
    await expect.poll(() => field('Alergije na lekove').inputValue()).toBe('Penicilin\nSulfasalazin');
    await expect.poll(() => group('Pridružene bolesti').getByRole('checkbox', { checked: true }).count()).toBe(2);
    await expect.poll(() => now.page.getByRole('button', { name: 'Prikaži skrivene segmente' }).count()).toBe(0);
    await tab('Porodična anamneza');
    await expect.poll(() => field('Obolelih srodnika').inputValue()).toBe('1');
  });

  test('is refused a second time, since a patient has but one', async () => {
    await openAs(now, 'lekar', `/unosi/${await newest('Anamneza')}`);
    await now.page.getByRole('button', { name: 'Stranica pacijenta' }).click();
    await now.page.getByRole('button', { name: 'Novi unos: Anamneza' }).last().click();
    await dialog('Novi unos').getByRole('button', { name: 'Kreiraj' }).click();
    await dialog('Novi unos')
      .getByText('Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 1')
      .waitFor();
    await expectAccessible(now.page);
  });
});

test.describe('joints on the pictures', () => {
  test('count themselves into TJC28 and SJC28, and take the place of typed counts', async () => {
    await openNew('Pregled', '2026-01-05');
    await chooseDoctor(now.page);
    await field('Broj bolnih zglobova (TJC28)').fill('20');
    await field('Broj otečenih zglobova (SJC28)').fill('0');
    await expect.poll(() => computed('Bolni zglobovi, TJC28').innerText()).toBe('20');
    await tab('Homunkulus');
    for (const joint of ['Rame desno', 'PIP 3 levo', 'Koleno levo']) await tender(joint).check();
    await swollen('PIP 3 levo').check();
    await expectAccessible(now.page);
    await expect.poll(() => computed('Označeno bolnih zglobova').innerText()).toBe('3');
    await tab('Aktivnost bolesti');
    await expect.poll(() => computed('Bolni zglobovi, TJC28').innerText()).toBe('3');
    await expect.poll(() => computed('Otečeni zglobovi, SJC28').innerText()).toBe('1');
    await expect.poll(() => field('Broj bolnih zglobova (TJC28)').isVisible(), { message: 'one count, not two' }).toBe(false);
  });

  test('say nothing until the picture is used, and none only where somebody says so', async () => {
    await openNew('Pregled', '2026-01-05');
    await tab('Homunkulus');
    const marks = () => computed('Označeno bolnih zglobova').innerText();
    const blank = await marks();
    expect(blank).not.toMatch(/\d/);
    await tender('Rame desno').check();
    await expect.poll(marks).toBe('1');
    await tender('Rame desno').uncheck();
    await expect.poll(marks, { message: 'a mark that was a slip leaves nothing behind' }).toBe(blank);
    await now.page.getByRole('button', { name: 'Bolni zglobovi: nema nijednog' }).click();
    await expect.poll(marks).toBe('0');
    await expectAccessible(now.page);
    await tab('Aktivnost bolesti');
    await expect.poll(() => computed('Bolni zglobovi, TJC28').innerText()).toBe('0');
    await field('Broj otečenih zglobova (SJC28)').fill('5');
    await chooseDoctor(now.page);
    await saveHere();
    await question().getByRole('button', { name: 'Nastavi' }).click();
    await now.page.waitForURL(/\/unosi\/\d+$/);
    const id = Number(/\d+$/.exec(now.page.url())?.[0]);
    const { autsiArray, vrednosti } = await call<Display>('GET', `/api/entry-display?haID=${id}`, { token });
    const of = (begin: string) =>
      autsiArray.filter(({ sifra }) => new RegExp(`^${begin}[A-Z].*[DL]$`).test(sifra ?? '')).map((dot) => vrednosti[dot.id]);
    expect(of('bol')).toEqual(Array.from({ length: 28 }, () => false));
    expect(of('otok'), 'a typed count leaves its joints blank').toEqual(Array.from({ length: 28 }, () => undefined));
    await call('POST', '/api/delete-entry', { token, body: { id } });
  });

  test('have places of at least 24 px on a phone, none over another', async () => {
    await now.page.setViewportSize({ width: 390, height: 844 });
    await openNew('Pregled', '2026-01-05');
    await tab('Homunkulus');
    const picture = now.page.getByRole('group', { name: 'Bolni zglobovi', exact: true });
    await tender('Rame desno').waitFor();
    const boxes = await picture
      .locator('label')
      .evaluateAll((labels) =>
        labels.map((label) => label.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })),
      );
    expect(boxes).toHaveLength(28);
    expect(boxes.filter(({ width, height }) => width < 24 || height < 24)).toEqual([]);
    const overlapping = boxes.filter((a, i) =>
      boxes.some((b, j) => j > i && Math.abs(a.x - b.x) < a.width - 0.5 && Math.abs(a.y - b.y) < a.height - 0.5),
    );
    expect(overlapping).toEqual([]);
  });
});

test.describe('a visit', () => {
  test('computes its indices, counts drugs, and shows in the chart', async () => {
    await openNew('Pregled');
    await chooseDoctor(now.page);
    const typed = {
      'Broj bolnih zglobova (TJC28)': '9',
      'Broj otečenih zglobova (SJC28)': '6',
      'Sedimentacija eritrocita': '30',
      CRP: '12',
      'Opšte zdravlje, ocena pacijenta (GH)': '50',
      'Aktivnost bolesti, ocena pacijenta (PtGA)': '5',
      'Aktivnost bolesti, ocena lekara (PhGA)': '4',
    };
    for (const [name, value] of Object.entries(typed)) await field(name).fill(value);
    const shown = async (...names: string[]) => Promise.all(names.map((name) => computed(name).innerText()));
    await expect
      .poll(() => shown('DAS28-SE', 'DAS28-CRP', 'CDAI', 'SDAI', 'Aktivnost po DAS28-SE'))
      .toEqual(['5,45', '4,95', '24', '25,2', 'Visoka']);

    await tab('Terapija');
    await toggle('Terapija', 'Metotreksat', 'Sulfasalazin', 'Leflunomid');
    const chosen = now.page.locator('.p-multiselect-label');
    await expect.poll(() => chosen.innerText()).toBe('Metotreksat, Sulfasalazin, Leflunomid');
    await toggle('Terapija', 'Glukokortikoid');
    await expect.poll(() => chosen.innerText()).toBe('Izabrano: 4');
    await field('Nedeljna doza metotreksata').fill('15');
    await saveHere();
    await saved();
    await now.page.waitForURL(/\/unosi\/\d+$/);
    await now.page.waitForLoadState('networkidle');
    await expect.poll(() => now.page.getByRole('tab', { name: 'Terapija' }).getAttribute('aria-selected')).toBe('true');

    await tab('Tok bolesti');
    const chart = now.page.getByRole('img', { name: 'Grafik: Tok bolesti' });
    await chart.waitFor();
    await expect.poll(() => chart.getAttribute('viewBox')).toBe('0 0 800 400');
    await expect
      .poll(() => chart.locator('title').allTextContents())
      .toEqual(
        expect.arrayContaining(['DAS28, 05.03.2026.: 5,45', 'CDAI, 05.03.2026.: 24', 'SDAI, 05.03.2026.: 25,2', 'CRP, 05.03.2026.: 12']),
      );
    await expectAccessible(now.page);
  });

  test('names the hidden values that a save clears, keeps them in the history, and changes nothing when it is cancelled', async () => {
    const id = await newest('Pregled');
    await openAs(now, 'lekar', `/unosi/${id}`, 'regix');
    await tab('Terapija');
    await toggle('Terapija', 'Metotreksat');
    await saveHere();
    await question().getByText('Ove stavke su skrivene i njihove vrednosti će pri snimanju biti obrisane:').waitFor();
    await expect.poll(() => question().getByRole('listitem').allInnerTexts()).toEqual(['Nedeljna doza metotreksata']);
    await expectAccessible(now.page);
    await question().getByRole('button', { name: 'Odustani' }).click();
    await toggle('Terapija', 'Metotreksat');
    await expect.poll(() => field('Nedeljna doza metotreksata').inputValue()).toBe('15');
    await toggle('Terapija', 'Metotreksat');
    await saveHere();
    await question().getByRole('button', { name: 'Nastavi' }).click();
    await saved();

    await now.page.getByRole('button', { name: 'Istorija verzija' }).click();
    await now.page.getByRole('heading', { name: 'Istorija unosa' }).waitFor();
    await toggle('Stavke unosa', 'Nedeljna doza metotreksata');
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    const row = now.page.getByRole('table', { name: 'Promene vrednosti' }).getByRole('row').nth(1);
    await expect.poll(() => row.innerText()).toContain('Nedeljna doza metotreksata');
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells[0]).toMatch(/^\d{2}\.\d{2}\.\d{4}\. \d{2}:\d{2}$/);
    expect(cells[6]).toBe('15');
    await now.page.getByRole('button', { name: 'Nazad na unos' }).click();
    await now.page.waitForURL(`**/unosi/${id}`);
  });

  test('goes by keyboard alone: fields in their order, tabs by arrows, panels by Enter, saving by Ctrl+S', async () => {
    const id = await newest('Pregled');
    await openAs(now, 'lekar', `/unosi/${id}`);
    const { keyboard } = now.page;
    await field('Broj bolnih zglobova (TJC28)').focus();
    await keyboard.press('Control+a');
    await keyboard.type('0');
    await keyboard.press('Tab');
    await isFocused(field('Broj otečenih zglobova (SJC28)'));
    await keyboard.press('Tab');
    await isFocused(field('Jutarnja ukočenost'));
    await keyboard.type('45');
    await keyboard.press('Tab');
    const panel = now.page.getByRole('button', { name: 'Laboratorija' });
    await isFocused(panel);
    await keyboard.press('Enter');
    await expect.poll(() => panel.getAttribute('aria-expanded')).toBe('false');
    await keyboard.press('Enter');
    await now.page.getByRole('tab', { name: 'Aktivnost bolesti' }).focus();
    await keyboard.press('ArrowRight');
    await isFocused(now.page.getByRole('tab', { name: 'Homunkulus' }));
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await isFocused(tender('Rame desno'));
    await keyboard.press('Space');
    await expect.poll(() => computed('Označeno bolnih zglobova').innerText()).toBe('1');
    await keyboard.press('Space');
    await keyboard.press('Control+s');
    await saved();
    await expect.poll(() => tender('Rame desno').isChecked()).toBe(false);
  });
});

test('HAQ-DI is blank below six sections, then their mean, and an aid raises a section to 2', async () => {
  await openNew('HAQ-DI');
  await chooseDoctor(now.page);
  const answer = async (panel: string) => {
    for (const options of await now.page.getByRole('region', { name: panel }).getByRole('group').all())
      await options.getByLabel('Uz izvesne teškoće').check();
  };
  const sections = [
    '1. Oblačenje i nega',
    '2. Ustajanje',
    '3. Ishrana',
    '4. Hod',
    '5. Higijena',
    '6. Dohvatanje',
    '7. Stisak',
    '8. Svakodnevne aktivnosti',
  ];
  for (const section of sections.slice(0, 4)) await answer(section);
  await tab('Oblasti 5 do 8');
  await answer(sections[4] ?? '');
  await tab('Rezultat');
  await expect.poll(() => computed('HAQ-DI').innerText()).toBe('—');
  await tab('Oblasti 5 do 8');
  for (const section of sections.slice(5)) await answer(section);
  await tab('Rezultat');
  await expect.poll(() => computed('HAQ-DI').innerText()).toBe('1');
  await tab('Oblasti 1 do 4');
  await now.page.getByRole('region', { name: '2. Ustajanje' }).getByLabel('Pomagalo ili pomoć druge osobe').check();
  await tab('Rezultat');
  await expect.poll(() => computed('HAQ-DI').innerText()).toBe('1,13');
  await now.page.getByRole('button', { name: 'Snimi', exact: true }).click();
  await now.page.waitForURL(`**/pacijenti/${patient}`);
  await now.page.getByRole('heading', { name: 'Ljubiša Šćepanović', level: 1 }).waitFor();
  await now.page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: 'Reumatologija' }).waitFor();
});

test.describe('the patient is found', () => {
  for (const name of ['Šćepanović', 'scepanovic', 'шћепановић', 'ŠĆEPANOVIĆ Ljub'])
    test(`by the name ${name}`, async () => {
      await openAs(now, 'lekar', `/registri/${register}`);
      await now.page.getByLabel('Prezime').fill(name.split(' ')[0] ?? '');
      await now.page.getByLabel('Ime', { exact: true }).fill(name.split(' ')[1] ?? '');
      await now.page.getByLabel('JMBG').fill(jmbg);
      await now.page.keyboard.press('Enter');
      await now.page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('link', { name: 'Šćepanović Ljubiša' }).waitFor();
    });

  test('by a value of an entry, typed in Cyrillic', async () => {
    await openAs(now, 'lekar', `/registri/${register}`);
    await chooseOf(now.page, 'Stavka unosa', 'Alergije na lekove');
    await now.page.getByLabel('Vrednost').fill('пеницилин');
    await now.page.keyboard.press('Enter');
    await now.page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('link', { name: 'Šćepanović Ljubiša' }).waitFor();
    await now.page.goto(`/registri2/${register}`);
    await now.page.getByRole('heading', { name: 'Reumatologija', level: 1 }).waitFor();
    await now.page.getByRole('button', { name: 'Novi pacijent' }).waitFor();
  });
});

test('an entry of another institution is shown, its doctor named, and nothing on it can be changed', async () => {
  const { unosi } = await call<{ unosi: { pacijentID: number | null }[] }>('POST', '/api/search', {
    token,
    body: { registarID: register, brojRezultatePretrage: 1000 },
  });
  for (const { pacijentID } of unosi) {
    if (pacijentID === null || pacijentID === patient) continue;
    const { data } = await call<{ data: { naziv: string; unosi: { id: number; ustanova: string }[] }[] }>(
      'GET',
      `/api/patients/${pacijentID}/entries?registarID=${register}`,
      { token },
    );
    const foreign = data.find(({ naziv }) => naziv === 'Pregled')?.unosi.find(({ ustanova }) => ustanova === 'Institut za reumatologiju');
    if (!foreign) continue;
    await openAs(now, 'lekar', `/unosi/${foreign.id}`);
    await now.page.getByText('Nemate pravo izmene ovog unosa. Prikazan je samo za čitanje.').waitFor();
    await expect.poll(() => now.page.getByRole('button', { name: /^(Snimi|Snimi i ostani|Obriši)$/ }).count()).toBe(0);
    for (const input of await now.page.getByRole('main').locator(':is(input, select, textarea):visible:not([aria-hidden=true])').all())
      await expect.poll(() => input.isDisabled(), { message: await input.evaluate((element) => element.outerHTML) }).toBe(true);
    await expect.poll(() => field('Ordinirajući lekar').inputValue()).toContain('Šarčević Ljiljana');
    await expectAccessible(now.page);
    return;
  }
  throw new Error('the demo has no patient with entries of two institutions');
});
