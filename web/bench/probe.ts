// What runs inside the measured page, and what it says: when its first input is there and painted, how long a keystroke takes until all
// that depends on it stands in the page and until that is painted, and how long the page's main thread worked for it.
import type { CDPSession, Page } from '@playwright/test';

declare global {
  interface Window {
    probe: { usable: Promise<number>; pressed: Promise<Press>; await: (selector: string, since: number) => void; arithmetic: () => number };
  }
}

interface Press {
  clock: number;
  heeded: number;
}

/** Milliseconds by the clock, and of them those that the main thread worked: this one does not grow when others use the machine. */
export interface Took {
  clock: number;
  work: number;
  /** How long a fixed piece of arithmetic took in the page right before and after, the slower of both: it tells how quick the machine was. */
  arithmetic?: number;
  /** Of a keystroke: until the page has done with it all that it does, and only has to be painted. */
  heeded?: number;
}

/** Installs the probe in every page to come; `selector` names the input that makes a page usable. */
export async function install(page: Page, selector: string): Promise<void> {
  await page.addInitScript(watch, selector);
}

function watch(first: string): void {
  /** After the next frame: the message comes when its paint has been handed on. */
  const painted = (since: number) =>
    new Promise<number>((tell) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => tell(performance.now() - since);
        channel.port2.postMessage(null);
      });
    });
  const usable = (selector: string, since: number) =>
    new Promise<number>((tell) => {
      const look = () => {
        const input = document.querySelector<HTMLInputElement>(selector);
        if (input && !input.disabled && input.checkVisibility()) void painted(since).then(tell);
        else requestAnimationFrame(look);
      };
      look();
    });
  const probe = {
    usable: usable(first, 0),
    pressed: Promise.resolve({ clock: NaN, heeded: NaN }),
    await: (selector: string, since: number) => {
      probe.usable = usable(selector, since);
    },
    arithmetic: () => {
      const start = performance.now();
      let number = 1;
      for (let n = 0; n < 400_000; n++) number = (number * 48_271) % 2_147_483_647;
      return performance.now() - start + 0 * number;
    },
  };
  window.probe = probe;
  let since = 0;
  let heeded = NaN;
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      since = timeStamp;
      heeded = NaN;
      probe.pressed = painted(since).then((clock) => ({ clock, heeded }));
    },
    true,
  );
  // The last to hear of it. What is read here makes the page know how everything looks and where it lies.
  window.addEventListener('input', () => {
    document.body.getBoundingClientRect();
    heeded = performance.now() - since;
  });
}

/** A page on a processor `rate` times slower, as a cheap laptop is slower than this machine. */
export class SlowPage {
  private constructor(
    readonly page: Page,
    private readonly session: CDPSession,
    private readonly rate: number,
  ) {}

  static async of(page: Page, rate: number): Promise<SlowPage> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new SlowPage(page, session, rate);
  }

  /**
   * Does something on the slower processor. Only so long: Chromium slows a page down by keeping its processor busy, also while the page has
   * nothing to do, and that would be taken from whatever else is measured.
   */
  async slowly<T>(work: (page: SlowPage) => Promise<T>): Promise<T> {
    await this.session.send('Emulation.setCPUThrottlingRate', { rate: this.rate });
    try {
      return await work(this);
    } finally {
      await this.session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  }

  /** Opens something; from the start of the page, or from the moment that `await` was told, to the painted input. */
  async open(how: (page: Page) => Promise<unknown>): Promise<Took> {
    const arithmetic = await this.arithmetic();
    const before = await this.worked();
    await how(this.page);
    const clock = await this.page.evaluate(() => window.probe.usable);
    const work = (await this.worked()) - before;
    return { clock, work, arithmetic: Math.max(arithmetic, await this.arithmetic()) };
  }

  /** Types into a field, each key after the last one's paint; of each from press to paint. */
  async type(selector: string, keys: readonly string[]): Promise<Took[]> {
    await this.page.locator(selector).first().focus();
    const took: Took[] = [];
    let arithmetic = await this.arithmetic();
    for (const key of keys) {
      const before = await this.worked();
      await this.page.keyboard.press(key);
      const pressed = await this.page.evaluate(() => window.probe.pressed);
      const work = (await this.worked()) - before;
      const next = await this.page.evaluate(() => window.probe.arithmetic());
      took.push({ ...pressed, work, arithmetic: Math.max(arithmetic, next) });
      arithmetic = next;
    }
    return took;
  }

  /** The first ones in a page are not compiled yet. */
  private async arithmetic(): Promise<number> {
    return this.page.evaluate(() => [window.probe.arithmetic(), window.probe.arithmetic(), window.probe.arithmetic()][2] ?? NaN);
  }

  private async worked(): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  }
}
