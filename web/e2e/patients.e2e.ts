// A clinician's day with patients: finding, registering, correcting, reading the history, taking the list along.
import { readFileSync } from 'node:fs';
import { test } from '@playwright/test';
import { unzipped } from '../src/testing/unzip';
import { eachVisit } from './eachVisit';
import { expect } from './patience';
import { call, chooseOf, expectAccessible, expectFits, freshJmbg, logIn, NARROW, openAs, registerOf, wordsOf, type Visit } from './support';

interface Row {
  pacijentID: number | null;
  imePrezime: string | null;
  jmbg: string | null;
  pogodak: { unosDatum: string; vrednost: unknown }[];
}

let now: Visit;
let register: number;
let token: string;

eachVisit((opened) => {
  now = opened;
});
test.beforeAll(async () => {
  ({ token } = await logIn('lekar'));
  register = await registerOf('kardiologija', token);
});

const open = async () => {
  await openAs(now, 'lekar', `/registri/${register}`, 'regix');
  await now.page.getByRole('heading', { name: 'Kardiologija', level: 1 }).waitFor();
};
const results = () => now.page.getByRole('heading', { name: /^Rezultati pretrage: / });
const table = () => now.page.getByRole('table', { name: 'Rezultati pretrage' });
const find = async (request: object) =>
  (await call<{ unosi: Row[] }>('POST', '/api/search', { token, body: { registarID: register, ...request } })).unosi;
const known = async () => {
  const row = (await find({ prezime: 'č' })).find(({ pacijentID }) => pacijentID !== null);
  if (!row?.imePrezime || !row.jmbg || !row.pacijentID) throw new Error('the demo has no known patient with a č');
  return { id: row.pacijentID, name: row.imePrezime, jmbg: row.jmbg };
};

/** What a reader of the file sees. */
const READERS: Record<string, (path: string) => string> = {
  PDF: (path) => {
    expect(readFileSync(path).toString('latin1')).toMatch(/\/MediaBox \[0 0 841\.\d+ 595\.\d+\]/);
    return wordsOf(readFileSync(path));
  },
  XLSX: (path) => unzipped(readFileSync(path)),
};

test.describe('the search', () => {
  test('finds a name typed without diacritics, on Enter, and is as it was after a visit to the patient', async () => {
    const { name, jmbg } = await known();
    await open();
    const plain = name.split(' ')[0]?.replace(/[ČĆ]/g, 'C').replace(/[čć]/g, 'c').replace(/š/g, 's').replace(/ž/g, 'z') ?? '';
    await now.page.getByLabel('Prezime').fill(plain);
    await now.page.getByLabel('JMBG').fill(jmbg);
    await now.page.keyboard.press('Enter');
    await table().getByRole('link', { name }).click();
    await now.page.getByRole('heading', { name: 'Podaci o pacijentu' }).waitFor();
    await now.page.getByRole('navigation', { name: 'Putanja' }).getByRole('link', { name: 'Kardiologija' }).waitFor();
    await now.page.goBack();
    await table().getByRole('link', { name }).waitFor();
    await expect.poll(() => now.page.getByLabel('JMBG').inputValue()).toBe(jmbg);
  });

  test('asks for the rest of a half-filled row, keeps it, and searches by it once it is whole', async () => {
    await open();
    await chooseOf(now.page, 'Stavka unosa', 'Starost na prijemu');
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    await now.page.getByText('Unesite preostale parametre pretrage.').waitFor();
    await chooseOf(now.page, 'Operator', 'veće od');
    await now.page.getByLabel('Vrednost (god.)').pressSequentially('80');
    await now.page.keyboard.press('Enter');
    await results().waitFor();
    const field = (
      await call<{ polja: { id: number; naziv: string }[] }>('GET', `/api/registers/${register}/search-setup`, { token })
    ).polja.find(({ naziv }) => naziv === 'Starost na prijemu');
    const expected = await find({ redPretrage: [{ poljeID: field?.id, operator: '>', vrednost: '80' }] });
    await expect.poll(() => results().innerText()).toMatch(new RegExp(`: ${expected.length} `));
  });

  test('shows no identity of a patient of another institution, and has no fault, wide and narrow', async () => {
    await open();
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    await results().waitFor();
    const hidden = table().getByRole('row').filter({ hasText: 'Podaci pacijenta druge ustanove nisu dostupni' }).first();
    await hidden.waitFor();
    await expect.poll(() => hidden.getByRole('link').count()).toBe(0);
    await expectAccessible(now.page);
    await now.page.setViewportSize(NARROW);
    await expectAccessible(now.page);
    await expectFits(now.page);
  });

  test("begins an entry from the patient's page with a few keys", async () => {
    const { id } = await known();
    await openAs(now, 'lekar', `/pacijenti/${String(id)}`, 'regix');
    const begin = now.page.getByRole('button', { name: 'Novi unos', exact: true });
    await begin.waitFor();
    await now.page.keyboard.press('Tab');
    await now.page.getByRole('link', { name: 'Pređi na sadržaj' }).press('Enter');
    const isThere = () => begin.evaluate((button) => button === document.activeElement);
    let tabs = 0;
    for (; tabs < 5 && !(await isThere()); tabs += 1) await now.page.keyboard.press('Tab');
    expect(tabs).toBeLessThanOrEqual(3);
    await now.page.keyboard.press('Enter');
    const box = now.page.getByRole('dialog', { name: 'Novi unos' });
    await box.getByLabel('Datum pregleda', { exact: false }).first().waitFor();
    await expectAccessible(now.page);
    await box.getByRole('button', { name: 'Odustani' }).click();
    await expect.poll(isThere).toBe(true);
  });

  test('closes the calendar of a new entry by Escape, and not the dialog', async () => {
    const { jmbg, name } = await known();
    await open();
    await now.page.getByLabel('JMBG').fill(jmbg);
    await now.page.keyboard.press('Enter');
    await now.page.getByRole('button', { name: /^Novi unos: / }).click();
    const box = now.page.getByRole('dialog', { name: 'Novi unos' });
    await box.getByText(name, { exact: true }).waitFor();
    const date = box.getByLabel('Datum pregleda', { exact: false }).first();
    await date.press('ArrowDown');
    await now.page.locator('.p-datepicker').waitFor();
    await now.page.keyboard.press('Escape');
    await now.page.locator('.p-datepicker').waitFor({ state: 'detached' });
    await date.fill('31.02.2026.');
    await box.getByRole('button', { name: 'Kreiraj' }).click();
    await box.getByText('Datum pregleda nije ispravan.').waitFor();
    await expect.poll(() => date.inputValue()).toBe('31.02.2026.');
  });

  for (const [format, start] of [
    ['PDF', '%PDF-'],
    ['XLSX', 'PK'],
    ['XLS', '<?xml'],
    ['CSV', 'Pacijent;JMBG'],
    ['JSON', '['],
  ] as const)
    test(`is exported as ${format}, with what matched`, async () => {
      const { polja } = await call<{ polja: { id: number; naziv: string }[] }>('GET', `/api/registers/${register}/search-setup`, { token });
      const poljeID = polja.find(({ naziv }) => naziv === 'Starost na prijemu')?.id;
      const hits = await find({ prezime: 'č', redPretrage: [{ poljeID, operator: '>', vrednost: '1' }] });
      const { imePrezime: name, jmbg, pogodak } = hits.find(({ pacijentID }) => pacijentID !== null) ?? {};
      if (!name || !jmbg || !pogodak?.[0]) throw new Error('the demo has no known patient with a č and an age');
      await open();
      await now.page.getByLabel('JMBG').fill(jmbg);
      await chooseOf(now.page, 'Stavka unosa', 'Starost na prijemu');
      await chooseOf(now.page, 'Operator', 'veće od');
      await now.page.getByLabel('Vrednost (god.)').fill('1');
      await now.page.keyboard.press('Enter');
      await results().waitFor();
      const match = `${pogodak[0].unosDatum} Starost na prijemu: ${String(pogodak[0].vrednost).replace('.', ',')} god.`;
      const shown = table().getByRole('row').nth(1).getByRole('listitem').filter({ visible: true }).first();
      expect((await shown.innerText()).replace(/\s+/g, ' ')).toBe(match);
      await now.page.getByRole('button', { name: 'Izvoz' }).click();
      const [download] = await Promise.all([
        now.page.waitForEvent('download'),
        now.page.getByRole('menuitem', { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`rezultati_pretrage.${format.toLowerCase()}`);
      const path = await download.path();
      const content = readFileSync(path)
        .toString('utf8')
        .replace(/^\uFEFF/, '');
      expect(content.startsWith(start)).toBe(true);
      const read = READERS[format]?.(path) ?? content;
      expect(read).toContain(name);
      expect(read).toContain(jmbg);
      if (format === 'JSON') expect((JSON.parse(content) as Row[])[0]?.pogodak).toEqual(pogodak);
      else expect(read).toContain(match);
    });

  test('says in the file, and on the screen, that there are more than were exported', async () => {
    await open();
    await now.page.locator('.p-dropdown', { has: now.page.getByLabel('Broj rezultata') }).click();
    await now.page.getByRole('option', { name: '50', exact: true }).click();
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    await results().waitFor();
    await now.page.getByRole('button', { name: 'Izvoz' }).click();
    const [download] = await Promise.all([
      now.page.waitForEvent('download'),
      now.page.getByRole('menuitem', { name: 'PDF', exact: true }).click(),
    ]);
    expect(READERS.PDF?.(await download.path())).toContain('Izvezeno je prvih 50. Ima ih još.');
    await now.page.getByText('Izvezeno je prvih 50. Ima ih još.').waitFor();
  });

  test('says what is wrong with a condition at its place, and does not offer the same again', async () => {
    await open();
    await now.page.getByLabel('JMBG').fill('12a34');
    await now.page.keyboard.press('Enter');
    await now.page.getByText('Ispravite označeni uslov i pretražite ponovo.').waitFor();
    await expect.poll(() => now.page.getByLabel('JMBG').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => now.page.getByRole('button', { name: 'Pokušaj ponovo' }).count()).toBe(0);
    await chooseOf(now.page, 'Stavka unosa', 'Starost na prijemu');
    await now.page.getByLabel('JMBG').fill('');
    await now.page.getByLabel('Vrednost (god.)').fill('-3,x');
    await now.page.keyboard.press('Enter');
    await now.page.getByText('„Starost na prijemu” nije ispravan broj. Unesite ga kao 12,5.').waitFor();
    await now.page.getByLabel('Vrednost (god.)').fill('-3,5');
    await now.page.keyboard.press('Enter');
    await results().waitFor();
  });

  for (const [what, at, sizes, usual] of [
    ['the results', () => `/registri/${register}`, ['5', '10', '20', '25', '50', '100'], '20'],
    ["a patient's history", async () => `/pacijentArhiva/${(await known()).id}`, ['5', '10', '15', '20'], '10'],
  ] as const)
    test(`${what} offer their page sizes`, async () => {
      await openAs(now, 'lekar', await at());
      if (usual === '20') await now.page.getByRole('button', { name: 'Pretraži' }).click();
      const choice = now.page.locator('.p-paginator .p-dropdown');
      await expect.poll(() => choice.locator('.p-dropdown-label').innerText()).toBe(usual);
      await choice.click();
      await now.page.getByRole('option').first().waitFor();
      await expect.poll(() => now.page.getByRole('option').allInnerTexts()).toEqual(sizes);
    });
});

test.describe('a patient', () => {
  test('is registered, with each slip pointed at, corrected, read in the history and deleted', async () => {
    await open();
    await now.page.getByRole('button', { name: 'Novi pacijent' }).click();
    const form = now.page.getByRole('dialog', { name: 'Novi pacijent' });
    const save = form.getByRole('button', { name: 'Snimi' });
    const jmbg = freshJmbg();
    await save.click();
    await form.getByText('Niste uneli ime.').waitFor();
    await form.getByLabel('Ime', { exact: false }).first().fill('Đurđica');
    await form.getByLabel('Prezime').fill('Šućurović');
    await form.getByLabel('JMBG').fill(`${jmbg.slice(0, 12)}${(Number(jmbg[12]) + 1) % 10}`);
    await form.getByLabel('LBO').fill(jmbg.slice(2));
    await form.getByLabel('Kontakt telefon').fill('01112');
    await save.click();
    await form.getByText('Niste uneli datum rođenja.').waitFor();
    await form.getByLabel('JMBG').fill(jmbg);
    await expect.poll(() => form.getByLabel('Datum rođenja').inputValue()).toBe('14.05.1961.');
    await save.click();
    await form.getByText('Kontakt telefon nije u formatu XXX/XXXXXXYY.').waitFor();
    await expectAccessible(now.page);
    await form.getByLabel('Kontakt telefon').fill('0111234567');
    await save.click();
    const heading = now.page.getByRole('heading', { name: 'Đurđica Šućurović', level: 1 });
    const anyway = form.getByRole('button', { name: 'Ipak snimi novog pacijenta' });
    await heading.or(anyway).first().waitFor();
    if (await anyway.isVisible()) await anyway.click();
    await heading.waitFor();

    await now.page.getByRole('button', { name: 'Izmeni podatke' }).click();
    const edit = now.page.getByRole('dialog', { name: 'Izmena podataka o pacijentu' });
    await edit.getByLabel('Adresa').fill('Džordža Vašingtona 5');
    await edit.getByRole('button', { name: 'Snimi' }).click();
    await now.page.getByText('Džordža Vašingtona 5').waitFor();
    await expectAccessible(now.page);

    await now.page.getByRole('button', { name: 'Istorija podataka' }).click();
    const history = now.page.getByRole('table', { name: 'Sadašnji i raniji podaci' });
    await expect.poll(() => history.getByRole('row').count()).toBe(3);
    await expect.poll(() => history.getByRole('row').nth(1).innerText()).toContain('važi sada');
    await expectAccessible(now.page);
    await now.page.getByRole('button', { name: 'Nazad na pacijenta' }).click();

    await now.page.getByRole('button', { name: 'Obriši pacijenta' }).click();
    await now.page.getByRole('alertdialog').getByRole('button', { name: 'Obriši' }).click();
    await now.page.getByText('Pacijent je obrisan').waitFor();
    await now.page.getByRole('heading', { name: 'Kardiologija', level: 1 }).waitFor();
    expect(await find({ jmbg })).toEqual([]);
  });

  test('who is already there is shown before another is registered', async () => {
    const { jmbg, name, id } = await known();
    const patient = await call<{ datumRodjenja: string }>('GET', `/api/patients/${id}`, { token });
    await open();
    await now.page.getByRole('button', { name: 'Novi pacijent' }).click();
    const form = now.page.getByRole('dialog', { name: 'Novi pacijent' });
    const [surname = '', first = ''] = name.split(' ');
    await form.getByLabel('Ime', { exact: false }).first().fill(first);
    await form.getByLabel('Prezime').fill(surname);
    await form.getByLabel('JMBG').fill(jmbg);
    await form.getByLabel('LBO').fill('00000000001');
    await form.getByLabel('Kontakt telefon').fill('011/1234567');
    await form.getByRole('button', { name: 'Snimi' }).click();
    await form.getByRole('heading', { name: 'Pacijent sa tim JMBG već postoji' }).waitFor();
    await form.getByText('isti JMBG').waitFor();
    await expect
      .poll(() => form.getByRole('button', { name: 'Ipak snimi novog pacijenta' }).count(), {
        message: 'a JMBG that is taken would be refused',
      })
      .toBe(0);
    const [elsewhere] = await Promise.all([now.context.waitForEvent('page'), form.getByRole('link', { name }).click()]);
    await elsewhere.getByRole('heading', { name: 'Podaci o pacijentu' }).waitFor();
    await elsewhere.close();
    await expect.poll(() => form.innerText()).toContain(patient.datumRodjenja.split('-').reverse().join('.'));
    await form.getByRole('button', { name: 'Nazad na podatke' }).click();
    await expect.poll(() => form.getByLabel('JMBG').inputValue()).toBe(jmbg);
    await form.getByRole('button', { name: 'Odustani' }).click();
    await now.page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('with the LBO of another one is saved only when that is confirmed in words', async () => {
    const { id } = await known();
    const { lbo } = await call<{ lbo: string }>('GET', `/api/patients/${id}`, { token });
    await open();
    await now.page.getByRole('button', { name: 'Novi pacijent' }).click();
    const form = now.page.getByRole('dialog', { name: 'Novi pacijent' });
    const jmbg = freshJmbg();
    await form.getByLabel('Ime', { exact: false }).first().fill('Isti');
    await form.getByLabel('Prezime').fill('Brojčić');
    await form.getByLabel('JMBG').fill(jmbg);
    await form.getByLabel('LBO').fill(lbo);
    await form.getByLabel('Kontakt telefon').fill('011/1234567');
    await form.getByRole('button', { name: 'Snimi' }).click();
    const anyway = form.getByRole('button', { name: 'Ipak snimi novog pacijenta' });
    const question = now.page.getByRole('alertdialog', { name: 'Da li su podaci ispravni?' });
    await anyway.click();
    await question.getByText('Uneti LBO već ima drugi pacijent.').waitFor();
    await expectAccessible(now.page);
    await question.getByRole('button', { name: 'Odustani' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await find({ jmbg })).toEqual([]);
    await form.getByRole('button', { name: 'Snimi' }).click();
    await anyway.click();
    await question.getByRole('button', { name: 'Podaci su ispravni' }).click();
    await now.page.getByRole('heading', { name: 'Isti Brojčić', level: 1 }).waitFor();
    const saved = (await find({ jmbg }))[0]?.pacijentID;
    expect(await call<{ lbo: string }>('GET', `/api/patients/${saved}`, { token })).toMatchObject({ lbo });
    await call('PATCH', `/api/patients/${saved}`, { token, body: { aktivan: false } });
  });

  test.describe('while it is changed', () => {
    let id: number;
    const path = () => `/api/patients/${id}`;
    const edit = () => now.page.getByRole('dialog', { name: 'Izmena podataka o pacijentu' });
    const save = () => edit().getByRole('button', { name: 'Snimi' }).click();
    const shown = (label: string) => now.page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd').innerText();
    const openForm = async () => {
      await now.page.getByRole('button', { name: 'Izmeni podatke' }).click();
      await edit().getByLabel('Adresa').waitFor();
    };

    test.beforeEach(async () => {
      const jmbg = freshJmbg();
      const body = {
        ime: 'Probni',
        prezime: 'Pacijent',
        datumRodjenja: '1961-05-14',
        jmbg,
        lbo: jmbg.slice(2),
        polTrenutni: true,
        kontaktTelefon: '011/1234567',
        potvrde: ['slicanPacijent'],
      };
      ({ id } = await call<{ id: number }>('POST', '/api/patients', { token, body: { ...body, registarID: register } }));
      await openAs(now, 'lekar', `/pacijenti/${id}`);
      await openForm();
    });
    test.afterEach(() => call('PATCH', path(), { token, body: { aktivan: false } }).catch(() => undefined));

    test('by two people, both changes are kept; where both changed a field, the saved value is shown before mine replaces it', async () => {
      await edit().getByLabel('Adresa').fill('Moja 1');
      await call('PATCH', path(), { token, body: { brojKartona: 'K-7' } });
      await save();
      await edit().waitFor({ state: 'detached' });
      await expect.poll(() => Promise.all(['Adresa', 'Broj kartona'].map(shown))).toEqual(['Moja 1', 'K-7']);

      await openForm();
      await edit().getByLabel('Adresa').fill('Moja 2');
      await call('PATCH', path(), { token, body: { adresa: 'Njihova 2' } });
      await save();
      await edit().getByText('Adresa: Njihova 2').waitFor();
      await expect.poll(() => edit().getByLabel('Adresa').inputValue()).toBe('Moja 2');
      expect(await call<{ adresa: string }>('GET', path(), { token })).toMatchObject({ adresa: 'Njihova 2' });
      await expectAccessible(now.page);
      await save();
      await edit().waitFor({ state: 'detached' });
      await expect.poll(() => shown('Adresa')).toBe('Moja 2');
    });

    test('a lost network loses nothing, and what is typed is left for after a question only', async () => {
      await edit().getByRole('button', { name: 'Odustani' }).click();
      await now.page.getByRole('button', { name: 'Istorija podataka' }).click();
      await now.page.getByRole('button', { name: 'Nazad na pacijenta' }).click();
      await openForm();
      await edit().getByLabel('Adresa').fill('Nigde 3');
      await now.context.setOffline(true);
      await save();
      await edit().getByText('Greška prilikom snimanja pacijenta').waitFor();
      await edit().getByText('Server nije dostupan').waitFor();
      await now.context.setOffline(false);
      await now.page.goBack();
      await now.page.getByRole('alertdialog').getByRole('button', { name: 'Odustani' }).click();
      await expect.poll(() => edit().getByLabel('Adresa').inputValue()).toBe('Nigde 3');
      await save();
      await edit().waitFor({ state: 'detached' });
      await expect.poll(() => shown('Adresa')).toBe('Nigde 3');
    });

    test('one that somebody deleted meanwhile is said to be gone, and the form stays', async () => {
      await edit().getByLabel('Adresa').fill('Nigde 4');
      await call('PATCH', path(), { token, body: { aktivan: false } });
      await save();
      await edit().getByText('Pacijent ne postoji').waitFor();
      await expect.poll(() => edit().getByLabel('Adresa').inputValue()).toBe('Nigde 4');
    });
  });

  test('has its newest values, its entries and its readers on one page, and an entry its history', async () => {
    const { id } = await known();
    await openAs(now, 'lekar', `/pacijenti/${id}`, 'regix');
    await now.page.getByText('Starost na prijemu').waitFor();
    await now.page.getByRole('heading', { name: 'Unosi', exact: true }).waitFor();
    await now.page.getByRole('button', { name: 'Ko je pregledao podatke' }).click();
    await now.page.getByRole('cell', { name: 'podaci o pacijentu' }).first().waitFor();
    await expectAccessible(now.page);
    await now.page.setViewportSize(NARROW);
    await expectFits(now.page);

    const { data } = await call<{ data: { unosi: { id: number }[] }[] }>('GET', `/api/patients/${id}/entries?registarID=${register}`, {
      token,
    });
    const entry = data.flatMap(({ unosi }) => unosi)[0]?.id ?? 0;
    await now.page.goto(`/unosArhiva/${entry}`);
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    await now.page.getByText('Morate izabrati bar jednu stavku unosa.').waitFor();
    await now.page.locator('.p-multiselect').click();
    await now.page.getByRole('option', { name: 'Puls', exact: true }).click();
    await now.page.keyboard.press('Escape');
    await now.page.getByRole('button', { name: 'Pretraži' }).click();
    await now.page.getByRole('table', { name: 'Promene vrednosti' }).getByRole('cell', { name: 'Puls' }).first().waitFor();
    await expectAccessible(now.page);
    await expectFits(now.page);
  });
});
