// Published vectors of clinical scores: typed on the screen, and read back with the same text from the entry, the patient's page, the history,
// the search, its export, the print and the report. The register is the test's own; it stays, since it holds entries.
import { readFile } from 'node:fs/promises';
import { test } from '@playwright/test';
import { sheetText } from '../src/testing/unzip';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { BASE_URL, call, freshJmbg, listsGone, logIn, openAs, wordsOf, type Visit } from './support';

/** What is typed, by code. */
const TYPED: Record<string, string> = {
  tjc28: '9',
  sjc28: '6',
  se: '30',
  crp: '12',
  gh: '50',
  ptga: '5',
  phga: '4',
  dasPre: '7,0',
  tjc68: '10',
  sjc66: '5',
  bol: '4',
  umor: '5',
  ledja: '6',
  zglobovi: '4',
  dodir: '3',
  ukocenostJacina: '7',
  ukocenostTrajanje: '6',
  globalno: '7',
  periferno: '3',
  crpAs: '15',
  oblacenje: '1',
  ustajanje: '1',
  pomagalo: '1',
  ishrana: '1',
  hod: '1',
  higijena: '1',
  dohvatanje: '1',
  stisak: '1',
  starost: '50',
  pusac: '1',
  sistolni: '140',
  holesterol: '5,5',
  hdl: '1,3',
  kreatinin: '1',
  masa: '70,5',
  visina: '170',
  insuficijencija: '0',
  hipertenzija: '1',
  godine: '76',
  dijabetes: '0',
  slog: '1',
  vaskularna: '0',
  zena: '1',
};
/** Never answered. */
const BLANK = ['aktivnosti', 'prazno'];

const SCORE2 = (shift: number, slope: number) => `100 * (1 - exp(-exp(${shift} + ${slope} * ln(-ln(1 - $(score2Sirovi))))))`;
const HAQ = (...sections: string[]) => `if(count(${sections.join(', ')}) < 6, null, avg(${sections.join(', ')}))`;
const DRESS_TO_REACH = ['$(oblacenje)', '$(ustajanjeUzPomoc)', '$(ishrana)', '$(hod)', '$(higijena)', '$(dohvatanje)'];

interface Result {
  code: string;
  name: string;
  formula: string;
  /** As every screen and paper shows it; null: blank. */
  text: string | null;
}

const RESULTS: Result[] = [
  {
    code: 'das28se',
    name: 'DAS28 SE',
    formula: '0.56 * sqrt($(tjc28)) + 0.28 * sqrt($(sjc28)) + 0.70 * ln($(se)) + 0.014 * $(gh)',
    text: '5,45',
  },
  {
    code: 'das28crp',
    name: 'DAS28 CRP',
    formula: '0.56 * sqrt($(tjc28)) + 0.28 * sqrt($(sjc28)) + 0.36 * ln($(crp) + 1) + 0.014 * $(gh) + 0.96',
    text: '4,95',
  },
  {
    code: 'das28se3',
    name: 'DAS28 SE tri varijable',
    formula: '(0.56 * sqrt($(tjc28)) + 0.28 * sqrt($(sjc28)) + 0.70 * ln($(se))) * 1.08 + 0.16',
    text: '5,29',
  },
  {
    code: 'das28crp3',
    name: 'DAS28 CRP tri varijable',
    formula: '(0.56 * sqrt($(tjc28)) + 0.28 * sqrt($(sjc28)) + 0.36 * ln($(crp) + 1)) * 1.10 + 1.15',
    text: '4,77',
  },
  {
    code: 'eular',
    name: 'EULAR odgovor',
    text: 'Umeren',
    formula:
      'if($(dasPre) - $(das28se) > 1.2, if($(das28se) <= 3.2, "Dobar", "Umeren"), if($(dasPre) - $(das28se) > 0.6 && $(das28se) <= 5.1, "Umeren", "Bez odgovora"))',
  },
  { code: 'cdai', name: 'CDAI', formula: '$(tjc28) + $(sjc28) + $(ptga) + $(phga)', text: '24' },
  { code: 'sdai', name: 'SDAI', formula: '$(cdai) + $(crp) / 10', text: '25,2' },
  { code: 'dapsa', name: 'DAPSA', formula: '$(tjc68) + $(sjc66) + $(bol) + $(ptga) + $(crp) / 10', text: '25,2' },
  {
    code: 'basdai',
    name: 'BASDAI',
    formula: '($(umor) + $(ledja) + $(zglobovi) + $(dodir) + ($(ukocenostJacina) + $(ukocenostTrajanje)) / 2) / 5',
    text: '4,9',
  },
  {
    code: 'asdas',
    name: 'ASDAS CRP',
    formula: '0.12 * $(ledja) + 0.06 * $(ukocenostTrajanje) + 0.11 * $(globalno) + 0.07 * $(periferno) + 0.58 * ln($(crpAs) + 1)',
    text: '3,67',
  },
  {
    code: 'ustajanjeUzPomoc',
    name: 'Ustajanje sa pomagalom',
    formula: 'if(isblank($(ustajanje)), null, max($(ustajanje), if($(pomagalo) == 1, 2, 0)))',
    text: '2',
  },
  { code: 'haq7', name: 'HAQ DI sedam od osam', formula: HAQ(...DRESS_TO_REACH, '$(stisak)', '$(aktivnosti)'), text: '1,14' },
  { code: 'haq6', name: 'HAQ DI šest od osam', formula: HAQ(...DRESS_TO_REACH, '$(aktivnosti)', '$(prazno)'), text: '1,17' },
  { code: 'haq5', name: 'HAQ DI pet od osam', formula: HAQ(...DRESS_TO_REACH.slice(1), '$(aktivnosti)', '$(prazno)'), text: null },
  {
    code: 'score2Zbir',
    name: 'SCORE2 zbir',
    text: '0,23',
    formula:
      '0.3742 * ($(starost) - 60) / 5 + 0.6012 * $(pusac) + 0.2777 * ($(sistolni) - 120) / 20 + 0.1458 * ($(holesterol) - 6) - 0.2698 * ($(hdl) - 1.3) / 0.5' +
      ' + ($(starost) - 60) / 5 * (-0.0755 * $(pusac) - 0.0255 * ($(sistolni) - 120) / 20 - 0.0281 * ($(holesterol) - 6) + 0.0426 * ($(hdl) - 1.3) / 0.5)',
  },
  { code: 'score2Sirovi', name: 'SCORE2 sirovi', formula: '1 - pow(0.9605, exp($(score2Zbir)))', text: '0,05' },
  // A man of 50 who smokes, 140 mmHg, 5.5 and 1.3 mmol/L: 5.9 % where the risk is low, 14.0 % where it is very high (Eur Heart J 2021; 42: 2439).
  { code: 'score2Nizak', name: 'SCORE2 nizak rizik', formula: SCORE2(-0.5699, 0.7476), text: '5,91' },
  { code: 'score2Visok', name: 'SCORE2 vrlo visok rizik', formula: SCORE2(0.5836, 0.8294), text: '14,05' },
  {
    code: 'cha2ds2vasc',
    name: 'CHA2DS2 VASc',
    text: '6',
    formula:
      '$(insuficijencija) + $(hipertenzija) + if($(godine) >= 75, 2, if($(godine) >= 65, 1, 0)) + $(dijabetes) + 2 * $(slog) + $(vaskularna) + $(zena)',
  },
  {
    code: 'egfr',
    name: 'eGFR',
    formula: '142 * pow(min($(kreatinin) / 0.9, 1), -0.302) * pow(max($(kreatinin) / 0.9, 1), -1.2) * pow(0.9938, $(starost))',
    text: '91,69',
  },
  { code: 'bmi', name: 'BMI', formula: '$(masa) / pow($(visina) / 100, 2)', text: '24,39' },
];
const TOLD = RESULTS.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));

interface Row {
  id: number;
}

let now: Visit;
let doctor: { id: number; token: string };
let register: number;
let form: number;
let patient: number;
let entry: number;

eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  test.setTimeout(120_000);
  const { token } = await logIn('admin');
  const make = async (path: string, body: object) => (await call<Row>('POST', path, { token, body })).id;
  const stamp = Date.now().toString(36);
  register = await make('/api/registers', { naziv: `Registar vektora ${stamp}` });
  form = await make('/api/forms', { naziv: 'Vektori', registar: register });
  const number = await make('/api/attribute-types', { naziv: `Broj vektora ${stamp}`, tipVrednostiAtributa: 2 });
  const text = await make('/api/attribute-types', { naziv: `Tekst vektora ${stamp}`, tipVrednostiAtributa: 3 });
  const common = { tipSkupaAtributa: form, opcioni: true, pretrazujeSe: true, prikazujeSe: true, ispisujeSeLabela: true };
  let redosled = 0;
  for (const code of [...Object.keys(TYPED), ...BLANK]) {
    await make('/api/form-fields', { ...common, tipAtributa: number, naziv: `Unos ${code}`, sifra: code, redosled: ++redosled });
  }
  for (const { code, name, formula } of RESULTS) {
    const tipAtributa = code === 'eular' ? text : number;
    await make('/api/form-fields', { ...common, tipAtributa, naziv: name, sifra: code, redosled: ++redosled, formulaZaRacunanje: formula });
  }
  doctor = await logIn('lekar');
  const body = {
    ime: 'Vektor',
    prezime: 'Probni',
    datumRodjenja: '1961-05-14',
    jmbg: freshJmbg(),
    lbo: String(Date.now()).slice(-11),
    polTrenutni: true,
    kontaktTelefon: '011/1234567',
    registarID: register,
    potvrde: ['slicanPacijent'],
  };
  patient = (await call<Row>('POST', '/api/patients', { token: doctor.token, body })).id;
});
test.afterAll(async () => {
  if (patient) await call('PATCH', `/api/patients/${patient}`, { token: doctor.token, body: { aktivan: false } });
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Each result stands in the text behind its name, with exactly these digits. */
function expectTold(text: string) {
  const missing = TOLD.filter(({ name, text: value }) => !new RegExp(`${escaped(name)}[\\s—:]+${escaped(value)}(?![\\d,])`).test(text)).map(
    ({ name }) => name,
  );
  expect(missing, text).toEqual([]);
}
const shownOnEntry = async () => {
  const shown = RESULTS.map(({ name }) =>
    now.page
      .locator('output')
      .and(now.page.getByLabel(name, { exact: true }))
      .innerText(),
  );
  return (await Promise.all(shown)).map((text) => text.trim());
};

test('are typed on the screen, and their scores are shown as they are typed and after the save', async () => {
  test.setTimeout(90_000);
  await openAs(now, 'lekar', `/unosi/novi?tsaID=${form}&pacijentID=${patient}&datumUnosa=2026-03-05`, 'regix');
  for (const [code, value] of Object.entries(TYPED)) await now.page.getByLabel(`Unos ${code}`, { exact: true }).fill(value);
  const expected = RESULTS.map(({ text }) => text ?? '—');
  await expect.poll(shownOnEntry).toEqual(expected);
  await now.page.getByLabel('Ordinirajući lekar', { exact: false }).first().press('ArrowDown');
  await now.page.getByRole('option', { name: 'Živković Čedomir' }).click();
  await listsGone(now.page);
  await now.page.getByRole('button', { name: 'Snimi i ostani' }).click();
  await now.page.getByText('Uspešno snimljen unos.').waitFor();
  await now.page.waitForURL(/\/unosi\/\d+$/);
  entry = Number(/\d+$/.exec(now.page.url())?.[0]);
  await expect.poll(() => shownOnEntry()).toEqual(expected);
  await expect.poll(() => now.page.getByLabel('Unos dasPre', { exact: true }).inputValue()).toBe('7');
  await now.page.reload();
  await expect.poll(shownOnEntry).toEqual(expected);
});

test.describe('are read back with the same text', () => {
  test("from the patient's page", async () => {
    await openAs(now, 'lekar', `/pacijenti/${patient}`);
    await now.page.getByText('24,39').first().waitFor();
    expectTold(await now.page.getByRole('main').innerText());
  });

  test('from the history', async () => {
    await openAs(now, 'lekar', `/unosArhiva/${entry}`);
    await now.page.locator('.p-multiselect').click();
    await now.page.locator('.p-multiselect-header .p-checkbox').click();
    await now.page.locator('.p-multiselect-close').click();
    await listsGone(now.page);
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    const table = now.page.getByRole('table', { name: 'Promene vrednosti' });
    await table.getByRole('row').nth(1).waitFor();
    const pages = [await table.innerText()];
    const next = now.page.locator('.p-paginator-next');
    while ((await next.count()) > 0 && (await next.isEnabled())) {
      await next.click();
      await expect.poll(() => table.innerText()).not.toBe(pages.at(-1));
      pages.push(await table.innerText());
    }
    expectTold(pages.join('\n'));
  });

  test('from the search on the screen, a criterion for each, and from its export', async () => {
    test.setTimeout(120_000);
    await openAs(now, 'lekar', `/registri/${register}`);
    for (const [i, { name, text }] of TOLD.entries()) {
      if (i > 0) await now.page.getByRole('button', { name: 'Dodaj uslov' }).click();
      const row = now.page.getByRole('listitem', { name: `Uslov ${i + 1}`, exact: true });
      await row
        .locator('div:has(> label)')
        .filter({ hasText: /^Stavka unosa/ })
        .locator('.p-dropdown')
        .click();
      await now.page.getByRole('option', { name, exact: true }).click();
      await row.getByLabel('Vrednost', { exact: false }).fill(text);
      await listsGone(now.page);
    }
    await now.page.keyboard.press('Enter');
    await now.page.getByRole('link', { name: 'Probni Vektor' }).waitFor();
    expectTold(await now.page.getByRole('table', { name: 'Rezultati pretrage' }).innerText());
    const exported = async (format: string) => {
      await now.page.getByRole('button', { name: 'Izvoz' }).click();
      const [download] = await Promise.all([
        now.page.waitForEvent('download'),
        now.page.getByRole('menuitem', { name: format, exact: true }).click(),
      ]);
      return readFile(await download.path());
    };
    expectTold(sheetText(await exported('XLSX')));
    expectTold((await exported('CSV')).toString('utf8'));
  });

  test('from the print', async () => {
    test.setTimeout(90_000);
    await now.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false }));
    await openAs(now, 'lekar', `/unosi/${entry}`);
    await now.page.getByLabel('Unos bol', { exact: true }).waitFor();
    const arriving = now.page.waitForEvent('download', { timeout: 60_000 });
    await now.page.getByRole('button', { name: 'Štampaj', exact: true }).click();
    expectTold(wordsOf(await readFile(await (await arriving).path())));
  });

  test('from the report, on paper, in a workbook and in a sheet of text', async () => {
    test.setTimeout(120_000);
    const { token } = doctor;
    const tree = JSON.stringify(await call('GET', '/api/report-categories/tree', { token }));
    const siID = Number(/"id":(\d+),"naziv":"Karton pacijenta"/.exec(tree)?.[1]);
    const body = { siID, radnikID: doctor.id, parametri: { pacijent: String(patient) }, emails: [], kljuc: crypto.randomUUID() };
    const { izvestajID } = await call<{ izvestajID: string }>('POST', '/api/report-queue', { token, body });
    const run = () => call<{ status: string; formats: { nazivKratki?: string }[] }>('GET', `/api/report-runs/${izvestajID}`, { token });
    await expect.poll(async () => (await run()).status, { timeout: 60_000, intervals: [500] }).toBe('succeeded');
    const file = async (format: string) => {
      const response = await fetch(`${BASE_URL}/api/report-runs/${izvestajID}/download?format=${format}`, {
        headers: { Authorization: `Regix ${token}` },
      });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    expectTold(wordsOf(await file('PDF')));
    expectTold(sheetText(await file('XLSX')));
    expectTold((await file('CSV')).toString('utf8').replace(/[;"]/g, ' '));
  });
});
