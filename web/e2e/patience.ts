// `expect` of the tests: what is polled is asked again also where asking throws, as while a page goes elsewhere.
import { expect as strict } from '@playwright/test';

const PAUSE = 100;
/** As `expect.timeout` of playwright.config.ts. */
const USUAL = 20_000;

const poll: typeof strict.poll = (ask, options) => {
  const patience = (typeof options === 'object' ? options.timeout : undefined) ?? USUAL;
  const patiently = async () => {
    const end = Date.now() + patience - 2 * PAUSE;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  };
  return strict.poll(patiently, options);
};

export const expect = new Proxy(strict, {
  get: (target, name, receiver): unknown => (name === 'poll' ? poll : Reflect.get(target, name, receiver)),
});
