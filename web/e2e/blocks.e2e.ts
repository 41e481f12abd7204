// A form of a stroke register: two moments and the minutes between them, and a proven block put in with one press. A doctor types the
// moments on a wide window and on a narrow one, and both are read well in the dark.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, NARROW, openAs, WIDE, type Visit } from './support';

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
  'Blokić',
  () => ownRegister('blokovi', 'Prijem', { Broj: {} }, [{ sifra: 'puls', naziv: 'Puls', tip: 'Broj' }]),
  (made, theirs) => {
    register = made;
    patient = theirs;
  },
);

const { main, button, row, property, addField, kept, begin, impact, publish } = designerOn(() => page);
const library = () => page.getByRole('dialog', { name: 'Biblioteka blokova' });
const picture = (name: string) =>
  process.env.PICTURES ? page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true }) : Promise.resolve();

test('a block goes into the form with one press, beside moments that a formula reads', async () => {
  test.setTimeout(180_000);
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
  await row('Puls').click();
  await addField('datum i vreme', 'Dolazak', 'vrata');
  await addField('datum i vreme', 'Tromboliza', 'igla');
  await addField('vreme', 'Buđenje', 'budjenje');
  await addField('broj', 'Od vrata do igle', 'vrataIgla');
  await property('Formula za računanje').fill('minutes_between($(vrata), $(igla))');
  await kept();

  await button('Dodaj blok…').click();
  await library().getByRole('listitem').filter({ hasText: 'NIHSS' }).first().waitFor();
  await expectAccessible(page);
  await picture('blocks-wide');
  await library().getByLabel('Traži blok').fill('rankin');
  await expect.poll(() => library().getByRole('listitem').count()).toBe(1);
  await library().getByRole('button', { name: 'Dodaj u formular: mRS', exact: true }).click();
  await row('Modifikovana Rankinova skala').waitFor();
  await main().getByText('Iz bloka mRS, izdanje 1', { exact: true }).filter({ visible: true }).waitFor();
  await kept();
  await expectAccessible(page);
  await picture('designer-with-block');
  await impact();
  await publish();
  await page.getByText(/^Objavljena je verzija/).waitFor();
});

test('a doctor types the moments and sees the minutes, across midnight', async () => {
  test.setTimeout(120_000);
  entry = await entryOf(register, patient, '2026-03-06', { puls: 70 });
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  const moment = async (name: string, day: string, time: string) => {
    await page.getByLabel(name, { exact: true }).click();
    await page.getByLabel(name, { exact: true }).fill(day);
    await page.getByLabel(`${name}: vreme`, { exact: true }).fill(time);
    await page.getByLabel(`${name}: vreme`, { exact: true }).blur();
  };
  await moment('Dolazak', '05.03.2026', '2350');
  await moment('Tromboliza', '06.03.2026', '0:35');
  await page.getByLabel('Buđenje', { exact: true }).fill('6.10');
  await page.getByLabel('Buđenje', { exact: true }).blur();
  const result = page.locator('output').and(page.getByLabel('Od vrata do igle', { exact: true }));
  await expect.poll(() => result.textContent()).toBe('45');
  await expectAccessible(page);
  await picture('entry-wide');
  await page.getByRole('button', { name: 'Snimi i ostani', exact: true }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
  const kept = await call<{ vrednosti: Record<string, unknown> }>('GET', `/api/entry-display?haID=${entry}`, {
    token: register.doctor.token,
  });
  expect(Object.values(kept.vrednosti)).toEqual(expect.arrayContaining(['2026-03-05T23:50', '2026-03-06T00:35', '06:10', 45]));
});

for (const [name, size, theme] of [
  ['wide and dark', WIDE, 'darkly'],
  ['narrow and light', NARROW, 'regix'],
  ['narrow and dark', NARROW, 'darkly'],
] as const)
  test(`moments and the library fit and read well: ${name}`, async () => {
    test.setTimeout(120_000);
    await anew(size);
    await openAs(now, 'lekar', `/unosi/${entry}`, theme);
    await page.getByLabel('Dolazak: vreme', { exact: true }).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await picture(`entry-${name}`);
    await anew(size);
    await openAs(now, 'admin', `/admin/formular/${register.form}/nacrt`, theme);
    await button('Započni nacrt').click();
    await page.getByRole('treeitem').first().waitFor();
    await button('Dodaj blok…').click();
    await library().getByRole('listitem').first().waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await picture(`blocks-${name}`);
    await page.keyboard.press('Escape');
    await button('Odbaci nacrt').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci nacrt', exact: true }).click();
    await button('Započni nacrt').waitFor();
  });
