// A patient gets another keeper: offered by one hospital with a reason, declined, offered again and accepted by the other.
import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { forgetPlanned, plannedPatient, type PlannedPatient } from './plannedPatient';
import { call, expectAccessible, listsGone, logIn, openAs, quiet, type Visit } from './support';

let now: Visit;
let planned: PlannedPatient | undefined;

const { another } = eachVisit((opened) => {
  now = opened;
});

/** Of this run alone: answered offers stay listed. */
const SURNAME = `Selid${Array.from({ length: 6 }, () => 'bcdgklmnprstvz'[Math.floor(Math.random() * 14)] ?? 'b').join('a')}`;
const NAME = `${SURNAME} Dragica`;

test.afterAll(async () => {
  if (planned) await forgetPlanned({ ...planned, token: (await logIn('lekar2')).token });
});

async function offer(page: Page, patient: number, institution: string, reason: string): Promise<void> {
  await openAs({ ...now, page }, 'lekar', `/pacijenti/${String(patient)}`);
  await page.getByRole('button', { name: 'Ponudi drugoj ustanovi' }).click();
  const dialog = page.getByRole('dialog', { name: 'Premeštanje pacijenta' });
  await dialog.getByRole('button', { name: 'Ponudi drugoj ustanovi' }).click();
  await dialog.getByText('Izaberite ustanovu.').waitFor();
  await dialog.locator('.p-dropdown').click();
  await page.getByRole('option', { name: institution, exact: true }).click();
  await listsGone(page);
  await dialog.getByLabel('Razlog').fill(reason);
  await quiet(page);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Ponudi drugoj ustanovi' }).click();
  await page.getByText('Pacijent je ponuđen').waitFor();
}

test('a patient is offered to another hospital, declined with a reason, offered again, and kept by it from then on', async () => {
  planned = await plannedPatient(SURNAME, 'Dragica');
  const { id, token } = planned;
  const theirs = await logIn('lekar2');
  const hospital = theirs.ustanovaNaziv ?? '';
  await expect(call('GET', `/api/patients/${String(id)}`, { token: theirs.token })).rejects.toThrow(/40[34]/);

  await offer(now.page, id, hospital, 'Preselila se u drugi grad');

  const asked = await another();
  const offers = asked.page.getByRole('list', { name: 'Ponude' });
  const hers = offers.getByRole('listitem').filter({ hasText: NAME });
  await openAs(asked, 'lekar2', '/registri');
  await asked.page.getByRole('button', { name: /^Ponuđeni pacijenti: / }).click();
  await hers.getByText('Razlog: Preselila se u drugi grad').waitFor();
  await quiet(asked.page);
  await expectAccessible(asked.page);
  await hers.getByRole('button', { name: `Odbij: ${NAME}` }).click();
  const declining = asked.page.getByRole('dialog');
  await declining.getByLabel('Razlog').fill('Nemamo mesta do jeseni');
  await declining.getByRole('button', { name: 'Odbij', exact: true }).click();
  await hers.getByText('Nemamo mesta do jeseni', { exact: false }).waitFor();

  // Whoever offered reads the answer, and offers once more.
  await openAs(now, 'lekar', '/premestanjePacijenata');
  await now.page.getByRole('listitem').filter({ hasText: NAME }).getByText('Nemamo mesta do jeseni', { exact: false }).waitFor();
  await offer(now.page, id, hospital, 'Jesen je, mesto je slobodno');
  await asked.page.reload();
  await hers.getByRole('button', { name: `Prihvati: ${NAME}` }).click();
  await asked.page.getByText('Vaša ustanova sada vodi pacijenta').waitFor();
  await openAs(asked, 'lekar2', `/pacijenti/${String(id)}`);
  await asked.page.getByRole('heading', { name: `Dragica ${SURNAME}` }).waitFor();
  await asked.page.getByRole('button', { name: 'Ponudi drugoj ustanovi' }).waitFor();
  // Who has no entry of hers knows her no more.
  await expect(call('GET', `/api/patients/${String(id)}`, { token })).rejects.toThrow(/40[34]/);
});
