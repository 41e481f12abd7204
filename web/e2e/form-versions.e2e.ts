// The versions of a form on its screen: two of them are compared, an older one is taken back in place of a draft and published, and what
// was filled in by the newer one stays as it was.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, listsGone, NARROW, openAs, WIDE, type Visit } from './support';

const [FIRST, SECOND] = ['Polazni broj', 'Šećer u krvi'];

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Verzić',
  () =>
    ownRegister('verzije', 'Kontrola', { Broj: { gornjaGranicaBrojneVrednosti: 500 } }, [
      { sifra: 'broj', naziv: 'Broj', tip: 'Broj' },
      { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Broj', formula: '$(broj) + 1' },
    ]),
  (made, theirs) => {
    register = made;
    patient = theirs;
  },
);

const { main, row, property, addField, kept, begin, impact, publish } = designerOn(() => page);
const versions = () => main().getByRole('tabpanel', { name: 'Verzije' });
const openVersions = () => main().getByRole('tab', { name: 'Verzije', exact: true }).click();
const differences = () =>
  versions()
    .locator('section')
    .filter({ has: page.getByText('Uporedi', { exact: true }) });
const question = () => page.getByRole('alertdialog').filter({ visible: true });
const answer = (name: string) => question().getByRole('button', { name, exact: true }).click();
const shown = async () =>
  (
    await call<{ autsiArray: { naziv: string }[] }>('GET', `/api/entry-display?tsaID=${register.form}&pacijentID=${patient}`, {
      token: register.doctor.token,
    })
  ).autsiArray.map(({ naziv }) => naziv);

async function publishNow(broj: number) {
  await kept();
  await impact();
  await publish();
  await page.getByText(`Objavljena je verzija ${broj}`, { exact: true }).waitFor();
}

async function compare(label: 'Uporedi' | 'sa', option: string) {
  await differences()
    .locator('.p-dropdown')
    .nth(label === 'Uporedi' ? 0 : 1)
    .click();
  await page.getByRole('option', { name: new RegExp(`^${option}\\b`) }).click();
  await listsGone(page);
}

test('two versions are compared, and an older one is taken back in place of a draft, published, and holds', async () => {
  test.setTimeout(180_000);
  const form = `/admin/formular/${register.form}`;
  await openAs(now, 'admin', form, 'regix');
  await begin();
  await row('Broj').click();
  await property('Naziv').fill(FIRST);
  await publishNow(1);
  await page.goto(form);
  await begin();
  await row(FIRST).click();
  await property('Naziv').fill(SECOND);
  await row('Izračunat zbir').click();
  await property('Formula za računanje').fill('$(broj) + 100');
  await addField('broj', 'Visina', 'visina');
  await publishNow(2);
  const second = await entryOf(register, patient, '2026-03-01', { broj: 5 });

  // What the second has otherwise, by names and by what was changed of each.
  await page.goto(form);
  await openVersions();
  await compare('Uporedi', 'verzija 1');
  await compare('sa', 'verzija 2');
  await differences().getByText('Visina', { exact: false }).waitFor();
  const words = await differences().innerText();
  for (const word of [FIRST, SECOND, 'formula za računanje', 'Dodata polja', 'Visina']) expect(words).toContain(word);
  expect(words).not.toContain('Uklonjena polja');
  await expectAccessible(page);
  // The other way round it is gone.
  await compare('Uporedi', 'verzija 2');
  await compare('sa', 'verzija 1');
  await differences().getByText('Uklonjena polja', { exact: true }).waitFor();
  await compare('sa', 'verzija 2');
  await differences().getByText('Verzije se ne razlikuju.', { exact: true }).waitFor();
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);

  // Somebody's own draft is not thrown away without a question.
  await begin();
  await row('Visina').click();
  await property('Naziv').fill('Visina u cipelama');
  await kept();
  await page.goto(form);
  await openVersions();
  await versions().getByRole('button', { name: 'Vrati verziju 1', exact: true }).click();
  await question().getByText('Napraviti nacrt po verziji 1?', { exact: false }).waitFor();
  await answer('Vrati ovu verziju');
  await question().getByText('Već imate nacrt ovog formulara.', { exact: false }).waitFor();
  await answer('Odustani');
  await page.goto(`${form}/nacrt`);
  await row('Visina u cipelama').waitFor();
  await page.goto(form);
  await openVersions();
  await versions().getByRole('button', { name: 'Vrati verziju 1', exact: true }).click();
  await answer('Vrati ovu verziju');
  await question().getByText('Već imate nacrt ovog formulara.', { exact: false }).waitFor();
  await expectAccessible(page);
  await answer('Vrati ovu verziju');

  // The draft is the first version; nothing holds before it is published.
  await row(FIRST).waitFor();
  expect(await page.getByRole('treeitem').locator('[data-name]').allInnerTexts()).toEqual([FIRST, 'Izračunat zbir']);
  await row('Izračunat zbir').click();
  expect(await property('Formula za računanje').inputValue()).toBe('$(broj) + 1');
  expect(await shown()).toEqual([SECOND, 'Izračunat zbir', 'Visina']);
  const dialog = await impact();
  await dialog.getByText('1 rezultat se menja', { exact: true }).waitFor();
  await publish();
  await answer('Objavi');
  await page.getByText('Objavljena je verzija', { exact: false }).first().waitFor();
  expect(await shown()).toEqual([FIRST, 'Izračunat zbir']);
  await page.goto(form);
  await openVersions();
  await compare('Uporedi', 'verzija 1');
  await differences().getByText('Verzije se ne razlikuju.', { exact: true }).waitFor();
  await compare('Uporedi', 'verzija 2');
  await differences().getByText('Uklonjena polja', { exact: true }).waitFor();

  // A doctor fills in the first version anew; the entry of the second keeps its own words and result.
  await anew();
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-03-04`, 'regix');
  const result = () => page.locator('output').and(page.getByLabel('Izračunat zbir', { exact: true }));
  await page.getByLabel(FIRST, { exact: true }).fill('5');
  await expect.poll(() => result().innerText()).toBe('6');
  await anew();
  await openAs(now, 'lekar', `/unosi/${second}`, 'regix');
  await expect.poll(() => page.getByLabel(SECOND, { exact: true }).inputValue()).toBe('5');
  await expect.poll(() => result().innerText()).toBe('105');
  await page.getByLabel('Visina', { exact: true }).waitFor();
});
