// A patient is made anonymous: who may, what is said beforehand, what is asked, and what is left on the page, in the search and in the log.
import { type Browser, type Page, test } from '@playwright/test';
import { expect } from './patience';
import { call, expectAccessible, expectFits, freshJmbg, launch, logIn, NARROW, openAs, quiet, registerOf, signIn, visit } from './support';

let browser: Browser;
test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());

interface Made {
  id: number;
  jmbg: string;
  card: string;
  register: number;
}

/** A patient of the administrator's institution, whose record says more than a name. */
async function registered(): Promise<Made> {
  const { token } = await logIn('admin');
  const register = await registerOf('reumatologija', token);
  const jmbg = freshJmbg();
  const card = `K-${jmbg.slice(4)}`;
  const body = {
    ime: 'Živadinka',
    prezime: 'Zaboravljenić',
    datumRodjenja: '1961-05-14',
    jmbg,
    lbo: jmbg.slice(2),
    polTrenutni: false,
    kontaktTelefon: '011/1234567',
    adresa: 'Tiha ulica 5',
    brojKartona: card,
    registarID: register,
    potvrde: ['jmbgNeslaganje', 'slicanPacijent'],
  };
  const { id } = await call<{ id: number }>('POST', '/api/patients', { token, body });
  return { id, jmbg, card, register };
}

const offer = (page: Page) => page.getByRole('button', { name: 'Anonimizuj pacijenta' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Anonimizacija pacijenta' });

test('makes a patient anonymous, and nobody finds who it was', async () => {
  const { id, jmbg, card, register } = await registered();
  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', `/pacijenti/${id}`);
  await doctor.page.getByRole('button', { name: 'Istorija podataka' }).waitFor();
  expect(await offer(doctor.page).count()).toBe(0);

  const now = await visit(browser);
  const { page } = now;
  // Who has signed in has not given the password again.
  await signIn(now.context, await logIn('admin'));
  await page.goto(`/pacijenti/${id}`);
  await offer(page).click();
  const asked = dialog(page);
  await asked.getByText('Ovo je trajno', { exact: false }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await asked.getByLabel('Razlog').fill('Zahtev broj 17 od danas');
  await asked.getByLabel('Broj kartona pacijenta').fill('K-1');
  await asked.getByRole('button', { name: 'Anonimizuj', exact: true }).click();
  await asked.getByText('Uneti broj nije broj ovog pacijenta.').waitFor();
  await asked.getByLabel('Broj kartona pacijenta').fill(card);
  await asked.getByRole('button', { name: 'Anonimizuj', exact: true }).click();
  const password = page.getByRole('dialog', { name: 'Potvrdite lozinkom' });
  await password.getByText('Pacijent se trajno anonimizuje.', { exact: false }).waitFor();
  await password.getByLabel('Lozinka', { exact: false }).first().fill('admin');
  await password.getByRole('button', { name: 'Potvrdi', exact: true }).click();

  await page.getByRole('heading', { name: 'Anonimizovan pacijent', level: 1 }).waitFor();
  await page.getByText('Podaci se više ne menjaju.', { exact: false }).waitFor();
  await asked.waitFor({ state: 'detached' });
  for (const gone of ['Anonimizuj pacijenta', 'Izmeni podatke', 'Obriši pacijenta']) {
    expect(await page.getByRole('button', { name: gone }).count()).toBe(0);
  }
  await quiet(page);
  await expectAccessible(page);
  expect(await page.content()).not.toContain('Zaboravljenić');

  // The doctor, whose page was open, is told by the next thing that is done; a search finds nobody by the number.
  await doctor.page.goto(`/registri/${register}`);
  await doctor.page.getByLabel('JMBG').fill(jmbg);
  await doctor.page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  await doctor.page.getByText('Nema pacijenata za zadate uslove').waitFor();
  await doctor.page.goto(`/pacijentArhiva/${id}`);
  await doctor.page.getByRole('table', { name: 'Sadašnji i raniji podaci' }).waitFor();
  expect(await doctor.page.content()).not.toContain('Zaboravljenić');

  await page.goto('/admin/log');
  await page.getByRole('button', { name: 'Pretraži' }).click();
  const row = page.getByRole('row').filter({ hasText: 'anonimizacija' }).filter({ hasText: 'Zahtev broj 17 od danas' });
  await row.filter({ hasText: 'Anonimizovan pacijent' }).first().waitFor();
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
  await Promise.all([now.context.close(), doctor.context.close()]);
});

test('makes a deleted patient anonymous too, for who holds that right', async () => {
  const { id, jmbg, card, register } = await registered();
  const { token } = await logIn('admin');
  const { verzija } = await call<{ verzija: number }>('GET', `/api/patients/${id}`, { token });
  await call('PATCH', `/api/patients/${id}`, { token, body: { aktivan: false, verzija } });
  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', `/registri/${register}`);
  const deleted = ({ page }: typeof doctor) => page.getByRole('dialog', { name: 'Obrisani pacijenti' });
  const row = (of: typeof doctor) => deleted(of).getByRole('listitem').filter({ hasText: 'Živadinka Zaboravljenić (14.05.1961.)' }).first();

  const now = await visit(browser);
  const { page } = now;
  await openAs(now, 'admin', `/registri/${register}`);
  await page.getByRole('button', { name: 'Obrisani pacijenti' }).click();
  await row(now).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  // The doctor may bring back, and no more.
  await doctor.page.getByRole('button', { name: 'Obrisani pacijenti' }).click();
  await row(doctor)
    .getByRole('button', { name: /^Vrati/ })
    .waitFor();
  expect(
    await deleted(doctor)
      .getByRole('button', { name: /^Anonimizuj/ })
      .count(),
  ).toBe(0);

  await row(now).getByRole('button', { name: 'Anonimizuj: Živadinka Zaboravljenić (14.05.1961.)' }).click();
  const asked = dialog(page);
  await asked.getByLabel('Razlog').fill('Zahtev broj 18 od danas');
  await asked.getByLabel('Broj kartona pacijenta').fill(card);
  await asked.getByRole('button', { name: 'Anonimizuj', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
  await row(now).waitFor({ state: 'detached' });
  const list = await call<{ data: { jmbg: string }[] }>('GET', '/api/deleted-patients', { token });
  expect(list.data.map((one) => one.jmbg)).not.toContain(jmbg);
  expect([...now.complaints, ...doctor.complaints]).toEqual([]);
  await Promise.all([now.context.close(), doctor.context.close()]);
});
