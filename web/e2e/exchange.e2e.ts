// Forms as files: an administrator takes one out, brings a REDCap dictionary in, reads what it cannot have, and a doctor fills it in.
import { readFileSync } from 'node:fs';
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseDoctor, expectAccessible, expectFits, logIn, NARROW, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
const left: (() => Promise<void>)[] = [];

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.afterEach(async () => {
  for (const leave of left.splice(0).reverse()) await leave();
});

const HEADER =
  'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,identifier,branching_logic,required_field,custom_alignment,question_number,matrix_group_name,matrix_ranking,field_annotation';
const DICTIONARY = `${HEADER}
masa,merenja,Merenja,text,Masa tela,,kg,number,30,200,,,y,,,,,
visina,merenja,,text,Visina tela,,m,number,1,2.3,,,,,,,,
bmi,merenja,,calc,Indeks mase,"round([masa]/([visina]*[visina]),1)",,,,,,,,,,,,
snimak,merenja,,sql,Snimak,,,,,,,,,,,,,
opis,merenja,,notes,Opis,,,,,,,[nepoznato] = '1',,,,,,
`;

const designer = designerOn(() => page);
const main = () => page.locator('main');
const button = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true });
const cell = (name: string) => main().getByRole('cell', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const choose = (name: string, content: string) =>
  page.locator('main input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

async function find(naziv: string) {
  await page.getByLabel('Filtriraj: Naziv', { exact: true }).filter({ visible: true }).fill(naziv);
  await cell(naziv).click();
}

test('a form goes out as a file, and what it would change is told before it comes in', async () => {
  await openAs(now, 'admin', '/admin/registri');
  await find('Kardiologija');
  await button('Izmeni').click();
  await main().getByRole('tab', { name: 'Formulari', exact: true }).click();
  await cell('Hospitalizacija zbog infarkta').click();
  const [download] = await Promise.all([page.waitForEvent('download'), button('Izvezi').click()]);
  expect(download.suggestedFilename()).toBe('hospitalizacija.toml');
  const file = readFileSync(await download.path(), 'utf8');
  expect(file).toContain('sifraVeza = "hospitalizacija"');

  await button('Uvezi').click();
  await heading('Uvoz iz fajla');
  await choose('hospitalizacija.toml', file.replace('naziv = "Puls"', 'naziv = "Puls u miru"'));
  await button('Pregledaj').click();
  await page.getByText('1 izmenjeno', { exact: true }).waitFor();
  await page.getByText('Puls u miru', { exact: true }).first().waitFor();
  await expectAccessible(page);
  // Instead of live it may become a draft, which is discarded here.
  const { token } = await logIn('admin');
  await button('Otvori kao nacrt').click();
  await page.getByRole('treeitem', { name: /Puls u miru/ }).waitFor();
  const form = Number(/formular\/(\d+)\/nacrt/.exec(page.url())?.[1]);
  await call('DELETE', `/api/forms/${String(form)}/draft`, { token });
  await openAs(now, 'admin', '/admin/registri');
  await button('Uvezi').click();
  await heading('Uvoz iz fajla');
  // Nobody confirms it.
  await choose('pokvaren.toml', '[[forms');
  await expect.poll(() => page.getByText('1 izmenjeno', { exact: true }).count()).toBe(0);
  await button('Pregledaj').click();
  await page.getByText('1 greška', { exact: true }).waitFor();
  await expect.poll(() => button('Uvezi').count()).toBe(0);
});

test('a REDCap dictionary becomes a form that a doctor fills in; what it cannot have is named by its row', async () => {
  const { token } = await logIn('admin');
  const stamp = Date.now().toString(36);
  const [naziv, sifra] = [`REDCap ${stamp}`, `redcap_${stamp}`];
  await openAs(now, 'admin', '/admin/registri');
  await button('Uvezi').click();
  await heading('Uvoz iz fajla');
  await button('Pregledaj').click();
  await page.getByText('Niste izabrali fajl.').waitFor();
  await choose('recnik.csv', DICTIONARY);
  await main().getByLabel('Naziv novog registra', { exact: true }).fill(naziv);
  await main().getByLabel('Šifra novog registra', { exact: true }).fill(sifra);
  await button('Pregledaj').click();
  await page.getByText('2 mesta se ne prenose', { exact: true }).waitFor();
  await page.getByText('1 izraz dokazan', { exact: true }).waitFor();
  await page.getByText('red 5, kolona „Field Type”', { exact: true }).waitFor();
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button('Uvezi').click();
  await told('Uvezeno: 1 formular');
  await heading(naziv);

  await cell('Merenja').click();
  await button('Izmeni').click();
  await heading('Merenja');
  await button('Uredi nacrt').click();
  await button('Započni nacrt').click();
  await page.getByRole('treeitem', { name: /Indeks mase/ }).waitFor();
  // What is not carried is the designer's to read, and nobody's who fills the form in.
  await page.getByRole('treeitem', { name: /Opis/ }).click();
  await expect.poll(() => page.getByLabel('Napomena dizajnera').inputValue()).toContain("[nepoznato] = '1'");

  const register = (await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/registers', { token })).data.find(
    (one) => one.naziv === naziv,
  );
  const id = register?.id ?? 0;
  const form = (await call<{ data: { id: number }[] }>('GET', `/api/forms?registar=${id}`, { token })).data[0]?.id ?? 0;
  await call('DELETE', `/api/forms/${form}/draft`, { token });
  const own: OwnRegister = { id, naziv, form, types: {}, fields: {}, admin: token, doctor: await logIn('lekar') };
  const patient = await patientOf(own, 'Uvozić', 'Proba');
  left.push(() => forget(own, patient));
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${form}&pacijentID=${patient}&datumUnosa=2026-03-04`, 'regix');
  await page.getByText('Opis').first().waitFor();
  expect(await page.getByText('nepoznato').count()).toBe(0);
  const field = (name: string) => page.getByLabel(new RegExp(`^${name}`)).first();
  await field('Masa tela').fill('81');
  await field('Visina tela').fill('1,8');
  await chooseDoctor(page);
  await expect.poll(() => page.locator('output[aria-labelledby]').first().textContent()).toContain('25');
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
});

test('a register is copied under another name', async () => {
  const { token } = await logIn('admin');
  const stamp = Date.now().toString(36);
  await openAs(now, 'admin', '/admin/registri');
  await find('Kardiologija');
  await button('Kopiraj').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Naziv *').fill(`Kopija ${stamp}`);
  await dialog.getByLabel('Šifra *').fill('kardiologija');
  await dialog.getByRole('button', { name: 'Kopiraj' }).click();
  await dialog.getByText('Registar sa tom šifrom već postoji.').first().waitFor();
  await dialog.getByLabel('Šifra *').fill(`kopija_${stamp}`);
  await dialog.getByRole('button', { name: 'Kopiraj' }).click();
  await told(`Kopirano: Kopija ${stamp}`);
  const { data } = await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/registers', { token });
  const copy = data.find(({ naziv }) => naziv === `Kopija ${stamp}`);
  const forms = (await call<{ data: { id: number }[] }>('GET', `/api/forms?registar=${String(copy?.id)}`, { token })).data;
  expect(forms.length).toBe(1);
  const none = { prviTipHijerarhijeAtributaID: null, podrazumevaniTipHijerarhijeAtributaID: null };
  await call('PATCH', `/api/registers/${String(copy?.id)}`, { token, body: none });
  for (const form of forms) await call('DELETE', `/api/forms/${form.id}`, { token });
  await call('DELETE', `/api/registers/${String(copy?.id)}`, { token });
});

test('a form is copied beside itself: its fields, formulas and items are there, what is done to the copy is not done to it', async () => {
  test.setTimeout(120_000);
  const own = await ownRegister('kopiranje', 'Kontrola', { Broj: {}, Stadijum: { tipVrednostiAtributa: 4 } }, [
    { sifra: 'broj', naziv: 'Polazni broj', tip: 'Broj' },
    { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Broj', formula: '$(broj) + 1' },
    { sifra: 'stadijum', naziv: 'Stadijum', tip: 'Stadijum' },
  ]);
  const { admin: token, form } = own;
  const item = { naziv: 'Rani', numVrednost: 1, redosled: 1, tipAtributa: own.types.Stadijum?.id };
  await call('POST', '/api/enum-items', { token, body: item });
  await call('PATCH', `/api/forms/${form}`, { token, body: { sifraVeza: 'kontrola' } });
  const patient = await patientOf(own, 'Kopić', 'Proba');
  left.push(() => forget(own, patient));
  const stored = await entryOf(own, patient, '2026-03-01', { broj: 5 });

  await openAs(now, 'admin', `/admin/registar/${own.id}`, 'regix');
  await main().getByRole('tab', { name: 'Formulari', exact: true }).click();
  await expect.poll(() => button('Kopiraj').isDisabled()).toBe(true);
  await cell('Kontrola').click();
  await button('Kopiraj').click();
  const dialog = page.getByRole('dialog', { name: 'Kopija: Kontrola' });
  await dialog.getByText('Kopija dobija sva polja i formule.', { exact: false }).waitFor();
  await expect.poll(() => dialog.getByLabel('Naziv *').inputValue()).toBe('Kontrola (kopija)');
  await expect.poll(() => dialog.getByLabel('Šifra *').inputValue()).toBe('kontrola2');
  await dialog.getByLabel('Šifra *').fill('kontrola');
  await dialog.getByRole('button', { name: 'Kopiraj' }).click();
  await expect.poll(() => dialog.getByLabel('Šifra *').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await dialog.getByLabel('Naziv *').fill('Kontrola posle godinu dana');
  await dialog.getByLabel('Šifra *').fill('kontrola_godina');
  await dialog.getByRole('button', { name: 'Kopiraj' }).click();
  await told('Kopirano: Kontrola posle godinu dana');
  await cell('Kontrola posle godinu dana').waitFor();
  await cell('kontrola_godina').waitFor();

  // Through the screen it is opened as any form, and published otherwise than what it was copied from.
  await cell('Kontrola posle godinu dana').click();
  await button('Izmeni').click();
  await heading('Kontrola posle godinu dana');
  await designer.begin();
  const names = () => page.getByRole('treeitem').locator('[data-name]').allInnerTexts();
  expect(await names()).toEqual(['Polazni broj', 'Izračunat zbir', 'Stadijum']);
  await designer.row('Izračunat zbir').click();
  expect(await designer.property('Formula za računanje').inputValue()).toBe('$(broj) + 1');
  await designer.property('Formula za računanje').fill('$(broj) + 100');
  await designer.kept();
  const impact = await designer.impact();
  await impact.getByText('0 unosa', { exact: true }).waitFor();
  await designer.publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();

  const forms = (await call<{ data: { id: number; naziv: string }[] }>('GET', `/api/forms?registar=${own.id}`, { token })).data;
  const copy = forms.find(({ naziv }) => naziv === 'Kontrola posle godinu dana')?.id ?? 0;
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${copy}&pacijentID=${patient}&datumUnosa=2026-03-04`, 'regix');
  const result = page.locator('output').and(page.getByLabel('Izračunat zbir', { exact: true }));
  await page.getByLabel('Polazni broj', { exact: true }).fill('5');
  await expect.poll(() => result.innerText()).toBe('105');
  await page.getByLabel('Stadijum', { exact: true }).selectOption({ label: 'Rani' });
  await anew();
  await openAs(now, 'lekar', `/unosi/${stored}`, 'regix');
  await expect
    .poll(() =>
      page
        .locator('output')
        .and(page.getByLabel('Izračunat zbir', { exact: true }))
        .innerText(),
    )
    .toBe('6');
});
