// The search says what it searched: the scope of a criterion, the sentence, which entry and value matched, and names as people type them.
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { expectAccessible, expectFits, listsGone, NARROW, openAs, type Visit } from './support';

let now: Visit;
let register: OwnRegister;
const patients: number[] = [];

/** Entries of three patients, CRP and ESR by date. */
const ENTRIES: Record<string, [prezime: string, ime: string, visits: Record<string, [crp: number, se: number]>]> = {
  // Both hold in the newest entry.
  newest: ['Đurišić', 'Anđelka', { '2026-01-05': [1, 2], '2026-02-05': [30, 50] }],
  // Both hold in one entry, which is not the newest.
  earlier: ['Đurišić', 'Božidar', { '2026-01-05': [22, 41], '2026-02-05': [3, 4] }],
  // Each holds, in different entries.
  apart: ['Đuričić', 'Cveta', { '2026-01-05': [25, 5], '2026-02-05': [6, 45] }],
  neither: ['Nijedan', 'Dušan', { '2026-01-05': [7, 8] }],
};
const nameOf = (who: string) => `${ENTRIES[who]?.[0] ?? ''} ${ENTRIES[who]?.[1] ?? ''}`;

eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  test.setTimeout(120_000);
  register = await ownRegister('pretraga', 'Kontrola', { CRP: { jedinica: 'mg/L' }, SE: {} }, [
    { sifra: 'crp', naziv: 'CRP', tip: 'CRP' },
    { sifra: 'se', naziv: 'Sedimentacija', tip: 'SE' },
  ]);
  for (const [prezime, ime, visits] of Object.values(ENTRIES)) {
    const patient = await patientOf(register, prezime, ime);
    patients.push(patient);
    for (const [date, [crp, se]] of Object.entries(visits)) await entryOf(register, patient, date, { crp, se });
  }
});
test.afterAll(async () => {
  for (const patient of patients) await forget(register, patient);
});
test.beforeEach(async () => {
  await openAs(now, 'lekar', `/registri/${register.id}`, 'regix');
  await now.page.getByRole('heading', { name: register.naziv, level: 1 }).waitFor();
});

const table = () => now.page.getByRole('table', { name: 'Rezultati pretrage' });
const names = () =>
  table()
    .getByRole('link', { name: /^(Đuri|Nijedan)/ })
    .allInnerTexts();
const rowOf = (who: string) =>
  table()
    .getByRole('row')
    .filter({ hasText: nameOf(who) });
const said = (words: string) => now.page.getByText(words, { exact: true }).first().waitFor();
/** What is said after it where patients of others could be known by a value. */
const AND_FEW_OTHERS =
  ' Uz njih je manje od 5 iz drugih ustanova, a moguće i nijedan: tako malo njih se ne prikazuje, da niko ne bi bio prepoznat.';
const search = () => now.page.getByRole('button', { name: 'Pretraži', exact: true }).click();

/** An option of the dropdown with this label, in this row of criteria. */
async function choose(row: number, label: string, option: string) {
  const within = now.page.getByRole('listitem', { name: `Uslov ${row}` });
  await within
    .locator('div:has(> label)')
    .filter({ hasText: new RegExp(`^${label}`) })
    .locator('.p-dropdown')
    .click();
  await now.page.getByRole('option', { name: option, exact: true }).click();
  await listsGone(now.page);
}
async function setScope(option: string) {
  await now.page
    .locator('div:has(> label)')
    .filter({ hasText: /^Uslovi važe za/ })
    .locator('.p-dropdown')
    .click();
  await now.page.getByRole('option', { name: option, exact: true }).click();
  await listsGone(now.page);
}
async function ask(row: number, item: string, operator: string, value?: string) {
  await choose(row, 'Stavka unosa', item);
  await choose(row, 'Operator', operator);
  if (value !== undefined)
    await now.page
      .getByRole('listitem', { name: `Uslov ${row}` })
      .getByLabel('Vrednost', { exact: false })
      .fill(value);
}

test.describe('two criteria', () => {
  test.beforeEach(async () => {
    await ask(1, 'CRP', 'veće od', '20');
    await now.page.getByRole('button', { name: 'Dodaj uslov' }).click();
    await ask(2, 'Sedimentacija', 'veće od', '40');
  });

  for (const [scope, who, sentence] of [
    ['najnoviji unos', ['newest'], 'Traženo: u najnovijem unosu „Kontrola”: CRP veće od 20 mg/L i Sedimentacija veće od 40.'],
    ['jedan isti unos', ['newest', 'earlier'], 'Traženo: u jednom istom unosu „Kontrola”: CRP veće od 20 mg/L i Sedimentacija veće od 40.'],
    [
      'bilo koji unos',
      ['newest', 'earlier', 'apart'],
      'Traženo: bar u jednom unosu „Kontrola”: CRP veće od 20 mg/L i bar u jednom unosu „Kontrola”: Sedimentacija veće od 40.',
    ],
  ] as const)
    test(`of "${scope}" find ${JSON.stringify(who)}, and the search says so`, async () => {
      await setScope(scope);
      await search();
      await said(sentence + AND_FEW_OTHERS);
      await expect.poll(async () => (await names()).sort()).toEqual(who.map(nameOf).sort());
      await expectAccessible(now.page);
    });

  test('show which entry and which value each of them found, each entry a link', async () => {
    await setScope('bilo koji unos');
    await search();
    for (const words of ['05.01.2026. CRP: 25 mg/L', '05.02.2026. Sedimentacija: 45'])
      await rowOf('apart').getByText(words).last().waitFor();
    await expectAccessible(now.page);
    await now.page.setViewportSize(NARROW);
    await expectFits(now.page);
    await rowOf('apart').getByRole('link', { name: '05.01.2026.' }).filter({ visible: true }).first().click();
    await expect.poll(() => now.page.getByLabel('CRP', { exact: true }).inputValue()).toBe('25');
  });
});

test('what no entry holds is asked of those who have entries, and says so', async () => {
  await ask(1, 'CRP', 'nije popunjeno');
  await setScope('bilo koji unos');
  await search();
  await said(`Traženo: postoji unos „Kontrola”, a ni u jednom nije popunjeno: CRP.${AND_FEW_OTHERS}`);
  await now.page.getByText('Nema pacijenata za zadate uslove').waitFor();
});

for (const typed of ['djurisic', 'đurišić', 'ЂУРИШИЋ', 'durisic'])
  test(`"${typed}" finds the name first and one with one typing error after it, marked`, async () => {
    await now.page.getByLabel('Prezime').fill(typed);
    await now.page.keyboard.press('Enter');
    await said(`Traženo: prezime sadrži „${typed}”. Na kraju: 1 sa sličnim imenom, obeleženo sa „Slično”.`);
    await expect.poll(async () => (await names()).slice(0, 2).sort()).toEqual([nameOf('newest'), nameOf('earlier')].sort());
    await expect.poll(async () => (await names()).slice(2)).toEqual([nameOf('apart')]);
    await rowOf('apart').getByText('Slično', { exact: true }).waitFor();
    await expect.poll(() => rowOf('newest').getByText('Slično', { exact: true }).count()).toBe(0);
    await expectAccessible(now.page);
  });
