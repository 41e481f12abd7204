// A patient whom another institution keeps is taken over with a reason; the keeper sees who took, and ends it.
import { type Browser, test } from '@playwright/test';
import { expect } from './patience';
import { call, expectAccessible, freshJmbg, launch, logIn, openAs, quiet, registerOf, visit } from './support';

let browser: Browser;
test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());

test('takes a patient over, and loses it when the keeper objects', async () => {
  const { token } = await logIn('lekar');
  const register = await registerOf('reumatologija', token);
  const jmbg = freshJmbg();
  const record = { ime: 'Đorđe', prezime: 'Prelazić', datumRodjenja: '1961-05-14', jmbg, lbo: jmbg.slice(2), polTrenutni: true };
  const body = { ...record, kontaktTelefon: '011/1234567', registarID: register, potvrde: ['slicanPacijent'] };
  const { id } = await call<{ id: number }>('POST', '/api/patients', { token, body });

  const taker = await visit(browser);
  await openAs(taker, 'lekar2', `/registri/${register}`);
  await taker.page.getByRole('button', { name: 'Novi pacijent' }).click();
  const form = taker.page.getByRole('dialog', { name: 'Novi pacijent' });
  await form.getByLabel('Ime', { exact: false }).first().fill('Djordje');
  await form.getByLabel('Prezime').fill('Prelazic');
  await form.getByLabel('JMBG').fill(jmbg);
  await form.getByLabel('LBO').fill('12345678901');
  await form.getByLabel('Kontakt telefon').fill('011/7654321');
  await form.getByRole('button', { name: 'Snimi' }).click();
  const take = form.getByRole('button', { name: 'Preuzmi pacijenta' });
  await take.click();
  await form.getByText('Napišite razlog, najmanje 10 znakova.').waitFor();
  await form.getByLabel('Razlog').fill('Nastavlja lečenje kod nas');
  await take.click();
  await form.getByText('Podaci se ne slažu.', { exact: false }).waitFor();
  await expectAccessible(taker.page);
  // What was typed is still there, and so is the reason's place.
  await form.getByRole('button', { name: 'Nazad na podatke' }).click();
  await form.getByLabel('LBO').fill(jmbg.slice(2));
  await form.getByRole('button', { name: 'Snimi' }).click();
  await form.getByLabel('Razlog').fill('Nastavlja lečenje kod nas');
  await take.click();
  await taker.page.getByRole('heading', { name: 'Đorđe Prelazić', level: 1 }).waitFor();

  const keeper = await visit(browser);
  await openAs(keeper, 'lekar', '/registri');
  await keeper.page.getByRole('button', { name: /^Preuzeti pacijenti \(novih: \d+\)$/ }).click();
  const row = keeper.page.getByRole('listitem').filter({ hasText: 'Prelazić Đorđe' });
  await row.getByText('Razlog: Nastavlja lečenje kod nas').first().waitFor();
  await row.getByText('Novo').first().waitFor();
  await quiet(keeper.page);
  await expectAccessible(keeper.page);
  await row
    .getByRole('button', { name: /^Okončaj/ })
    .first()
    .click();
  const dialog = keeper.page.getByRole('dialog', { name: 'Okončanje preuzimanja' });
  await dialog.getByLabel('Razlog').fill('Pacijent se i dalje leči kod nas');
  await expectAccessible(keeper.page);
  await dialog.getByRole('button', { name: 'Okončaj' }).click();
  await row.getByText('Okončano').first().waitFor();

  await taker.page.goto(`/pacijenti/${id}`);
  await expect.poll(() => taker.page.getByRole('heading', { name: 'Đorđe Prelazić' }).count()).toBe(0);
  await taker.page.getByRole('heading', { name: 'Pacijent nije pronađen' }).or(taker.page.getByText('ne postoji')).first().waitFor();
  expect([...taker.complaints, ...keeper.complaints]).toEqual([]);
  await Promise.all([taker.context.close(), keeper.context.close()]);
  await call('PATCH', `/api/patients/${id}`, { token, body: { aktivan: false } });
});
