// What is done on the form designer in every test of it: a draft is begun, fields are added and named, and it is published.
import type { Locator, Page } from '@playwright/test';

export interface Designer {
  main: () => Locator;
  button: (name: string | RegExp) => Locator;
  /** In the tree of fields, by the beginning of its name. */
  row: (name: string) => Locator;
  /** Of the chosen field. */
  property: (name: string) => Locator;
  /** Waits until the draft is kept. */
  kept: () => Promise<void>;
  addField: (kind: string, naziv?: string, sifra?: string) => Promise<void>;
  /** From a form's screen, with the fields in sight. */
  begin: () => Promise<void>;
  /** The dialog with the impact of what was changed. */
  impact: () => Promise<Locator>;
  publish: () => Promise<void>;
}

/** `page` is asked anew each time, since a test may go on in another one. */
export function designerOn(page: () => Page): Designer {
  const main = () => page().locator('main');
  const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true }).filter({ visible: true });
  const property = (name: string) =>
    main()
      .getByLabel(name, { exact: true })
      .or(main().getByLabel(`${name} *`, { exact: true }))
      .filter({ visible: true })
      .first();
  const dialog = () => page().getByRole('dialog', { name: 'Uticaj i objava' });
  return {
    main,
    button,
    property,
    row: (name) => page().getByRole('treeitem', { name: new RegExp(`^${name}`) }),
    kept: () => page().getByText('Nacrt je snimljen', { exact: true }).waitFor(),
    async addField(kind, naziv, sifra) {
      await main().locator('[role="toolbar"] .p-dropdown').click();
      await page().getByRole('option', { name: kind, exact: true }).click();
      if (naziv) await property('Naziv').fill(naziv);
      if (sifra) await property('Šifra').fill(sifra);
    },
    async begin() {
      await button('Uredi nacrt').click();
      await button('Započni nacrt').click();
      await page().getByRole('treeitem').first().waitFor();
    },
    async impact() {
      await button('Uticaj i objava').click();
      return dialog();
    },
    publish: () => dialog().getByRole('button', { name: 'Objavi', exact: true }).click(),
  };
}
