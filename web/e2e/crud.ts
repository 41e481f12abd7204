// What an administrator does on any list with a dialog.
import type { Page } from '@playwright/test';
import { listsGone } from './support';

export function crudOn(page: Page) {
  /** The topmost one. */
  const dialog = () => page.getByRole('dialog').last();
  const tool = (name: string) => page.locator('main').getByRole('button', { name, exact: true });
  const cell = (name: string) => page.getByRole('cell', { name, exact: true });
  const press = (name: string) => dialog().locator('.p-dialog-footer').getByRole('button', { name, exact: true }).click();
  const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });
  const open = async (mode: string, name: string) => {
    const row = page.getByRole('row').filter({ has: cell(name) });
    if ((await row.getAttribute('aria-selected')) !== 'true') await cell(name).click();
    await tool(mode).click();
    await dialog().waitFor();
  };
  const tab = (name: string) => dialog().getByRole('tab', { name, exact: true });
  return {
    dialog,
    tool,
    cell,
    press,
    closed,
    open,
    tab,
    isOff: async (name: string) => (await tab(name).getAttribute('aria-disabled')) === 'true',
    field: (name: string) => dialog().getByLabel(name, { exact: false }).first(),
    side: (name: string) => dialog().getByRole('region', { name }),
    choose: async (name: string, option: string) => {
      await dialog()
        .locator('.p-dropdown')
        .filter({ has: page.getByLabel(name, { exact: false }) })
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await listsGone(page);
    },
    told: (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor(),
    remove: async (name: string) => {
      await open('Obriši', name);
      await dialog().getByText(`Da li ste sigurni da želite da obrišete „${name}”?`).waitFor();
      await press('Obriši');
      await closed();
      await cell(name).waitFor({ state: 'detached' });
    },
  };
}
