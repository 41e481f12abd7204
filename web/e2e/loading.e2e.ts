// Nothing that somebody is about to press moves away while a screen loads.
import { type Browser, test } from '@playwright/test';
import { expect } from './patience';
import { findScreens, SCREENS } from './screens';
import { LONG, launch, openAs, quiet, visit } from './support';

interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };

let browser: Browser;

test.beforeAll(async () => {
  browser = await launch();
  await findScreens();
});
test.afterAll(() => browser.close());

test('nothing jumps while a screen loads', LONG, async () => {
  test.setTimeout(600_000);
  const jumps: Record<string, number> = {};
  const moved: Record<string, string[]> = {};
  for (const [path, screen] of Object.entries(SCREENS)) {
    const now = await visit(browser);
    await now.context.addInitScript(() => {
      const shifts: { value: number; what: string[] }[] = [];
      Object.assign(window, { shifts });
      const named = ({ node, previousRect, currentRect }: Source) =>
        `${node?.textContent?.slice(0, 40) ?? ''} ${String(previousRect.y)} -> ${String(currentRect.y)}`;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
          if (!hadRecentInput) shifts.push({ value, what: sources.map(named) });
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // The fonts come last: what stands beside what must not depend on them.
    let fonts = () => {};
    const later = new Promise<void>((come) => (fonts = come));
    await now.context.route('**/*.woff2', (route) => later.then(() => route.continue()).catch(() => undefined));
    // The page asks for them at once, and is not loaded before they are there.
    const begun = now.page.waitForEvent('framenavigated');
    const loaded = openAs(now, screen.as ?? 'lekar', screen.at());
    await begun;
    await screen.ready(now.page);
    fonts();
    await loaded;
    await quiet(now.page);
    await now.page.evaluate(() => document.fonts.ready.then(() => undefined));
    const shifts = await now.page.evaluate(() => (window as unknown as { shifts: { value: number; what: string[] }[] }).shifts);
    jumps[path] = shifts.reduce((sum, { value }) => sum + value, 0);
    moved[path] = shifts.flatMap(({ what }) => what);
    await now.context.close();
  }
  console.info('layout shifts', jumps);
  const tooMuch = Object.entries(jumps).filter(([, value]) => value > 0.1);
  expect(tooMuch.map(([path, value]) => ({ path, value, moved: moved[path] }))).toEqual([]);
});
