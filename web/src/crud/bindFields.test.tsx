// Fields of a form by the name of what they are about: what is shown in them, what is said under them, and what they make of the record.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { bindFields, type Choice, type Fields } from './bindFields';
import { useForm, type Problem } from './useForm';

interface Sponsor {
  name: string;
  description: string | null;
  displayOrder: number | null;
  logo: string | null;
}
interface Worker {
  password: string;
  datumRodjenja: string | null;
  pol: boolean | null;
  theme: string | null;
  ustanovaID: number | null;
}
type Both = Sponsor & Worker;
/** The fields of a sponsor and of a worker, over one record. */
type Bound = Fields<Both, 'sponsor'> & { worker: Fields<Both, 'worker'> };

const BLANK: Both = {
  name: '',
  description: null,
  displayOrder: null,
  logo: null,
  password: '',
  datumRodjenja: null,
  pol: null,
  theme: null,
  ustanovaID: null,
};
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const THEMES: Choice<string>[] = ['Svetla', 'Tamna'].map((label) => ({ label, value: label.toLowerCase() }));
const SITES = [
  { id: 7, naziv: 'Bolnica Užice' },
  { id: 8, naziv: 'Bolnica Čačak' },
];

let calls: FakeCall[];

beforeEach(() => {
  signedIn();
  calls = fakeApi({
    'GET /api/institutions': () => ({ body: { data: SITES, total: SITES.length } }),
    'GET /api/institutions/7': () => ({ body: SITES[0] }),
  });
});

interface FormProps {
  record: Both;
  disabled: boolean;
  /** What somebody else makes of the record. */
  stored: Partial<Both>;
  problems: readonly Problem<Both>[];
  fields: (field: Bound) => ReactNode;
}

function Form({ record, disabled, stored, problems, fields }: FormProps) {
  const form = useForm(record, disabled);
  const field = { ...bindFields<Both, 'sponsor'>(form, 'sponsor'), worker: bindFields<Both, 'worker'>(form, 'worker') };
  return (
    <>
      {fields(field)}
      <button type="button" onClick={() => form.rebase({ ...record, ...stored })}>
        Učitaj ponovo
      </button>
      <button type="button" onClick={() => form.failAll(problems)}>
        Proveri
      </button>
      <output aria-label="Zapis">{JSON.stringify(form.record)}</output>
      <output aria-label="Nije broj">{form.misread?.message}</output>
    </>
  );
}

const form = (
  fields: FormProps['fields'],
  { record = {}, ...more }: Partial<Omit<FormProps, 'record'>> & { record?: Partial<Both> } = {},
) => show(<Form record={{ ...BLANK, ...record }} disabled={false} stored={{}} problems={[]} fields={fields} {...more} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const record = () => JSON.parse(screen.getByRole('status', { name: 'Zapis' }).textContent) as Both;
const misread = () => screen.getByRole('status', { name: 'Nije broj' }).textContent;
/** Opens a list of choices. */
const unfold = (label: string) => userEvent.click(screen.getByLabelText(label).closest('.p-dropdown') as HTMLElement);
const CHOICE = { selector: '.p-dropdown-item *' };
const choices = async () => (await screen.findAllByText(/./, CHOICE)).map(({ textContent }) => textContent);
const choose = async (name: string) => userEvent.click(await screen.findByText(name, CHOICE));
const cross = () => document.querySelector('.p-dropdown-clear-icon');

const names = (count: number) => Array.from({ length: count }, (_, i) => ({ label: `Tema ${i + 1}`, value: String(i + 1) }));
const sites = { path: '/api/institutions' as never, name: ({ naziv }: (typeof SITES)[number]) => naziv };

describe('what is set', () => {
  it.each([
    ['a text', 'Naziv', (field: Bound) => field.text('name'), { name: ' Dva ' }],
    ['a long text', 'Opis', (field: Bound) => field.area('description'), { description: ' Dva ' }],
    ['a password', 'Lozinka', (field: Bound) => field.worker.password('password'), { password: ' Dva ' }],
  ])('is what was typed, as it stands (%s)', async (_, label, fields, typed) => {
    form(fields);
    expect(screen.getByLabelText(label)).toHaveValue('');
    await userEvent.type(screen.getByLabelText(label), ' Dva ');
    expect(screen.getByLabelText(label)).toHaveValue(' Dva ');
    expect(record()).toEqual({ ...BLANK, ...typed });
  });

  it('is a number, a day, a yes', async () => {
    form((field) => [field.number('displayOrder'), field.worker.date('datumRodjenja'), field.worker.toggle('pol')]);
    await userEvent.type(screen.getByLabelText('Prikazni redosled'), '12');
    await userEvent.type(screen.getByLabelText('Datum rođenja'), '5.3.1990.');
    await userEvent.click(screen.getByRole('switch', { name: 'Pol' }));
    expect(record()).toEqual({ ...BLANK, displayOrder: 12, datumRodjenja: '1990-03-05', pol: true });
    await userEvent.clear(screen.getByLabelText('Prikazni redosled'));
    await userEvent.click(screen.getByRole('switch', { name: 'Pol' }));
    expect(record()).toEqual({ ...BLANK, datumRodjenja: '1990-03-05', pol: false });
  });

  it('is a yes whose help is read out with it', () => {
    form((field) => field.worker.toggle('pol', { help: 'Uključeno: muški.' }));
    expect(screen.getByRole('switch', { name: 'Pol' })).toHaveAccessibleDescription('Uključeno: muški.');
  });

  it('is the choice that was made, or none where it was taken back', async () => {
    form((field) => field.worker.select('theme', THEMES));
    expect(cross()).toBeNull();
    await unfold('Tema');
    expect(await choices()).toEqual(['Svetla', 'Tamna']);
    await choose('Tamna');
    expect(record().theme).toBe('tamna');
    await userEvent.click(cross() as Element);
    expect(record()).toEqual(BLANK);
  });

  it('is the record that the server found', async () => {
    form((field) => field.worker.found('ustanovaID', sites), { record: { ustanovaID: 7 } });
    expect(await screen.findByText('Bolnica Užice', { selector: '.p-dropdown-label' })).toBeVisible();
    await unfold('Ustanova');
    await choose('Bolnica Čačak');
    expect(record().ustanovaID).toBe(8);
    await userEvent.click(cross() as Element);
    expect(record().ustanovaID).toBeNull();
    expect(calls.map(({ path }) => path)).toContain('/api/institutions');
  });

  it('is a picture, and a file that is none is refused at its field', async () => {
    form((field) => field.image('logo'));
    const bytes = Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0));
    await userEvent.upload(screen.getByLabelText('Logo'), new File([bytes], 'logo.png', { type: 'image/png' }));
    expect(await screen.findByRole('img', { name: 'Logo' })).toBeVisible();
    expect(record().logo).toBe(PIXEL);
    await userEvent.upload(screen.getByLabelText('Logo'), new File(['tekst'], 'logo.png', { type: 'image/png' }));
    expect(await screen.findByText(t.image.kind)).toBeVisible();
    expect(record().logo).toBe(PIXEL);
    await press(t.image.remove);
    expect(record().logo).toBeNull();
  });

  it("is set by a control of the screen's own", async () => {
    form((field) =>
      field.custom('name', { help: 'Kako se zove.' }, (control, { set }) => (
        <input id={control.id} aria-describedby={control['aria-describedby']} onChange={(e) => set('name', e.target.value.toUpperCase())} />
      )),
    );
    expect(screen.getByLabelText('Naziv')).toHaveAccessibleDescription('Kako se zove.');
    await userEvent.type(screen.getByLabelText('Naziv'), 'č');
    expect(record().name).toBe('Č');
  });
});

describe('what may not be set', () => {
  type Made = (field: Bound, readOnly?: boolean) => ReactNode;
  const kinds: [label: string, fields: Made][] = [
    ['Naziv', (field, readOnly) => field.text('name', { readOnly })],
    ['Opis', (field, readOnly) => field.area('description', { readOnly })],
    ['Prikazni redosled', (field, readOnly) => field.number('displayOrder', { readOnly })],
    ['Lozinka', (field, readOnly) => field.worker.password('password', { readOnly })],
    ['Datum rođenja', (field, readOnly) => field.worker.date('datumRodjenja', { readOnly })],
    ['Pol', (field, readOnly) => field.worker.toggle('pol', { readOnly })],
    ['Tema', (field, readOnly) => field.worker.select('theme', THEMES, { readOnly })],
    ['Ustanova', (field, readOnly) => field.worker.found('ustanovaID', sites, { readOnly })],
  ];

  it.each(kinds)('is said to be so, or all may be set (%s)', (label, fields) => {
    form((field) => fields(field));
    expect(screen.getByLabelText(label)).toBeEnabled();
  });

  it.each(kinds)('is so by itself (%s)', (label, fields) => {
    form((field) => fields(field, true));
    expect(screen.getByLabelText(label)).toBeDisabled();
  });

  it.each(kinds)('is so with all of the form (%s)', (label, fields) => {
    form((field) => fields(field), { disabled: true });
    expect(screen.getByLabelText(label)).toBeDisabled();
  });

  it('is a picture that is only shown, and nothing is said of files', () => {
    form((field) => field.image('logo'), { record: { logo: PIXEL }, disabled: true });
    expect(screen.getByRole('img', { name: 'Logo' })).toBeVisible();
    expect(screen.queryByRole('button', { name: t.image.replace })).toBeNull();
    expect(screen.queryByText(t.image.help)).toBeNull();
  });

  it('is not taken back either', () => {
    const held = { theme: 'tamna', ustanovaID: 7 };
    form((field) => [field.worker.select('theme', THEMES), field.worker.found('ustanovaID', sites)], { record: held, disabled: true });
    expect(cross()).toBeNull();
  });
});

describe('a choice', () => {
  it.each([
    ['that must be made is not taken back', { required: true }, false],
    ['that need not be made is', {}, true],
    ['that has always been made is not', { clearable: false }, false],
    ['that must be made is where the screen says so', { required: true, clearable: true }, true],
  ])('%s', (_, options, taken) => {
    form((field) => field.worker.select('theme', THEMES, options), { record: { theme: 'tamna' } });
    expect(cross() !== null).toBe(taken);
  });

  it('of the server that must be made is not taken back', async () => {
    form((field) => field.worker.found('ustanovaID', sites, { required: true }), { record: { ustanovaID: 7 } });
    expect(await screen.findByText('Bolnica Užice', { selector: '.p-dropdown-label' })).toBeVisible();
    expect(cross()).toBeNull();
  });

  it.each([
    ['of ten', 10, {}, false],
    ['of eleven', 11, {}, true],
    ['of eleven where the screen wants none', 11, { filter: false }, false],
    ['of two where the screen wants it', 2, { filter: true }, true],
  ])('%s has what to search them by: %i %j %s', async (_, count, options, searched) => {
    form((field) => field.worker.select('theme', names(count), options));
    await unfold('Tema');
    expect(await choices()).toHaveLength(count);
    expect(document.querySelector('.p-dropdown-filter') !== null).toBe(searched);
  });

  it('is found by any part of its name', async () => {
    form((field) => field.worker.select('theme', names(12)));
    await unfold('Tema');
    await choices();
    await userEvent.type(document.querySelector('.p-dropdown-filter') as HTMLElement, 'a 12');
    await waitFor(async () => expect(await choices()).toEqual(['Tema 12']));
  });

  it('says what to do while none is made, or what holds then', () => {
    const { unmount } = form((field) => field.worker.select('theme', THEMES));
    expect(screen.getByText(t.common.choose, { selector: '.p-dropdown-label' })).toBeVisible();
    unmount();
    form((field) => field.worker.select('theme', THEMES, { unchosen: 'Kao u ustanovi' }));
    expect(screen.getByText('Kao u ustanovi', { selector: '.p-dropdown-label' })).toBeVisible();
  });
});

describe('what is said under a field', () => {
  it('is what is wrong with it, each at its own', async () => {
    const problems: Problem<Both>[] = [
      { field: 'name', message: 'Bez naziva.' },
      { field: 'description', message: 'Bez opisa.' },
    ];
    form((field) => [field.text('name'), field.area('description'), field.number('displayOrder')], { problems });
    await press('Proveri');
    expect(screen.getByLabelText('Naziv')).toHaveAccessibleDescription('Bez naziva.');
    expect(screen.getByLabelText('Opis')).toHaveAccessibleDescription('Bez opisa.');
    expect(screen.getByLabelText('Prikazni redosled')).not.toHaveAccessibleDescription();
    expect(screen.getByLabelText('Prikazni redosled')).toHaveAttribute('aria-invalid', 'false');
  });

  it('is read out with a day, and stands under what the server finds', async () => {
    const fields: FormProps['fields'] = (field) => [
      field.worker.date('datumRodjenja', { required: true }),
      field.worker.found('ustanovaID', sites, { required: true, help: 'Gde radi.' }),
    ];
    form(fields, { problems: [{ field: 'datumRodjenja', message: 'Bez dana.' }] });
    await press('Proveri');
    const day = screen.getByLabelText('Datum rođenja *');
    expect(day).toHaveAccessibleDescription('Bez dana.');
    expect(day).toBeInvalid();
    expect(day).toBeRequired();
    expect(screen.getByText('Gde radi.')).toBeVisible();
    expect(screen.getByLabelText('Ustanova *')).toBeRequired();
  });

  it('is by how much it is too long, without the spaces around it', async () => {
    form((field) => field.text('name', { maxLength: 3 }));
    const name = screen.getByLabelText('Naziv');
    await userEvent.type(name, '  čšž ');
    expect(name).not.toHaveAccessibleDescription();
    await userEvent.type(name, 'đć');
    expect(name).toHaveAccessibleDescription(t.crud.tooLong(3, 3));
  });

  it('is never that where nobody has said how long it may be', async () => {
    form((field) => field.text('name'));
    await userEvent.click(screen.getByLabelText('Naziv'));
    await userEvent.paste('č'.repeat(5000));
    expect(screen.getByLabelText('Naziv')).not.toHaveAccessibleDescription();
  });

  it('is the help that the screen has for it', () => {
    form((field) => [field.image('logo'), field.worker.password('password', { help: 'Najmanje 12 znakova.' })]);
    expect(screen.getByText(t.image.help)).toBeVisible();
    expect(screen.getByLabelText('Lozinka')).toHaveAccessibleDescription('Najmanje 12 znakova.');
  });
});

describe('a control', () => {
  it('for long texts has the lines that the screen wants, or three', () => {
    form((field) => [field.area('description'), field.worker.area('theme', { rows: 8 })]);
    expect(screen.getByLabelText('Opis')).toHaveAttribute('rows', '3');
    expect(screen.getByLabelText('Tema')).toHaveAttribute('rows', '8');
  });

  it("for a password is not filled with one's own, but where it asks for that", () => {
    const fields = (autoComplete?: 'current-password') => (field: Bound) => field.worker.password('password', { autoComplete });
    const { unmount } = form(fields());
    expect(screen.getByLabelText('Lozinka')).toHaveAttribute('autocomplete', 'new-password');
    unmount();
    form(fields('current-password'));
    expect(screen.getByLabelText('Lozinka')).toHaveAttribute('autocomplete', 'current-password');
  });
});

describe('a number that is not taken', () => {
  const order = () => screen.getByLabelText('Prikazni redosled');

  it.each([
    ['none', 'abc', {}, t.common.notNumber('Prikazni redosled')],
    ['a broken one where only whole ones are taken', '1,5', {}, `Prikazni redosled: ${t.common.wholeNumber}`],
    ['one of too many decimals', '1,255', { decimals: 2 }, `Prikazni redosled: ${t.common.mostDecimals(2)}`],
    ['too small a one', '4', { min: 5 }, `Prikazni redosled: ${t.common.leastNumber('5')}`],
    ['too large a one', '10', { max: 9 }, `Prikazni redosled: ${t.common.mostNumber('9')}`],
  ])('is named, with the reason (%s)', async (_, typed, options, message) => {
    form((field) => field.number('displayOrder', options));
    await userEvent.type(order(), typed);
    expect(misread()).toBe(message);
    await userEvent.clear(order());
    expect(misread()).toBe('');
  });

  it.each([
    ['1,25', { decimals: 2 }, 1.25],
    ['5', { min: 5, max: 5 }, 5],
  ])('is another than %s of %j', async (typed, options, number) => {
    form((field) => field.number('displayOrder', options));
    await userEvent.type(order(), typed);
    expect(misread()).toBe('');
    expect(record().displayOrder).toBe(number);
  });

  it('has its thousands apart, but for a year', () => {
    const fields = (year?: boolean) => (field: Bound) => field.number('displayOrder', { year });
    const { unmount } = form(fields(), { record: { displayOrder: 2026 } });
    expect(order()).toHaveValue('2.026');
    unmount();
    form(fields(true), { record: { displayOrder: 2026 } });
    expect(order()).toHaveValue('2026');
  });
});

describe('what somebody else has made of a field', () => {
  const was = (before: string, now: string) => `U međuvremenu izmenjeno: bilo je ${before}, a sada je ${now}.`;
  const untold = 'U međuvremenu izmenjeno.';

  it.each<[string, FormProps['fields'], Partial<Both>, Partial<Both>, string]>([
    ['a text', (field) => field.text('name'), { name: 'A' }, { name: 'B' }, was('„A”', '„B”')],
    ['a text that was blank', (field) => field.text('name'), { name: ' ' }, { name: 'B' }, was('—', '„B”')],
    ['a long text', (field) => field.area('description'), { description: 'A' }, { description: null }, was('„A”', '—')],
    ['a number', (field) => field.number('displayOrder'), { displayOrder: 1 }, { displayOrder: 2000 }, was('1', '2.000')],
    [
      'a day',
      (field) => field.worker.date('datumRodjenja'),
      { datumRodjenja: '1990-03-05' },
      { datumRodjenja: '1991-03-05' },
      was('05.03.1990.', '05.03.1991.'),
    ],
    ['a yes', (field) => field.worker.toggle('pol'), { pol: false }, { pol: true }, was('Ne', 'Da')],
    ['a choice', (field) => field.worker.select('theme', THEMES), { theme: null }, { theme: 'tamna' }, was('—', 'Tamna')],
    [
      'a choice where something holds without any',
      (field) => field.worker.select('theme', THEMES, { unchosen: 'Kao u ustanovi' }),
      { theme: 'svetla' },
      { theme: null },
      was('Svetla', 'Kao u ustanovi'),
    ],
    ['an unknown choice', (field) => field.worker.select('theme', THEMES), { theme: 'tamna' }, { theme: 'plava' }, untold],
    ['a record', (field) => field.worker.found('ustanovaID', sites), { ustanovaID: 8 }, { ustanovaID: 7 }, untold],
    ['a picture', (field) => field.image('logo'), { logo: null }, { logo: PIXEL }, untold],
    ['a password', (field) => field.worker.password('password'), { password: 'a' }, { password: 'b' }, untold],
  ])('is told (%s)', async (_, fields, before, stored, told) => {
    form(fields, { record: before, stored });
    await press('Učitaj ponovo');
    expect(screen.getByText(/^U međuvremenu/).textContent).toBe(told);
  });

  it('is told beside what was typed, which has stayed', async () => {
    form((field) => field.text('name'), { record: { name: 'A' }, stored: { name: 'B' } });
    await userEvent.type(screen.getByLabelText('Naziv'), ' dva');
    await press('Učitaj ponovo');
    expect(screen.getByLabelText('Naziv')).toHaveValue('A dva');
    expect(screen.getByLabelText('Naziv')).toHaveAccessibleDescription(`${was('„A”', '„B”')} Vaš unos je ostao u polju.`);
  });

  it('is told in the place of the help, and only of that field', async () => {
    form((field) => [field.text('name', { help: 'Pun naziv.' }), field.area('description', { help: 'Ukratko.' })], {
      stored: { name: 'B' },
    });
    await press('Učitaj ponovo');
    expect(screen.getByLabelText('Naziv')).toHaveAccessibleDescription(was('—', '„B”'));
    expect(screen.getByLabelText('Opis')).toHaveAccessibleDescription('Ukratko.');
  });
});
