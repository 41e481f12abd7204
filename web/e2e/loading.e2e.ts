// Nothing that somebody is about to press moves away while a screen loads.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findScreens, SCREENS } from './screens';
import { launch, openAs, quiet, visit } from './support';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
  await findScreens();
});
afterAll(() => browser.close());

it('nothing jumps while a screen loads', async () => {
  const jumps: Record<string, number> = {};
  for (const [path, screen] of Object.entries(SCREENS)) {
    const now = await visit(browser);
    await now.context.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!shift.hadRecentInput) shifts.push(shift.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // The fonts come last: what stands beside what must not depend on them.
    let fonts = () => {};
    const later = new Promise<void>((come) => (fonts = come));
    await now.context.route('**/*.woff2', (route) => later.then(() => route.continue()).catch(() => undefined));
    await openAs(now, screen.as ?? 'lekar', screen.at());
    await screen.ready(now.page);
    fonts();
    await quiet(now.page);
    await now.page.evaluate(() => document.fonts.ready.then(() => undefined));
    jumps[path] = await now.page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0));
    await now.context.close();
  }
  console.info('layout shifts', jumps);
  expect(Object.entries(jumps).filter(([, value]) => value > 0.1)).toEqual([]);
}, 600_000);
