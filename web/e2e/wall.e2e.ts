// The institution's board on a wall: put there by who may, seen where nobody is signed in, ended.
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BASE_URL, call, expectAccessible, expectFits, NARROW, openAs, storedWorker, type Visit } from './support';

let now: Visit;

const { another } = eachVisit((opened) => {
  now = opened;
});

const WALL_SIZE = { width: 1920, height: 1080 };
const OUTCOME = 'Statistika infarkta miokarda';
const NAME = `Hodnik ${String(Date.now())}`;

test('a display that was made on the board shows it where nobody is signed in, until it is revoked', async () => {
  const { page } = now;
  const { token } = await openAs(now, 'admin', '/tabla?tabla=ustanove');
  const tree = await call<{ data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[] }>('GET', '/api/report-categories/tree', {
    token,
  });
  const report = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji)).find(({ naziv }) => naziv === OUTCOME);
  const { verzija } = await call<{ verzija: number }>('GET', '/api/institution-board', { token });
  const tiles = [0, 1, 2].map((place) => ({
    id: crypto.randomUUID(),
    izvestajID: report?.id,
    registarID: null,
    naslov: null,
    blok: place % 2,
    vrednosti: { od: '2015-01-01', do: '2025-12-31' },
    x: (place % 2) * 6,
    y: Math.floor(place / 2) * 8,
    sirina: 6,
    visina: 8,
  }));
  await call('PUT', '/api/institution-board', { token, body: { plocice: tiles, filteri: {}, verzija } });
  await page.reload();
  await page.getByRole('button', { name: 'Prikaz na zidu' }).click();
  await page.getByLabel('Gde stoji').fill(NAME);
  await page.getByRole('button', { name: 'Napravi prikaz' }).click();
  const link = await page.getByLabel('Veza prikaza').inputValue();
  expect(link).toMatch(/\/zid#[\w-]{43}$/);
  await expectAccessible(page);

  const wall = await another(WALL_SIZE);
  const asked: string[] = [];
  wall.page.on('request', (request) => asked.push(request.url()));
  await wall.page.goto(BASE_URL + new URL(link).pathname + new URL(link).hash);
  await wall.page.getByRole('cell').first().waitFor({ timeout: 60_000 });
  await expectAccessible(wall.page);
  await expectFits(wall.page);
  expect(await storedWorker(wall.page)).toBeNull();
  expect(asked.filter((url) => url.includes('/api/')).every((url) => url === `${BASE_URL}/api/wall`)).toBe(true);
  expect(asked.some((url) => url.includes(new URL(link).hash.slice(1)))).toBe(false);
  await wall.page.getByRole('button', { name: 'Sledeća strana' }).click();
  await wall.page.getByText('Strana 2 od 2').waitFor();
  await wall.page.setViewportSize(NARROW);
  await expect.poll(() => wall.page.getByRole('article').count()).toBe(3);
  await expectFits(wall.page);
  await expectAccessible(wall.page);

  await page
    .getByRole('button', { name: `Opozovi prikaz: ${NAME}` })
    .first()
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Opozovi' }).click();
  await page.getByRole('button', { name: `Opozovi prikaz: ${NAME}` }).waitFor({ state: 'detached' });
  await wall.page.reload();
  await wall.page.getByText('Ovaj prikaz ne važi').waitFor();
});
