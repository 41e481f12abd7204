// What a person's hands do in a browser: clicks, keys, and fields that something is typed or pasted into. The page's own events are
// counted, so whatever the test presses is in the sums, and what a script changes is not.
import type { BrowserContext } from '@playwright/test';

export interface Hands {
  clicks: number;
  keys: number;
  /** A field is counted once each time that somebody comes to it and types. */
  inputs: number;
}

export async function counted(context: BrowserContext): Promise<Hands> {
  const hands: Hands = { clicks: 0, keys: 0, inputs: 0 };
  await context.exposeBinding('countedHands', (_, what: keyof Hands) => {
    hands[what] += 1;
  });
  await context.addInitScript(() => {
    const tell = (what: string) => (window as unknown as { countedHands: (what: string) => void }).countedHands(what);
    let typedInto: EventTarget | null = null;
    const hear = (name: 'pointerdown' | 'keydown' | 'input' | 'focusout', what: (event: Event) => void) =>
      window.addEventListener(name, (event) => event.isTrusted && what(event), true);
    hear('pointerdown', () => tell('clicks'));
    hear('keydown', (event) => {
      if (!['Control', 'Shift', 'Alt', 'Meta'].includes((event as KeyboardEvent).key)) tell('keys');
    });
    hear('input', ({ target }) => {
      if (target === typedInto) return;
      typedInto = target;
      tell('inputs');
    });
    hear('focusout', () => {
      typedInto = null;
    });
  });
  return hands;
}

/** What was done since. */
export const since = (hands: Hands, before: Hands): Hands => ({
  clicks: hands.clicks - before.clicks,
  keys: hands.keys - before.keys,
  inputs: hands.inputs - before.inputs,
});
