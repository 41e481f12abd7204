// A browser for the tests of a file and a fresh visit for each of them, which fails where a page complained.
import { type Browser, test } from '@playwright/test';
import { expect } from './patience';
import { launch, visit, WIDE, type Visit } from './support';

type Size = typeof WIDE;

/**
 * `begin` is given each test's visit, and the one that takes its place where a test goes on with `anew`, as somebody else or on another
 * screen. `another` is somebody beside it.
 */
export function eachVisit(begin: (now: Visit) => void): { anew: (size?: Size) => Promise<void>; another: (size?: Size) => Promise<Visit> } {
  let browser: Browser;
  const open: Visit[] = [];
  const another = async (size = WIDE) => {
    const made = await visit(browser, size);
    open.push(made);
    return made;
  };
  const close = async () => {
    const left = open.splice(0);
    for (const { context } of left) await context.close();
    expect(left.flatMap(({ complaints }) => complaints)).toEqual([]);
  };
  const anew = async (size = WIDE) => {
    await close();
    begin(await another(size));
  };
  test.beforeAll(async () => {
    browser = await launch();
  });
  test.afterAll(() => browser.close());
  test.beforeEach(() => anew());
  test.afterEach(close);
  return { anew, another };
}
