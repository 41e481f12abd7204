// An administrator makes a report of a kind of parameter that is new, and those who generate reports see it as it was made.
import { type Page, test } from '@playwright/test';
import { crudOn } from './crud';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, logIn, openAs, type Visit } from './support';

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

const QUERY = 'select id::text as vrednost, naziv as naziv\n  from ustanova\n order by fold(naziv), id';
const fresh = (what: string) => `${what} ${Date.now().toString(36)}`;
const openList = async (path: string, title: string) => {
  await openAs(now, 'admin', path);
  await page.getByRole('table', { name: title }).getByRole('cell').first().waitFor();
};
/** Presses, and expects this message at this field. */
const refused = async (button: string, field: string, message: string) => {
  const { dialog, press } = crudOn(page);
  await press(button);
  const control = dialog().getByLabel(field, { exact: false }).first();
  await expect.poll(() => control.getAttribute('aria-invalid')).toBe('true');
  const note = (await control.getAttribute('aria-describedby')) ?? '';
  await expect.poll(() => page.locator(`[id="${note}"]`).innerText()).toBe(message);
};
const isOn = (name: string) => crudOn(page).dialog().getByRole('switch', { name }).isChecked();

test('types of parameters: what is missing or wrong is told at its field, a query by its line', async () => {
  const { dialog, tool, press, field, choose, closed, cell, open, remove, told } = crudOn(page);
  const naziv = fresh('Bolnice');
  await openList('/admin/tipoviParametraIzvestaja', 'Tipovi parametara izveštaja');
  await tool('Dodaj').click();
  await refused('Dodaj', 'Naziv', 'Niste uneli naziv.');
  await field('Naziv').fill(naziv);
  await refused('Dodaj', 'Tip rečnika', 'Niste izabrali tip rečnika.');
  await told('Greška prilikom dodavanja');
  await choose('Tip rečnika', 'Skup');
  await expect.poll(() => field('Numerička vrednost').inputValue()).toBe('4');
  await refused('Dodaj', 'Upit', 'Niste uneli upit.');
  await field('Upit').fill(`${QUERY};\nselect 2`);
  await refused('Dodaj', 'Upit', 'Upit nije ispravan: dozvoljena je samo jedna naredba (red 4).');
  await field('Upit').fill('select id::text,\n  nema from ustanova');
  await refused('Dodaj', 'Upit', 'Upit nije ispravan: kolona „nema” ne postoji [column "nema" does not exist] (red 2, kolona 3).');
  await field('Upit').fill(QUERY);
  await press('Dodaj');
  await closed();
  await told(`Uspešno dodato: ${naziv}`);
  const row = page.getByRole('row').filter({ has: cell(naziv) });
  await row
    .filter({ has: cell('Skup') })
    .filter({ has: cell('4') })
    .waitFor();
  await open('Izmeni', naziv);
  await choose('Tip rečnika', 'Dinamički skriveni');
  await refused('Izmeni', 'Upit', 'Upit mora biti radnikID, ustanovaID ili registarID.');
  await choose('Upit', 'Ustanova radnika (ustanovaID)');
  await press('Izmeni');
  await closed();
  await row
    .filter({ has: cell('ustanovaID') })
    .filter({ has: cell('6') })
    .waitFor();
  await open('Detalji', naziv);
  await expect.poll(() => field('Naziv').isDisabled()).toBe(true);
  await dialog().locator('.p-dialog-footer').getByRole('button', { name: 'Zatvori' }).click();
  await closed();
  await remove(naziv);
});

test('a report is made with its formats and parameters, stands where reports are generated as it was made, and goes', async () => {
  const { dialog, tool, press, field, choose, closed, cell, open, remove, tab, isOff, side } = crudOn(page);
  const [type, report, parameter, day] = [fresh('Bolnice'), fresh('Unosi po bolnicama'), 'Bolnice', 'Početni dan'];
  await call('POST', '/api/report-parameter-types', { token, body: { naziv: type, tipRecnika: 4, upit: QUERY } });
  await openList('/admin/izvestaji', 'Ažuriranje izveštaja');
  await tool('Dodaj').click();
  for (const name of ['Formati', 'Parametri']) await expect.poll(() => isOff(name)).toBe(true);
  await expect.poll(() => isOn('Prikazuje se')).toBe(false);
  await refused('Dodaj', 'Naziv', 'Niste uneli naziv.');
  await field('Naziv').fill(report);
  await refused('Dodaj', 'Numerička vrednost', 'Niste uneli numeričku vrednost.');
  await field('Numerička vrednost').fill('91');
  await refused('Dodaj', 'Jasper fajl', 'Niste izabrali jasper fajl.');
  await choose('Jasper fajl', 'popunjenost-unosa');
  await refused('Dodaj', 'Tip izveštaja', 'Niste izabrali tip izveštaja.');
  await choose('Tip izveštaja', 'Unos podataka');
  await field('Opis').fill('Koliko je ko uneo');
  await field('Najduže trajanje').fill('1801');
  await refused('Dodaj', 'Najduže trajanje', 'Trajanje može biti od 1 do 1800 sekundi.');
  await field('Najduže trajanje').fill('60');
  await press('Dodaj');
  await closed();
  await page
    .getByRole('row')
    .filter({ has: cell(report) })
    .filter({ has: cell('popunjenost-unosa') })
    .filter({ has: cell('Ne') })
    .waitFor();

  await open('Izmeni', report);
  await tab('Formati').click();
  await expect.poll(() => dialog().locator('.p-dialog-footer').getByRole('button', { name: 'Izmeni' }).count()).toBe(0);
  await dialog().getByRole('button', { name: 'Dodaj sve' }).click();
  for (const format of ['PDF', 'XLSX', 'CSV']) await side('Dodeljeno').getByRole('option', { name: format, exact: true }).waitFor();
  await side('Dodeljeno').getByRole('option', { name: 'XLSX', exact: true }).click();
  await dialog().getByRole('button', { name: 'Vrati izabrano' }).click();
  await side('Dostupno').getByRole('option', { name: 'XLSX', exact: true }).waitFor();

  await tab('Parametri').click();
  await expect.poll(() => dialog().locator('.p-dialog-footer').getByRole('button', { name: 'Izmeni' }).count()).toBe(0);
  const nested = () => expect.poll(() => page.getByRole('dialog').count()).toBe(2);
  const backToReport = () => expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  await dialog().getByRole('button', { name: 'Dodaj', exact: true }).click();
  await nested();
  for (const name of ['Opcioni', 'Višestruki izbor']) await expect.poll(() => isOn(name), { message: name }).toBe(false);
  await refused('Dodaj', 'Naziv', 'Niste uneli naziv.');
  await field('Naziv').fill(parameter);
  await refused('Dodaj', 'Tip parametra', 'Niste izabrali tip parametra.');
  await choose('Tip parametra', type);
  await refused('Dodaj', 'Naziv u zahtevu', 'Niste uneli naziv u zahtevu.');
  await field('Naziv u zahtevu').fill('sve ustanove');
  await refused('Dodaj', 'Prikazni redosled', 'Niste uneli prikazni redosled.');
  await field('Prikazni redosled').fill('2');
  await refused('Dodaj', 'Naziv u zahtevu', 'Naziv u zahtevu sme da sadrži samo slova i cifre.');
  await field('Naziv u zahtevu').fill('ustanove');
  await dialog().getByRole('switch', { name: 'Višestruki izbor' }).check({ force: true });
  await press('Dodaj');
  await backToReport();
  await dialog()
    .getByRole('row')
    .filter({ has: cell(type) })
    .filter({ has: cell('ustanove') })
    .waitFor();
  await dialog().getByRole('button', { name: 'Dodaj', exact: true }).click();
  await nested();
  await field('Naziv').fill(day);
  await choose('Tip parametra', 'Datum');
  await field('Naziv u zahtevu').fill('ustanove');
  await field('Prikazni redosled').fill('1');
  await refused('Dodaj', 'Naziv u zahtevu', 'Parametar sa tim nazivom u zahtevu već postoji.');
  await field('Naziv u zahtevu').fill('od');
  await field('Podrazumevana vrednost').fill('2024-05-01');
  await press('Dodaj');
  await backToReport();
  await cell(day).waitFor();

  const doctor = await another();
  await openAs(doctor, 'lekar', '/izvestaji');
  const inTree = doctor.page.getByRole('tree').getByText(report, { exact: true });
  await doctor.page.getByRole('tree').getByText('Popunjenost unosa po ustanovama').waitFor();
  await expect.poll(() => inTree.count(), { message: 'a report that is not shown' }).toBe(0);

  await tab('Izveštaj').click();
  await dialog().getByRole('switch', { name: 'Prikazuje se' }).check({ force: true });
  await press('Izmeni');
  await closed();
  await page
    .getByRole('row')
    .filter({ has: cell(report) })
    .filter({ has: cell('Da') })
    .waitFor();

  await doctor.page.reload();
  await inTree.click();
  await doctor.page.getByRole('heading', { name: report, level: 2 }).waitFor();
  await doctor.page.getByText('Koliko je ko uneo').waitFor();
  await expect
    .poll(() =>
      doctor.page
        .getByLabel(new RegExp(`^${day}`))
        .first()
        .inputValue(),
    )
    .toBe('01.05.2024.');
  const labels = await doctor.page.getByRole('tabpanel', { name: 'Parametri' }).locator('label').allInnerTexts();
  expect(labels.map((text) => text.replace(/\s*\*$/, '')).filter((text) => [day, parameter].includes(text))).toEqual([day, parameter]);
  for (const [format, offered] of [
    ['PDF dokument', 1],
    ['CSV tabela', 1],
    ['Excel tabela', 0],
  ] as const) {
    await expect.poll(() => doctor.page.getByRole('checkbox', { name: format, exact: true }).count(), { message: format }).toBe(offered);
  }
  await doctor.page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  await doctor.page.getByText(`Parametar „${parameter}” je obavezan.`).waitFor();
  await doctor.page.locator('.p-multiselect').click();
  await doctor.page.getByRole('option', { name: 'Klinički centar Srbije' }).waitFor();

  await open('Izmeni', report);
  await tab('Parametri').click();
  await cell(parameter).click();
  await dialog().getByRole('button', { name: 'Obriši', exact: true }).click();
  await nested();
  await press('Obriši');
  await backToReport();
  await cell(parameter).waitFor({ state: 'detached' });
  await press('Zatvori');
  await closed();
  await remove(report);
  await doctor.page.reload();
  await doctor.page.getByRole('tree').getByText('Popunjenost unosa po ustanovama').waitFor();
  await expect.poll(() => inTree.count()).toBe(0);
  await doctor.context.close();
  await openList('/admin/tipoviParametraIzvestaja', 'Tipovi parametara izveštaja');
  await remove(type);
});

test('a report whose template is there no more keeps it when something else is changed', async () => {
  const { dialog, press, field, closed, open, remove, cell } = crudOn(page);
  const [type, report] = [fresh('Tip'), fresh('Stari izveštaj')];
  const made = await call<{ id: number }>('POST', '/api/report-types', {
    token,
    body: { naziv: type, numerickaVrednost: 92, kategorijaID: 1 },
  });
  await call('POST', '/api/reports', { token, body: { naziv: report, numerickaVrednost: 92, jasperFajl: 'nema-ga-vise', tipID: made.id } });
  await expect(call('DELETE', `/api/report-types/${made.id}`, { token })).rejects.toThrow(`tip je izveštaja „${report}”`);
  await openList('/admin/izvestaji', 'Ažuriranje izveštaja');
  await open('Izmeni', report);
  for (const kept of ['nema-ga-vise', type]) await dialog().locator('.p-dropdown-label').getByText(kept, { exact: true }).waitFor();
  await field('Opis').fill('Čuva se');
  await press('Izmeni');
  await closed();
  await page
    .getByRole('row')
    .filter({ has: cell(report) })
    .filter({ has: cell('nema-ga-vise') })
    .filter({ has: cell(type) })
    .waitFor();
  await remove(report);
  await call('DELETE', `/api/report-types/${made.id}`, { token });
});
