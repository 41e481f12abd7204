// One person registered in two hospitals: proposed by one, looked at and accepted by the other, reached by the old address, and made two again.
import { type Browser, test } from '@playwright/test';
import { expect } from './patience';
import { call, expectAccessible, freshJmbg, launch, logIn, openAs, quiet, registerOf, visit } from './support';

let browser: Browser;
test.beforeAll(async () => {
  browser = await launch();
});
test.afterAll(() => browser.close());

test('merges a patient of two hospitals by agreement, and undoes it', async () => {
  const ours = await logIn('lekar');
  const theirs = await logIn('lekar2');
  const register = await registerOf('reumatologija', ours.token);
  const [one, other] = [freshJmbg(), freshJmbg()];
  const record = {
    ime: 'Dvaputa',
    prezime: 'Upisanović',
    datumRodjenja: '1961-05-14',
    polTrenutni: true,
    kontaktTelefon: '011/1234567',
    registarID: register,
  };
  const potvrde = ['slicanPacijent', 'jmbgNeslaganje'];
  const made = await call<{ id: number }>('POST', '/api/patients', {
    token: ours.token,
    body: { ...record, jmbg: one, lbo: one.slice(2), potvrde },
  });
  const twin = await call<{ id: number }>('POST', '/api/patients', {
    token: theirs.token,
    body: { ...record, adresa: 'Nova 5', jmbg: other, lbo: other.slice(2), potvrde },
  });
  const { ime, prezime, datumRodjenja } = record;
  const taking = {
    ime,
    prezime,
    datumRodjenja,
    jmbg: other,
    lbo: other.slice(2),
    registarID: register,
    razlog: 'Nastavlja lečenje kod nas',
  };
  await call('POST', '/api/patient-takings', { token: ours.token, body: taking });

  const asking = await visit(browser);
  await openAs(asking, 'lekar', `/pacijenti/${made.id}`);
  await asking.page.getByRole('button', { name: 'Spoji sa drugim kartonom' }).click();
  await asking.page.getByLabel('JMBG ili broj drugog kartona').fill(other);
  await asking.page.getByRole('button', { name: 'Uporedi' }).click();
  await asking.page.getByRole('radio', { name: 'Adresa: Nova 5' }).click();
  await asking.page.getByLabel('Razlog').fill('Ista osoba u dve ustanove');
  await expectAccessible(asking.page);
  await asking.page.getByRole('button', { name: /^Predloži ustanovi/ }).click();
  await asking.page.getByRole('heading', { name: 'Spajanje pacijenata', level: 1 }).waitFor();

  const asked = await visit(browser);
  await openAs(asked, 'lekar2', '/registri');
  await asked.page.getByRole('button', { name: /^Predlozi spajanja koji čekaju: / }).click();
  await asked.page
    .getByRole('button', { name: /^Pogledaj i odgovori: Upisanović Dvaputa/ })
    .first()
    .click();
  await asked.page.getByRole('table', { name: 'Spajanje dva kartona' }).waitFor();
  await quiet(asked.page);
  await expectAccessible(asked.page);
  await asked.page.getByRole('button', { name: 'Prihvati' }).click();
  await asked.page.getByRole('heading', { name: 'Dvaputa Upisanović', level: 1 }).waitFor();
  expect(new URL(asked.page.url()).pathname).toBe(`/pacijenti/${made.id}`);

  // The address of the record that is gone becomes that of the one that is left.
  await asked.page.goto(`/pacijenti/${twin.id}`);
  await expect.poll(() => new URL(asked.page.url()).pathname).toBe(`/pacijenti/${made.id}`);
  await asked.page.getByRole('button', { name: 'Razdvoji: Upisanović Dvaputa' }).click();
  const dialog = asked.page.getByRole('dialog', { name: 'Razdvajanje kartona' });
  await expectAccessible(asked.page);
  await dialog.getByRole('button', { name: 'Razdvoji' }).click();
  await asked.page.getByText('Kartoni su razdvojeni').waitFor();
  await asked.page.goto(`/pacijenti/${twin.id}`);
  await asked.page.getByRole('heading', { name: 'Dvaputa Upisanović', level: 1 }).waitFor();
  expect(new URL(asked.page.url()).pathname).toBe(`/pacijenti/${twin.id}`);
  expect([...asking.complaints, ...asked.complaints]).toEqual([]);
  await Promise.all([asking.context.close(), asked.context.close()]);
});
