// A formula is changed with two hundred entries stored, and whoever publishes it has them recomputed: progress and result beside the
// form's versions, the entry that stays with its reason, the history, the search; and a screen that was open saves over nothing.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, forget, ownRegister, patientOf, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, expectAccessible, expectFits, NARROW, openAs, type Visit } from './support';

const PATIENTS = 10;
const EACH = 20;
/** More than the new bound allows. */
const TOO_MUCH = 900;

interface Opened {
  verzija: number;
  obrazac: { otisak: string };
  vrednosti: Record<string, number>;
}

let now: Visit;
let page: Page;
let register: OwnRegister;
const patients: number[] = [];
/** Of the first patient, oldest first: the numbers 1 to 20. */
let first: number[];
let left = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
const day = (place: number) => `2026-02-${String(place + 1).padStart(2, '0')}`;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  register = await ownRegister('preracun', 'Kontrola', { Broj: { jedinica: 'mg' }, Zbir: {} }, [
    { sifra: 'broj', naziv: 'Polazni broj', tip: 'Broj' },
    { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Zbir', formula: '$(broj) + 1' },
  ]);
  for (let one = 0; one < PATIENTS; one += 1) patients.push(await patientOf(register, `Preračun${String.fromCharCode(97 + one)}`, 'Proba'));
  const fill = async (patient: number) => {
    const made: number[] = [];
    for (let place = 0; place < EACH; place += 1) made.push(await entryOf(register, patient, day(place), { broj: place + 1 }));
    return made;
  };
  first = (await Promise.all(patients.map(fill)))[0] ?? [];
  left = await entryOf(register, patients[0] ?? 0, day(EACH), { broj: TOO_MUCH });
});
test.afterAll(async () => {
  for (const patient of patients) await forget(register, patient);
});

const main = () => page.locator('main');
const button = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true });
const property = (name: string) => main().getByLabel(name, { exact: true }).filter({ visible: true }).first();
const kept = () => page.getByText('Nacrt je snimljen', { exact: true }).waitFor();
const opened = (entry: number) => call<Opened>('GET', `/api/entry-display?haID=${String(entry)}`, { token: register.doctor.token });
const part = () => page.getByRole('region', { name: 'Preračunavanje snimljenih rezultata' });

test('results are recomputed when the publisher says so, with progress, reasons, history and search', async () => {
  test.setTimeout(240_000);
  const entry = first[4] ?? 0;
  const before = await opened(entry);

  await openAs(now, 'admin', `/admin/formular/${String(register.form)}`, 'regix');
  await button('Uredi nacrt').click();
  await button('Započni nacrt').click();
  await page.getByRole('treeitem', { name: /^Polazni broj/ }).click();
  await property('Gornja granica brojne vrednosti').fill('100');
  await property('Gornja granica brojne vrednosti').blur();
  await property('Jedinica').fill('Mg');
  await property('Jedinica').blur();
  await page.getByRole('treeitem', { name: /^Izračunat zbir/ }).click();
  await property('Formula za računanje').fill('$(broj) + 5000');
  await property('Formula za računanje').blur();
  await kept();
  await button('Uticaj i objava').click();
  const dialog = page.getByRole('dialog', { name: 'Uticaj i objava' });
  await dialog.getByText('201 rezultat se menja', { exact: true }).waitFor();
  // Another unit until somebody says that it is only spelt otherwise; then the dialog says what the run makes of the entries.
  const promise = (results: number, left: number) =>
    `Ako se preračuna: promenjenih rezultata ${String(results)}, u unosima: ${String(results)}. Prevedeno na novu verziju bez promene rezultata: 0. Ostaje kakvo jeste: ${String(left)}.`;
  await dialog.getByText(promise(0, 201), { exact: true }).waitFor();
  const unit = dialog.getByRole('group', { name: 'Jedinica „mg” postaje „Mg” (Polazni broj)', exact: true });
  expect(await unit.getByLabel('Drugo značenje', { exact: true }).isChecked()).toBe(true);
  await unit.getByLabel('Samo pravopis', { exact: true }).check();
  await dialog.getByText(promise(200, 1), { exact: true }).waitFor();
  await dialog.getByLabel('Napomena uz verziju', { exact: true }).fill('Nova formula zbira');
  expect(await dialog.getByLabel('Ostavi snimljene rezultate (biće obeleženi)').isChecked()).toBe(true);
  await dialog.getByLabel('Preračunaj snimljene rezultate').check();
  await dialog.getByText('Menjaju se samo rezultati', { exact: false }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Objavi', exact: true }).click();

  // Beside the versions: how far it has come, and what became of it.
  await page.getByText('Objavljena je verzija 2. Preračunavanje je počelo.', { exact: false }).waitFor();
  await part().getByText('Završeno', { exact: true }).waitFor({ timeout: 60_000 });
  await part()
    .getByText('Promenjen rezultat: 200. Prevedeno na verziju bez promene rezultata: 0. Ostalo kakvo jeste: 1.', { exact: true })
    .waitFor();
  await part().getByText('1 unos ima rezultate koje današnje formule daju drugačije.', { exact: true }).waitFor();
  await part().getByText('Ostalo kakvo jeste: 1 unos', { exact: true }).click();
  await part()
    .getByRole('link', { name: `Unos br. ${String(left)}` })
    .waitFor();
  await part()
    .getByText('vrednost ne zadovoljava novo pravilo (opseg, decimale ili obaveznost): Polazni broj (1)', { exact: true })
    .waitFor();
  // The version with its hour, publisher and note.
  await page.getByRole('cell', { name: /^\d{2}\.\d{2}\.\d{4}\. \d{2}:\d{2}, .+: Nova formula zbira$/ }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);

  // A screen that had been open saves over nothing.
  const body = {
    unosID: entry,
    tsaID: register.form,
    registarID: register.id,
    pacijentID: patients[0],
    vrednosti: { [String(register.fields.broj)]: 6 },
    osnova: before.vrednosti,
    verzija: before.verzija,
    obrazac: before.obrazac.otisak,
    datumUnosa: day(4),
    radnikOdgovoran: register.doctor.id,
  };
  const late = call('POST', '/api/entry-values', { token: register.doctor.token, body });
  await expect(late).rejects.toThrow(/409.*Formular je izmenjen dok ste ga popunjavali/);
  expect((await opened(entry)).vrednosti[String(register.fields.zbir)]).toBe(5005);
  expect((await opened(left)).vrednosti[String(register.fields.zbir)]).toBe(TOO_MUCH + 1);

  await anew();
  await openAs(now, 'lekar', `/unosi/${String(entry)}`, 'regix');
  const result = page.locator('output').and(page.getByLabel('Izračunat zbir', { exact: true }));
  await expect.poll(() => result.innerText()).toBe('5.005');
  expect(await page.getByText('Novija je verzija', { exact: false }).count()).toBe(0);

  await anew();
  await openAs(now, 'lekar', `/unosArhiva/${String(entry)}`, 'regix');
  await page.getByText('sa verzije 1 na 2', { exact: false }).getByText('preračunavanje po zahtevu', { exact: false }).waitFor();

  // By the new value, and by none of the old ones.
  const found = async (value: number) => {
    const criterion = { tipUnosaID: register.form, poljeID: register.fields.zbir, operator: '=', vrednost: String(value) };
    const search = { registarID: register.id, redPretrage: [criterion], opsegUslova: 'biloKojiUnos', sviRezultati: true };
    return (await call<{ unosi: unknown[] }>('POST', '/api/search', { token: register.doctor.token, body: search })).unosi.length;
  };
  expect([await found(5005), await found(6)]).toEqual([PATIENTS, 0]);
});
