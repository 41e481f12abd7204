// Findings and the entries behind a number read as cards where the columns have no room, and as a table where they have.
import { test } from '@playwright/test';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { expectAccessible, expectFits, logIn, NARROW, openAs, registerOf, WIDE, type Visit } from './support';

let now: Visit;

const { another } = eachVisit((opened) => {
  now = opened;
});

test('findings and entries need no scrolling aside on a narrow screen', async () => {
  const { token } = await logIn('lekar');
  const register = await registerOf('kardiologija', token);
  const lists = [
    ['/nalazi', 'Nalazi', 'Od'],
    [`/kvalitetPodataka/unosi?registar=${register}`, 'Unosi', 'Uneto'],
  ] as const;
  const narrow = await another(NARROW);
  for (const [path, name, label] of lists) {
    for (const [{ page }, isWide] of [
      [now, true],
      [narrow, false],
    ] as const) {
      await openAs(isWide ? now : narrow, 'lekar', path);
      const list = page.getByRole('region', { name, exact: true });
      await expect(list.getByRole('link').first()).toBeVisible();
      await expect(list.getByText(label, { exact: true }).first()).toBeVisible({ visible: isWide });
      expect(await list.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBeLessThanOrEqual(isWide ? WIDE.width : 0);
      await expectFits(page);
    }
  }
  await expectAccessible(narrow.page);
});

test('the quality of all institutions stands below that of the own one', async () => {
  const { token } = await logIn('lekar');
  await openAs(now, 'admin', `/kvalitetPodataka?registar=${await registerOf('kardiologija', token)}`);
  await expect(now.page.getByRole('group', { name: 'Sve ustanove' }).getByRole('row').nth(1)).toBeVisible();
  await expectFits(now.page);
});
