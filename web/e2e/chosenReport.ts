// What the tests of chosen reports begin with: a report in the catalogue, in all formats, with nothing chosen yet, and choosing on its designer.
import type { Locator, Page } from '@playwright/test';
import { call, listsGone, logIn } from './support';

interface Chosen {
  id: number;
  naziv: string;
  remove: () => Promise<void>;
}

export async function chosenReport(name: string, numerickaVrednost: number): Promise<Chosen> {
  const { token } = await logIn('admin');
  const naziv = `${name} ${Date.now().toString(36)}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token });
  const body = { naziv, numerickaVrednost, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'ustanova' };
  const { id } = await call<{ id: number }>('POST', '/api/reports', { token, body });
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token });
  for (const format of formats.data) await call('POST', '/api/report-format-links', { token, body: { izvestaj: id, format: format.id } });
  return { id, naziv, remove: () => call('DELETE', `/api/reports/${id}`, { token }) };
}

export interface Choosing {
  main: () => Locator;
  press: (name: string) => Promise<void>;
  choose: (label: string, option: string, within?: Locator) => Promise<void>;
}

/** `page` is asked anew each time. */
export function choosingOn(page: () => Page): Choosing {
  const main = () => page().locator('main');
  return {
    main,
    press: (name) => main().getByRole('button', { name, exact: true }).click(),
    async choose(label, option, within = main()) {
      await within
        .locator('.p-dropdown')
        .filter({ has: page().getByLabel(label, { exact: false }) })
        .first()
        .click();
      await page().getByRole('option', { name: option, exact: true }).click();
      await listsGone(page());
    },
  };
}
