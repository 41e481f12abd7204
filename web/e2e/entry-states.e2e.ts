// Who stands behind an entry: a doctor finishes and signs it, a change ends the signature after a question, an administrator closes the quarter,
// and the next save is refused in words.
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, confirmPassword, expectAccessible, expectFits, NARROW, openAs, quiet, type Visit } from './support';

let now: Visit;
let register: OwnRegister;
let patient = 0;
let entry = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
});
withPatient(
  'Potpisnik',
  () => ownRegister('stanja', 'Kontrola', { Broj: {} }, [{ sifra: 'puls', naziv: 'Puls', tip: 'Broj' }]),
  async (made, theirs) => {
    register = made;
    patient = theirs;
    entry = await entryOf(register, patient, '2026-03-01', { puls: 70 });
  },
);

const bar = () => now.page.getByRole('region', { name: 'Stanje unosa' });
const button = (name: string) => now.page.getByRole('button', { name, exact: true });

test('a doctor finishes and signs, and a change ends the signature once she agrees', async () => {
  const { page } = now;
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await bar().getByText('u radu', { exact: true }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await button('Završi').click();
  await bar().getByText('završen', { exact: true }).waitFor();
  await button('Potpiši').click();
  const dialog = page.getByRole('dialog', { name: 'Potpisivanje unosa' });
  await dialog.getByLabel('Vaša lozinka').fill('lekar');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Potpiši' }).click();
  await bar().getByText('potpisan', { exact: true }).waitFor();
  await bar().getByText('Potpis: Čedomir Živković (autor unosa)', { exact: false }).waitFor();

  await page.getByRole('textbox', { name: 'Puls', exact: true }).fill('72');
  await button('Snimi i ostani').click();
  const question = page.getByRole('alertdialog');
  await question.getByText('potpis prestaje da važi', { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Odustani' }).click();
  await bar().getByText('potpisan', { exact: true }).waitFor();
  await button('Snimi i ostani').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Snimi i okončaj potpis' }).click();
  await page.getByText('Uspešno snimljen unos.').waitFor();
  await bar().getByText('u radu', { exact: true }).waitFor();
  await button('Istorija stanja').click();
  const history = page.getByRole('dialog', { name: 'Istorija stanja' });
  await history.getByText('Vraćen u rad izmenom').waitFor();
  await history.getByText('ne važi više').waitFor();
  await expectAccessible(page);
});

test('a quarter is closed, and what is saved into it is refused with who closed it and why', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'admin', '/zakljucavanjePerioda', 'regix');
  await confirmPassword(token);
  await button('Zaključaj period').first().click();
  const dialog = page.getByRole('dialog', { name: 'Zaključaj period' });
  await dialog.locator('.p-dropdown').click();
  await page.getByRole('option', { name: register.naziv, exact: true }).click();
  await dialog.getByLabel('Do dana').fill('31.03.2026.');
  await dialog.getByLabel('Razlog').fill('Kraj kvartala');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Zaključaj period' }).click();
  await page.getByText('Period je zaključan.').waitFor();
  await page.getByRole('button', { name: `Otključaj: ${register.naziv}, do 31.03.2026.` }).waitFor();
  await expectAccessible(page);

  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await bar().getByText('Period do 31.03.2026. je zaključan', { exact: false }).waitFor();
  await expect.poll(() => button('Snimi i ostani').count()).toBe(0);
  await quiet(page);
  await expectAccessible(page);

  // Another form of the day is begun: the day says why not, and so does the save.
  await page.goto(`/unosi/novi?tsaID=${register.form}&pacijentID=${patient}&datumUnosa=2026-03-02`);
  const told = page.getByText('Period do 31.03.2026. je zaključan', { exact: false }).first();
  await told.waitFor();
  await page.getByRole('textbox', { name: 'Puls', exact: true }).fill('80');
  await button('Snimi i ostani').click();
  await page.getByText('Kraj kvartala', { exact: false }).first().waitFor();
  const body = { tsaID: register.form, registarID: register.id, pacijentID: patient, vrednosti: {}, datumUnosa: '2026-03-02' };
  const refused = call('POST', '/api/entry-values', {
    token: register.doctor.token,
    body: { ...body, radnikOdgovoran: register.doctor.id },
  });
  await expect(refused).rejects.toThrow('Kraj kvartala');
});

test('the bar and the list fit a narrow window', async () => {
  await anew(NARROW);
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await bar().waitFor();
  await quiet(now.page);
  await expectFits(now.page);
  await anew(NARROW);
  await openAs(now, 'admin', '/zakljucavanjePerioda', 'regix');
  await button('Zaključaj period').first().waitFor();
  await quiet(now.page);
  await expectFits(now.page);
});
