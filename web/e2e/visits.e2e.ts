// A visit of three forms: a nurse and a doctor fill them in at once, and the patient's page, the summary and a search lead on from there.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseDoctor, expectAccessible, expectFits, NARROW, openAs, WIDE, type Visit } from './support';

const [BEFORE, DAY] = ['2026-01-05', '2026-02-05'];
let now: Visit;
let register: OwnRegister;
let patient: number;
/** The register's other forms, each with one number. */
const forms: Record<string, { id: number; field: number }> = {};

const { another } = eachVisit((opened) => {
  now = opened;
});
withPatient(
  'Posetić',
  () => ownRegister('poseta', 'Pregled', { CRP: { jedinica: 'mg/L' } }, [{ sifra: 'crp', naziv: 'CRP', tip: 'CRP' }]),
  async (made, who) => {
    [register, patient] = [made, who];
    const make = async (path: string, body: object) => (await call<{ id: number }>('POST', path, { token: made.admin, body })).id;
    for (const naziv of ['Upitnik', 'Terapija']) {
      const id = await make('/api/forms', { naziv, registar: made.id });
      const shown = { tipSkupaAtributa: id, opcioni: true, pretrazujeSe: true, prikazujeSe: true, ispisujeSeLabela: true };
      const body = { ...shown, tipAtributa: made.types.CRP?.id, naziv: `${naziv}: broj`, sifra: 'broj', redosled: 10 };
      forms[naziv] = { id, field: await make('/api/form-fields', body) };
    }
    await entryOf(made, who, BEFORE, { crp: 10 });
  },
);

const at = (form: number) => `/unosi/novi?tsaID=${form}&pacijentID=${patient}&datumUnosa=${DAY}`;

/** Answers what is asked before a save is sent. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  const question = page.getByRole('alertdialog');
  const told = page.getByText('Uspešno snimljen unos.');
  await expect
    .poll(async () => {
      if (await question.count()) await question.getByRole('button', { name: /^(Nastavi|Potvrdi i snimi)$/ }).click();
      return told.count();
    })
    .toBe(1);
}

test('a nurse and a doctor fill in three forms of one visit at once; nothing typed is lost, and what changed is shown', async () => {
  const nurse = await another();
  await openAs(nurse, 'sestra', at(register.form));
  await openAs(now, 'lekar', at(forms.Upitnik?.id ?? 0));
  await chooseDoctor(nurse.page);
  // The last value stands beside the field, and how far what is typed is from it.
  await nurse.page.getByText('prethodno: 10 mg/L (05.01.2026.)').waitFor();
  await nurse.page.getByLabel('CRP').fill('13');
  await now.page.getByLabel('Upitnik: broj').fill('5');
  await Promise.all([save(nurse.page), save(now.page)]);

  await now.page.goto(`/pacijenti/${patient}`);
  const filled = now.page.getByRole('list', { name: 'Formulari posete 05.02.2026.' });
  await expect.poll(() => filled.getByRole('link').allInnerTexts()).toEqual(['Pregled', 'Upitnik']);
  await now.page.getByRole('button', { name: 'Novi formular u poseti 05.02.2026.' }).click();
  const dialog = now.page.getByRole('dialog', { name: 'Novi unos' });
  await expect.poll(() => dialog.getByRole('combobox').inputValue()).toBe('05.02.2026.');
  await dialog.getByLabel('Terapija').check({ force: true });
  await dialog.getByRole('button', { name: 'Kreiraj' }).click();
  await now.page.getByRole('navigation', { name: 'Poseta' }).getByRole('link', { name: 'Pregled' }).waitFor();
  await now.page.getByLabel('Terapija: broj').fill('7');
  await save(now.page);

  await now.page.goto(`/pacijenti/${patient}`);
  await expect.poll(() => filled.getByRole('link').allInnerTexts()).toEqual(['Pregled', 'Upitnik', 'Terapija']);
  const changed = now.page.getByRole('region', { name: /^Od prošle posete/ }).getByRole('region', { name: 'Pregled' });
  await changed.getByText('pre: 10 mg/L (05.01.2026.)').waitFor();
  expect(await changed.innerText()).toMatch(/13 mg\/L[\s\S]*↑ 3/);
  await expectAccessible(now.page);
  const { data } = await call<{ data: { obrasci: unknown[] }[] }>('GET', `/api/patients/${patient}/visits?registarID=${register.id}`, {
    token: register.doctor.token,
  });
  expect(data.map(({ obrasci }) => obrasci.length)).toEqual([3, 1]);
});

test('the whole visit goes to another day, asked about on one of its forms', async () => {
  const { page } = now;
  await openAs(now, 'lekar', `/pacijenti/${patient}`);
  await page.getByRole('list', { name: 'Formulari posete 05.02.2026.' }).getByRole('link', { name: 'Upitnik' }).click();
  const date = page.getByRole('combobox', { name: 'Datum pregleda' });
  await date.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('06.02.2026.');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Snimi i ostani' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('U istoj poseti su i: Pregled, Terapija.', { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Promeni celu posetu' }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
  await page.goto(`/pacijenti/${patient}`);
  const list = page.getByRole('list', { name: 'Formulari posete 06.02.2026.' });
  await expect.poll(() => list.getByRole('link').allInnerTexts()).toEqual(['Pregled', 'Upitnik', 'Terapija']);
});

for (const size of [WIDE, { width: 1024, height: 768 }, NARROW])
  test(`the summary is on one page and is printed, at ${String(size.width)} pixels`, async () => {
    const { page } = now;
    await page.setViewportSize(size);
    await openAs(now, 'lekar', `/pacijenti/${patient}/sazetak?registar=${register.id}`);
    await page.getByRole('heading', { name: 'Sažetak pacijenta', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Od prošle posete' }).waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await page.goto('/mojaLista');
    await page.getByRole('button', { name: /^Moji pacijenti/ }).waitFor();
    await expectAccessible(page);
    await expectFits(page);
  });

test('one field finds the patient in all registers, and keys lead on to her', async () => {
  const { page } = now;
  await openAs(now, 'lekar', '/mojaLista');
  await page.getByRole('textbox', { name: 'Pacijent u svim registrima' }).fill('posetic proba');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Posetić Proba');
  expect(page.url()).not.toContain('posetic');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/pacijenti\/\d+$/);
});
