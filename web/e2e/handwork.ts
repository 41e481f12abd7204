// What a person does on the form designer with clicks and keys alone, so that `counted` has all of it: a field is chosen, named, and the next
// one follows by Enter.
import type { Page } from '@playwright/test';
import { expect } from './patience';
import { listsGone } from './support';

export interface Handwork {
  type: (text: string) => Promise<void>;
  /** Of the chosen field. */
  property: (name: string) => ReturnType<Page['locator']>;
  /** A field of this kind behind the chosen one, or within a chosen panel. */
  add: (kind: string, name: string) => Promise<void>;
  /** Another one of its kind. */
  next: (name: string) => Promise<void>;
  code: (text: string) => Promise<void>;
  formula: (name: 'Formula za računanje' | 'Formula za prikaz', text: string) => Promise<void>;
  choose: (field: string) => Promise<void>;
  /** Items of a set from a sheet: a line for each, its name and its weight. */
  paste: (items: string) => Promise<void>;
}

/** `page` is asked anew each time, since a test may go on in another one. */
export function handworkOn(page: () => Page): Handwork {
  const main = () => page().locator('main');
  const press = (name: string) => main().getByRole('button', { name, exact: true }).filter({ visible: true }).click();
  const type = (text: string) => page().keyboard.type(text);
  const property = (name: string) => main().getByLabel(name, { exact: true }).filter({ visible: true }).first();
  /** The name of the field that was just added is chosen as a whole: what is typed takes its place. */
  async function name(text: string) {
    await page().waitForFunction(() => {
      const input = document.activeElement;
      if (!(input instanceof HTMLInputElement) || input.name !== 'naziv' || !/^Nov[aio] /.test(input.value)) return false;
      return input.selectionStart === 0 && input.selectionEnd === input.value.length;
    });
    await type(text);
  }
  const row = (field: string) => page().getByRole('treeitem', { name: new RegExp(`^${field}`) });
  return {
    type,
    property,
    async add(kind, text) {
      await main().locator('[role="toolbar"] .p-dropdown').click();
      await page().getByRole('option', { name: kind, exact: true }).click();
      await name(text);
      await listsGone(page());
    },
    async next(text) {
      await page().keyboard.press('Enter');
      await name(text);
    },
    async code(text) {
      // It stands below the name.
      await page().keyboard.press('Tab');
      await type(text);
      await page().keyboard.press('Shift+Tab');
    },
    async formula(name, text) {
      await property(name).click();
      await type(text);
    },
    async choose(field) {
      await row(field).click();
      await expect.poll(() => row(field).getAttribute('aria-selected')).toBe('true');
    },
    async paste(items) {
      await press('Nalepi iz tabele');
      await page().waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
      await page().evaluate((text) => navigator.clipboard.writeText(text), items);
      await page().keyboard.press('Control+v');
      await press('Preuzmi stavke');
      await page().waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === 'naziv');
    },
  };
}
