// An administrator's work with attribute types and the items of sets.
import { test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, logIn, openAs, type Visit } from './support';

let now: Visit;
let on: ReturnType<typeof crudOn>;
let token: string;

eachVisit((opened) => {
  now = opened;
  on = crudOn(opened.page);
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
  await openAs(now, 'admin', '/admin/tipoviAtributa');
  await now.page.getByRole('table', { name: 'Tipovi atributa' }).getByRole('cell').first().waitFor();
});

const fresh = (what: string) => `${what} ${Date.now().toString(36)}`;
interface Type {
  id: number;
  naziv: string;
}
const saved = async <T extends Type>(naziv: string): Promise<T | undefined> =>
  (await call<{ data: T[] }>('GET', '/api/attribute-types?aktivan=true', { token })).data.find((type) => type.naziv === naziv);

test('a type is made with all its fields, what is wrong named by its field, changed and deleted', async () => {
  const [naziv, renamed] = [fresh('Probni broj'), fresh('Probni drugi broj')];
  await expect
    .poll(async () => (await now.page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean))
    .toEqual(['Naziv', 'Tip vrednosti']);
  await on.tool('Dodaj').click();
  await expect.poll(() => on.isOff('Stavke nabrajanja')).toBe(true);
  await on.press('Dodaj');
  await on.dialog().getByText('Niste uneli naziv.').waitFor();
  await on.field('Naziv').fill(naziv);
  await on.press('Dodaj');
  await on.dialog().getByText('Niste izabrali tip vrednosti.').waitFor();
  await on.choose('Tip vrednosti', 'Brojni');
  for (const [label, value] of [
    ['Jedinica', 'mmol/L'],
    ['Decimale brojne vrednosti', '11'],
    ['Donja granica brojne vrednosti', '9,5'],
    ['Gornja granica brojne vrednosti', '4,25'],
    ['Širina', '60'],
    ['Visina', '2'],
    ['Napomena', 'Natašte'],
  ] as const) {
    await on.field(label).fill(value);
  }
  await on.field('Gornja granica brojne vrednosti').fill('četiri');
  await on.press('Dodaj');
  await on
    .dialog()
    .getByText(/nije ispravan/)
    .first()
    .waitFor();
  await expect.poll(() => on.field('Gornja granica brojne vrednosti').inputValue()).toBe('četiri');
  await on.field('Gornja granica brojne vrednosti').fill('4,25');
  await on.press('Dodaj');
  await on.dialog().getByText('Broj decimala može biti od 0 do 10.').waitFor();
  await on.field('Decimale brojne vrednosti').fill('2');
  await on.press('Dodaj');
  await on.dialog().getByText('Donja granica ne sme biti veća od gornje.').waitFor();
  await on.field('Donja granica brojne vrednosti').fill('-0,5');
  await on.press('Dodaj');
  await on.closed();
  await on.told(`Uspešno dodato: ${naziv}`);
  await now.page.getByLabel('Filtriraj: Naziv').fill('Probni');
  expect(await saved(naziv)).toMatchObject({
    tipVrednostiAtributa: 2,
    jedinica: 'mmol/L',
    decimaleBrojneVrednosti: 2,
    donjaGranicaBrojneVrednosti: -0.5,
    gornjaGranicaBrojneVrednosti: 4.25,
    sirina: 60,
    visina: 2,
    napomena: 'Natašte',
  });
  await on.open('Izmeni', naziv);
  await expect.poll(() => on.isOff('Stavke nabrajanja'), { message: 'it is no set' }).toBe(true);
  await on.field('Naziv').fill(renamed);
  await on.press('Izmeni');
  await on.closed();
  await on.open('Detalji', renamed);
  await expect.poll(() => on.field('Gornja granica brojne vrednosti').inputValue()).toBe('4,25');
  await expect.poll(() => on.field('Gornja granica brojne vrednosti').isDisabled()).toBe(true);
  await on.press('Zatvori');
  await on.closed();
  await on.remove(renamed);
});

test('the items of a set have their own list and dialog', async () => {
  const naziv = fresh('Probni skup');
  await on.tool('Dodaj').click();
  await on.field('Naziv').fill(naziv);
  await on.choose('Tip vrednosti', 'Skupovni');
  await expect.poll(() => on.isOff('Stavke nabrajanja'), { message: 'not before it is made' }).toBe(true);
  await on.press('Dodaj');
  await on.closed();
  await now.page.getByLabel('Filtriraj: Naziv').fill(naziv);
  await on.open('Izmeni', naziv);
  await on.tab('Stavke nabrajanja').click();
  const type = on.dialog();
  await expect.poll(() => type.getByRole('button', { name: 'Izmeni' }).count(), { message: 'only that of the list' }).toBe(1);
  const tool = (name: string) => now.page.getByRole('dialog').first().getByRole('button', { name, exact: true });
  const one = () => now.page.getByRole('dialog').nth(1);
  const itemClosed = () => one().waitFor({ state: 'detached' });
  await tool('Dodaj').click();
  await one().waitFor();
  await on.press('Dodaj');
  await one().getByText('Niste uneli naziv.').waitFor();
  await on.field('Naziv').fill('Umeren');
  await on.press('Dodaj');
  await one().getByText('Niste uneli numeričku vrednost.').waitFor();
  await on.field('Numerička vrednost').fill('1,5');
  await on.field('Redosled').fill('2');
  await on.field('Šifra veze').fill('umeren');
  await on.field('Opis').fill('Ni blag ni jak');
  await on.press('Dodaj');
  await itemClosed();
  await on.told('Uspešno dodato: Umeren');
  for (const shown of ['Umeren', '1,5', 'umeren', 'Ni blag ni jak', 'Da']) await on.cell(shown).waitFor();

  await on.cell('Umeren').click();
  await tool('Izmeni').click();
  await one().waitFor();
  await on.field('Naziv').fill('Srednji');
  await on.press('Izmeni');
  await itemClosed();
  await on.cell('Srednji').waitFor();
  const { id } = (await saved(naziv)) ?? { id: 0 };
  const { data } = await call<{ data: unknown[] }>('GET', `/api/enum-items?aktivan=true&tipAtributa=${id}`, { token });
  expect(data).toMatchObject([
    { tipAtributaID: id, naziv: 'Srednji', numVrednost: 1.5, redosled: 2, sifraVeza: 'umeren', opis: 'Ni blag ni jak', opcioni: true },
  ]);
  await tool('Obriši').click();
  await one().getByText('Da li ste sigurni da želite da obrišete „Srednji”?').waitFor();
  await on.press('Obriši');
  await itemClosed();
  await on.cell('Srednji').waitFor({ state: 'detached' });
  await on.press('Zatvori');
  await on.closed();
  await on.remove(naziv);
});

test('a type that forms use keeps its kind of value, and says why', async () => {
  await now.page.getByLabel('Filtriraj: Naziv').fill('Aktivnost bolesti');
  await on.open('Izmeni', 'Aktivnost bolesti');
  await on.choose('Tip vrednosti', 'Brojni');
  await on.press('Izmeni');
  await on.dialog().getByText('Tip vrednosti se ne može menjati jer se tip atributa koristi u formularima.').waitFor();
  await on.press('Odustani');
  await now.page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci' }).click();
  await on.closed();
});
