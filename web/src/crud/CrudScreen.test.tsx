import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fold } from '../fold';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { CrudScreen } from './CrudScreen';
import { firstMissing } from './useForm';

interface Role {
  id: number;
  ime: string;
  opis: string | null;
  numerickaVrednost: number | null;
}

let roles: Role[];
let calls: FakeCall[];
let refusal: { status: number; body: unknown } | null;
/** One record cannot be read. */
let unreadable: boolean;
/** What a deletion answers that was not confirmed. */
let ending: typeof refusal;

/** The refusal, until the body says the number that it asks for. */
const refused = (body: unknown) =>
  refusal && (body as { potvrdjenoRezultata?: number }).potvrdjenoRezultata === undefined ? refusal : null;
/** What the server makes of the query. */
function page(query: URLSearchParams) {
  const size = Number(query.get('size'));
  const sort = query.get('sort');
  const wanted = fold(query.get('filter.ime') ?? '');
  const found = roles.filter(({ ime, numerickaVrednost }) =>
    query.get('filter.numerickaVrednost') === 'true' ? numerickaVrednost === 1 : fold(ime).includes(wanted),
  );
  if (sort) found.sort((one, other) => one.ime.localeCompare(other.ime, 'sr-Latn') * (sort.startsWith('-') ? -1 : 1));
  const first = Number(query.get('page')) * size;
  return { data: found.slice(first, first + size), total: found.length };
}

const many = () =>
  Array.from({ length: 10_016 }, (_, i) => ({
    id: i + 1,
    ime: `Uloga ${String(i + 1).padStart(5, '0')}`,
    opis: null,
    numerickaVrednost: i,
  }));
const writes = () => calls.filter(({ method }) => method !== 'GET');
const lists = () => calls.filter(({ method }) => method === 'GET');

beforeEach(() => {
  signedIn();
  [refusal, ending, unreadable] = [null, null, false];
  roles = [
    { id: 1, ime: 'Lekar', opis: 'Leči', numerickaVrednost: 1 },
    { id: 2, ime: 'Šef', opis: null, numerickaVrednost: 2 },
  ];
  calls = fakeApi({
    'GET /api/roles': ({ query }) => ({ body: page(query) }),
    'POST /api/roles': ({ body }) => {
      const no = refused(body);
      if (no) return no;
      roles = [...roles, { ...(body as Role), id: 3 }];
      return { status: 201, body: roles[2] };
    },
    'GET /api/roles/1': () => (unreadable ? { status: 500, body: null } : { body: roles.find(({ id }) => id === 1) }),
    'PATCH /api/roles/1': ({ body }) => {
      const no = refused(body);
      if (no) return no;
      roles = roles.map((role) => (role.id === 1 ? { ...role, ...(body as Role) } : role));
      return { body: {} };
    },
    'DELETE /api/roles/1': () => {
      if (ending) return ending;
      roles = roles.filter(({ id }) => id !== 1);
      return { status: 204 };
    },
  });
  screenOfRoles();
});

const screenOfRoles = () =>
  show(
    <CrudScreen<Role, 'role'>
      path={'/api/roles' as never}
      resource="role"
      title="Uloge"
      what="Uloga"
      name={({ ime }) => ime}
      empty={{ id: 0, ime: '', opis: null, numerickaVrednost: null }}
      columns={['ime', { field: 'opis', filter: false }, { field: 'numerickaVrednost', filter: [{ value: 'true', label: 'Prva' }] }]}
      validate={(role) =>
        firstMissing(role, [
          ['ime', 'Niste uneli naziv.'],
          ['opis', 'Niste uneli opis.'],
        ])
      }
      fields={(field) => (
        <>
          {field.text('ime', { required: true })}
          {field.text('opis', { required: true, maxLength: 20 })}
          {field.number('numerickaVrednost')}
        </>
      )}
    />,
  );

const button = (name: string) => screen.getByRole('button', { name });
const dialog = () => screen.findByRole('dialog');
const choose = async (name: string) => userEvent.click(await screen.findByRole('cell', { name }));

describe('the list', () => {
  it("has the active records under the catalogue's labels", async () => {
    expect(await screen.findByRole('cell', { name: 'Lekar' })).toBeVisible();
    expect(screen.getByRole('table', { name: 'Uloge' })).toBeVisible();
    expect(lists()[0]?.query.toString()).toBe('aktivan=true&page=0&size=20');
    for (const name of ['Naziv', 'Opis', 'Numerička vrednost']) expect(screen.getByRole('columnheader', { name })).toBeVisible();
  });

  it('filters by what a column contains, whatever the accents', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Filtriraj: Naziv' }), 'sef');
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'Lekar' })).toBeNull());
    expect(screen.getByRole('cell', { name: 'Šef' })).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Filtriraj: Opis' })).toBeNull();
  });

  it('has all again where the choice of a few is given up', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    const choose = async (value: string) => {
      await userEvent.click(screen.getByLabelText('Filtriraj: Numerička vrednost').closest('.p-dropdown') ?? document.body);
      await userEvent.click(await screen.findByText(value, { selector: '.p-dropdown-item *' }));
    };
    await choose('Prva');
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'Šef' })).toBeNull());
    await choose('Sve');
    expect(await screen.findByRole('cell', { name: 'Šef' })).toBeVisible();
  });

  it('asks once the hand rests, and by the chosen value where a column has few', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Filtriraj: Naziv' }), 'šef');
    await waitFor(() => expect(lists().at(-1)?.query.get('filter.ime')).toBe('šef'));
    expect(lists().filter(({ query }) => query.has('filter.ime'))).toHaveLength(1);
    await userEvent.clear(screen.getByRole('textbox', { name: 'Filtriraj: Naziv' }));
    await userEvent.click(screen.getByLabelText('Filtriraj: Numerička vrednost').closest('.p-dropdown') ?? document.body);
    await userEvent.click(await screen.findByText('Prva', { selector: '.p-dropdown-item *' }));
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'Šef' })).toBeNull());
    expect(screen.getByRole('cell', { name: 'Lekar' })).toBeVisible();
  });

  it('finds one of ten thousand, and counts them all while it holds a page', async () => {
    cleanup();
    roles = many();
    screenOfRoles();
    await userEvent.click(await screen.findByRole('button', { name: 'Poslednja strana' }));
    expect(await screen.findByRole('cell', { name: 'Uloga 10016' })).toBeVisible();
    expect(screen.getByText('10001–10016 od 10016')).toBeVisible();
    await userEvent.type(screen.getByRole('textbox', { name: 'Filtriraj: Naziv' }), '07311');
    expect(await screen.findByRole('cell', { name: 'Uloga 07311' })).toBeVisible();
    expect(screen.getByText('1–1 od 1')).toBeVisible();
    expect(Math.max(...lists().map(({ query }) => Number(query.get('size'))))).toBe(20);
  });

  it('goes back a page when the last row of the last one is deleted', async () => {
    cleanup();
    roles = [...many().slice(1, 21), { id: 1, ime: 'Uloga poslednja', opis: null, numerickaVrednost: null }];
    screenOfRoles();
    await userEvent.click(await screen.findByRole('button', { name: 'Poslednja strana' }));
    await choose('Uloga poslednja');
    await userEvent.click(button('Obriši'));
    await userEvent.click(within(await dialog()).getByRole('button', { name: 'Obriši' }));
    expect(await screen.findByRole('cell', { name: 'Uloga 00021' })).toBeVisible();
    expect(screen.getByText('1–20 od 20')).toBeVisible();
  });

  it('sorts both ways', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    const header = screen.getByRole('columnheader', { name: 'Naziv' });
    const first = () => screen.getAllByRole('row')[2]?.textContent;
    await userEvent.click(header);
    await waitFor(() => expect(first()).toMatch(/^Lekar/));
    await userEvent.click(header);
    await waitFor(() => expect(first()).toMatch(/^Šef/));
    expect(lists().flatMap(({ query }) => query.get('sort') ?? [])).toEqual(['ime', '-ime']);
  });

  it('says so when nothing is found', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Filtriraj: Naziv' }), 'xyz');
    expect(await screen.findByText('Nema podataka')).toBeVisible();
  });

  it('lets change, read and delete only a chosen record', async () => {
    await screen.findByRole('cell', { name: 'Lekar' });
    for (const name of ['Izmeni', 'Detalji', 'Obriši']) expect(button(name)).toBeDisabled();
    expect(button('Dodaj')).toBeEnabled();
    await choose('Lekar');
    for (const name of ['Izmeni', 'Detalji', 'Obriši']) expect(button(name)).toBeEnabled();
  });
});

describe('the dialog', () => {
  it('names the first missing field under it and in a message, and saves nothing', async () => {
    await userEvent.click(button('Dodaj'));
    const form = within(await dialog());
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    expect(form.getByText('Niste uneli naziv.')).toBeVisible();
    expect(form.queryByText('Niste uneli opis.')).toBeNull();
    expect(await screen.findByText('Greška prilikom dodavanja')).toBeVisible();
    expect(form.getByLabelText(/^Naziv/)).toHaveAttribute('aria-invalid', 'true');
    await userEvent.type(form.getByLabelText(/^Naziv/), 'Tehničar');
    expect(form.queryByText('Niste uneli naziv.')).toBeNull();
    expect(writes()).toHaveLength(0);
  });

  it('saves no number that may be two, and names it', async () => {
    await userEvent.click(button('Dodaj'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Naziv/), 'Tehničar');
    await userEvent.type(form.getByLabelText(/^Opis/), 'Opis');
    await userEvent.type(form.getByLabelText(/^Numerička vrednost/), '2.108');
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    expect(form.getByText('„Numerička vrednost”: „2.108” može da znači 2108 ili 2,108. Izaberite jedno.')).toBeVisible();
    expect(writes()).toHaveLength(0);
    await userEvent.click(form.getByRole('button', { name: '2108' }));
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    await waitFor(() => expect(writes()).toMatchObject([{ body: { numerickaVrednost: 2108 } }]));
  });

  it('creates, closes, tells the name and loads the list anew', async () => {
    await userEvent.click(button('Dodaj'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Naziv/), ' Tehničar ');
    await userEvent.type(form.getByLabelText(/^Opis/), 'Snima');
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    expect(await screen.findByRole('cell', { name: 'Tehničar' })).toBeVisible();
    expect(writes()).toMatchObject([{ method: 'POST', body: { ime: 'Tehničar', opis: 'Snima', numerickaVrednost: null } }]);
    expect(writes()[0]?.body).not.toHaveProperty('id');
    expect(screen.getByText('Uspešno dodato: Tehničar', { normalizer: (text) => text.replace(/\s+/g, ' ').trim() })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it("puts the server's refusal at its field and stays open with what was typed", async () => {
    refusal = { status: 422, body: { message: 'Uloga sa tim nazivom već postoji.', field: 'ime' } };
    await userEvent.click(button('Dodaj'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Naziv/), 'Lekar');
    await userEvent.type(form.getByLabelText(/^Opis/), 'x');
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    expect(await form.findByText('Uloga sa tim nazivom već postoji.')).toBeVisible();
    expect(form.getByLabelText(/^Naziv/)).toHaveValue('Lekar');
  });

  it('keeps a text that is too long, and tells by how much', async () => {
    await userEvent.click(button('Dodaj'));
    const opis = within(await dialog()).getByLabelText(/^Opis/);
    const pasted = 'Čita nalaze i tumači ih';
    await userEvent.click(opis);
    await userEvent.paste(pasted);
    expect(opis).toHaveValue(pasted);
    expect(opis).toHaveAccessibleDescription('Najviše 20 znakova: 3 previše.');
    await userEvent.type(opis, '{Backspace}{Backspace}{Backspace}');
    expect(opis).toHaveAccessibleDescription('');
  });

  it('takes its messages along when the try is given up', async () => {
    await userEvent.click(button('Dodaj'));
    const form = within(await dialog());
    await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
    expect(await screen.findByText('Greška prilikom dodavanja')).toBeVisible();
    await userEvent.click(form.getByRole('button', { name: 'Odustani' }));
    await waitFor(() => expect(screen.queryByText('Greška prilikom dodavanja')).toBeNull());
  });

  it('changes the chosen record', async () => {
    await choose('Lekar');
    await userEvent.click(button('Izmeni'));
    const form = within(await dialog());
    await userEvent.clear(form.getByLabelText(/^Opis/));
    await userEvent.type(form.getByLabelText(/^Opis/), 'Leči i uči');
    await userEvent.click(form.getByRole('button', { name: 'Izmeni' }));
    expect(await screen.findByRole('cell', { name: 'Leči i uči' })).toBeVisible();
    expect(writes()).toMatchObject([{ method: 'PATCH', path: '/api/roles/1' }]);
  });

  it('asks before it throws away what was typed, and not where nothing was', async () => {
    await choose('Lekar');
    await userEvent.click(button('Izmeni'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Naziv/), ' opšte prakse');
    await userEvent.click(form.getByRole('button', { name: 'Odustani' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Odustani' }));
    expect(form.getByLabelText(/^Naziv/)).toHaveValue('Lekar opšte prakse');
    await userEvent.clear(form.getByLabelText(/^Naziv/));
    await userEvent.type(form.getByLabelText(/^Naziv/), 'Lekar');
    await userEvent.click(form.getByRole('button', { name: 'Odustani' }));
    await waitFor(() => expect(screen.queryByLabelText(/^Naziv/)).toBeNull());
  });

  it('says that somebody else was faster, and loads what they made of it', async () => {
    await choose('Lekar');
    await userEvent.click(button('Izmeni'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Opis/), ' brzo');
    roles = roles.map((role) => (role.id === 1 ? { ...role, opis: 'Leči polako' } : role));
    refusal = { status: 409, body: { message: 'Podatak je u međuvremenu izmenjen. Učitajte ga ponovo.', field: null } };
    await userEvent.click(form.getByRole('button', { name: 'Izmeni' }));
    expect(await form.findByText('Podatak je u međuvremenu izmenjen. Učitajte ga ponovo.')).toBeVisible();
    expect(form.getByLabelText(/^Opis/)).toHaveValue('Leči brzo');
    expect(await screen.findByText('Leči polako')).toBeInTheDocument();
  });

  it('takes what somebody else has changed into the open form, keeps what was typed, and says who it was', async () => {
    await choose('Lekar');
    await userEvent.click(button('Izmeni'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Opis/), ' brzo');
    const stored = { id: 1, ime: 'Doktor', opis: 'Leči polako', numerickaVrednost: 1 };
    roles = roles.map((role) => (role.id === 1 ? stored : role));
    refusal = { status: 409, body: { message: 'zastarelo', izmena: { radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' } } };
    await userEvent.click(form.getByRole('button', { name: 'Izmeni' }));
    expect(await form.findByText(/^Podatak je u međuvremenu izmenjen \(Petrović Ana, 24\.11\.2026\. 10:15\)\./)).toBeVisible();
    expect(form.getByLabelText(/^Naziv/)).toHaveValue('Doktor');
    expect(form.getByLabelText(/^Naziv/)).toHaveAccessibleDescription('U međuvremenu izmenjeno: bilo je „Lekar”, a sada je „Doktor”.');
    expect(form.getByLabelText(/^Opis/)).toHaveValue('Leči brzo');
    expect(form.getByLabelText(/^Opis/)).toHaveAccessibleDescription(
      'U međuvremenu izmenjeno: bilo je „Leči”, a sada je „Leči polako”. Vaš unos je ostao u polju.',
    );
    expect(form.getByLabelText(/^Numerička/)).not.toHaveAccessibleDescription();

    refusal = null;
    await userEvent.click(form.getByRole('button', { name: 'Izmeni' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(writes().at(-1)?.body).toMatchObject({ ime: 'Doktor', opis: 'Leči brzo' });
  });

  it('keeps what was typed where it is not told what somebody else has made of it', async () => {
    await choose('Lekar');
    await userEvent.click(button('Izmeni'));
    const form = within(await dialog());
    await userEvent.type(form.getByLabelText(/^Opis/), ' brzo');
    refusal = { status: 409, body: { message: 'zastarelo', izmena: { radnik: null, vreme: '2026-11-24 10:15' } } };
    unreadable = true;
    await userEvent.click(form.getByRole('button', { name: 'Izmeni' }));
    expect(await form.findByText('zastarelo')).toBeVisible();
    expect(form.getByLabelText(/^Opis/)).toHaveValue('Leči brzo');
  });

  it.each([
    [
      'a new one',
      async () => {
        await userEvent.click(button('Dodaj'));
        const form = within(await dialog());
        await userEvent.type(form.getByLabelText(/^Naziv/), 'Tehničar');
        await userEvent.type(form.getByLabelText(/^Opis/), 'Snima');
        await userEvent.click(form.getByRole('button', { name: 'Dodaj' }));
      },
      'Uspešno dodato: Tehničar',
    ],
    [
      'one that comes back',
      async () => {
        await userEvent.click(button('Obrisano'));
        await choose('Lekar');
        await userEvent.click(button('Vrati'));
      },
      'Uspešno vraćeno: Lekar',
    ],
  ])('of %s says how many stored results it makes others, and does it once that is meant', async (_, change, done) => {
    refusal = {
      status: 409,
      body: { message: 'Izmena menja značenje snimljenog: 2 unosa.', field: null, uticaj: { unosa: 2, rezultata: 2, najmanje: false } },
    };
    await change();
    const question = within(await screen.findByRole('alertdialog', { name: 'Uticaj na snimljene podatke' }));
    expect(question.getByText(/Izmena menja značenje snimljenog: 2 unosa\./)).toBeVisible();
    await userEvent.click(question.getByRole('button', { name: 'Ipak izmeni' }));
    expect(await screen.findByText(done, { normalizer: (text) => text.replace(/\s+/g, ' ').trim() })).toBeVisible();
    expect(writes().map(({ body }) => (body as { potvrdjenoRezultata?: number }).potvrdjenoRezultata)).toEqual([undefined, 2]);
  });

  it('says how many schedules end with what is deleted, and deletes it once that is meant', async () => {
    calls.length = 0;
    ending = { status: 409, body: { message: 'Time se završava: 3 zakazana generisanja.', zavrsava: { zakazivanja: 3, radnika: 2 } } };
    await choose('Lekar');
    await userEvent.click(button('Obriši'));
    await userEvent.click(within(await dialog()).getByRole('button', { name: 'Obriši' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Zakazana generisanja' }));
    expect(question.getByText('Time se završava: 3 zakazana generisanja.')).toBeVisible();
    await userEvent.click(question.getByRole('button', { name: 'Ipak završi' }));
    expect(await screen.findByText('Uspešno obrisano: Lekar')).toBeVisible();
    expect(writes()).toMatchObject([
      { method: 'DELETE', path: '/api/roles/1' },
      { method: 'PATCH', path: '/api/roles/1', body: { aktivan: false, potvrdjenoZakazivanja: 3 } },
    ]);
  });

  it('deletes after the question, with the fields locked', async () => {
    await choose('Lekar');
    await userEvent.click(button('Obriši'));
    const form = within(await dialog());
    expect(form.getByText('Da li ste sigurni da želite da obrišete „Lekar”?')).toBeVisible();
    expect(form.getByLabelText(/^Naziv/)).toBeDisabled();
    await userEvent.click(form.getByRole('button', { name: 'Obriši' }));
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'Lekar' })).toBeNull());
    expect(writes()).toMatchObject([{ method: 'DELETE', path: '/api/roles/1' }]);
    expect(button('Obriši')).toBeDisabled();
  });

  it('does not say of a deletion that came too late that something typed has stayed', async () => {
    await choose('Lekar');
    await userEvent.click(button('Obriši'));
    const form = within(await dialog());
    ending = { status: 409, body: { message: 'zastarelo', izmena: { radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' } } };
    await userEvent.click(form.getByRole('button', { name: 'Obriši' }));
    expect(await form.findByText('zastarelo')).toBeVisible();
  });

  it('only shows in the mode of details', async () => {
    await choose('Lekar');
    await userEvent.click(button('Detalji'));
    const form = within(await screen.findByRole('dialog', { name: 'Uloga: detalji – Lekar' }));
    for (const field of [/^Naziv/, /^Opis/, /^Numerička/]) expect(form.getByLabelText(field)).toBeDisabled();
    expect(form.getAllByRole('button', { name: 'Zatvori' }).length).toBeGreaterThan(0);
    expect(form.queryByRole('button', { name: 'Izmeni' })).toBeNull();
  });
});
