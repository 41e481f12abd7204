// Bringing data in: an administrator sends a file with two faulty rows, downloads them, mends them, and brings them in; a doctor opens
// one of the patients.
import { readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';
import { ValueType } from '../src/forms/valueType';
import { eachVisit } from './eachVisit';
import { ownRegister, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, chooseOf, expectAccessible, expectFits, freshJmbg, logIn, NARROW, openAs, quiet, WIDE, type Visit } from './support';

let now: Visit;
let page: Page;
let register: OwnRegister;

eachVisit((opened) => {
  now = opened;
  page = opened.page;
});

const HEADER = 'Ime;Prezime;JMBG;LBO;Telefon;Datum prijema;Puls;Tip infarkta\r\n';
const mark = Date.now().toString(36).replace(/\d/g, 'x');
const surname = `Uvozić${mark}`;

function row(name: string, pulse: string, kind: string, jmbg: string): string {
  const lbo = String(Date.now() + Math.floor(Math.random() * 1e6))
    .slice(-11)
    .padStart(11, '3');
  return `${name};${surname};${jmbg};${lbo};011/1234567;06.05.2024.;${pulse};${kind}\r\n`;
}

async function send(name: string, content: string | Buffer): Promise<void> {
  await chooseOf(page, 'Registar', register.naziv);
  await page.getByLabel('CSV fajl').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('button', { name: 'Pošalji fajl' }).click();
  await page.getByRole('heading', { name: 'Kolone fajla' }).waitFor();
}

const faulty = () => page.getByText('Grešaka: 2, redova sa greškom: 2. Ništa nije upisano.');

test('a file with two faulty rows is mended and brought in, and a doctor opens one of its patients', async () => {
  register = await ownRegister('uvoza', 'Hospitalizacija', { broj: {}, skup: { tipVrednostiAtributa: ValueType.Set } }, [
    { sifra: 'puls', naziv: 'Puls', tip: 'broj' },
    { sifra: 'tipInfarkta', naziv: 'Tip infarkta', tip: 'skup' },
  ]);
  for (const [numVrednost, naziv] of ['Non-Q', 'Q-talasni'].entries())
    await call('POST', '/api/enum-items', { token: register.admin, body: { naziv, numVrednost, tipAtributa: register.types['skup']?.id } });
  const [first, second] = [freshJmbg(), await later()];
  await openAs(now, 'admin', '/registri');
  await page.getByRole('button', { name: 'Administracija' }).click();
  await page.getByRole('navigation', { name: 'Glavni meni' }).getByRole('link', { name: 'Uvoz podataka', exact: true }).click();
  await page.getByRole('heading', { name: 'Uvoz podataka', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Pošalji fajl' }).click();
  await page.getByRole('alert').getByText('Izaberite registar.').first().waitFor();

  await send('bolnica.csv', HEADER + row('Ana', 'brzo', 'Non-Q', first) + row('Bojan', '80', 'nepoznat', second));
  await page.getByRole('cell', { name: '„brzo” nije broj' }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);

  await page.getByLabel('Naziv mapiranja').fill(`Bolnica ${mark}`);
  await page.getByRole('button', { name: 'Snimi mapiranje' }).click();
  await page.getByText('Mapiranje je snimljeno').first().waitFor();
  await page.getByRole('button', { name: 'Proveri fajl' }).click();
  await faulty().waitFor({ timeout: 30_000 });
  await page.reload();
  await faulty().waitFor();
  await quiet(page);
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Preuzmi redove sa greškom' }).click(),
  ]);
  const rows = await readFile(await download.path(), 'utf8');
  expect(rows).toContain(';greška');
  expect(rows).toContain('„brzo” nije broj');

  await page.getByRole('button', { name: 'Napusti uvoz' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Napusti uvoz' }).click();
  await page.getByRole('heading', { name: 'Moji uvozi' }).waitFor();
  await send('bolnica.csv', rows.replace(';brzo;', ';75;').replace(';nepoznat;', ';Q-talasni;'));
  await page.getByText('Primeni snimljeno mapiranje').waitFor();
  await page.getByRole('button', { name: 'Proveri fajl' }).click();
  await page.getByText('Fajl nema grešaka. Evo šta bi uvoz upisao:').waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByText('Podaci su uvezeni.').waitFor({ timeout: 30_000 });

  await openAs(now, 'lekar', `/registri/${register.id}`);
  await page.getByLabel('Prezime').fill(surname);
  await page.getByRole('button', { name: 'Pretraži', exact: true }).click();
  await page
    .getByRole('table', { name: 'Rezultati pretrage' })
    .getByRole('link', { name: `${surname} Ana` })
    .click();
  await page.waitForURL(/pacijenti/);
  await page.getByText(surname).first().waitFor();
});

const REGISTER = `[register]
sifra = "redovi_${mark}"
naziv = "Registar redova ${mark}"
[[attributeTypes]]
naziv = "Panel redova ${mark}"
tipVrednosti = "panel"
[[attributeTypes]]
naziv = "Broj redova ${mark}"
tipVrednosti = "brojni"
[[attributeTypes]]
naziv = "Doza redova ${mark}"
tipVrednosti = "brojni"
jedinica = "mg"
drugeJedinice = [{ jedinica = "g", cinilac = 1000 }]
[[attributeTypes]]
naziv = "Tekst redova ${mark}"
tipVrednosti = "tekstualni"
[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
polja = [
  { sifra = "puls", naziv = "Puls", tipAtributa = "Broj redova ${mark}" },
  { sifra = "lekovi", naziv = "Lekovi", tipAtributa = "Panel redova ${mark}", ponavljaSe = true },
  { sifra = "lek", naziv = "Lek", tipAtributa = "Tekst redova ${mark}", nadredjeni = "lekovi" },
  { sifra = "doza", naziv = "Doza", tipAtributa = "Doza redova ${mark}", nadredjeni = "lekovi" },
]
`;

test('lines of one visit become the rows of one entry, and what no column has is said once', async () => {
  const { token } = await logIn('admin');
  const body = { imeFajla: 'r.toml', sadrzaj: Buffer.from(REGISTER).toString('base64') };
  const { otisak } = await call<{ otisak: string }>('POST', '/api/definition-checks', { token, body });
  await call('POST', '/api/definition-imports', { token, body: { ...body, otisak } });
  register = { naziv: `Registar redova ${mark}` } as OwnRegister;
  const jmbg = await later();
  const line = (drug: string, dose: string) => `Ana;${surname}x;${jmbg};${jmbg.slice(0, 11)};06.05.2024.;72;${drug};${dose}\r\n`;
  await openAs(now, 'admin', '/uvozPodataka');
  await send('lekovi.csv', `Ime;Prezime;JMBG;LBO;Datum pregleda;Puls;Lek;Doza\r\n${line('Aspirin', '0,1')}${line('Metformin', '0,5')}`);
  await page.locator('.p-dropdown-label').getByText('Prepoznato: Tačka-zarez').waitFor();
  await page.getByText('obavezno polje „kontaktTelefon” nije mapirano').waitFor();
  await page
    .locator('.p-dropdown')
    .filter({ has: page.getByLabel('Dodaj vrednost za polje') })
    .click();
  await page.getByRole('option', { name: 'Kontakt telefon', exact: true }).click();
  await page.getByLabel('Vrednost: Pacijent: Kontakt telefon').fill('011/1234567');
  await page.getByRole('columnheader', { name: 'Lekovi: Lek' }).waitFor();
  await page.getByRole('button', { name: 'Detalji kolone Doza' }).click();
  await chooseOf(page, 'Jedinica u kojoj su brojevi', 'g');
  await quiet(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Primeni' }).click();
  await page.getByRole('cell', { name: '100 mg (0,1 g)' }).waitFor();
  await quiet(page);
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectFits(page);
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Proveri fajl' }).click();
  await page.getByText('Fajl nema grešaka. Evo šta bi uvoz upisao:').waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByText('Podaci su uvezeni.').waitFor({ timeout: 30_000 });
  const counted = page.locator('dl > div').filter({ hasText: 'Novih unosa' });
  expect(await counted.locator('dd').textContent()).toBe('1');
});

const CODED = `[register]
sifra = "sifre_${mark}"
naziv = "Registar šifara ${mark}"
[[attributeTypes]]
naziv = "Bol šifara ${mark}"
tipVrednosti = "skupovni"
stavke = [
  { naziv = "Nema bola", sifraVeza = "1", numVrednost = 0 },
  { naziv = "Blag bol", sifraVeza = "2", numVrednost = 1 },
  { naziv = "Nepoznat bol", sifraVeza = "NP" },
]
[[attributeTypes]]
naziv = "Znaci šifara ${mark}"
tipVrednosti = "skupovni"
stavke = [{ naziv = "Groznica", sifraVeza = "1" }, { naziv = "Kašalj", sifraVeza = "2" }]
[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
polja = [
  { sifra = "bol", naziv = "Bol", tipAtributa = "Bol šifara ${mark}" },
  { sifra = "znaci", naziv = "Znaci", tipAtributa = "Znaci šifara ${mark}", multiselect = true },
]
`;

test('raw codes of another system are read as codes, and columns of single options as one set', async () => {
  const { token } = await logIn('admin');
  const body = { imeFajla: 's.toml', sadrzaj: Buffer.from(CODED).toString('base64') };
  const { otisak } = await call<{ otisak: string }>('POST', '/api/definition-checks', { token, body });
  await call('POST', '/api/definition-imports', { token, body: { ...body, otisak } });
  register = { naziv: `Registar šifara ${mark}` } as OwnRegister;
  const jmbg = await later();
  const row = `Ana;${surname}y;${jmbg};${jmbg.slice(0, 11)};011/1234567;06.05.2024. 00:00:00;1;1;0`;
  const lines = ['sep=;', 'Ime;Prezime;JMBG;LBO;Telefon;Datum pregleda;bol;znaci___1;znaci___2', row, ';;;;;;;;'].join('\r\n');
  await openAs(now, 'admin', '/uvozPodataka');
  await send('sifre.csv', Buffer.from(`\uFEFF${lines}\r\n`, 'utf16le'));
  await page.locator('.p-dropdown-label').getByText('Prepoznato: UTF-16').waitFor();
  await page.getByRole('cell', { name: 'Nema bola', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'Groznica', exact: true }).waitFor();
  await page.locator('.p-dropdown-label').getByText('Znaci: „Kašalj” ima svoju kolonu (da/ne)').waitFor();
  await page.getByRole('button', { name: 'Detalji kolone bol' }).click();
  await page.getByText('po nazivu: 1 = Nema bola, 2 = Blag bol, NP = Nepoznat bol').waitFor();
  await page.getByText('Ne može se čitati po težini: neka stavka je nema.').waitFor();
  expect(await page.getByLabel('Stavke su date težinama').isDisabled()).toBe(true);
  await quiet(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Odustani' }).click();
  await page.getByRole('button', { name: 'Proveri fajl' }).click();
  await page.getByText('Fajl nema grešaka. Evo šta bi uvoz upisao:').waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uvezi podatke' }).click();
  await page.getByText('Podaci su uvezeni.').waitFor({ timeout: 30_000 });
});

test('somebody without the right neither finds the screen nor opens it', async () => {
  await openAs(now, 'lekar', '/uvozPodataka');
  await page.getByText('Nemate pravo na ovu stranicu.').waitFor();
});

/** Another number than the first: its serial goes by the clock. */
async function later(): Promise<string> {
  const first = freshJmbg();
  let next = first;
  while (next === first) {
    await new Promise((resume) => setTimeout(resume, 1));
    next = freshJmbg();
  }
  return next;
}
