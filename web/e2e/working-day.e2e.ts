// A working day of two people: from *Moj dan* to a patient who is late, her visit with three forms that a nurse and a doctor fill in at once,
// what changed since the visit before, and the date that she takes home.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BEGINNING, daysAgo, examine, forgetPlanned, plannedPatient, type PlannedPatient } from './plannedPatient';
import { chooseDoctor, expectAccessible, openAs, quiet, wordsOf, type Visit } from './support';

const FORMS = ['Pregled', 'HAQ-DI', 'Anamneza'];
/** Three months and the window of the next visit are over by some days. */
const BEFORE = daysAgo(92 + 21 + 10);

let now: Visit;
let planned: PlannedPatient | undefined;

const { another } = eachVisit((opened) => {
  now = opened;
});

const shown = (day: string) => `${day.split('-').reverse().join('.')}.`;

test.beforeAll(async () => {
  planned = await plannedPatient('Radnić', 'Dragan');
  await examine(planned, 'Pregled', BEFORE, BEGINNING);
});
test.afterAll(async () => {
  if (planned) await forgetPlanned(planned);
});

const field = (page: Page, name: string) =>
  page
    .locator('input, select, textarea')
    .and(page.getByLabel(name, { exact: false }))
    .first();

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

/** The form of the visit of today, begun from her page. */
async function beginForm(page: Page, form: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Novi formular u poseti / })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Novi unos' });
  await dialog.getByLabel(form, { exact: true }).check({ force: true });
  await dialog.getByRole('button', { name: 'Kreiraj' }).click();
  await page.getByRole('heading', { name: form, level: 1 }).waitFor();
}

test('from Moj dan to a late patient, her visit of three forms by two people at once, what changed and her next date', async () => {
  test.setTimeout(240_000);
  const doctor = now.page;
  const page = `/pacijenti/${String(planned?.id)}`;
  await now.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
  await openAs(now, 'lekar', '/mojDan');
  await doctor.getByRole('heading', { name: 'Moj dan', level: 1 }).waitFor();
  await doctor.getByRole('region', { name: 'Cela ustanova' }).getByRole('link', { name: /Kasni/ }).click();
  await doctor.getByRole('heading', { name: 'Ko kasni', level: 1 }).waitFor();
  const late = doctor.getByRole('link', { name: 'Radnić Dragan' }).first();
  await quiet(doctor);
  while (!(await late.isVisible())) {
    await doctor.getByRole('button', { name: 'Sledeći' }).click();
    await quiet(doctor);
  }
  await late.click();

  const strip = doctor.getByRole('list', { name: 'Plan poseta' });
  const awaited = strip.getByRole('listitem').filter({ hasText: 'Kontrola posle 3 meseca' });
  await awaited.getByText('kasni', { exact: true }).waitFor();
  await awaited.getByRole('link', { name: 'Započni: Pregled' }).click();
  await doctor.getByRole('heading', { name: 'Pregled', level: 1 }).waitFor();

  // The nurse opens the questionnaire of the same visit while the doctor examines.
  const { page: nurse, ...hers } = await another();
  await openAs({ page: nurse, ...hers }, 'sestra', page);
  await nurse
    .getByRole('list', { name: 'Plan poseta' })
    .getByRole('listitem')
    .filter({ hasText: 'Kontrola posle 3 meseca' })
    .getByRole('link', { name: 'Započni: HAQ-DI' })
    .click();
  await nurse.getByRole('heading', { name: 'HAQ-DI', level: 1 }).waitFor();
  for (const options of await nurse.getByRole('region', { name: '1. Oblačenje i nega' }).getByRole('group').all())
    await options.getByLabel('Uz izvesne teškoće').check();
  await chooseDoctor(nurse);

  // The last value stands beside the field.
  await doctor.getByText(`prethodno: 12 mg/L (${shown(BEFORE)})`).waitFor();
  for (const [name, value] of Object.entries({
    'Broj bolnih zglobova (TJC28)': '4',
    'Broj otečenih zglobova (SJC28)': '2',
    CRP: '7',
  }))
    await field(doctor, name).fill(value);
  await Promise.all([save(doctor), save(nurse)]);

  // Either finds the other's form, and the nurse adds the third while the doctor corrects hers.
  await nurse.goto(page);
  const filled = (page: Page) =>
    page
      .getByRole('list', { name: /^Formulari posete / })
      .first()
      .getByRole('link');
  await expect.poll(async () => [...(await filled(nurse).allInnerTexts())].sort()).toEqual(['HAQ-DI', 'Pregled']);
  await beginForm(nurse, 'Anamneza');
  await nurse.getByRole('navigation', { name: 'Poseta' }).getByRole('link', { name: 'Pregled' }).waitFor();
  await field(nurse, 'Visina').fill('170');
  await field(nurse, 'Masa').fill('68');
  await field(doctor, 'CRP').fill('6');
  await Promise.all([save(nurse), save(doctor)]);

  await doctor.goto(page);
  await expect.poll(async () => [...(await filled(doctor).allInnerTexts())].sort()).toEqual([...FORMS].sort());
  const changed = doctor.getByRole('region', { name: /^Od prošle posete/ }).getByRole('region', { name: 'Pregled' });
  await changed.getByText(`pre: 12 mg/L (${shown(BEFORE)})`).waitFor();
  expect(await changed.innerText()).toMatch(/6 mg\/L[\s\S]*↓ 6/);
  await awaited.getByText('van prozora', { exact: true }).waitFor();
  const next = strip.getByRole('listitem').filter({ hasText: 'Kontrola posle 6 meseci' });
  await next.getByText(/^(buduća|otvorena)$/).waitFor();
  const [date] = /\d\d\.\d\d\.\d{4}\./.exec(await next.innerText()) ?? [];
  await quiet(doctor);
  await expectAccessible(doctor);

  const printed = doctor.waitForEvent('download', { timeout: 60_000 });
  await doctor.getByRole('button', { name: 'Termini za pacijenta' }).click();
  const words = wordsOf(await readFile(await (await printed).path()));
  expect(words).toContain('Radnić Dragan');
  expect(words).toMatch(new RegExp(`${date ?? '-'}\\s+Kontrola posle 6`));
  expect(words).not.toContain('Kontrola posle 3');
});
