import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BASE_URL, call, expectAccessible, MAIL_URL, openAs, wordsOf, type Visit } from './support';

let now: Visit;

eachVisit((opened) => {
  now = opened;
});

const REPORT = 'Statistika infarkta miokarda';

interface Mail {
  to: { address: string }[];
  html?: string;
  text?: string;
}

async function mailTo(address: string): Promise<Mail | undefined> {
  const answer = (await (await fetch(`${MAIL_URL}/api/email`)).json()) as Mail[] | { emails: Mail[] };
  const mails = Array.isArray(answer) ? answer : answer.emails;
  return mails.find(({ to }) => to.some((recipient) => recipient.address === address));
}

test('a board is mailed from its screen, and comes as one PDF of its tiles', async () => {
  test.setTimeout(180_000);
  const to = `nacelnik-${Date.now()}@primer.rs`;
  const { page } = now;
  const { token } = await openAs(now, 'lekar', '/tabla');
  await page.getByRole('heading', { name: 'Moja tabla', level: 1 }).waitFor();
  const { verzija } = await call<{ verzija: number }>('GET', '/api/board', { token });
  const tree = await call<{ data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[] }>('GET', '/api/report-categories/tree', {
    token,
  });
  const report = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji)).find(({ naziv }) => naziv === REPORT);
  const tile = {
    id: crypto.randomUUID(),
    izvestajID: report?.id,
    registarID: null,
    naslov: 'Infarkt ove klinike',
    blok: 0,
    vrednosti: { od: '2015-01-01', do: '2025-12-31' },
    ...{ x: 0, y: 0, sirina: 6, visina: 8 },
  };
  await call('PUT', '/api/board', { token, body: { plocice: [tile], filteri: {}, verzija } });
  await page.reload();
  await page.getByRole('heading', { name: 'Infarkt ove klinike' }).waitFor();

  await page.getByRole('button', { name: 'Pošalji ili zakaži' }).click();
  await page.getByRole('heading', { name: 'Moja tabla', level: 2 }).waitFor();
  await page.getByLabel('Pošalji na e-mail').pressSequentially(to);
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Generiši izveštaj' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ipak pošalji' }).click();

  await expect.poll(async () => (await mailTo(to)) !== undefined, { timeout: 120_000 }).toBe(true);
  const mail = await mailTo(to);
  const run = /\/izvestaji\/([0-9a-f-]{36})/.exec(`${mail?.html ?? ''}${mail?.text ?? ''}`)?.[1] ?? 'no link';
  const file = await fetch(`${BASE_URL}/api/report-runs/${run}/download?format=PDF`, { headers: { Authorization: `Regix ${token}` } });
  expect(file.status, run).toBe(200);
  expect(file.headers.get('content-disposition')).toContain('.pdf');
  const words = wordsOf(Buffer.from(await file.arrayBuffer()));
  expect(words).toContain(REPORT);
  expect(words).toContain('Tabela 1');
});
