// A changed form is published over signed entries: whoever may end signatures sees how many there are and says why, and the signer reads it
// on her day; whoever may not is told in words, and the signatures stay.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { openAsPerson, person } from './person';
import { call, confirmPassword, expectAccessible, expectFits, NARROW, openAs, quiet, WIDE, type Visit } from './support';

const REASON = 'Formula zbira je ispravljena';
const END = 'Okončaj potpise i preračunaj i potpisane unose';

let now: Visit;
let page: Page;
let register: OwnRegister;
const entries: number[] = [];
const made: string[] = [];

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Okončanović',
  () =>
    ownRegister('potpisi', 'Kontrola', { Broj: {} }, [
      { sifra: 'broj', naziv: 'Broj', tip: 'Broj' },
      { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Broj', formula: '$(broj) + 1' },
    ]),
  async (own, patient) => {
    register = own;
    const { token } = own.doctor;
    // Two are signed, the third is in work.
    for (const place of [1, 2, 3]) {
      const entry = await entryOf(own, patient, `2026-03-0${place}`, { broj: place });
      entries.push(entry);
      if (place === 3) continue;
      const { verzija } = await call<{ verzija: number }>('GET', `/api/entries/${entry}/states`, { token });
      await call('POST', `/api/entries/${entry}/finish`, { token, body: { verzija } });
      await call('POST', `/api/entries/${entry}/sign`, { token, body: { verzija, znacenje: 'autor', lozinka: 'lekar' } });
    }
  },
);
test.afterAll(async () => {
  for (const path of made) await call('DELETE', path, { token: register.admin });
});

const { row, property, kept, begin, impact, publish } = designerOn(() => page);
const states = async () => {
  const { token } = register.doctor;
  const all = await Promise.all(entries.map((entry) => call<{ stanje: string }>('GET', `/api/entries/${entry}/states`, { token })));
  return all.map(({ stanje }) => stanje);
};

/** The dialog over a draft with another formula, with recomputation chosen. */
async function changed(formula: string) {
  await begin();
  await row('Izračunat zbir').click();
  await property('Formula za računanje').fill(formula);
  await property('Formula za računanje').blur();
  await kept();
  const dialog = await impact();
  await dialog.getByText('3 rezultata se menjaju', { exact: true }).waitFor();
  await dialog.getByLabel('Preračunaj snimljene rezultate').check();
  return dialog;
}
const recomputed = async (version: number) => {
  await page.getByRole('alertdialog').getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByText(`Objavljena je verzija ${version}. Preračunavanje je počelo.`, { exact: false }).waitFor();
  const part = page.getByRole('region', { name: 'Preračunavanje snimljenih rezultata' });
  await part.getByText('Završeno', { exact: true }).first().waitFor({ timeout: 60_000 });
  return part;
};

test('who may end signatures counts them, says why, and the signer reads it; who may not is told', async () => {
  test.setTimeout(240_000);
  const form = `/admin/formular/${register.form}`;
  const other = await person(register.admin, made, 'Registratorka', ['Registri i tipovi atributa']);
  const token = await openAsPerson(now, other, form);
  await confirmPassword(token);
  let dialog = await changed('$(broj) + 50');
  await dialog
    .getByText('Potpisani unosi u kojima bi se nešto promenilo: 2. Ostaju kakvi jesu: potpise okončava samo ko ima pravo', { exact: false })
    .waitFor();
  expect(await dialog.getByLabel(END).count()).toBe(0);
  await quiet(page);
  await expectAccessible(page);
  await publish();
  let part = await recomputed(2);
  await part.getByText('Ostalo kakvo jeste: 2 unosa', { exact: true }).waitFor();
  expect(await states()).toEqual(['potpisan', 'potpisan', 'uRadu']);

  await anew();
  await openAs(now, 'lekar', '/mojDan', 'regix');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await quiet(page);
  expect(await page.getByText('Okončanović', { exact: false }).count()).toBe(0);

  await anew();
  await openAs(now, 'admin', form, 'regix');
  dialog = await changed('$(broj) + 100');
  await dialog.getByText('Potpisani unosi u kojima bi se nešto promenilo: 2', { exact: true }).waitFor();
  await dialog.getByLabel(END).check();
  await dialog.getByText('Potpisi koji prestaju da važe: 2', { exact: true }).waitFor();
  await dialog.getByText('Ostaje kakvo jeste: 0.', { exact: false }).waitFor();
  await publish();
  await dialog.getByText('Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova.').waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await quiet(page);
  await expectFits(page);
  await page.setViewportSize(WIDE);
  await dialog.getByLabel(/^Zašto potpisi/).fill(REASON);
  await publish();
  part = await recomputed(3);
  await part.getByText(`Okončani potpisi: 2. Razlog: ${REASON}`, { exact: true }).waitFor();
  expect(await states()).toEqual(['uRadu', 'uRadu', 'uRadu']);

  // The signer reads who, when and why, and comes to the entry.
  await anew();
  await openAs(now, 'lekar', '/mojDan', 'regix');
  const told = page.getByRole('listitem').filter({ hasText: 'Okončanović' });
  await expect.poll(() => told.count()).toBe(2);
  await told.first().getByText(REASON, { exact: false }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await told.first().getByRole('link').click();
  await page.waitForURL(/\/unosi\/\d+/);
  await page.getByRole('region', { name: 'Stanje unosa' }).getByText('u radu', { exact: true }).waitFor();
});
