// What the administrator is told after an upgrade on her first screen: here a schedule of somebody whose role opens no patients any more,
// whose report would name them.
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import {
  call,
  choosePassword,
  expectAccessible,
  expectFits,
  logIn,
  NARROW,
  openAs,
  quiet,
  registerOf,
  signIn,
  WIDE,
  type Visit,
} from './support';

const OWN = 'zeleni vagon peva';
const REPORT = 'Lista pacijenata';
const TITLE = /^Posle nadogradnje \(\d+\)$/;

let now: Visit;
const { another } = eachVisit((opened) => {
  now = opened;
});

interface Tree {
  data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[];
}

test('tells the administrator of a schedule that will fail, until she puts it away, and tells its owner nothing', async () => {
  const { token, ustanovaID } = await logIn('admin');
  const mark = Date.now().toString(36);
  const role = await call<{ id: number }>('POST', '/api/roles', { token, body: { ime: `Izveštavanje ${mark}`, pacijenti: 'uvid' } });
  await call('POST', '/api/role-rights', { token, body: { uloga: role.id, aplikativnoPravo: 1 } });
  const made = { username: `zakazala${mark}`, password: 'tanjir-kiša-olovka', ime: 'Zora', prezime: `Zakazić ${mark}`, ustanovaID };
  const worker = await call<{ id: number }>('POST', '/api/workers', { token, body: made });
  await call('POST', '/api/worker-roles', { token, body: { radnik: worker.id, uloga: role.id } });
  await choosePassword(made.username, made.password, OWN);
  const owner = await logIn(made.username, OWN);
  const tree = await call<Tree>('GET', '/api/report-categories/tree', { token: owner.token });
  const reports = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji));
  const siID = reports.find(({ naziv }) => naziv === REPORT)?.id;
  const registar = await registerOf('reumatologija', token);
  const weekly = { checkZakazivanjeBuducnost: true, ponavljanje: 1, vreme: '07:30', period: 1, danNedelja: [2] };
  await call('POST', '/api/report-queue', { token: owner.token, body: { siID, parametri: { registar }, ...weekly } });

  const { page } = now;
  const title = page.getByRole('button', { name: TITLE });
  const note = page.getByRole('listitem').filter({ hasText: `${REPORT}, Zakazić ${mark} Zora` });
  await openAs(now, 'admin', '/registri');
  await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
  await quiet(page);
  expect(await note.count()).toBe(0);

  await call('PATCH', `/api/roles/${role.id}`, { token, body: { pacijenti: 'ne' } });
  await page.reload();
  await title.waitFor();
  await note.getByText('Izveštaj imenuje pacijente, a uloge radnika ih ne otvaraju, pa izrada neće uspeti.', { exact: false }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);

  const hers = await another();
  await signIn(hers.context, owner);
  await hers.page.goto('/');
  await quiet(hers.page);
  expect(await hers.page.getByRole('button', { name: TITLE }).count()).toBe(0);

  await note.getByRole('button', { name: `Skloni: ${REPORT}, Zakazić ${mark} Zora` }).click();
  await note.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Registri', level: 1 }).waitFor();
  await quiet(page);
  expect(await note.count()).toBe(0);
  await call('DELETE', `/api/workers/${worker.id}`, { token });
  await call('DELETE', `/api/roles/${role.id}`, { token });
});
