// A form is edited as a draft and published: its designer sees it compute, takes steps back, learns what it would change; the doctor goes
// on in the old words until then; a second designer takes over what the first has published.
import { type Page, test } from '@playwright/test';
import { designerOn } from './designer';
import { eachVisit } from './eachVisit';
import { entryOf, ownRegister, withPatient, type OwnRegister } from './ownRegister';
import { expect } from './patience';
import { call, choosePassword, expectAccessible, expectFits, logIn, NARROW, openAs, WIDE, type Visit } from './support';

const GIVEN = 'tanjir-kiša-olovka';
const OWN = 'prozor-jesen-kafa';
const REGISTERS = 5;

let now: Visit;
let page: Page;
let register: OwnRegister;
let patient = 0;
let entry = 0;

const { anew } = eachVisit((opened) => {
  now = opened;
  page = opened.page;
});
withPatient(
  'Nacrtić',
  () =>
    ownRegister('nacrt', 'Kontrola', { Broj: {} }, [
      { sifra: 'broj', naziv: 'Polazni broj', tip: 'Broj' },
      { sifra: 'zbir', naziv: 'Izračunat zbir', tip: 'Broj', formula: '$(broj) + 1' },
    ]),
  async (made, theirs) => {
    register = made;
    patient = theirs;
    entry = await entryOf(made, theirs, '2026-03-01', { broj: 5 });
  },
);

const { main, button, row, property, addField, kept, begin, impact, publish } = designerOn(() => page);
const draft = () => `/api/forms/${register.form}/draft`;
const order = () =>
  page
    .getByRole('treeitem')
    .evaluateAll((rows) => rows.map((one) => `${one.ariaLevel ?? ''} ${one.querySelector('[data-name]')?.textContent ?? ''}`));

async function openForm() {
  await openAs(now, 'admin', `/admin/formular/${register.form}`, 'regix');
  await begin();
}

test('a panel with a formula is built, tried, moved by keys, taken back and published; entries of before keep their words', async () => {
  test.setTimeout(180_000);
  await openForm();
  await row('Izračunat zbir').click();
  await addField('panel', 'Laboratorija');
  await addField('broj', 'Masa', 'masa');
  await row('Masa').click();
  await addField('broj', 'Visina', 'visina');
  await row('Visina').click();
  await addField('broj', 'Indeks', 'indeks');
  await property('Formula za računanje').fill('$(masa) / pow($(visina) / 100, 3');
  await page.getByText('1 greška: nacrt se čuva', { exact: false }).waitFor();
  await page.getByLabel('Mesto greške', { exact: true }).filter({ hasText: '/ 100, 3' }).waitFor();
  await expectAccessible(page);
  // Codes and functions are offered while one types, by the names of the fields too.
  const formula = property('Formula za računanje');
  await formula.fill('');
  await formula.focus();
  const offers = page.getByRole('listbox', { name: 'Polja i funkcije' });
  await page.keyboard.type('mas');
  await offers.getByRole('option', { name: '$(masa) Masa' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' / po');
  await page.keyboard.press('Enter');
  await page.keyboard.type('$(vis');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' / 100, 2');
  expect(await formula.inputValue()).toBe('$(masa) / pow($(visina) / 100, 2)');
  await kept();
  await expect.poll(() => page.getByText('1 greška: nacrt se čuva', { exact: false }).count()).toBe(0);
  expect(await order()).toEqual(['1 Polazni broj', '1 Izračunat zbir', '1 Laboratorija', '2 Masa', '2 Visina', '2 Indeks']);

  // The form as the doctor will see it, with values that are only tried.
  const preview = main()
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Izgled u unosu' }) });
  await preview.getByLabel('Masa', { exact: true }).fill('80');
  await preview.getByLabel('Visina', { exact: true }).fill('200');
  await expect
    .poll(() =>
      preview
        .locator('output')
        .and(page.getByLabel('Indeks', { exact: true }))
        .innerText(),
    )
    .toBe('20');
  await expectAccessible(page);

  await row('Indeks').click();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toEqual(['1 Polazni broj', '1 Izračunat zbir', '1 Laboratorija', '2 Masa', '2 Indeks', '2 Visina']);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(order).toEqual(['1 Polazni broj', '1 Izračunat zbir', '1 Laboratorija', '2 Masa', '2 Visina', '1 Indeks']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(order).toEqual(['1 Polazni broj', '1 Izračunat zbir', '1 Laboratorija', '2 Masa', '2 Visina', '2 Indeks']);
  await row('Polazni broj').click();
  await property('Naziv').fill('Šećer u krvi');
  await row('Izračunat zbir').click();
  await property('Formula za računanje').fill('$(broj) + 100');
  await kept();

  // The doctor fills in the live form meanwhile.
  const live = await call<{ autsiArray: { naziv: string }[] }>('GET', `/api/entry-display?tsaID=${register.form}&pacijentID=${patient}`, {
    token: register.doctor.token,
  });
  expect(live.autsiArray.map(({ naziv }) => naziv)).toEqual(['Polazni broj', 'Izračunat zbir']);

  const dialog = await impact();
  await dialog.getByText('1 rezultat se menja', { exact: true }).click();
  await dialog.getByText(`Unos br. ${entry}`, { exact: false }).first().waitFor();
  await dialog.getByText('Šećer u krvi', { exact: true }).waitFor();
  await expectAccessible(page);
  await publish();
  await page.getByRole('alertdialog').getByText('1 snimljeni rezultat se razlikuje', { exact: false }).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Objavi', exact: true }).click();
  await page.getByText('Objavljena je verzija 2', { exact: false }).waitFor();
  await page.getByRole('heading', { name: 'Kontrola', level: 1 }).waitFor();

  await anew();
  await openAs(now, 'lekar', `/unosi/${entry}`, 'regix');
  await page.getByLabel('Polazni broj', { exact: true }).waitFor();
  await expect
    .poll(() =>
      page
        .locator('output')
        .and(page.getByLabel('Izračunat zbir', { exact: true }))
        .innerText(),
    )
    .toBe('6');
  await expect.poll(() => page.getByLabel('Masa', { exact: true }).count()).toBe(0);

  // Over to the newest version, and back again, with what was typed.
  await page.getByLabel('Polazni broj', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Prikaži razlike' }).click();
  await page.getByRole('button', { name: 'Pređi na verziju 2' }).click();
  await page.getByLabel('Šećer u krvi', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Vrati se na verziju 1' }).click();
  await expect.poll(() => page.getByLabel('Polazni broj', { exact: true }).inputValue()).toBe('7');
  await expect.poll(() => page.getByRole('button', { name: 'Vrati se na verziju 1' }).count()).toBe(0);

  const fresh = await call<{ autsiArray: { naziv: string }[] }>('GET', `/api/entry-display?tsaID=${register.form}&pacijentID=${patient}`, {
    token: register.doctor.token,
  });
  expect(fresh.autsiArray.map(({ naziv }) => naziv)).toContain('Indeks');
});

test('a query of a first value is planned by the server as the draft is kept, and what is wrong with it stands under it', async () => {
  test.setTimeout(60_000);
  await openForm();
  await row('Izračunat zbir').click();
  await addField('broj', 'Uzrast', 'uzrast');
  const query = property('Upit za početnu vrednost');
  await query.fill('select nema from pacijent where id = :pacijentID');
  await page.getByText('1 greška: nacrt se čuva', { exact: false }).waitFor();
  await expect.poll(() => query.getAttribute('aria-invalid')).toBe('true');
  const note = (await query.getAttribute('aria-describedby')) ?? '';
  await expect
    .poll(() => page.locator(`[id="${note}"]`).innerText())
    .toBe('Upit nije ispravan: kolona „nema” ne postoji [column "nema" does not exist] (red 1, kolona 8).');
  await expectAccessible(page);
  await query.fill('select extract(year from age(:datumUnosa, datum_rodjenja))::int from pacijent where id = :pacijentID');
  await expect.poll(() => query.getAttribute('aria-invalid')).not.toBe('true');
  await kept();
  await button('Odbaci nacrt').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci nacrt', exact: true }).click();
  await button('Započni nacrt').waitFor();
});

test('a draft with faults is not published: the dialog lists them, and each leads to its field', async () => {
  test.setTimeout(60_000);
  await openForm();
  await row('Šećer u krvi').click();
  await property('Formula za prikaz').fill('$(nema) > 1');
  await page.getByText('1 greška: nacrt se čuva', { exact: false }).waitFor();
  await kept();
  await row('Izračunat zbir').click();
  const dialog = await impact();
  await dialog.getByText('Nacrt ima 1 grešku, pa se ne može objaviti.', { exact: true }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Objavi', exact: true }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /Nepoznata šifra polja/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => property('Šifra').inputValue()).toBe('broj');
  await button('Odbaci nacrt').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci nacrt', exact: true }).click();
  await button('Započni nacrt').waitFor();
});

test('a second designer is told what the first has published, takes it over, and publishes after it', async () => {
  test.setTimeout(120_000);
  const name = `dizajner${Date.now().toString(36)}`;
  const { token } = await logIn('admin');
  const role = await call<{ id: number }>('POST', '/api/roles', { token, body: { ime: `Uloga ${name}`, sveUstanove: true } });
  await call('POST', '/api/role-rights', { token, body: { uloga: role.id, aplikativnoPravo: REGISTERS } });
  const worker = await call<{ id: number }>('POST', '/api/workers', {
    token,
    body: { username: name, password: GIVEN, ime: 'Drugi', prezime: 'Dizajner' },
  });
  await choosePassword(name, GIVEN, OWN);
  await call('POST', '/api/worker-roles', { token, body: { radnik: worker.id, uloga: role.id } });
  try {
    const other = await logIn(name, OWN);
    const first = await call<{ verzija: number; dokument: { polja: { sifra: string | null; napomena: string | null }[] } }>(
      'POST',
      draft(),
      {
        token: other.token,
        body: {},
      },
    );
    await openForm();
    await page.getByText('Dizajner Drugi takođe priprema nacrt', { exact: false }).waitFor();
    await row('Šećer u krvi').click();
    await property('Naziv').fill('Glukoza');
    await kept();

    const { dokument } = first;
    const polja = dokument.polja.map((field) => (field.sifra === 'zbir' ? { ...field, naziv: 'Novi zbir' } : field));
    const saved = await call<{ verzija: number }>('PUT', draft(), {
      token: other.token,
      body: { verzija: first.verzija, dokument: { ...dokument, polja } },
    });
    // The first publishes while the second looks at the dialog: what was changed is listed in it.
    const dialog = await impact();
    await dialog.getByRole('button', { name: 'Objavi', exact: true, disabled: false }).waitFor();
    await call('POST', `${draft()}/publish`, { token: other.token, body: { verzija: saved.verzija } });
    await publish();
    await dialog.getByText('Formular je izmenjen otkad je nacrt napravljen', { exact: false }).waitFor();
    await dialog.getByText('Novi zbir: izmenjeno (Naziv)', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Objavi', exact: true }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Zatvori i preuzmi izmene', exact: true }).click();
    await main().getByText('Novi zbir: izmenjeno (Naziv)', { exact: true }).waitFor();
    await expectAccessible(page);
    await button('Preuzmi izmene').click();
    await row('Novi zbir').waitFor();
    await row('Glukoza').waitFor();
    await impact();
    await publish();
    await page.getByText(/^Objavljena je verzija/).waitFor();
  } finally {
    await call('DELETE', `/api/workers/${worker.id}`, { token });
    await call('DELETE', `/api/roles/${role.id}`, { token });
  }
});

for (const [what, size, theme] of [
  ['wide and light', WIDE, 'regix'],
  ['wide and dark', WIDE, 'darkly'],
  ['narrow', NARROW, 'regix'],
] as const)
  test(`fits and reads well: ${what}`, async () => {
    await anew(size);
    await call('DELETE', draft(), { token: register.admin }).catch(() => undefined);
    await openAs(now, 'admin', `/admin/formular/${register.form}/nacrt`, theme);
    await button('Započni nacrt').click();
    await page.getByRole('treeitem').first().waitFor();
    await expectFits(page);
    await expectAccessible(page);
    if (size === NARROW) {
      for (const pane of ['Svojstva', 'Izgled']) {
        await button(pane).click();
        await expectFits(page);
      }
    }
    await button('Odbaci nacrt').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Odbaci nacrt', exact: true }).click();
    await button('Započni nacrt').waitFor();
  });
