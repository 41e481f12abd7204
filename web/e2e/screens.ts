// Every screen there is, with what can be opened on it and the faults that can be on it: what the tests of all screens look at.
import type { Page } from '@playwright/test';
import { demoVisit, joints } from './das28';
import { expect } from './patience';
import { call, chooseOf, logIn, quiet, type Visit } from './support';

export interface Screen {
  /** Where to look at it. */
  at: () => string;
  /** Who looks at it, where that is not the doctor. */
  as?: 'admin';
  /** What is there once it is loaded. */
  ready: (page: Page) => Promise<unknown>;
  /** Dialogs and faults on it, by what leads to each; every one begins on the loaded screen. */
  states?: Record<string, (page: Page) => Promise<unknown>>;
}

let register: number;
let patient: number;
let entry: number;
let form: number;
let report: number;
/** A run of the doctor's that is read on the screen. */
let run: string;
/** The report that it is of. */
let read: number;

/** Finds in the demo what the screens are looked at with. */
export async function findScreens(): Promise<void> {
  const { token } = await logIn('lekar');
  const { id, display } = await demoVisit(token);
  [entry, register, patient] = [id, display.registar.id, display.pacijent.id];
  form = (await call<{ podrazumevaniTipHijerarhijeAtributaID: number }>('GET', `/api/registers/${register}`, { token }))
    .podrazumevaniTipHijerarhijeAtributaID;
  ({ run, read } = await readable(token));
  const admin = await logIn('admin');
  const reports = await call<{ data: { id: number }[] }>('GET', '/api/reports?aktivan=true', { token: admin.token });
  report = reports.data[0]?.id ?? 0;
  const body = { naziv: `Kolegijum ${Date.now()}`, emails: ['kolegijum@primer.rs'], radnici: [] };
  await call('POST', '/api/recipient-groups', { token: admin.token, body });
}

/** Makes a report of the demo for the screen. */
async function readable(token: string): Promise<{ run: string; read: number }> {
  interface Tree {
    data: { tipovi: { izvestaji: { id: number; naziv: string }[] }[] }[];
  }
  const tree = await call<Tree>('GET', '/api/report-categories/tree', { token });
  const reports = tree.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji));
  const id = reports.find(({ naziv }) => naziv === 'Ishod po polu i dobnoj grupi')?.id ?? 0;
  const body = {
    siID: id,
    parametri: { od: '2018-01-01', do: '2025-12-31' },
    emails: [],
    formati: ['PDF', 'EKRAN'],
    kljuc: crypto.randomUUID(),
  };
  const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token, body });
  const status = async () => (await call<{ status: string }>('GET', `/api/report-runs/${izvestajID}`, { token })).status;
  await expect.poll(status, { timeout: 60_000, intervals: [300] }).toBe('succeeded');
  return { run: izvestajID, read: id };
}

/** Gives those who looked the theme back that they had. */
export async function undress(): Promise<void> {
  for (const username of ['lekar', 'admin']) {
    const { id, token } = await logIn(username);
    await call('PATCH', `/api/workers/${id}`, { token, body: { theme: 'regix' } });
  }
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
export const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

export const search: Screen = {
  at: () => `/registri/${register}`,
  ready: heading('Reumatologija'),
  states: {
    'its results': async (page) => {
      await press(page, 'Pretraži');
      await page.getByRole('heading', { name: /^Rezultati pretrage: / }).waitFor();
    },
    'the menu of formats': async (page) => {
      await press(page, 'Pretraži');
      await press(page, 'Izvoz');
      await page.getByRole('menuitem', { name: 'PDF' }).waitFor();
    },
    'a new patient without a name': async (page) => {
      await press(page, 'Novi pacijent');
      await page.getByRole('dialog').getByRole('button', { name: 'Snimi' }).click();
      await page.getByText('Niste uneli ime.').waitFor();
    },
  },
};
export const visitOfPatient: Screen = {
  at: () => `/unosi/${entry}`,
  ready: (page) => joints(page).waitFor(),
  states: {
    'an item out of bounds': async (page) => {
      await joints(page).fill('99');
      await press(page, 'Snimi i ostani');
      await page.getByRole('alert').filter({ hasText: 'nije u opsegu (0) - (28)' }).first().waitFor();
    },
    'the question before leaving': async (page) => {
      await joints(page).fill('7');
      await press(page, 'Stranica pacijenta');
      await page.getByRole('alertdialog').waitFor();
    },
    'the picture': (page) => page.getByRole('tab', { name: 'Homunkulus' }).click(),
    'the drugs, opened': async (page) => {
      await page.getByRole('tab', { name: 'Terapija' }).click();
      await page.locator('.p-multiselect').first().click();
      await page.getByRole('option').filter({ visible: true }).first().waitFor();
    },
    'the chart': async (page) => {
      await page.getByRole('tab', { name: 'Tok bolesti' }).click();
      await page.getByRole('img', { name: 'Grafik: Tok bolesti' }).waitFor();
    },
    'the calendar': async (page) => {
      await press(page, 'Izaberi datum');
      await page.locator('.p-datepicker').waitFor();
    },
  },
};

/** A list of the administration, its dialog of a new record with a fault on it, and the one that asks before deleting. */
const list = (path: string, title: string, states: Screen['states'] = {}): Screen => ({
  at: () => path,
  as: 'admin',
  ready: (page) => page.getByRole('table', { name: title }).getByRole('cell').first().waitFor(),
  states: {
    'a new record, nothing typed': async (page) => {
      await press(page, 'Dodaj');
      await page.getByRole('dialog').getByRole('button', { name: 'Dodaj' }).click();
      await page
        .getByText(/^Niste uneli /)
        .first()
        .waitFor();
    },
    'the question before one is deleted': async (page) => {
      await chooseFirst(page);
      await press(page, 'Obriši');
      await page.getByText(/^Da li ste sigurni da želite da obrišete/).waitFor();
    },
    ...states,
  },
});
const chooseFirst = (page: Page) => page.locator('.p-datatable-tbody tr').first().click();
const openTab = (tab: string) => async (page: Page) => {
  await chooseFirst(page);
  await press(page, 'Izmeni');
  await page.getByRole('dialog').getByRole('tab', { name: tab }).click();
  await page.getByRole('dialog').getByRole('option').or(page.getByRole('dialog').getByRole('cell')).first().waitFor();
};

const openItems = async (page: Page) => {
  await page.getByLabel('Filtriraj: Tip vrednosti').fill('skupovni');
  await openTab('Stavke nabrajanja')(page);
};
const openFields = async (page: Page) => {
  await page.getByRole('tab', { name: 'Polja formulara' }).click();
  await page.getByRole('table', { name: 'Polja formulara' }).getByRole('cell').first().waitFor();
};
const openField = (name: string) => async (page: Page) => {
  await openFields(page);
  await page.getByLabel('Filtriraj: Naziv').fill(name);
  await page.getByRole('table', { name: 'Polja formulara' }).getByRole('cell', { name }).last().click();
  await page.getByRole('button', { name: 'Izmeni' }).filter({ visible: true }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Formule' }).waitFor();
};

/** A report's form with its schedule open. */
const scheduleReport = async (page: Page) => {
  const report = 'Ishod po polu i dobnoj grupi';
  const inTree = page.getByRole('tree').getByText(report, { exact: true });
  const inList = page.locator('.p-dropdown').filter({ hasText: 'Izaberi izveštaj' });
  await inTree.or(inList).filter({ visible: true }).first().click();
  if (!(await inTree.isVisible())) await page.getByRole('option', { name: report }).click();
  await page.getByLabel('Zakaži za kasnije').check({ force: true });
};

/** One for each line of `screens.ts`. */
export const SCREENS: Record<string, Screen> = {
  '/registri': { at: () => '/registri', ready: heading('Registri') },
  '/izvestaji': {
    at: () => '/izvestaji',
    ready: heading('Izveštaji'),
    states: {
      'a weekly schedule with faults': async (page) => {
        await scheduleReport(page);
        await page.getByLabel(/^Vreme izvršavanja/).fill('25');
        await page.keyboard.press('Tab');
        await press(page, 'Zakaži izveštaj');
        await page.getByText('Izaberite bar jedan dan u nedelji.').waitFor();
      },
      'a monthly schedule': async (page) => {
        await scheduleReport(page);
        await press(page, 'Mesec');
        await press(page, '31');
        await page.getByText('U mesecu koji nema izabrani dan').waitFor();
      },
      'the week of the calendar': async (page) => {
        await page.getByRole('tab', { name: 'Kalendar' }).click();
        await press(page, 'Nedelja');
        await page.locator('.rbc-time-view').waitFor();
      },
    },
  },
  '/analiza': {
    at: () => '/analiza',
    ready: (page) => page.getByRole('heading', { name: '1. Kohorta: koji pacijenti' }).waitFor(),
  },
  '/izvestaji/:id': { at: () => '/izvestaji/00000000-0000-7000-8000-000000000000', ready: (page) => page.getByRole('alert').waitFor() },
  '/izvestaji/:id/prikaz': {
    at: () => `/izvestaji/${run}/prikaz`,
    ready: async (page) => {
      await page.getByRole('table').first().waitFor();
      await page.getByRole('figure').first().waitFor();
    },
    states: {
      'its groups, folded': (page) => press(page, 'Sklopi sve grupe'),
      'its help': async (page) => {
        await press(page, 'Pomoć o izveštaju na ekranu');
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  '/prikazIzvestaja/:id': { at: () => `/prikazIzvestaja/${read}`, ready: heading('Ishod po polu i dobnoj grupi') },
  '/tabla': { at: () => '/tabla', ready: heading('Moja tabla') },
  '/registri/:id': search,
  '/registri2/:id': { at: () => `/registri2/${register}`, ready: heading('Reumatologija') },
  '/mojaLista': { at: () => '/mojaLista', ready: heading('Moja lista') },
  '/pacijenti/:id/sazetak': { at: () => `/pacijenti/${patient}/sazetak?registar=${register}`, ready: heading('Sažetak pacijenta') },
  '/mojDan': { at: () => '/mojDan', ready: heading('Moj dan') },
  '/zakljucavanjePerioda': { at: () => '/zakljucavanjePerioda', as: 'admin', ready: heading('Zaključavanje perioda') },
  '/mojiUpiti': { at: () => '/mojiUpiti', ready: heading('Moji upiti') },
  '/kvalitetPodataka': { at: () => `/kvalitetPodataka?registar=${register}`, as: 'admin', ready: heading('Kvalitet podataka') },
  '/kvalitetPodataka/unosi': { at: () => `/kvalitetPodataka/unosi?registar=${register}`, ready: heading('Unosi') },
  '/nalazi': { at: () => '/nalazi', ready: heading('Nalazi') },
  '/admin/pravilaKvaliteta': { at: () => '/admin/pravilaKvaliteta', as: 'admin', ready: heading('Pravila kvaliteta') },
  '/koKasni': {
    at: () => '/koKasni',
    ready: heading('Ko kasni'),
    states: {
      'the calendar': async (page) => {
        await page.getByRole('button', { name: 'Kalendar' }).click();
        await page.locator('.rbc-month-view').waitFor();
      },
    },
  },
  '/preuzetiPacijenti': { at: () => '/preuzetiPacijenti', ready: heading('Preuzeti pacijenti') },
  '/spajanjePacijenata': {
    at: () => '/spajanjePacijenata',
    as: 'admin',
    ready: heading('Spajanje pacijenata'),
    states: {
      'its guide': async (page) => {
        await press(page, 'Pomoć: kako se spajaju i razdvajaju kartoni');
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  '/spajanjePacijenata/:id': { at: () => `/spajanjePacijenata/${patient}`, as: 'admin', ready: heading('Spajanje dva kartona') },
  '/premestanjePacijenata': { at: () => '/premestanjePacijenata', as: 'admin', ready: heading('Premeštanje pacijenata') },
  '/pacijenti/:id': {
    at: () => `/pacijenti/${patient}`,
    ready: (page) => page.getByRole('heading', { name: 'Unosi', exact: true }).waitFor(),
    states: {
      'its data, edited': async (page) => {
        await press(page, 'Izmeni podatke');
        await page.getByRole('dialog').waitFor();
      },
      'the question before it is deleted': async (page) => {
        await press(page, 'Obriši pacijenta');
        await page.getByRole('alertdialog').waitFor();
      },
      'its status, and a new one with what is missing': async (page) => {
        await press(page, 'Zabeleži status');
        await page.getByRole('dialog').getByRole('button', { name: 'Snimi' }).click();
        await page.getByText('Niste izabrali status.').waitFor();
      },
      'its consents, and a new one with what is missing': async (page) => {
        await press(page, 'Zabeleži saglasnost');
        await page.getByRole('dialog').getByRole('button', { name: 'Snimi' }).click();
        await page.getByText('Niste izabrali svrhu.').waitFor();
      },
    },
  },
  '/pacijentArhiva/:id': { at: () => `/pacijentArhiva/${patient}`, ready: (page) => page.getByRole('table').waitFor() },
  '/unosi/:id': visitOfPatient,
  '/unosi2/:id': { at: () => `/unosi2/${entry}`, ready: visitOfPatient.ready },
  '/unosArhiva/:id': {
    at: () => `/unosArhiva/${entry}`,
    ready: (page) => page.getByRole('heading', { name: 'Podaci o unosu' }).waitFor(),
    states: {
      'no item chosen': async (page) => {
        await press(page, 'Pretraži');
        await page.getByText('Morate izabrati bar jednu stavku unosa.').waitFor();
      },
    },
  },
  '/korisnickiProfil': {
    at: () => '/korisnickiProfil',
    ready: heading('Korisnički profil'),
    states: {
      'a new password, nothing typed': async (page) => {
        await press(page, 'Promeni lozinku');
        await page.getByRole('dialog').getByRole('button', { name: 'Promeni lozinku' }).click();
        await page.getByText('Niste uneli staru lozinku.').waitFor();
      },
    },
  },
  '/admin/log': {
    at: () => '/admin/log',
    as: 'admin',
    ready: heading('Pregled loga'),
    states: {
      'no first day': async (page) => {
        await page.getByLabel('Datum od').fill('');
        await press(page, 'Pretraži');
        await page.getByRole('alert').filter({ hasText: 'Niste uneli datum od.' }).first().waitFor();
      },
      'the fields of a change': async (page) => {
        await press(page, 'Pretraži');
        await page.getByRole('table', { name: 'Rezultati pretrage' }).getByRole('row').nth(2).click();
        await page.getByRole('dialog').waitFor();
      },
    },
  },
  '/evidencijaUvida': {
    as: 'admin',
    at: () => '/evidencijaUvida',
    ready: heading('Evidencija uvida'),
    states: {
      'a fault': async (page) => {
        await press(page, 'Pretraži');
        await page.getByText('Niste izabrali pacijenta.').first().waitFor();
      },
    },
  },
  '/izvozPodataka': {
    as: 'admin',
    at: () => '/izvozPodataka',
    ready: heading('Izvoz podataka'),
    states: {
      'the fields of a form': async (page) => {
        await page
          .locator('.p-dropdown')
          .filter({ has: page.getByLabel('Registar') })
          .click();
        await page.getByRole('option', { name: 'Reumatologija', exact: true }).click();
        await page
          .locator('.p-dropdown')
          .filter({ has: page.getByLabel('Formular') })
          .click();
        await page.getByRole('option', { name: 'Pregled', exact: true }).click();
        await page.getByRole('radio', { name: 'Izabrana polja' }).check();
        await page.getByRole('group', { name: 'Izabrana polja' }).getByRole('checkbox').first().waitFor();
      },
      'a fault': async (page) => {
        await press(page, 'Izvezi');
        await page.getByText('Izaberite registar.').first().waitFor();
      },
    },
  },
  '/uvozPodataka': {
    as: 'admin',
    at: () => '/uvozPodataka',
    ready: heading('Uvoz podataka'),
    states: {
      'a fault': async (page) => {
        await press(page, 'Pošalji fajl');
        await page.getByText('Izaberite registar.').first().waitFor();
      },
      'a mapping': async (page) => {
        await chooseOf(page, 'Registar', 'Kardiologija');
        await page.getByLabel('CSV fajl').setInputFiles({
          name: 'proba.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('ime;prezime;jmbg;puls\nAna;Anić;1;brzo\n'),
        });
        await press(page, 'Pošalji fajl');
        await page.getByText('„brzo” nije broj').first().waitFor();
      },
    },
  },
  '/admin/statistikaUnosa': {
    at: () => '/admin/statistikaUnosa',
    as: 'admin',
    ready: heading('Statistika unosa podataka'),
    states: {
      'its results': async (page) => {
        await page
          .locator('.p-dropdown')
          .filter({ has: page.getByLabel('Registar') })
          .click();
        await page.getByRole('option', { name: 'Reumatologija', exact: true }).click();
        await press(page, 'Pretraži');
        await page.getByRole('table', { name: 'Statistika unosa podataka' }).waitFor();
      },
    },
  },
  '/admin/verzije': {
    at: () => '/admin/verzije',
    as: 'admin',
    ready: (page) => page.getByRole('cell', { name: '2.2.0', exact: true }).waitFor(),
    states: {
      'everything opened': async (page) => {
        await page.getByRole('button', { name: 'Serverski deo (backend)' }).click();
        await page.getByRole('table', { name: 'Serverski deo (backend)' }).getByRole('row').nth(1).getByRole('button').click();
        await page.getByRole('table', { name: 'Izmene u verziji 2.2.0' }).waitFor();
      },
    },
  },
  '/admin/upozorenja': {
    at: () => '/admin/upozorenja',
    as: 'admin',
    ready: (page) => page.getByLabel('Tekst upozorenja').waitFor(),
    states: {
      'without a text': async (page) => {
        await page.getByLabel('Tekst upozorenja').fill('');
        await press(page, 'Snimi');
        await page.getByText('Niste uneli tekst upozorenja.').first().waitFor();
      },
    },
  },
  '/admin/ustanove': list('/admin/ustanove', 'Ustanove', {
    'its logo': async (page) => {
      await chooseFirst(page);
      await press(page, 'Izmeni');
      await page.getByRole('dialog').getByRole('tab', { name: 'Logo' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Izaberi sliku' }).waitFor();
    },
  }),
  '/admin/uloge': list('/admin/uloge', 'Uloge', {
    'its rights': openTab('Aplikativna prava'),
    'its workers': openTab('Radnici sa ulogom'),
  }),
  '/admin/radnici': list('/admin/radnici', 'Radnici', {
    'the roles': openTab('Uloge'),
    'the institutions': openTab('Ustanove'),
    'a new password, nothing typed': async (page) => {
      await chooseFirst(page);
      await press(page, 'Izmeni');
      await page.getByRole('dialog').getByRole('tab', { name: 'Promena lozinke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Izmeni' }).click();
      await page.getByText('Niste uneli novu lozinku.').first().waitFor();
    },
  }),
  '/admin/tipoviAtributa': list('/admin/tipoviAtributa', 'Tipovi atributa', {
    'the items of a set': openItems,
    'a new item, nothing typed': async (page) => {
      await openItems(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Dodaj' }).click();
      await page.getByRole('dialog').nth(1).getByRole('button', { name: 'Dodaj' }).click();
      await page.getByText('Niste uneli naziv.').first().waitFor();
    },
  }),
  '/admin/parametri': {
    at: () => '/admin/parametri',
    as: 'admin',
    ready: (page) => page.getByRole('switch').first().waitFor(),
    states: {
      'of the search': (page) => page.getByRole('tab', { name: 'Pretraga registra' }).click(),
      'of reports': (page) => page.getByRole('tab', { name: 'Izveštaji' }).click(),
    },
  },
  '/admin/registri': {
    at: () => '/admin/registri',
    as: 'admin',
    ready: (page) => page.getByRole('cell', { name: 'Reumatologija', exact: true }).waitFor(),
  },
  '/admin/registri/uvoz': {
    at: () => '/admin/registri/uvoz',
    as: 'admin',
    ready: heading('Uvoz iz fajla'),
    states: {
      'with faults': async (page) => {
        const file = { name: 'registar.toml', mimeType: 'application/toml', buffer: Buffer.from('[[forms') };
        await page.locator('main input[type=file]').setInputFiles(file);
        await press(page, 'Pregledaj');
        await page.getByText('1 greška', { exact: true }).waitFor();
      },
    },
  },
  '/admin/registar/:id?': {
    at: () => `/admin/registar/${register}`,
    as: 'admin',
    ready: (page) => page.getByLabel('Opis', { exact: true }).waitFor(),
    states: {
      'without a name': async (page) => {
        await page.getByLabel('Naziv', { exact: false }).first().fill('');
        await press(page, 'Izmeni');
        await page.getByText('Niste uneli naziv.').first().waitFor();
      },
      'its forms': async (page) => {
        await page.getByRole('tab', { name: 'Formulari' }).click();
        await page.getByRole('table', { name: 'Formulari' }).getByRole('cell').first().waitFor();
      },
    },
  },
  '/admin/formular/:id/nacrt': {
    at: () => `/admin/formular/${form}/nacrt`,
    as: 'admin',
    ready: async (page) => {
      const begin = page.getByRole('button', { name: 'Započni nacrt', exact: true });
      await begin.or(page.getByRole('tree')).first().waitFor();
      if (await begin.isVisible()) await begin.click();
      await page.getByRole('treeitem').first().waitFor();
    },
    states: {
      'its impact': async (page) => {
        await press(page, 'Uticaj i objava');
        await page.getByRole('dialog', { name: 'Uticaj i objava' }).waitFor();
      },
    },
  },
  '/admin/formular/:id?': {
    at: () => `/admin/formular/${form}`,
    as: 'admin',
    ready: (page) => page.getByLabel('Opis', { exact: true }).waitFor(),
    states: {
      'its fields': openFields,
      'a field that is calculated': openField('DAS28-SE'),
      'a dot on a picture': openField('Rame desno'),
      'a chart': openField('Tok bolesti'),
      'a new field, nothing chosen': async (page) => {
        await openFields(page);
        await page.getByRole('button', { name: 'Dodaj' }).filter({ visible: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Dodaj' }).click();
        await page.getByText('Niste izabrali tip atributa.').first().waitFor();
      },
    },
  },
  '/admin/sponzori': list('/admin/sponzori', 'Sponzori', {
    'a file that is no picture': async (page) => {
      await press(page, 'Dodaj');
      await page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('tekst') });
      await page.getByText('Dozvoljene su samo slike.').waitFor();
    },
  }),
  '/admin/kategorijeIzvestaja': list('/admin/kategorijeIzvestaja', 'Kategorije izveštaja'),
  '/admin/grupePrimalaca': list('/admin/grupePrimalaca', 'Grupe primalaca'),
  '/admin/tipoviStatistickogIzvestaja': list('/admin/tipoviStatistickogIzvestaja', 'Tipovi izveštaja'),
  '/admin/izvestaji/:id/dizajner': {
    at: () => `/admin/izvestaji/${report}/dizajner`,
    as: 'admin',
    ready: (page) => page.getByRole('textbox', { name: 'Upit (SQL)', exact: true }).waitFor(),
    states: {
      'a check without faults': async (page) => {
        await press(page, 'Proveri');
        await page.getByText('Nema grešaka: verzija može da se objavi.').waitFor();
      },
      'its trial': (page) => page.getByRole('tab', { name: 'Proba' }).click(),
      'its versions': (page) => page.getByRole('tab', { name: 'Verzije' }).click(),
      'the guide': (page) => page.getByRole('tab', { name: 'Pomoć' }).click(),
    },
  },
  '/admin/radSistema': {
    at: () => '/admin/radSistema',
    as: 'admin',
    ready: (page) =>
      page
        .getByRole('button', { name: /^Isprazni / })
        .first()
        .waitFor(),
    states: {
      'the question before an engine is emptied': async (page) => {
        await page
          .getByRole('button', { name: /^Isprazni / })
          .first()
          .click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
  },
  '/admin/izvestaji': list('/admin/izvestaji', 'Ažuriranje izveštaja', {
    'its formats': openTab('Formati'),
    'its parameters': openTab('Parametri'),
    'a new parameter, nothing typed': async (page) => {
      await openTab('Parametri')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Dodaj', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'Parametar izveštaja: dodavanje' })
        .locator('.p-dialog-footer')
        .getByRole('button', { name: 'Dodaj' })
        .click();
      await page.getByText('Niste uneli naziv.').first().waitFor();
    },
  }),
  '/admin/tipoviParametraIzvestaja': list('/admin/tipoviParametraIzvestaja', 'Tipovi parametara izveštaja', {
    'a query, edited': async (page) => {
      await page.getByRole('cell', { name: 'Ustanove', exact: true }).click();
      await press(page, 'Izmeni');
      await page.getByRole('dialog').getByLabel('Upit').waitFor();
    },
  }),
  '/reload': { at: () => '/reload', as: 'admin', ready: heading('Održavanje: Jasperi') },
  '/reload/jasperi': {
    at: () => '/reload/jasperi',
    as: 'admin',
    ready: (page) => page.getByRole('table', { name: 'Jasperi' }).getByRole('cell').first().waitFor(),
    states: {
      'the question before all are dropped': async (page) => {
        await press(page, 'Obriši sve');
        await page.getByRole('alertdialog').waitFor();
      },
    },
  },
  '/reload/konekcija': {
    at: () => '/reload/konekcija',
    as: 'admin',
    ready: (page) => page.getByRole('table', { name: 'Konekcija' }).getByRole('cell').first().waitFor(),
    states: {
      'without a name': async (page) => {
        await press(page, 'Očisti pul konekcija');
        await page.getByText('Niste uneli naziv izvora podataka.').first().waitFor();
      },
    },
  },
  '/reload/parametri': list('/reload/parametri', 'Parametri'),
};

/** Loads a screen as for the first time: what earlier looks at it left unsaved is offered again, draft by draft, and thrown away. */
export async function load({ page }: Visit, { at, ready }: Screen) {
  await page.goto(at());
  await ready(page);
  await quiet(page);
  const discard = page.getByRole('button', { name: 'Odbaci ih' });
  const offered = async () => {
    if (await discard.isVisible()) await discard.click({ timeout: 1000 }).catch(() => undefined);
    return discard.count();
  };
  await expect.poll(offered, { timeout: 20_000 }).toBe(0);
}
