// A formula over the rows of a section with examples: a designer keeps one that comes out and one that does not, the form is published
// once both do; a doctor types rows and sees the result, which the history and the print have.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, NARROW, openAs, WIDE, wordsOf, type Visit } from './support';

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
  'Primerić',
  () => ownRegister('primeri', 'Terapija', { Broj: {} }, [{ sifra: 'puls', naziv: 'Puls', tip: 'Broj' }]),
  (made, theirs) => {
    register = made;
    patient = theirs;
  },
);

const { main, button, row, property, addField, kept, begin, impact, publish } = designerOn(() => page);
const cell = (name: string) => page.getByRole('textbox', { name, exact: true });
const example = (name: string) => main().getByRole('group', { name, exact: true });

test('is published only when each example comes out', async () => {
  test.setTimeout(180_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  await row('Puls').click();
  await addField('broj', 'Ukupno', 'ukupno');
  await addField('panel', 'Lekovi', 'lekovi');
  await main().getByLabel('Ponavlja se', { exact: true }).first().click();
  await addField('broj', 'Doza', 'doza');
  await row('Doza').click();
  await addField('broj', 'Puta', 'puta');
  await row('Ukupno').click();
  await property('Formula za računanje').fill('$(doza) * 2');
  await main().getByText('Polje „doza” ima vrednost u svakom redu sekcije.', { exact: false }).filter({ visible: true }).first().waitFor();
  await property('Formula za računanje').fill('sum($(doza) * $(puta))');
  await kept();

  // The preview's rows become an example by one click.
  await button('Dodaj red: Lekovi').click();
  await cell('Doza, 1. red').fill('10');
  await cell('Puta, 1. red').fill('2');
  await cell('Puta, 1. red').blur();
  await button('Preuzmi iz izgleda').click();
  await example('Primer 1').getByLabel('Naziv (izvor)').fill('Iz uputstva');
  await example('Iz uputstva').getByText('Slaže se: 20', { exact: true }).waitFor();

  await button('Dodaj primer').click();
  const second = example('Primer 2');
  await second.getByRole('button', { name: 'Dodaj red', exact: true }).click();
  await second.getByLabel('Doza', { exact: true }).fill('5');
  await second.getByLabel('Puta', { exact: true }).fill('3');
  await second.getByLabel('Očekivani rezultat', { exact: true }).fill('16');
  await second.getByLabel('Očekivani rezultat', { exact: true }).blur();
  await second.getByText('Očekuje se 16, a formula daje 15 (razlika −1).', { exact: true }).waitFor();
  await page.getByText('1 greška: nacrt se čuva', { exact: false }).waitFor();
  const told = main().getByText('Primer 2: očekuje se 16, a formula daje 15 (razlika −1).', { exact: false });
  await told.filter({ visible: true }).first().waitFor();
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/examples-wide.png`, fullPage: true });
  await page.setViewportSize(NARROW);
  await button('Svojstva').click();
  await expectFits(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/examples-narrow.png`, fullPage: true });
  await page.setViewportSize(WIDE);
  const dialog = await impact();
  await dialog.getByText('Nacrt ima 1 grešku, pa se ne može objaviti.').waitFor();
  await dialog.getByRole('button', { name: 'Odustani', exact: true }).click();

  await second.getByLabel('Očekivani rezultat', { exact: true }).fill('15');
  await second.getByLabel('Očekivani rezultat', { exact: true }).blur();
  await second.getByText('Slaže se: 15', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('1 greška: nacrt se čuva', { exact: false }).count()).toBe(0);
  await kept();
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
});

test('gives a doctor the result of the rows, which the history and the print have', async () => {
  test.setTimeout(120_000);
  entry = await entryOf(register, patient, '2026-03-01', { puls: 70 });
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await button('Dodaj red: Lekovi').click();
  await cell('Doza, 1. red').fill('2,5');
  await cell('Puta, 1. red').fill('4');
  await button('Dodaj red: Lekovi').click();
  await cell('Doza, 2. red').fill('7');
  await cell('Puta, 2. red').fill('1');
  await cell('Puta, 2. red').blur();
  const result = page.locator('output').and(page.getByLabel('Ukupno', { exact: true }));
  await expect.poll(() => result.textContent()).toBe('17');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();

  const { token } = register.doctor;
  const fields = await call<{ data: { id: number; naziv: string }[] }>('GET', `/api/entries/${entry}/items`, { token });
  const ukupno = fields.data.find(({ naziv }) => naziv === 'Ukupno')?.id ?? 0;
  const told = await call<{ data: { brojnaVrednost: number }[] }>('GET', `/api/entries/${entry}/archive?nizAutsID=${ukupno}`, { token });
  expect(told.data[0]?.brojnaVrednost).toBe(17);

  await now.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
  await page.reload();
  await cell('Doza, 1. red').waitFor();
  const arriving = page.waitForEvent('download', { timeout: 60_000 });
  await button('Štampaj').click();
  const words = wordsOf(await readFile(await (await arriving).path()));
  expect(words).toMatch(/Ukupno:?\s+17/);
});

test('reads well in the dark', async () => {
  test.setTimeout(60_000);
  await anew(WIDE);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'darkly');
  await begin();
  await row('Ukupno').click();
  await example('Iz uputstva')
    .getByRole('button', { name: /^Iz uputstva/ })
    .click();
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/examples-dark.png`, fullPage: true });
  await button('Odbaci nacrt').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci nacrt', exact: true }).click();
});
