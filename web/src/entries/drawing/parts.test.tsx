import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import type { Schema } from '../../schema';
import { fakeApi, show as render, signedIn } from '../../testing/fakeApi';
import { formField } from '../../testing/formField';
import { OpenEntryContext, undrawn } from './form';
import { Inside } from './parts';
import { EntryStore } from '../model/store';
import { TakenBar } from './taken';
import type { FormField, Values } from '../model/types';

const item = (id: number, naziv: string, aktivan = true) => ({ id, naziv, numVrednost: id, aktivan });
const ITEMS = [item(1, 'Prva'), item(2, 'Druga'), item(3, 'Ukinuta', false)];
const field = (id: number, kind: Schema<'ValueType'>, more: Partial<FormField> = {}): FormField =>
  formField(id, kind, { enumStavkeSve: kind === ValueType.Set ? ITEMS : [], ...more });
const CALCULATED = { v: 1, deps: [], expr: { t: 'number', v: 2.5 } } as unknown as FormField['formulaZaRacunanje'];

function show(
  fields: FormField[],
  values: Values = {},
  readOnly = false,
  taken: readonly Schema<'FirstValue'>[] = [],
  above: ReactNode = null,
  unosID: number | null = null,
): EntryStore {
  const store = new EntryStore(
    fields,
    values,
    { datumUnosa: null, radnikOdgovoran: null },
    { unosID, verzija: null, kljuc: 'k' },
    {},
    taken,
  );
  render(
    <OpenEntryContext
      value={{
        ...undrawn(store),
        readOnly,
        formerUnits: new Map(),
        pacijentID: 1,
        tsaID: 1,
        registarID: 1,
      }}
    >
      {above}
      <Inside of={null} />
    </OpenEntryContext>,
  );
  return store;
}

describe('a value that was taken from elsewhere', () => {
  const taken: Schema<'FirstValue'>[] = [
    { polje: 1, izvor: 'unos', unosID: 7, datum: '2026-03-12' },
    { polje: 2, izvor: 'upit', unosID: null, datum: null },
  ];

  it('of the form itself is marked too', () => {
    const store = show([field(1, ValueType.Number, { opciono: false })], { 1: 10 }, false, [{ polje: 1, izvor: 'obrazac' }]);
    expect(screen.getByRole('textbox', { name: 'Polje 1' })).toHaveAccessibleDescription(/početna vrednost formulara/);
    fireEvent.click(screen.getByRole('button', { name: 'Potvrdi početnu vrednost: Polje 1' }));
    expect(screen.queryByText('početna vrednost formulara')).toBeNull();
    expect(store.values()).toEqual({ 1: 10 });
  });

  it('is marked with its source until it is confirmed or changed', () => {
    const store = show(
      [field(1, ValueType.Number), field(2, ValueType.Text), field(3, ValueType.Text)],
      { 1: 20, 2: 'ranije' },
      false,
      taken,
    );
    expect(screen.getByText('preuzeto iz unosa od 12.03.2026.')).toBeInTheDocument();
    expect(screen.getByText('preuzeto iz ranijih podataka')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Potvrdi početnu vrednost: Polje 1' }));
    expect(screen.queryByText('preuzeto iz unosa od 12.03.2026.')).toBeNull();
    fireEvent.change(screen.getByRole('textbox', { name: 'Polje 2' }), { target: { value: 'novo' } });
    expect(screen.queryByText('preuzeto iz ranijih podataka')).toBeNull();
    expect(store.awaiting()).toEqual([]);
    expect(store.values()).toEqual({ 1: 20, 2: 'novo' });
  });

  it('is counted above the form and confirmed with all others', () => {
    const store = show(
      [field(1, ValueType.Number), field(2, ValueType.Text)],
      { 1: 20, 2: 'ranije' },
      false,
      taken,
      <TakenBar queryFaults={[{ polje: 3, naziv: 'Starost', poruka: 'upit je trajao predugo' }]} />,
    );
    expect(screen.getByRole('status')).toHaveTextContent('čekaju potvrdu: 2');
    expect(screen.getByRole('alert')).toHaveTextContent('Početna vrednost polja „Starost” nije učitana: upit je trajao predugo.');
    fireEvent.click(screen.getByRole('button', { name: 'Potvrdi sve' }));
    expect(screen.queryByRole('status')).toBeNull();
    expect(store.isDirty()).toBe(false);
  });
});

describe('a choice', () => {
  it.each([
    ['no flag', {}, 'checkbox', 1],
    ['imaCekBox', { imaCekBox: true }, 'checkbox', 1],
    ['radioButton', { radioButton: true }, 'radio', 2],
    ['both flags', { imaCekBox: true, radioButton: true }, 'checkbox', 1],
  ] as const)('with %s', (_, flags, role, count) => {
    show([field(1, ValueType.Choice, flags)]);
    expect(screen.getAllByRole(role)).toHaveLength(count);
  });

  it('as a box without its tick is a No from the start, as a radio is blank', () => {
    const store = show([
      field(1, ValueType.Choice),
      field(2, ValueType.Choice, { imaCekBox: true }),
      field(3, ValueType.Choice, { radioButton: true }),
    ]);
    expect([store.values(), store.isDirty()]).toEqual([{ 1: false, 2: false }, false]);
    for (const name of ['Polje 1', 'Polje 2']) {
      const box = screen.getByRole('checkbox', { name });
      fireEvent.click(box);
      expect(store.isDirty()).toBe(true);
      fireEvent.click(box);
      expect(store.isDirty()).toBe(false);
    }
    expect(store.values()).toEqual({ 1: false, 2: false });
  });

  it('as a box that nobody was shown is blank until it is ticked', () => {
    const inTab = { naredjeniAUTS: 2 };
    const store = show([
      field(1, ValueType.Choice, { prikazujeSe: false }),
      field(2, ValueType.Tab, { prikazujeSe: false }),
      field(3, ValueType.Choice, inTab),
      field(4, ValueType.Text, inTab),
    ]);
    expect(store.values()).toEqual({});
  });
});

describe('a box that is blank in a stored entry', () => {
  const fields = [
    field(1, ValueType.Choice),
    field(2, ValueType.Text),
    field(4, ValueType.Image, { backgroundImage: 'iVBORw0KGgo=' }),
    field(5, ValueType.Choice, { naredjeniAUTS: 4, imageCoordinateX: 1, imageCoordinateY: 1 }),
  ];
  const open = (readOnly = false) => show(fields, { 2: 'ranije' }, readOnly, [], null, 7);
  const box = (id: number) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Polje ${id}` });

  it('is shown as not filled in, not as a No', () => {
    const store = open(true);
    expect([box(1).indeterminate, box(5).indeterminate, store.values()]).toEqual([true, true, { 2: 'ranije' }]);
    expect(screen.getByText('Nije popunjeno.')).toBeInTheDocument();
    expect(screen.getByTitle('Polje 5: nije popunjeno')).toBeInTheDocument();
  });

  it('is the No that the save makes of it from the first change on, and no change by itself', () => {
    const store = open();
    const type = (value: string) => fireEvent.change(screen.getByRole('textbox', { name: 'Polje 2' }), { target: { value } });
    type('novo');
    expect([box(1).indeterminate, box(5).indeterminate, store.values()]).toEqual([false, true, { 1: false, 2: 'novo' }]);
    expect(screen.getByTitle('Polje 5: nije popunjeno'), 'a picture that nobody used').toBeInTheDocument();
    expect(screen.queryByText('Nije popunjeno.')).toBeNull();
    type('ranije');
    expect(store.isDirty()).toBe(false);
    fireEvent.click(box(1));
    fireEvent.click(box(1));
    expect([store.values()[1], store.isDirty()]).toEqual([false, true]);
  });
});

describe('a set', () => {
  it.each([
    ['no flag', {}, 'combobox', 1],
    ['imaCekBox alone', { imaCekBox: true }, 'combobox', 1],
    ['radioButton', { radioButton: true }, 'radio', 2],
    ['multiselect and imaCekBox', { multiselect: true, imaCekBox: true }, 'checkbox', 2],
  ] as const)('with %s', (_, flags, role, count) => {
    show([field(1, ValueType.Set, flags)]);
    expect(screen.getAllByRole(role)).toHaveLength(count);
  });

  it('offers a retired item only where it was chosen, and says that it is one', () => {
    show([field(1, ValueType.Set), field(2, ValueType.Set)], { 2: [3] });
    const offered = (name: string) =>
      within(screen.getByRole('combobox', { name }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(offered('Polje 1')).toEqual(['—', 'Prva', 'Druga']);
    expect(offered('Polje 2')).toEqual(['—', 'Prva', 'Druga', 'Ukinuta (više se ne koristi)']);
  });
});

describe('marks of a field', () => {
  const around = (name: string) => screen.getByLabelText(name, { exact: false }).closest<HTMLElement>('[data-vertical]');

  it('are an asterisk where it is required, a bell where it is relevant', () => {
    show([field(1, ValueType.Text, { opciono: false }), field(2, ValueType.Text, { relevantno: true }), field(3, ValueType.Text)]);
    const marks = (name: string) => [around(name)?.textContent.includes('*'), around(name)?.querySelector('.pi-bell') !== null];
    expect(['Polje 1', 'Polje 2', 'Polje 3'].map(marks)).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('are its unit, its note and its ranges, with a warning outside the usual one', () => {
    const tipAtributa = { jedinica: 'mmol/L', donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 30 };
    const range = { donjaReferentnaBrojnaVrednost: 3.9, gornjaReferentnaBrojnaVrednost: 6.1 };
    show(
      [
        field(1, ValueType.Number, { tipAtributa, napomena: 'Natašte' }),
        field(2, ValueType.Number, range),
        field(3, ValueType.Number, range),
      ],
      { 2: 5, 3: 7 },
    );
    for (const said of ['mmol/L', 'Natašte', 'od 0 do 30', 'Referentne vrednosti: 3,9 – 6,1', 'Van referentnih vrednosti (3,9 – 6,1)'])
      screen.getByText(said);
  });

  it('are the status that its day sets, of which nothing is said elsewhere', () => {
    show([
      field(1, ValueType.Date, { naziv: 'Umro', postavljaStatus: 'preminuo' }),
      field(2, ValueType.Date, { naziv: 'Otišao', postavljaStatus: 'izgubljen' }),
      field(3, ValueType.Date, { naziv: 'Kontrola' }),
    ]);
    const described = (name: string) => screen.getByLabelText(name).getAttribute('aria-describedby');
    expect(document.getElementById(described('Umro') ?? '')).toHaveTextContent('Uneti datum se beleži kao dan smrti pacijenta.');
    screen.getByText('Uneti datum se beleži kao dan od kog pacijent ima status „Izgubljen iz praćenja”.');
    expect(described('Kontrola')).toBeNull();
  });

  it('are that it is required, of a date too, before and after somebody comes to it', async () => {
    show([field(1, ValueType.Date, { opciono: false }), field(2, ValueType.Date)]);
    const required = () => screen.getAllByRole('combobox').map((box) => box.getAttribute('aria-required'));
    expect(required()).toEqual(['true', 'false']);
    await userEvent.click(screen.getAllByRole('combobox')[0] as HTMLElement);
    expect(required()).toEqual(['true', 'false']);
  });

  it('are its name on the screen by ispisujeSeLabela, its answer beside or under it by vertikalniPrikaz', () => {
    show([field(1, ValueType.Text), field(2, ValueType.Text, { ispisujeSeLabela: false, vertikalniPrikaz: true })]);
    expect(['Polje 1', 'Polje 2'].map((name) => screen.getByText(name).className)).toEqual(['', 'sr-only']);
    expect(['Polje 1', 'Polje 2'].map((name) => around(name)?.dataset.vertical)).toEqual(['false', 'true']);
  });
});

it('a text takes several lines where its type is higher than one', () => {
  show([
    field(1, ValueType.Text, { tipAtributa: { sirina: 60, visina: 4 } }),
    field(2, ValueType.Text, { tipAtributa: { sirina: 60, visina: 1, jedinica: 'kom.' } }),
  ]);
  const boxes = screen.getAllByRole<HTMLTextAreaElement>('textbox');
  expect(boxes.map(({ tagName, rows }) => [tagName, rows])).toEqual([
    ['TEXTAREA', 4],
    ['INPUT', undefined],
  ]);
  screen.getByText('kom.');
});

it('a calculated field is shown and cannot be typed in', () => {
  show([field(1, ValueType.Number, { formulaZaRacunanje: CALCULATED, opciono: false })]);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('status', { name: 'Polje 1' }).textContent).toBe('2,5');
});

it('dots stand at their places on the picture, 20 px wide where nothing else is said', () => {
  const dot = (id: number, x: number, y: number, more: Partial<FormField> = {}) =>
    field(id, ValueType.Choice, { naredjeniAUTS: 1, imageCoordinateX: x, imageCoordinateY: y, ...more });
  show([field(1, ValueType.Image, { backgroundImage: 'iVBORw0KGgo=' }), dot(2, 158, 122), dot(3, 0, 40, { inicijalnaBrojnaVrednost: 32 })]);
  const places = screen
    .getAllByRole('checkbox')
    .map(({ style: { width, height }, parentElement }) => [parentElement?.style.left, parentElement?.style.top, width, height]);
  expect(places).toEqual([
    ['158px', '122px', '20px', '20px'],
    ['0px', '40px', '32px', '32px'],
  ]);
});

it('a dot that was taken from elsewhere says so until it is changed', () => {
  const dot = field(2, ValueType.Choice, { naredjeniAUTS: 1, imageCoordinateX: 10, imageCoordinateY: 10 });
  show([field(1, ValueType.Image, { backgroundImage: 'iVBORw0KGgo=' }), dot], { 2: true }, false, [
    { polje: 2, izvor: 'unos', unosID: 7, datum: '2026-03-12' },
  ]);
  expect(screen.getByTitle('Polje 2 (preuzeto iz unosa od 12.03.2026.)')).toHaveAttribute('data-taken', 'true');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Polje 2' }));
  expect(screen.getByTitle('Polje 2: nije popunjeno')).toHaveAttribute('data-taken', 'false');
});

it('a picture says whether it was used, and takes a word for none', () => {
  const dot = (id: number) => field(id, ValueType.Choice, { naredjeniAUTS: 1, imageCoordinateX: 10 * id, imageCoordinateY: 10 });
  const store = show([field(1, ValueType.Image, { backgroundImage: 'iVBORw0KGgo=' }), dot(2), dot(3)]);
  expect(screen.getByRole('status')).toHaveTextContent('Nije popunjeno: na slici ništa nije označeno.');
  expect(store.values()).toEqual({});
  fireEvent.click(screen.getByRole('checkbox', { name: 'Polje 2' }));
  expect(screen.getByRole('status')).toHaveTextContent('Označeno: 1');
  expect(screen.queryByRole('button', { name: 'Polje 1: nema nijednog' })).toBeNull();
  expect(store.values()).toEqual({ 2: true, 3: false });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Polje 2' }));
  expect(store.values()).toEqual({});
  fireEvent.click(screen.getByRole('button', { name: 'Polje 1: nema nijednog' }));
  expect(screen.getByRole('status')).toHaveTextContent('Ništa nije označeno: nema nijednog.');
  expect(store.values()).toEqual({ 2: false, 3: false });
  fireEvent.click(screen.getByRole('button', { name: 'Poništi odgovor: Polje 1' }));
  expect(store.values()).toEqual({});
});

it('nothing can be changed in an entry that is only read', () => {
  const kinds = [
    ValueType.Choice,
    ValueType.Number,
    ValueType.Text,
    ValueType.Set,
    ValueType.Date,
    ValueType.Time,
    ValueType.Moment,
  ] as const;
  show(
    [
      ...kinds.map((kind, i) => field(i + 1, kind)),
      field(8, ValueType.Choice, { radioButton: true }),
      field(9, ValueType.Set, { multiselect: true, imaCekBox: true }),
    ],
    { 8: true },
    true,
  );
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')];
  expect(inputs.length).toBeGreaterThan(8);
  expect(inputs.filter(({ disabled }) => !disabled)).toEqual([]);
  expect(screen.queryByRole('button', { name: /Poništi izbor/ })).toBeNull();
});

const SHAPE = {
  putanja: '',
  ispuna: null,
  providnost: null,
  linija: null,
  debljina: null,
  crtice: null,
  uloga: null,
  serija: null,
  tekst: null,
  x: null,
  y: null,
  velicina: null,
  poravnanje: null,
  podebljano: false,
  okrenuto: false,
};

describe('a chart', () => {
  const point = (date: string, vrednosti: Record<string, number>) => ({ naziv: 'Pregled', date, vrednosti });
  const drawn = (sirina: number, tekst: string[]) => ({
    sirina,
    visina: 400,
    oblici: [{ ...SHAPE, putanja: 'M0 0h10', linija: '#e67e22', serija: 'CRP' }],
    mesta: tekst.map((text, place) => ({ x: place * 10, y: 5, serija: 'CRP', tekst: text })),
  });
  function draw(grafik: FormField['grafik'], podaci: unknown[], crtezi: unknown[] = []) {
    signedIn();
    const calls = fakeApi({ 'GET /api/patients/1/chart': () => ({ body: { podaci, crtezi } }) });
    show([field(1, ValueType.Chart, { grafik })]);
    return calls;
  }
  const drawing = () => screen.findByRole('img', { name: 'Grafik: Polje 1' });
  const asked = (calls: ReturnType<typeof draw>) => calls.find(({ path }) => path.endsWith('/chart'))?.query;

  it('is the drawing of the server in 800x400, asked for by its own lines, and its values tell themselves', async () => {
    const lines = [
      { oznaka: 'CRP', sifra: 'crp', boja: '#e67e22' },
      { oznaka: 'T-skor', sifra: 't', boja: '#2980b9' },
    ];
    const told = ['CRP, 05.03.2025.: 30', 'CRP, 05.03.2026.: 12'];
    const calls = draw(lines, [point('2026-03-05', { crp: 12 }), point('2025-03-05', { crp: 30 })], [drawn(800, told), drawn(340, told)]);
    const svg = await drawing();
    expect(svg.getAttribute('viewBox')).toBe('0 0 800 400');
    expect([...svg.querySelectorAll('title')].map(({ textContent }) => textContent)).toEqual(told);
    expect(svg.querySelector('path')?.getAttribute('stroke')).toBe('#e67e22');
    expect(asked(calls)?.get('sifre')).toBe('crp,t');
    expect(JSON.parse(asked(calls)?.get('linije') ?? '')).toEqual(lines);
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['05.03.2025.', '05.03.2026.']);
  });

  it('asks for HAQ, DAS28, CDAI and SDAI where its form names no lines', async () => {
    const calls = draw(null, [point('2026-03-05', { haq: 1, das28se: 5, cdai: 24, sdai: 25 })], [drawn(800, [])]);
    await drawing();
    expect(asked(calls)?.get('sifre')).toBe('haq,das28se,cdai,sdai');
  });

  it('has its values in a table where none of them can be drawn', async () => {
    const of = {
      naziv: 'Pregled',
      date: '2026-03-05',
      vrednosti: { crp: 12 },
      zastareli: { crp: { razlog: 'jedinica', jedinica: 'mg/dL' } },
    };
    draw([{ oznaka: 'CRP', sifra: 'crp', boja: '#e67e22' }], [of]);
    await screen.findByText('U drugoj jedinici, zato samo u tabeli: 1.');
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByRole('rowheader')).toHaveTextContent('05.03.2026.');
  });

  it('says that there is nothing to draw', async () => {
    draw(null, []);
    await screen.findByText('Nema snimljenih vrednosti za grafik.');
  });
});

describe('a previous value', () => {
  const asking = field(1, ValueType.Number, { prikaziPrethodnu: true });
  const before = { polje: 1, datum: '2026-03-12', tekst: '8,4 mmol/L', broj: 8.4, drugaJedinica: false };

  it('of a field that does not ask for it stands only where there is one', () => {
    const store = show([field(1, ValueType.Number)], { 1: 9 });
    expect(screen.queryByText(/^prethodno/)).toBeNull();
    act(() => store.tellPrevious([before]));
    expect(screen.getByText('prethodno: 8,4 mmol/L (12.03.2026.)')).toBeDefined();
    act(() => store.tellPrevious('loading'));
    expect(screen.getByText('prethodno: učitava se…')).toBeDefined();
    act(() => store.tellPrevious([]));
    expect(screen.queryByText(/^prethodno/)).toBeNull();
  });

  it('stands beside its field with its day and the difference, and says when it is not known', () => {
    const store = show([asking, field(2, ValueType.Number)], { 1: 9 });
    expect(screen.getByText('prethodno: nema ranije vrednosti')).toBeDefined();
    act(() => store.tellPrevious([before]));
    expect(screen.getByText('prethodno: 8,4 mmol/L (12.03.2026.)')).toBeDefined();
    expect(screen.getByText('za 0,6 više')).toBeDefined();
    act(() => store.set(1, 8.4));
    expect(screen.getByText('isto kao prethodno')).toBeDefined();
    act(() => store.tellPrevious([{ ...before, broj: null, drugaJedinica: true }]));
    expect(screen.queryByText('isto kao prethodno')).toBeNull();
    expect(screen.getByText('druga jedinica')).toBeDefined();
    act(() => store.tellPrevious('loading'));
    expect(screen.getByText('prethodno: učitava se…')).toBeDefined();
    act(() => store.tellPrevious('failed'));
    expect(screen.getByText('prethodno: nije učitano')).toBeDefined();
  });
});

describe('other units of a number', () => {
  const tipAtributa = {
    jedinica: 'mmol/L',
    drugeJedinice: [{ jedinica: 'mg/dL', cinilac: 0.02586, pomeraj: 0 }],
    decimaleBrojneVrednosti: 2,
    donjaGranicaBrojneVrednosti: 1,
    gornjaGranicaBrojneVrednosti: 20,
  };
  const number = field(1, ValueType.Number, { naziv: 'Holesterol', tipAtributa });
  const box = () => screen.getByRole('textbox', { name: 'Holesterol' });
  const unit = () => screen.getByRole('combobox', { name: 'Jedinica: Holesterol' });
  const typed = (broj: number) => ({ 1: { broj, jedinica: 'mg/dL' } });

  it('are chosen beside it or typed with it, and what is stored is told at once', () => {
    const store = show([number]);
    fireEvent.change(unit(), { target: { value: 'mg/dL' } });
    fireEvent.change(box(), { target: { value: '130' } });
    expect(store.value(1)).toBe(3.36);
    expect(store.typedUnits()).toEqual(typed(130));
    expect(screen.getByText('= 3,36 mmol/L')).toBeDefined();
    fireEvent.change(unit(), { target: { value: 'mmol/L' } });
    expect([store.value(1), store.typedUnits()]).toEqual([130, {}]);
    fireEvent.change(box(), { target: { value: '200 mg/dl' } });
    fireEvent.blur(box());
    expect([store.value(1), store.typedUnits()]).toEqual([5.17, typed(200)]);
    act(() => store.set(1, 4));
    expect(store.typedUnits()).toEqual({});
  });

  it('are offered where the number would be inside its bounds', () => {
    const store = show([number], { 1: 130 });
    act(() => store.leave(1));
    fireEvent.click(screen.getByRole('button', { name: 'Upiši kao 130 mg/dL' }));
    expect([store.value(1), store.typedUnits()]).toEqual([3.36, typed(130)]);
    expect(store.faultOf(1)).toBeNull();
  });

  it('come back with a draft, and are what was typed once they are saved', () => {
    const store = show([number], { 1: 3.36 });
    act(() => store.tellTyped({}, typed(130)));
    expect(box()).toHaveProperty('value', '130');
    act(() => store.forgetTaken());
    expect(box()).toHaveProperty('value', '3,36');
    expect(screen.getByText('uneto kao 130 mg/dL')).toBeDefined();
    act(() => store.tellTyped(undefined, { 1: { broj: 999, jedinica: 'mg/dL' } }));
    expect(store.typedUnits()).toEqual({});
  });
});
