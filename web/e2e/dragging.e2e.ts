// What is moved in the designer by the mouse: fields of the tree into a panel, a tab and several at once, copies of a panel, and items of
// a set; the preview shows it, and it is published so.
import { type Locator, type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, openAs, type Visit } from './support';

const SET = 4;
const PANEL = 8;
const TAB = 11;

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Prevlačić',
  () =>
    ownRegister(
      'prevlacenje',
      'Kontrola',
      {
        Broj: {},
        Stadijum: { tipVrednostiAtributa: SET },
        Panel: { tipVrednostiAtributa: PANEL },
        Tab: { tipVrednostiAtributa: TAB },
      },
      [
        { sifra: 'masa', naziv: 'Masa', tip: 'Broj' },
        { sifra: 'visina', naziv: 'Visina', tip: 'Broj' },
        { sifra: 'puls', naziv: 'Puls', tip: 'Broj' },
        { sifra: 'glukoza', naziv: 'Glukoza', tip: 'Broj' },
        { sifra: 'stadijum', naziv: 'Stadijum', tip: 'Stadijum' },
        { sifra: 'merenja', naziv: 'Merenja', tip: 'Panel' },
        { sifra: 'nalazi', naziv: 'Nalazi', tip: 'Tab' },
      ],
    ),
  async (made, theirs) => {
    register = made;
    patient = theirs;
    for (const [place, naziv] of ['Rani', 'Srednji', 'Pozni'].entries()) {
      const body = { naziv, numVrednost: place + 1, redosled: place + 1, tipAtributa: register.types.Stadijum?.id };
      await call('POST', '/api/enum-items', { token: register.admin, body });
    }
  },
);

const { main, button, row, property, kept, begin, impact, publish } = designerOn(() => page);
const preview = () =>
  main()
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Izgled u unosu' }) });
const chosen = () => page.locator('[role="treeitem"][aria-selected="true"] [data-name]').allInnerTexts();
const order = () =>
  page
    .getByRole('treeitem')
    .evaluateAll((rows) => rows.map((one) => `${one.ariaLevel ?? ''} ${one.querySelector('[data-name]')?.textContent ?? ''}`));

/** Drops what is held onto the upper edge, the middle or the lower edge of a row. */
async function drag(held: Locator, target: Locator, part: 'before' | 'inside' | 'after') {
  const height = (await target.boundingBox())?.height ?? 0;
  const y = { before: 2, inside: height / 2, after: height - 3 }[part];
  await held.dragTo(target, { targetPosition: { x: 60, y } });
}

interface Field {
  id: number;
  naziv: string;
  naredjeniAUTS: number | null;
  enumStavkeSve: { naziv: string }[];
}

/** The form as a new entry would have it. */
const live = async () =>
  (
    await call<{ autsiArray: Field[] }>('GET', `/api/entry-display?tsaID=${register.form}&pacijentID=${patient}`, {
      token: register.doctor.token,
    })
  ).autsiArray;
/** `Panel(Broj) Broj` */
async function published(): Promise<string> {
  const fields = await live();
  const of = (parent: number | null): string =>
    fields
      .filter(({ naredjeniAUTS }) => (naredjeniAUTS ?? null) === parent)
      .map(({ id, naziv }) => naziv + (of(id) && `(${of(id)})`))
      .join(' ');
  return of(null);
}

async function publishNow() {
  await kept();
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
}

test('fields are dragged into a panel and a tab, two at once, and a panel is copied; the preview and the published form have it so', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  // One that was not chosen goes alone, and is chosen then.
  await row('Glukoza').click();
  await drag(row('Puls'), row('Merenja'), 'inside');
  await expect.poll(order).toEqual(['1 Masa', '1 Visina', '1 Glukoza', '1 Stadijum', '1 Merenja', '2 Puls', '1 Nalazi']);
  expect(await chosen()).toEqual(['Puls']);
  await drag(row('Stadijum'), row('Nalazi'), 'inside');
  await expect.poll(order).toEqual(['1 Masa', '1 Visina', '1 Glukoza', '1 Merenja', '2 Puls', '1 Nalazi', '2 Stadijum']);

  // Two at once, by Ctrl; one that was let go of again stays where it is.
  await row('Masa').click();
  await row('Glukoza').click({ modifiers: ['ControlOrMeta'] });
  await row('Visina').click({ modifiers: ['ControlOrMeta'] });
  await row('Visina').click({ modifiers: ['ControlOrMeta'] });
  expect(await chosen()).toEqual(['Masa', 'Glukoza']);
  await drag(row('Glukoza'), row('Puls'), 'before');
  await expect.poll(order).toEqual(['1 Visina', '1 Merenja', '2 Masa', '2 Glukoza', '2 Puls', '1 Nalazi', '2 Stadijum']);
  // By Shift, into the tab; not into what they stand in themselves.
  await row('Masa').click();
  await row('Glukoza').click({ modifiers: ['Shift'] });
  await drag(row('Masa'), row('Stadijum'), 'after');
  await expect.poll(order).toEqual(['1 Visina', '1 Merenja', '2 Puls', '1 Nalazi', '2 Stadijum', '2 Masa', '2 Glukoza']);
  await row('Merenja').click();
  await drag(row('Merenja'), row('Puls'), 'after');
  expect(await order()).toEqual(['1 Visina', '1 Merenja', '2 Puls', '1 Nalazi', '2 Stadijum', '2 Masa', '2 Glukoza']);
  // By the keyboard: Space takes to it, and keys move both.
  await row('Masa').click();
  await page.keyboard.press('Shift+ArrowDown');
  expect(await chosen()).toEqual(['Masa', 'Glukoza']);
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toEqual(['1 Visina', '1 Merenja', '2 Puls', '1 Nalazi', '2 Masa', '2 Glukoza', '2 Stadijum']);
  await page.keyboard.press('Space');
  expect((await chosen()).length).toBe(1);
  await page.keyboard.press('Space');
  expect(await chosen()).toEqual(['Masa', 'Glukoza']);
  await expectAccessible(page);

  // The panel's copies, by key and by button, each behind what was chosen.
  await row('Merenja').click();
  await page.keyboard.press('Control+d');
  await expect.poll(async () => (await order()).filter((one) => one === '1 Merenja').length).toBe(2);
  await property('Naziv').fill('Posle napora');
  await button('Kopiraj (Ctrl+D)').click();
  await expect.poll(async () => (await order()).filter((one) => one === '2 Puls').length).toBe(3);
  await property('Naziv').fill('Posle leka');
  await expect
    .poll(() => page.locator('[role="treeitem"] code').allInnerTexts())
    .toEqual(['visina', 'merenja', 'puls', 'merenja_2', 'puls_2', 'merenja_3', 'puls_3', 'nalazi', 'masa', 'glukoza', 'stadijum']);

  for (const name of ['Masa', 'Glukoza', 'Stadijum'])
    await preview().getByRole('tabpanel', { name: 'Nalazi' }).getByLabel(name, { exact: true }).first().waitFor();
  await expect.poll(() => preview().getByLabel('Puls', { exact: true }).count()).toBe(3);
  await publishNow();
  expect(await published()).toBe('Visina Merenja(Puls) Posle napora(Puls) Posle leka(Puls) Nalazi(Masa Glukoza Stadijum)');
});

test('items of a set are dragged and moved by their arrows, and are offered in that order once it is published', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  await row('Stadijum').click();
  const items = () => page.getByRole('region', { name: 'Stavke skupa' });
  const item = (name: string) => items().getByRole('group', { name, exact: true });
  const names = () =>
    items()
      .getByLabel('Naziv', { exact: true })
      .evaluateAll((inputs) => inputs.map((one) => (one as HTMLInputElement).value));
  const grip = (name: string) => item(name).locator('[draggable="true"]');
  await expect.poll(names).toEqual(['Rani', 'Srednji', 'Pozni']);
  await drag(grip('Pozni'), item('Rani'), 'before');
  await expect.poll(names).toEqual(['Pozni', 'Rani', 'Srednji']);
  await drag(grip('Pozni'), item('Rani'), 'after');
  await expect.poll(names).toEqual(['Rani', 'Pozni', 'Srednji']);
  // Onto a row of the tree or onto itself it falls nowhere.
  await drag(grip('Rani'), row('Visina'), 'before');
  await drag(grip('Rani'), item('Rani'), 'after');
  expect(await names()).toEqual(['Rani', 'Pozni', 'Srednji']);
  const before = await order();

  // By the keyboard the arrow stays in hand while the item goes on.
  await items().getByRole('button', { name: 'Pomeri stavku Srednji gore' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['Rani', 'Srednji', 'Pozni']);
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['Srednji', 'Rani', 'Pozni']);
  await items().getByRole('button', { name: 'Pomeri stavku Rani dole' }).click();
  await expect.poll(names).toEqual(['Srednji', 'Pozni', 'Rani']);
  // A step of dragging is taken back like any other.
  await drag(grip('Rani'), item('Srednji'), 'before');
  await expect.poll(names).toEqual(['Rani', 'Srednji', 'Pozni']);
  await button('Poništi korak (Ctrl+Z)').click();
  await expect.poll(names).toEqual(['Srednji', 'Pozni', 'Rani']);
  expect(await order()).toEqual(before);
  await expectAccessible(page);
  const options = (at: Locator) => at.getByLabel('Stadijum', { exact: true }).first().locator('option').allInnerTexts();
  await expect.poll(async () => (await options(preview())).slice(1)).toEqual(['Srednji', 'Pozni', 'Rani']);
  await publishNow();

  expect((await live()).find(({ naziv }) => naziv === 'Stadijum')?.enumStavkeSve.map(({ naziv }) => naziv)).toEqual([
    'Srednji',
    'Pozni',
    'Rani',
  ]);
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-03-04`, 'regix');
  await page.getByLabel('Stadijum', { exact: true }).first().waitFor();
  expect((await options(page.locator('main'))).slice(1)).toEqual(['Srednji', 'Pozni', 'Rani']);
  // The next draft begins with it.
  await anew();
  await openAs(now, 'admin', `/admin/formular/${register.form}/nacrt`, 'regix');
  await button('Započni nacrt').click();
  await row('Stadijum').click();
  await expect.poll(names).toEqual(['Srednji', 'Pozni', 'Rani']);
});
