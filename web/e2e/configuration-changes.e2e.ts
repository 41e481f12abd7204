// What an administrator changes of a form that has entries: said before it is done, kept from those entries until somebody takes them
// over to it, and undone where it was deleted.
import { type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseDoctor, expectAccessible, listsGone, logIn, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient: number;
/** Of the number 5, and of 7. */
let entries: [number, number];
let items: Record<string, number>;

const FORMULA = 'if($(broj) > 6, $(broj) + 10, $(broj) + 1)';

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeAll(async () => {
  test.setTimeout(120_000);
  const types = { Broj: {}, Skup: { tipVrednostiAtributa: 4 }, Slobodan: {} };
  register = await ownRegister('izmena', 'Kontrola', types, [
    { sifra: 'broj', naziv: 'Polazni broj', tip: 'Broj' },
    { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Broj', formula: '$(broj) + 1' },
    { sifra: 'stadijum', naziv: 'Stadijum', tip: 'Skup' },
  ]);
  items = {};
  for (const [place, naziv] of ['Rani', 'Pozni'].entries()) {
    const body = { naziv, numVrednost: place + 1, redosled: place + 1, tipAtributa: register.types.Skup?.id };
    items[naziv] = (await call<{ id: number }>('POST', '/api/enum-items', { token: register.admin, body })).id;
  }
  patient = await patientOf(register, 'Izmenić', 'Formula');
  entries = [
    await entryOf(register, patient, '2026-03-01', { broj: 5, stadijum: [items.Rani] }),
    await entryOf(register, patient, '2026-03-02', { broj: 7, stadijum: [items.Rani] }),
  ];
});
test.afterAll(async () => {
  if (patient) await forget(register, patient);
});

const question = () => page.getByRole('alertdialog');
const answer = (name: string) => question().getByRole('button', { name, exact: true }).click();
const visible = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).filter({ visible: true }).click();
const result = () => page.locator('output').and(page.getByLabel('Izračunat zbir', { exact: true }));
const notice = (newest: number) => page.getByText(`Novija je verzija ${newest}.`, { exact: false });
const saveAndStay = () => page.getByRole('button', { name: 'Snimi i ostani' }).click();
const saved = () => page.getByText('Uspešno snimljen unos.').last().waitFor();

async function openFields() {
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await page.getByRole('tab', { name: 'Polja formulara' }).click();
}
test('a formula is changed once whoever changes it has said so; entries keep theirs until somebody takes them over', async () => {
  test.setTimeout(120_000);
  await openFields();
  await page.getByRole('cell', { name: 'Izračunat zbir', exact: true }).click();
  await visible('Izmeni');
  const dialog = page
    .getByRole('dialog', { name: 'Izračunat zbir' })
    .or(page.getByRole('dialog').filter({ hasText: 'Formula za računanje' }))
    .first();
  const formula = dialog.getByLabel('Formula za računanje', { exact: true });
  await formula.fill(FORMULA);
  const change = () => dialog.locator('.p-dialog-footer').getByRole('button', { name: 'Izmeni', exact: true }).click();
  await change();
  await question().getByText('2 unosa, 1 snimljeni rezultat se razlikuje', { exact: false }).waitFor();
  await expectAccessible(page);
  await answer('Odustani');
  await question().waitFor({ state: 'detached' });
  const stored = () => call<{ formulaZaRacunanje: string }>('GET', `/api/form-fields/${register.fields.zbir}`, { token: register.admin });
  expect((await stored()).formulaZaRacunanje).toBe('$(broj) + 1');
  await expect.poll(() => formula.inputValue(), { message: 'what was typed stays' }).toBe(FORMULA);
  await change();
  await answer('Ipak izmeni');
  await dialog.waitFor({ state: 'detached' });
  expect((await stored()).formulaZaRacunanje).toBe(FORMULA);

  await anew();
  await openAs(now, 'lekar', `/unosi/${entries[1]}`, 'regix');
  await notice(2).waitFor();
  await expect.poll(() => result().innerText()).toBe('8');
  // A correction is computed by the formula of its version.
  await page.getByLabel('Polazni broj', { exact: true }).fill('9');
  await expect.poll(() => result().innerText()).toBe('10');
  await saveAndStay();
  await saved();
  await notice(2).waitFor();

  await page.getByLabel('Polazni broj', { exact: true }).fill('8');
  await page.getByRole('button', { name: 'Prikaži razlike' }).click();
  const differences = page.getByRole('dialog', { name: 'Razlike između verzija 1 i 2' });
  await differences.getByText('Izračunat zbir: 10 → 19').waitFor();
  await differences.getByText('formula za računanje: $(broj) + 1 →', { exact: false }).waitFor();
  await expectAccessible(page);
  await differences.getByRole('button', { name: 'Pređi na verziju 2' }).click();
  await page.getByText('Prikazano po verziji 2 formulara.', { exact: false }).waitFor();
  await expect.poll(() => page.getByLabel('Polazni broj', { exact: true }).inputValue(), { message: 'what was typed is kept' }).toBe('8');
  await expect.poll(() => result().innerText()).toBe('18');
  await expectAccessible(page);
  await saveAndStay();
  await saved();
  await page.getByText('Prikazano po verziji 2', { exact: false }).waitFor({ state: 'detached' });
  await expect.poll(() => result().innerText()).toBe('18');

  // The other entry is as it was, and says so.
  await page.goto(`/unosi/${entries[0]}`);
  await notice(2).waitFor();
  await expect.poll(() => result().innerText()).toBe('6');
  await page.goto(`/unosArhiva/${entries[1]}`);
  await page.getByText('sa verzije 1 na 2', { exact: false }).waitFor();
});

test('a form that changes while somebody fills it is not saved unseen, and nothing that was typed is lost', async () => {
  test.setTimeout(120_000);
  const extra = await call<{ id: number }>('POST', '/api/form-fields', {
    token: register.admin,
    body: { ...ofFree(register.types.Broj?.id ?? 0), naziv: 'Privremeno polje', redosled: 80 },
  });
  const address = `/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-03-04`;
  await openAs(now, 'lekar', address, 'regix');
  await page.getByLabel('Polazni broj', { exact: true }).fill('4');
  await page.getByLabel('Privremeno polje', { exact: true }).fill('12,5');
  await chooseDoctor(page);
  await call('PATCH', `/api/form-fields/${register.fields.broj}`, { token: register.admin, body: { naziv: 'Početni broj' } });
  await call('DELETE', `/api/form-fields/${extra.id}`, { token: register.admin });
  await saveAndStay();
  await question().getByText('Formular je izmenjen dok ste ga popunjavali', { exact: false }).waitFor();
  await expectAccessible(page);
  await answer('Nastavi po novoj verziji');
  await expect.poll(() => page.getByLabel('Početni broj', { exact: true }).inputValue()).toBe('4');
  await page.getByRole('alert').filter({ hasText: 'Privremeno polje: 12,5' }).waitFor();
  await expectAccessible(page);
  await saveAndStay();
  await saved();
  await call('PATCH', `/api/form-fields/${register.fields.broj}`, { token: register.admin, body: { naziv: 'Polazni broj' } });

  await anew();
  await openFields();
  await page.getByRole('tab', { name: 'Verzije' }).click();
  await page.getByRole('cell', { name: '3', exact: true }).first().waitFor();
  await page.getByText('naziv: Početni broj → Polazni broj', { exact: true }).waitFor();
  await expectAccessible(page);
});

test('an item that is renamed leaves the history with the name it had', async () => {
  const on = crudOn(page);
  await openAs(now, 'admin', '/admin/tipoviAtributa', 'regix');
  await page.getByLabel('Filtriraj: Naziv').fill(register.types.Skup?.naziv ?? '');
  await on.open('Izmeni', register.types.Skup?.naziv ?? '');
  await on.tab('Stavke nabrajanja').click();
  await on.cell('Rani').click();
  await on.dialog().getByRole('button', { name: 'Izmeni', exact: true }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(2);
  await on.field('Naziv').fill('Početni');
  await on.press('Izmeni');
  await on.told('Uspešno izmenjeno: Početni');

  await anew();
  await openAs(now, 'lekar', `/unosArhiva/${entries[0]}`, 'regix');
  await page.locator('.p-multiselect').click();
  await page.getByRole('option', { name: 'Stadijum', exact: true }).click();
  await page.keyboard.press('Escape');
  await listsGone(page);
  await page.getByRole('button', { name: 'Pretraži' }).click();
  const history = page.getByRole('table', { name: 'Promene vrednosti' });
  await history.getByRole('cell', { name: 'Rani', exact: true }).waitFor();
  await expect.poll(() => history.getByText('Početni').count()).toBe(0);
  await page.goto(`/unosi/${entries[0]}`);
  const chosen = page.getByLabel('Stadijum', { exact: true }).locator('option:checked');
  await expect.poll(() => chosen.textContent(), { message: 'the entry has the words of its version' }).toBe('Rani');
});

test('what is in use is not deleted, and the places are named; what was deleted is brought back and works again', async () => {
  test.setTimeout(120_000);
  const on = crudOn(page);
  const [used, free] = [register.types.Broj?.naziv ?? '', register.types.Slobodan ?? { id: 0, naziv: '' }];
  await openAs(now, 'admin', '/admin/tipoviAtributa', 'regix');
  const find = (name: string) => page.getByLabel('Filtriraj: Naziv').fill(name);
  await find(used);
  await on.open('Obriši', used);
  await on.press('Obriši');
  const refusal = on.dialog().getByText('Ne može se obrisati jer se koristi: tip je polja', { exact: false });
  await refusal.waitFor();
  for (const place of ['Polazni broj (Kontrola)', 'Izračunat zbir (Kontrola)']) expect(await refusal.innerText()).toContain(place);
  await expectAccessible(page);
  await on.press('Odustani');
  await on.closed();

  await find(free.naziv);
  await on.remove(free.naziv);
  await expect(
    call('POST', '/api/form-fields', { token: register.admin, body: { ...ofFree(free.id), naziv: 'Prerano' } }),
  ).rejects.toThrow();
  await on.tool('Obrisano').click();
  await page.getByLabel('Filtriraj: Naziv').fill(free.naziv);
  const row = page.getByRole('row').filter({ has: on.cell(free.naziv) });
  await row.waitFor();
  expect(await row.innerText()).toContain((await logIn('admin')).imePrezime.split(' ').at(-1));
  await expectAccessible(page);
  await on.cell(free.naziv).click();
  await on.tool('Vrati').click();
  await on.told(`Uspešno vraćeno: ${free.naziv}`);
  await on.tool('Nazad na listu').click();
  await find(free.naziv);
  await on.cell(free.naziv).waitFor();
  await call('POST', '/api/form-fields', { token: register.admin, body: { ...ofFree(free.id), naziv: 'Opet u upotrebi' } });

  await anew();
  await openAs(now, 'lekar', `/unosi/${entries[0]}`, 'regix');
  await page.getByRole('button', { name: 'Prikaži razlike' }).click();
  await page.getByRole('button', { name: /^Pređi na verziju/ }).click();
  await page.getByLabel('Opet u upotrebi', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
});

const ofFree = (tipAtributa: number) => ({
  tipSkupaAtributa: register.form,
  tipAtributa,
  redosled: 90,
  opcioni: true,
  prikazujeSe: true,
  ispisujeSeLabela: true,
});

test('an entry that was deleted is brought back from the page of its patient, as it was', async () => {
  await openAs(now, 'lekar', `/unosi/${entries[0]}`, 'regix');
  await page.getByRole('button', { name: 'Obriši', exact: true }).click();
  await answer('Obriši');
  await page.waitForURL(`**/pacijenti/${patient}`);
  const link = page.getByRole('link', { name: '01.03.2026.', exact: true });
  await link.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Obrisani unosi' }).click();
  const deleted = page.getByRole('dialog', { name: 'Obrisani unosi' });
  await expectAccessible(page);
  await deleted.getByRole('button', { name: 'Vrati: Kontrola 01.03.2026.' }).click();
  await page.getByRole('alert').filter({ hasText: 'Uspešno vraćeno: Kontrola 01.03.2026.' }).first().waitFor();
  await deleted.getByRole('button', { name: 'Zatvori' }).click();
  await link.first().click();
  await expect.poll(() => page.getByLabel('Polazni broj', { exact: true }).inputValue()).toBe('5');
  await page.getByRole('button', { name: 'Snimi i ostani' }).waitFor();
});
