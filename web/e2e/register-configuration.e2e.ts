// An administrator's work on registers, their forms and the forms' fields, and what a doctor then fills in.
import { type Page, test } from '@playwright/test';
import { demoVisit } from './das28';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, listsGone, logIn, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let token: string;

const { another } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeEach(async () => {
  ({ token } = await logIn('admin'));
});

interface Row {
  id: number;
  naziv: string;
}

const fresh = (what: string) => `${what} ${Date.now().toString(36)}`;
const main = () => page.locator('main');
const press = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true }).click();
const field = (name: string) =>
  main()
    .getByLabel(name, { exact: true })
    .or(main().getByLabel(`${name} *`, { exact: true }))
    .filter({ visible: true });
const cell = (name: string) => main().getByRole('cell', { name, exact: true });
const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
const tab = (name: string) => main().getByRole('tab', { name, exact: true });
const listed = async (path: string) => (await call<{ data: Row[] }>('GET', path, { token })).data;
const find = async (name: string) => {
  await page.getByLabel('Filtriraj: Naziv', { exact: true }).filter({ visible: true }).fill(name);
  await cell(name).click();
};

test('a register and its form: made, refused, changed, read and deleted, each time back to where it was opened', async () => {
  const [naziv, form] = [fresh('Registar astme'), fresh('Kontrola')];
  await openAs(now, 'admin', '/admin/registar/');
  await heading('Registri');
  await press('Dodaj');
  await heading('Novi registar');
  await expect.poll(() => tab('Formulari').getAttribute('aria-disabled')).toBe('true');
  await press('Dodaj');
  await told('Niste uneli naziv.');
  await field('Naziv').fill('reumatologija');
  await field('Opis').fill('Bronhijalna astma');
  await press('Dodaj');
  await told('Registar sa tim nazivom već postoji.');
  await page.locator('.p-toast-message-error').first().waitFor();
  await expect.poll(() => page.locator('.p-toast-message-success').count()).toBe(0);
  await expect.poll(() => field('Opis').inputValue()).toBe('Bronhijalna astma');
  await field('Naziv').fill(naziv);
  await press('Dodaj');
  await told(`Uspešno dodato: ${naziv}`);
  await heading('Registri');

  await find(naziv);
  await press('Izmeni');
  await heading(naziv);
  await tab('Formulari').click();
  await press('Dodaj');
  await heading('Novi formular');
  await expect.poll(() => tab('Polja formulara').getAttribute('aria-disabled')).toBe('true');
  await press('Dodaj');
  await told('Niste uneli naziv.');
  await field('Naziv').fill(form);
  await field('Maksimalan broj instanci po pacijentu').fill('3');
  await press('Dodaj');
  await told(`Uspešno dodato: ${form}`);
  await heading(naziv);
  await find(form);
  await press('Izmeni');
  await heading(form);
  await expect.poll(() => field('Maksimalan broj instanci po pacijentu').inputValue()).toBe('3');
  await page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: naziv }).click();
  await heading(naziv);
  await cell(form).waitFor();

  await tab('Registar').click();
  await main().locator('.p-dropdown').first().click();
  await page.getByRole('option', { name: form }).click();
  await field('Naziv prvog unosa').fill('Prvi pregled');
  await press('Izmeni');
  await told(`Uspešno izmenjeno: ${naziv}`);
  const register = (await listed('/api/registers?aktivan=true')).find((row) => row.naziv === naziv);
  const saved = await call<{ nazivPrviUnos: string; prviTipHijerarhijeAtributaID: number }>('GET', `/api/registers/${register?.id}`, {
    token,
  });
  const [first] = await listed(`/api/forms?registar=${register?.id}`);
  expect(saved).toMatchObject({ nazivPrviUnos: 'Prvi pregled', prviTipHijerarhijeAtributaID: first?.id });

  await field('Opis').fill('Još neupisano');
  await tab('Formulari').click();
  await cell(form).waitFor();
  await tab('Registar').click();
  await expect.poll(() => field('Opis').inputValue()).toBe('Još neupisano');
  await press('Odustani');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odustani' }).click();
  await expect.poll(() => field('Opis').inputValue()).toBe('Još neupisano');
  await press('Odustani');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci' }).click();
  await heading('Registri');

  await find(naziv);
  await press('Detalji');
  await heading(naziv);
  await expect.poll(() => field('Opis').inputValue()).toBe('Bronhijalna astma');
  await expect.poll(() => field('Opis').isDisabled()).toBe(true);
  await press('Zatvori');
  await heading('Registri');
  await expect(call('DELETE', `/api/forms/${first?.id}`, { token })).rejects.toThrow('prvi ili podrazumevani unos je registra');
  await call('PATCH', `/api/registers/${register?.id}`, { token, body: { prviTipHijerarhijeAtributaID: null } });
  await call('DELETE', `/api/forms/${first?.id}`, { token });
  await page.reload();
  await heading('Registri');
  await find(naziv);
  await press('Obriši');
  await main().getByText(`Da li ste sigurni da želite da obrišete „${naziv}”?`).waitFor();
  await press('Obriši');
  await told(`Uspešno obrisano: ${naziv}`);
  await heading('Registri');
  expect((await listed('/api/registers?aktivan=true')).some((row) => row.naziv === naziv)).toBe(false);
});

test('a form opened with neither an id nor a state leads to the registers', async () => {
  await openAs(now, 'admin', '/admin/formular/');
  await heading('Registri');
});

test('fields: what is missing is named in order, a wrong formula at its place, a dot on a picture; a doctor fills them in', async () => {
  const { id: register } = await call<Row>('POST', '/api/registers', { token, body: { naziv: fresh('Registar merenja') } });
  const { id: form } = await call<Row>('POST', '/api/forms', { token, body: { naziv: fresh('Merenje'), registar: register } });
  const kinds: Record<string, string> = {};
  const types: number[] = [];
  for (const [what, kind] of [
    ['broj', 2],
    ['izbor', 1],
    ['slika', 9],
  ] as const) {
    kinds[what] = fresh(`Tip ${what}`);
    types.push((await call<Row>('POST', '/api/attribute-types', { token, body: { naziv: kinds[what], tipVrednostiAtributa: kind } })).id);
  }
  try {
    await openAs(now, 'admin', `/admin/formular/${form}`);
    await tab('Polja formulara').click();
    await expect
      .poll(async () => (await main().getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean))
      .toEqual(['Redosled', 'Šifra', 'Naziv', 'Tip atributa', 'Nadređeno polje']);
    const dialog = page.getByRole('dialog');
    const input = (name: string) => dialog.getByLabel(name, { exact: true }).or(dialog.getByLabel(`${name} *`, { exact: true }));
    const send = (name = 'Dodaj') => dialog.getByRole('button', { name, exact: true }).click();
    const closed = () => dialog.waitFor({ state: 'detached' });
    const choose = async (label: string, option: string) => {
      await dialog
        .locator('div:has(> label)')
        .filter({ hasText: new RegExp(`^${label}`) })
        .locator('.p-dropdown')
        .click();
      // Long lists are searched.
      if (label === 'Tip atributa') await page.locator('.p-dropdown-filter').fill(option);
      await page.getByRole('option', { name: option }).click();
      await listsGone(page);
    };
    const open = async () => {
      await press('Dodaj');
      await dialog.waitFor();
    };
    const fill = async (type: string, naziv: string, more: Record<string, string> = {}) => {
      await choose('Tip atributa', kinds[type] ?? '');
      await input('Naziv').fill(naziv);
      for (const [name, value] of Object.entries(more)) await input(name).fill(value);
    };

    await open();
    await send();
    await dialog.getByText('Niste izabrali tip atributa.').waitFor();
    await choose('Tip atributa', kinds.broj ?? '');
    await send();
    await dialog.getByText('Niste uneli naziv.').waitFor();
    await input('Naziv').fill('Težina');
    await input('Redosled').fill('');
    await send();
    await dialog.getByText('Niste uneli prikazni redosled.').waitFor();
    await input('Redosled').fill('10');
    await input('Šifra').fill('tezina');
    await expect.poll(() => dialog.getByLabel('Više izbora').count()).toBe(0);
    await send();
    await closed();

    await open();
    await expect.poll(() => input('Redosled').inputValue()).toBe('20');
    await fill('izbor', 'Puši', { Šifra: 'pusi' });
    await expect.poll(() => dialog.getByLabel('Donja referentna vrednost').count()).toBe(0);
    await send();
    await closed();

    await open();
    await fill('broj', 'Dvostruka težina', { Šifra: 'dvostruko', 'Formula za računanje': '$(tezina) * $(nema)' });
    await send();
    await dialog.getByText('Nepoznata šifra polja „nema”. (mesto 13)').first().waitFor();
    await expect.poll(() => input('Formula za računanje').getAttribute('aria-invalid')).toBe('true');
    // What may go wrong is told while it is written; it may be saved all the same.
    await input('Formula za računanje').fill('100 / $(tezina)');
    await dialog.getByText('Formula za računanje, mesto 5: Moguće je deljenje nulom').waitFor();
    await input('Formula za računanje').fill('$(tezina) * 2');
    await dialog.getByText('Moguće je deljenje nulom').waitFor({ state: 'detached' });
    await send();
    await closed();

    await open();
    await fill('broj', 'Cigareta dnevno', { 'Formula za prikaz': '$(pusi) = 1' });
    await send();
    await closed();

    await open();
    await fill('slika', 'Telo');
    const file = dialog.locator('input[type=file]');
    await file.setInputFiles({ name: 'telo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await dialog.getByText('Dozvoljene su samo slike.').waitFor();
    await file.setInputFiles({
      name: 'telo.png',
      mimeType: 'image/png',
      buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
    });
    await dialog.getByRole('img', { name: 'Slika' }).waitFor();
    await send();
    await closed();

    const dot = dialog.getByRole('button', { name: 'Tačka: Koleno' });
    await open();
    await fill('izbor', 'Koleno');
    await choose('Nadređeno polje', 'Telo');
    const picture = dialog.getByRole('img', { name: 'Slika: Telo' });
    await picture.click({ position: { x: 60, y: 50 } });
    await expect.poll(async () => Math.abs(Number(await input('Koordinata X').inputValue()) - 60)).toBeLessThanOrEqual(1);
    await expect.poll(async () => (await dot.boundingBox())?.width).toBe(20);
    await dot.press('Delete');
    await dot.waitFor({ state: 'detached' });
    await expect.poll(() => input('Koordinata X').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Postavi tačku' }).click();
    await dot.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await send();
    await closed();
    const { data } = await call<{ data: (Row & { imageCoordinateX: number | null; imageCoordinateY: number | null; redosled: number })[] }>(
      'GET',
      `/api/form-fields?tipSkupaAtributa=${form}`,
      { token },
    );
    expect(data.map(({ naziv, redosled }) => [naziv, redosled])).toEqual([
      ['Težina', 10],
      ['Puši', 20],
      ['Dvostruka težina', 30],
      ['Cigareta dnevno', 40],
      ['Telo', 50],
      ['Koleno', 60],
    ]);
    expect(data.at(-1)).toMatchObject({ imageCoordinateX: 151, imageCoordinateY: 110 });

    await find('Težina');
    await press('Obriši');
    await send('Obriši');
    await dialog.getByText('Polje se ne može obrisati: koristi ga formula polja „Dvostruka težina”.').waitFor();
    await dialog.getByRole('button', { name: 'Odustani' }).click();
    await closed();

    const doctor = await another();
    const { pacijent } = (await demoVisit((await logIn('lekar')).token)).display;
    await openAs(doctor, 'lekar', `/unosi/novi?tsaID=${form}&pacijentID=${pacijent.id}&datumUnosa=2026-03-05`);
    const entry = doctor.page;
    await entry.getByRole('textbox', { name: 'Težina', exact: true }).fill('35');
    await entry.getByRole('textbox', { name: 'Težina', exact: true }).press('Tab');
    await entry.getByText('70', { exact: true }).waitFor();
    await entry.getByLabel('Cigareta dnevno').waitFor({ state: 'hidden' });
    await entry.getByLabel('Puši').click();
    await entry.getByLabel('Cigareta dnevno').waitFor();
    await entry.getByRole('checkbox', { name: 'Koleno' }).check();
    expect(doctor.complaints).toEqual([]);
    await doctor.context.close();
  } finally {
    await call('DELETE', `/api/forms/${form}`, { token });
    await call('DELETE', `/api/registers/${register}`, { token });
    for (const id of types) await call('DELETE', `/api/attribute-types/${id}`, { token });
  }
});
