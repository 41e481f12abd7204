// Rules of a form: a designer writes them and publishes; a doctor meets an error, a warning and a field that is required under a condition;
// an entry of before stays with its own rules.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { chooseDoctor, expectAccessible, expectFits, NARROW, openAs, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;
let entry = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Pravilić',
  () =>
    ownRegister('pravila', 'Pritisak', { Broj: {} }, [
      { sifra: 'sistolni', naziv: 'Sistolni', tip: 'Broj' },
      { sifra: 'dijastolni', naziv: 'Dijastolni', tip: 'Broj' },
      { sifra: 'puls', naziv: 'Puls', tip: 'Broj' },
    ]),
  async (made, theirs) => {
    register = made;
    patient = theirs;
    entry = await entryOf(made, theirs, '2026-03-01', { sistolni: 80, dijastolni: 90 });
  },
);

const { main, button, row, kept, begin, impact, publish } = designerOn(() => page);
const rule = (number: number) => main().getByRole('group', { name: `Pravilo ${String(number)}`, exact: true });
const answer = (name: string) => main().getByRole('textbox', { name, exact: true });
const fill = async (name: string, value: string) => {
  await answer(name).fill(value);
  await answer(name).blur();
};

async function write(number: number, uslov: string, poruka: string, beside?: string) {
  await button('Dodaj pravilo').click();
  await rule(number).getByLabel('Kada (uslov)').fill(uslov);
  await rule(number).getByLabel('Poruka *').fill(poruka);
  if (!beside) return;
  await rule(number).locator('.p-dropdown').last().click();
  await page.getByRole('option', { name: beside, exact: true }).click();
}

test('a designer writes rules, learns what is wrong with one, and publishes', async () => {
  await openAs(now, 'admin', `/admin/formular/${String(register.form)}`, 'regix');
  await begin();
  await row('Puls').click();
  await main().getByLabel('Obavezno ako', { exact: true }).fill('$(sistolni) > 140');
  await button('Pravila formulara (0)').click();
  await write(1, '$(dijastolni) >= $(sistolni', 'Dijastolni mora biti manji od sistolnog.', 'Dijastolni (dijastolni)');
  await page.getByText('1 greška: nacrt se čuva', { exact: false }).waitFor();
  await expectAccessible(page);
  await rule(1).getByLabel('Kada (uslov)').fill('$(dijastolni) >= $(sistolni)');
  await write(2, '$(sistolni) > 180', 'Hipertenzivna kriza: ponovite merenje.');
  await rule(2).locator('.p-dropdown').first().click();
  await page.getByRole('option', { name: 'Upozorenje: unos se snima', exact: true }).click();
  await kept();
  await expect.poll(() => page.getByText('1 greška: nacrt se čuva', { exact: false }).count()).toBe(0);

  // Tried in the preview, as the doctor will meet them.
  await fill('Sistolni', '120');
  await fill('Dijastolni', '130');
  await main().getByText('Dijastolni mora biti manji od sistolnog.', { exact: true }).last().waitFor();
  await page.setViewportSize(NARROW);
  await button('Svojstva').click();
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Taken back and done again, like any other step.
  await rule(2).getByRole('button', { name: 'Ukloni pravilo 2', exact: true }).click();
  await button('Pravila formulara (1)').waitFor();
  await button('Poništi korak (Ctrl+Z)').click();
  await button('Pravila formulara (2)').waitFor();
  await kept();
  const dialog = await impact();
  await dialog.getByText('upozorenje ako je $(sistolni) > 180', { exact: false }).waitFor();
  await dialog.getByText('obaveznost pod uslovom', { exact: false }).waitFor();
  await publish();
  await page.getByText('Objavljena je verzija 2', { exact: false }).waitFor();
});

test('a doctor is stopped by an error, warned by a warning, and asked for what is required then', async () => {
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${String(register.form)}&pacijentID=${String(patient)}&datumUnosa=2026-04-02`, 'regix');
  await answer('Sistolni').waitFor();
  await fill('Sistolni', '190');
  await main().getByText('Hipertenzivna kriza: ponovite merenje.', { exact: true }).waitFor();
  await fill('Dijastolni', '195');
  await main().getByText('Dijastolni mora biti manji od sistolnog.', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button('Snimi i ostani').click();
  await page.getByText('Niste uneli stavku sa nazivom: Puls.', { exact: true }).first().waitFor();
  await fill('Puls', '70');
  await button('Snimi i ostani').click();
  await page.getByText('Dijastolni: Dijastolni mora biti manji od sistolnog.', { exact: true }).first().waitFor();
  await fill('Dijastolni', '95');
  // What is typed at once after a refusal stays where it is typed: the focus does not go to the fault any more.
  await chooseDoctor(page);
  await button('Snimi i ostani').click();
  await page.getByText('Uspešno snimljen unos.', { exact: false }).first().waitFor();
});

test('an entry of before stays with its own rules, and over to the newer version only what is changed is held', async () => {
  await anew();
  await openAs(now, 'lekar', `/unosi/${String(entry)}`, 'regix');
  await answer('Puls').waitFor();
  await fill('Puls', '60');
  expect(await main().getByText('Dijastolni mora biti manji', { exact: false }).count()).toBe(0);
  await button('Snimi i ostani').click();
  await page.getByText('Uspešno snimljen unos.', { exact: false }).first().waitFor();
  await button('Prikaži razlike').click();
  await page.getByRole('dialog').getByText('greška ako je $(dijastolni) >= $(sistolni)', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pređi na verziju 2', exact: true }).click();
  await main().getByText('Dijastolni mora biti manji od sistolnog.', { exact: true }).waitFor();
  await fill('Dijastolni', '91');
  await button('Snimi i ostani').click();
  await page.getByText('Dijastolni: Dijastolni mora biti manji od sistolnog.', { exact: true }).first().waitFor();
  await fill('Dijastolni', '90');
  await fill('Puls', '61');
  await button('Snimi i ostani').click();
  await page.getByText('Uspešno snimljen unos.', { exact: false }).first().waitFor();
});
