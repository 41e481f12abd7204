// Beside a field: what it held last, and other units in which its number may be typed. A designer turns both on, a doctor types, moves the
// day, and reads in the history what was typed.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { chooseDoctor, expectAccessible, expectFits, NARROW, openAs, WIDE, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
test.beforeAll(async () => {
  test.setTimeout(120_000);
  const types = {
    Masnoća: { jedinica: 'mmol/L', decimaleBrojneVrednosti: 2, donjaGranicaBrojneVrednosti: 1, gornjaGranicaBrojneVrednosti: 20 },
  };
  register = await ownRegister('pomoć', 'Kontrola', types, [{ sifra: 'holesterol', naziv: 'Holesterol', tip: 'Masnoća' }]);
  patient = await patientOf(register, 'Prethodić', 'Proba');
  await entryOf(register, patient, '2026-02-01', { holesterol: 8.4 });
});
test.afterAll(async () => {
  if (patient) await forget(register, patient);
});

const main = () => page.locator('main');
const button = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true });
const box = () => main().getByRole('textbox', { name: 'Holesterol', exact: true });
const unit = () => main().getByRole('combobox', { name: 'Jedinica: Holesterol', exact: true });

test('are turned on by the designer', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await button('Uredi nacrt').click();
  await button('Započni nacrt').click();
  await page.getByRole('treeitem', { name: /^Holesterol/ }).click();
  await main().getByLabel('Prikaži prethodnu vrednost', { exact: true }).first().click();
  await button('Dodaj jedinicu').click();
  await main().getByRole('group', { name: 'Nova jedinica' }).getByRole('textbox', { name: 'Jedinica', exact: true }).fill('mg/dL');
  await main().getByRole('textbox', { name: 'Činilac: mg/dL', exact: true }).fill('0,02586');
  await page.getByText('Nacrt je snimljen', { exact: true }).waitFor();
  await expectAccessible(page);
  await button('Uticaj i objava').click();
  await page.getByRole('dialog', { name: 'Uticaj i objava' }).getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByText(/^Objavljena je verzija/).waitFor();
});

test('tell a doctor the last value, take another unit, and remember what was typed', async () => {
  test.setTimeout(120_000);
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-03-01`, 'regix');
  await main().getByText('prethodno: 8,4 mmol/L (01.02.2026.)').waitFor();
  await box().fill('130');
  await box().press('Tab');
  await unit().press('Tab');
  await main().getByText('Ako je 130 u mg/dL, to je 3,36 mmol/L.', { exact: false }).first().waitFor();
  await button('Upiši kao 130 mg/dL').click();
  await main().getByText('= 3,36 mmol/L', { exact: true }).waitFor();
  expect([await box().inputValue(), await unit().inputValue()]).toEqual(['130', 'mg/dL']);
  await main().getByText('za 5,04 manje', { exact: true }).waitFor();
  // The same, typed with its unit.
  await box().fill('200 mg/dL');
  await box().press('Tab');
  await main().getByText('= 5,17 mmol/L', { exact: true }).waitFor();
  await expectAccessible(page);
  await chooseDoctor(page);
  await button('Snimi i ostani').click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
  await main().getByText('uneto kao 200 mg/dL', { exact: true }).waitFor();
  expect([await box().inputValue(), await unit().inputValue()]).toEqual(['5,17', 'mmol/L']);

  // A visit before the other one has nothing to tell.
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-01-15`, 'regix');
  await main().getByText('prethodno: nema ranije vrednosti', { exact: true }).waitFor();
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);
});
