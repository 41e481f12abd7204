import { type Page, test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, expectAccessible, logIn, MAIL_URL, openAs, type Visit } from './support';

let now: Visit;

const { another } = eachVisit((opened) => {
  now = opened;
});

const OUTCOME = 'Ishod po polu i dobnoj grupi';

const mailsTo = async (address: string): Promise<number> => {
  const answer = (await (await fetch(`${MAIL_URL}/api/email`)).json()) as unknown;
  const mails = (Array.isArray(answer) ? answer : (answer as { emails: unknown[] }).emails) as { to: { address: string }[] }[];
  return mails.filter(({ to }) => to.some((recipient) => recipient.address === address)).length;
};

/** Types a part of the name and takes what is offered for it. */
const choose = async (page: Page, typed: string, offered: string) => {
  await page.getByLabel('Pošalji na e-mail').pressSequentially(typed);
  await page.getByRole('option', { name: offered }).click();
};

test('is mailed to a worker, a group and an address; who opened it is seen, and one gets it again', async () => {
  test.setTimeout(150_000);
  const stamp = Date.now();
  const [worker, member, typed] = [`ana-${stamp}@primer.rs`, `clan-${stamp}@primer.rs`, `gost-${stamp}@primer.rs`];
  const group = `Kolegijum ${stamp}`;
  const admin = await logIn('admin');
  await call('PATCH', `/api/workers/${admin.id}`, { token: admin.token, body: { email: worker } });
  await call('POST', '/api/recipient-groups', { token: admin.token, body: { naziv: group, emails: [member] } });

  const { page } = now;
  await openAs(now, 'lekar', '/izvestaji');
  await page.getByRole('tree').getByText(OUTCOME, { exact: true }).click();
  await page.getByRole('heading', { name: OUTCOME, level: 2 }).waitFor();
  await choose(page, worker, 'Ana Đorđević');
  await choose(page, group, group);
  await page.getByLabel('Pošalji na e-mail').pressSequentially(typed);
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  const card = page.getByRole('tabpanel').filter({ visible: true }).getByRole('listitem').first();
  const row = (name: string) => card.getByRole('row').filter({ hasText: name });
  for (const address of [worker, member, typed])
    await row(address)
      .getByText(/poslato \d\d/)
      .waitFor({ timeout: 60_000 });
  await row(worker).getByText('nije otvoreno').waitFor();
  await row(typed).getByText('nepoznato').waitFor();
  await expectAccessible(page);

  const { data } = await call<{ data: { giID: string; primaoci: { adresa: string }[] }[] }>('GET', '/api/report-runs', {
    token: (await logIn('lekar')).token,
  });
  const run = data.find(({ primaoci }) => primaoci.some(({ adresa }) => adresa === worker))?.giID ?? '';
  const reader = await another();
  await openAs(reader, 'admin', `/izvestaji/${run}`);
  await reader.page.getByRole('heading', { name: OUTCOME, level: 1 }).waitFor();
  await reader.context.close();
  await row(worker)
    .getByText(/^otvoreno \d\d/)
    .waitFor({ timeout: 30_000 });

  await row(typed).getByRole('button', { name: 'Pošalji ponovo' }).click();
  await page.getByRole('alertdialog').getByText(typed).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pošalji' }).click();
  await row(typed).getByText('2. slanje').waitFor();
  await row(typed)
    .getByText(/poslato \d\d/)
    .waitFor({ timeout: 30_000 });
  expect(await Promise.all([worker, member, typed].map(mailsTo))).toEqual([1, 1, 2]);
});
