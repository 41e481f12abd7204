// A working day by the plan of visits: *Moj dan*, a patient who is late, his visit, what is next.
import { readFile } from 'node:fs/promises';
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, freshJmbg, logIn, openAs, quiet, registerOf, wordsOf, type Visit } from './support';

let now: Visit;
let token: string;
let register: number;
let form: number;
let patient: number;
let doctor: number;

eachVisit((opened) => {
  now = opened;
});

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Saves the questionnaire of that day as the doctor would. */
async function answer(datumUnosa: string): Promise<void> {
  const path = `/api/entry-display?tsaID=${form}&pacijentID=${patient}&datumUnosa=${datumUnosa}`;
  const { vrednosti, radniciOdgovorni } = await call<{ vrednosti: object; radniciOdgovorni: { id: number; dostupan: boolean }[] }>(
    'GET',
    path,
    {
      token,
    },
  );
  doctor = radniciOdgovorni.find(({ dostupan }) => dostupan)?.id ?? 0;
  const body = { tsaID: form, registarID: register, pacijentID: patient, vrednosti, radnikOdgovoran: doctor, datumUnosa };
  await call('POST', '/api/entry-values', { token, body });
}

test.beforeAll(async () => {
  ({ token } = await logIn('lekar'));
  register = await registerOf('reumatologija', token);
  const { tipoviUnosa } = await call<{ tipoviUnosa: { id: number; naziv: string }[] }>('GET', `/api/registers/${register}/search-setup`, {
    token,
  });
  form = tipoviUnosa.find(({ naziv }) => naziv === 'HAQ-DI')?.id ?? 0;
  const jmbg = freshJmbg();
  const record = { ime: 'Petar', prezime: 'Planić', datumRodjenja: '1961-05-14', jmbg, lbo: jmbg.slice(2), polTrenutni: true };
  const body = { ...record, kontaktTelefon: '011/1234567', registarID: register, potvrde: ['slicanPacijent'] };
  ({ id: patient } = await call<{ id: number }>('POST', '/api/patients', { token, body }));
  // Three months and the window of the next visit are over by some days.
  await answer(dayBefore(92 + 21 + 10));
});
test.afterAll(async () => {
  if (patient) await call('PATCH', `/api/patients/${patient}`, { token, body: { aktivan: false } });
});

test('a working day goes from a late patient to her visit and her next date', async () => {
  const { page } = now;
  await now.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
  await openAs(now, 'lekar', '/mojDan');
  await page.getByRole('heading', { name: 'Moj dan', level: 1 }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.getByRole('region', { name: 'Cela ustanova' }).getByRole('link', { name: /Kasni/ }).click();
  await page.getByRole('heading', { name: 'Ko kasni', level: 1 }).waitFor();
  const late = page.getByRole('link', { name: 'Planić Petar' }).first();
  await quiet(page);
  while (!(await late.isVisible())) {
    await page.getByRole('button', { name: 'Sledeći' }).click();
    await quiet(page);
  }
  await expectAccessible(page);
  await late.click();

  const strip = page.getByRole('list', { name: 'Plan poseta' });
  const visit = strip.getByRole('listitem').filter({ hasText: 'Kontrola posle 3 meseca' });
  await visit.getByText('kasni', { exact: true }).waitFor();
  await visit.getByRole('link', { name: 'Započni: HAQ-DI' }).click();
  await page.getByRole('heading', { name: 'HAQ-DI', level: 1 }).waitFor();
  await answer(dayBefore(0));

  await openAs(now, 'lekar', `/pacijenti/${patient}`);
  await visit.getByText('van prozora', { exact: true }).waitFor();
  await visit.getByRole('link', { name: 'Otvori: HAQ-DI' }).waitFor();
  await strip.getByRole('listitem').filter({ hasText: 'Kontrola posle 6 meseci' }).getByText('buduća').waitFor();
  await quiet(page);
  await expectAccessible(page);
  // What he takes home, and what the page of the guide says of it.
  const printed = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Termini za pacijenta' }).click();
  expect(wordsOf(await readFile(await (await printed).path()))).toContain('Kontrola posle 6 meseci');
  await page.getByRole('button', { name: 'Uputstvo: Plan poseta pacijenta' }).click();
  await page.getByRole('dialog', { name: 'Plan poseta pacijenta' }).waitFor();
});

test('who chooses Moj dan begins there, and who does not begins with the registers', async () => {
  await call('PUT', '/api/worker-start', { token, body: { pocetna: 'mojDan', nedeljniPregled: false, javiUpite: true } });
  expect(await call('GET', '/api/worker-start', { token })).toEqual({ pocetna: 'mojDan', nedeljniPregled: false, javiUpite: true });
  await openAs(now, 'lekar', '/korisnickiProfil');
  const first = now.page.getByRole('group', { name: 'Posle prijave' });
  await expect.poll(() => first.getByLabel('Moj dan').isChecked()).toBe(true);
  await first.getByLabel('Registri').check();
  await now.page.getByText('Snimljeno').waitFor();
  expect(await call('GET', '/api/worker-start', { token })).toEqual({ pocetna: 'pacijenti', nedeljniPregled: false, javiUpite: true });
});
