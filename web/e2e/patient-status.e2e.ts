// A doctor records a death, an entry after it is refused, the day is corrected, and the other hospital sees it.
import { type Browser, test } from '@playwright/test';
import { expect } from './patience';
import { call, expectAccessible, freshJmbg, launch, listsGone, logIn, openAs, quiet, registerOf, visit } from './support';

let browser: Browser;
test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());

test('a doctor records a death, an entry after it is refused, and the other hospital sees it', async () => {
  const { token } = await logIn('lekar');
  const register = await registerOf('reumatologija', token);
  const jmbg = freshJmbg();
  const record = { ime: 'Zorica', prezime: 'Poslednjić', datumRodjenja: '1951-05-14', jmbg, lbo: jmbg.slice(2), polTrenutni: false };
  const body = { ...record, kontaktTelefon: '011/1234567', registarID: register, potvrde: ['slicanPacijent', 'jmbgNeslaganje'] };
  const { id } = await call<{ id: number }>('POST', '/api/patients', { token, body });
  const other = await logIn('lekar2');
  const taking = { ime: 'Zorica', prezime: 'Poslednjić', datumRodjenja: '1951-05-14', jmbg, lbo: jmbg.slice(2) };
  await call('POST', '/api/patient-takings', {
    token: other.token,
    body: { ...taking, razlog: 'Nastavlja lečenje kod nas', registarID: register },
  });

  const doctor = await visit(browser);
  await openAs(doctor, 'lekar', `/pacijenti/${id}`);
  await doctor.page.getByRole('button', { name: 'Zabeleži status' }).click();
  const dialog = doctor.page.getByRole('dialog', { name: 'Novi status pacijenta' });
  const choose = async (name: string, option: string) => {
    const list = dialog.locator('.p-dropdown').filter({ has: doctor.page.getByLabel(name, { exact: false }) });
    await list.first().click();
    await doctor.page.getByRole('option', { name: option, exact: true }).click();
    await listsGone(doctor.page);
  };
  await choose('Status', 'Preminuo');
  await dialog.getByLabel('Dan').fill('01.06.2024.');
  await choose('Uzrok', 'Drugi uzrok (DRUGO)');
  await choose('Izvor podatka', 'Potvrda o smrti');
  await quiet(doctor.page);
  await expectAccessible(doctor.page);
  await dialog.getByRole('button', { name: 'Snimi' }).click();
  await doctor.page.getByText('Smrt je zabeležena: 01.06.2024.', { exact: false }).waitFor();

  await doctor.page.getByRole('button', { name: 'Novi unos', exact: true }).click();
  const entry = doctor.page.getByRole('dialog', { name: 'Novi unos' });
  await entry.getByLabel('Datum pregleda').fill('02.06.2024.');
  await entry.getByRole('radio').first().click();
  await entry.getByRole('button', { name: 'Kreiraj' }).click();
  await entry.getByText('Datum pregleda ne može biti posle smrti pacijenta (01.06.2024.).', { exact: false }).waitFor();
  await entry.getByRole('button', { name: 'Odustani' }).click();

  // She corrects the day, and the entry has its place.
  await doctor.page.getByRole('button', { name: 'Status pacijenta', exact: true }).click();
  await doctor.page.getByRole('button', { name: /^Ispravi: Preminuo/ }).click();
  const correction = doctor.page.getByRole('dialog', { name: 'Ispravka statusa' });
  await correction.getByLabel('Dan').fill('05.06.2024.');
  await correction.getByLabel('Napomena').fill('Pogrešno prepisan dan');
  await correction.getByRole('button', { name: 'Snimi' }).click();
  await doctor.page.getByText('Smrt je zabeležena: 05.06.2024.', { exact: false }).waitFor();
  await doctor.page.getByText('ispravljeno').first().waitFor();
  await quiet(doctor.page);
  await expectAccessible(doctor.page);

  const hospital = await visit(browser);
  await openAs(hospital, 'lekar2', `/pacijenti/${id}`);
  await hospital.page.getByText('Smrt je zabeležena: 05.06.2024.', { exact: false }).waitFor();
  expect([...doctor.complaints, ...hospital.complaints]).toEqual([]);
  await Promise.all([doctor.context.close(), hospital.context.close()]);
  await call('PATCH', `/api/patients/${id}`, { token, body: { aktivan: false } });
});
