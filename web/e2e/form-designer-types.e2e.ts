// What the designer of forms does in one step and keeps: a dot on a picture by mouse and by keys, steps that are there after a reload, a
// copied form edited beside its original, and types that nothing uses any more.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Tipić',
  () => ownRegister('tipovi', 'Pregled', { Broj: {} }, [{ sifra: 'broj', naziv: 'Polazni broj', tip: 'Broj' }]),
  (made) => {
    register = made;
    return Promise.resolve();
  },
);

const { main, row, property, addField, kept, begin, impact, publish } = designerOn(() => page);

async function openForm(form: number) {
  await openAs(now, 'admin', `/admin/formular/${form}`, 'regix');
  await begin();
}

/** The order of the tree, by names. */
const names = () =>
  page.getByRole('treeitem').evaluateAll((rows) => rows.map((one) => one.querySelector('[data-name]')?.textContent ?? ''));

test('a dot is put and moved by mouse and by keys, in one step each, and steps are there after a reload', async () => {
  test.setTimeout(120_000);
  await openForm(register.form);
  await row('Polazni broj').click();
  await addField('slika', 'Telo');
  await main()
    .locator('input[type="file"]')
    .setInputFiles({
      name: 'telo.png',
      mimeType: 'image/png',
      buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
    });
  await row('Telo').click();
  await addField('izbor da/ne', 'Rame');
  const picture = main().getByRole('img', { name: 'Slika: Telo' });
  await picture.click({ position: { x: 60, y: 50 } });
  const at = async () => [Number(await property('Koordinata X').inputValue()), Number(await property('Koordinata Y').inputValue())];
  const near = (...wanted: number[]) =>
    expect.poll(async () => (await at()).every((one, axis) => Math.abs(one - (wanted[axis] ?? 0)) <= 2)).toBe(true);
  await near(60, 50);
  const dot = main().getByRole('button', { name: /^Tačka: Rame, \d+ desno i \d+ dole$/ });
  const box = await dot.boundingBox();
  if (!box) throw new Error('the dot is drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  await near(140, 90);
  const [x = 0, y = 0] = await at();
  await dot.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(at).toEqual([x - 1, y - 10]);
  await main()
    .getByRole('button', { name: `Tačka: Rame, ${x - 1} desno i ${y - 10} dole` })
    .waitFor();
  await expectAccessible(page);
  await kept();

  // Steps back after a reload, and on again.
  await row('Rame').click();
  await page.keyboard.press('Delete');
  await expect.poll(names).toEqual(['Polazni broj', 'Telo']);
  await kept();
  await page.reload();
  await page.getByRole('treeitem').first().waitFor();
  await row('Telo').click();
  await page.keyboard.press('Control+z');
  await expect.poll(names).toEqual(['Polazni broj', 'Telo', 'Rame']);
  await row('Rame').click();
  await expect.poll(at).toEqual([x - 1, y - 10]);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(names).toEqual(['Polazni broj', 'Telo']);
  await page.keyboard.press('Control+z');
  await kept();

  // A window that was opened beside it takes back nothing of this one's.
  const beside = await now.context.newPage();
  await beside.goto(page.url());
  await beside.getByRole('treeitem').first().waitFor();
  expect(await beside.getByRole('button', { name: 'Poništi korak (Ctrl+Z)' }).isDisabled()).toBe(true);
  await beside.close();
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
});

test('a copied form is edited beside its original, and both keep their own', async () => {
  test.setTimeout(120_000);
  const token = register.admin;
  const copy = await call<{ id: number }>('POST', `/api/forms/${register.form}/copies`, {
    token,
    body: { naziv: 'Kontrola', sifra: 'kontrola' },
  });
  await openForm(register.form);
  await row('Polazni broj').click();
  expect(await main().getByText('Ovaj tip koristi i', { exact: false }).count()).toBe(0);
  await property('Jedinica').fill('mg');
  await kept();
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();

  await anew();
  await openForm(copy.id);
  await row('Polazni broj').click();
  expect(await property('Jedinica').inputValue()).toBe('');
  expect(await property('Naziv tipa').inputValue()).toBe(`${register.types.Broj?.naziv ?? ''} (kontrola)`);
  await property('Jedinica').fill('mmol/l');
  await kept();
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
  const units = async (form: number) => {
    const { nacrt } = await call<{ nacrt: { dokument: { tipovi: { jedinica: string | null }[] } } | null }>(
      'GET',
      `/api/forms/${form}/draft`,
      { token },
    );
    expect(nacrt).toBeNull();
    const draft = await call<{ dokument: { tipovi: { jedinica: string | null }[] } }>('POST', `/api/forms/${form}/draft`, {
      token,
      body: {},
    });
    await call('DELETE', `/api/forms/${form}/draft`, { token });
    return draft.dokument.tipovi.map(({ jedinica }) => jedinica).filter((unit) => unit !== null);
  };
  expect([await units(register.form), await units(copy.id)]).toEqual([['mg'], ['mmol/l']]);

  // The copy goes: its types are of no field, and go in one step.
  await call('DELETE', `/api/forms/${copy.id}`, { token });
  await anew();
  await openAs(now, 'admin', '/admin/tipoviAtributa', 'regix');
  await main()
    .getByRole('button', { name: /^Ukloni tipove bez polja \(\d+\)$/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Tipovi bez polja' });
  await dialog.getByText(`${register.types.Broj?.naziv ?? ''} (kontrola)`, { exact: false }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Ukloni sve/ }).click();
  await page.getByText(/^Uklonjeno tipova: \d+$/).waitFor();
  await expect
    .poll(() =>
      main()
        .getByRole('button', { name: /^Ukloni tipove bez polja/ })
        .count(),
    )
    .toBe(0);
});
