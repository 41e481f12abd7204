import { describe, expect, it, vi } from 'vitest';
import { session } from '../../api/session';
import { stored, type Row } from '../../forms/rows';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { fakeApi, lekar, signedIn } from '../../testing/fakeApi';
import { formField as field } from '../../testing/formField';
import { today } from '../../today';
import { claimed, differs, DraftKeeper, draftOf, gather, goneFrom, laidOver, sendable, type Draft } from '../drafts/draft';
import { handOver, keep, keepNow, kept, sweepDrafts } from '../../drafts/draftStorage';
import { arrange } from '../drawing/form';
import { cleanHtml } from '../drawing/InfoButton';
import { blankRelevant, dateRangeOf, faults, toBeCleared } from './rules';
import { DATE, DOCTOR, EntryStore, sameStored } from './store';
import type { Display, FormField, Values } from './types';

const DAYS = { from: '1970-02-01', to: '2026-11-22' };
const NEW = { unosID: null, verzija: null, kljuc: 'k' };
const store = (fields: FormField[], values: Values = {}) =>
  new EntryStore(fields, values, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, NEW);
const code = (name: string) => ({ t: 'field', code: name }) as const;
const twice = { v: 1, deps: ['f1'], expr: { t: 'call', f: 'mul', args: [code('f1'), { t: 'number', v: 2 }] } } as const;
const whenOver5 = { v: 1, deps: ['f1'], expr: { t: 'call', f: 'gt', args: [code('f1'), { t: 'number', v: 5 }] } } as const;
const formula = (of: unknown) => of as FormField['formulaZaPrikaz'];

describe('answers', () => {
  const fields = [
    field(1, ValueType.Number),
    field(2, ValueType.Number, { formulaZaRacunanje: formula(twice) }),
    field(3, ValueType.Text, { formulaZaPrikaz: formula(whenOver5) }),
    field(4, ValueType.Text),
  ];

  it('recompute what depends on them, and tell only the fields that change', () => {
    const form = store(fields, { 1: 3 });
    const told: number[] = [];
    for (const { id } of fields) form.subscribe(id, () => told.push(id));
    form.set(1, 4);
    expect(form.value(2)).toBe(8);
    expect(told).toEqual([1, 2]);
    form.set(1, 6);
    expect(form.isHidden(3)).toBe(false);
    expect(told).toEqual([1, 2, 1, 2, 3]);
  });

  it('follow the previous entry when the date of the examination is changed', () => {
    const change = {
      v: 1,
      deps: ['f1'],
      prev: ['f1'],
      expr: { t: 'call', f: 'sub', args: [code('f1'), { t: 'call', f: 'previous', args: [code('f1')] }] },
    };
    const age = {
      v: 1,
      deps: [],
      expr: {
        t: 'call',
        f: 'age',
        args: [
          { t: 'call', f: 'patient_born', args: [] },
          { t: 'call', f: 'examined', args: [] },
        ],
      },
    };
    const asking = [
      field(1, ValueType.Number),
      field(2, ValueType.Number, { formulaZaRacunanje: formula(change) }),
      field(3, ValueType.Number, { formulaZaRacunanje: formula(age) }),
    ];
    const form = new EntryStore(asking, { 1: 10 }, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, NEW, {
      patient: { datumRodjenja: '1961-03-05', polTrenutni: false, polNaRodjenju: null },
      others: [
        { datumUnosa: '2026-02-20', vrednosti: { 1: 7 } },
        { datumUnosa: '2025-12-31', vrednosti: { 1: 4 } },
      ],
    });
    const told: number[] = [];
    for (const { id } of asking) form.subscribe(id, () => told.push(id));
    const computed = () => [form.value(2), form.value(3)];
    expect(computed()).toEqual([3, 65]);
    form.set(DATE, '2026-02-20');
    expect(computed()).toEqual([6, 64]);
    form.set(DATE, '2025-12-31');
    expect(computed()).toEqual([null, 64]);
    expect(told).toEqual([2, 3, 2]);
    form.set(DATE, null);
    expect(computed()).toEqual([null, null]);
  });

  it('are not drawn again where a field is only shown or hidden', () => {
    const form = store(fields, { 1: 3, 3: 'tekst' });
    const before = form.state(3);
    form.set(1, 6);
    expect(form.isHidden(3)).toBe(false);
    expect(form.state(3)).toBe(before);
  });

  it('are unsaved until they are back to what was loaded', () => {
    const form = store(fields, { 1: 3 });
    form.set(1, 4);
    expect(form.isDirty()).toBe(true);
    form.set(1, 3);
    expect(form.isDirty()).toBe(false);
    form.set(DATE, '2026-03-06');
    expect(form.isDirty()).toBe(true);
  });

  it('stay while hidden, and are named before a save clears them; an untouched initial value is not', () => {
    const form = store(fields, { 1: 9, 3: 'početno' });
    form.set(1, 2);
    expect(form.value(3)).toBe('početno');
    expect(toBeCleared(form, true)).toEqual([]);
    expect(toBeCleared(form, false).map(({ id }) => id)).toEqual([3]);
  });
});

describe('values taken from elsewhere', () => {
  const fields = [field(1, ValueType.Number), field(2, ValueType.Text), field(3, ValueType.Text), field(4, ValueType.Text)];
  const from = (polje: number, datum: string) => ({ polje, izvor: 'unos' as const, unosID: 7, datum });
  const fresh = () =>
    new EntryStore(
      fields,
      { 1: 20, 2: 'ranije', 3: 'staro' },
      { datumUnosa: '2026-06-01', radnikOdgovoran: 2 },
      NEW,
      {},
      [1, 2, 3].map((id) => from(id, '2026-05-01')),
    );
  const waiting = (form: EntryStore) => form.awaiting().map(({ id }) => id);

  it('follow the day where nobody confirmed or changed them', () => {
    const form = fresh();
    form.confirm([1]);
    form.set(2, 'moje');
    form.takeAnew({ 1: 10, 2: 'pre', 4: 'tek tada' }, [from(1, '2026-01-01'), from(2, '2026-01-01'), from(4, '2026-01-01')]);
    expect(form.values()).toEqual({ 1: 20, 2: 'moje', 4: 'tek tada' });
    expect(waiting(form)).toEqual([4]);
    form.set(2, 'ranije');
    expect(waiting(form)).toEqual([4]);
  });

  it('are no change that would be lost', () => {
    const form = fresh();
    form.takeAnew({ 1: 10 }, [from(1, '2026-01-01')]);
    expect(form.isDirty()).toBe(false);
    expect(form.state(1).taken?.datum).toBe('2026-01-01');
  });

  it('that were confirmed stand in the draft as they were seen, whatever was saved since', () => {
    const form = fresh();
    form.confirm([1]);
    form.set(4, 'uneto');
    const draft = draftOf(form, 5, 1);
    const later = new EntryStore(
      fields,
      { 1: 99, 2: 'novije', 3: 'staro' },
      { datumUnosa: '2026-06-01', radnikOdgovoran: 2 },
      NEW,
      {},
      [1, 2, 3].map((id) => from(id, '2026-05-20')),
    );
    if (!draft) throw new Error('no draft');
    const { mine, base } = laidOver(draft, later);
    later.rebase(base.values, base.head);
    later.replace(mine.values, mine.head);
    later.confirm(draft.potvrdjeno ?? []);
    expect(later.values()).toEqual({ 1: 20, 2: 'novije', 3: 'staro', 4: 'uneto' });
    expect(waiting(later)).toEqual([2, 3]);
  });
});

describe('a save', () => {
  it('asks for required items, then bounds, then the date, then the doctor', () => {
    const bounded = { tipAtributa: { donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 28 } };
    const form = store(
      [
        field(1, ValueType.Number, bounded),
        field(2, ValueType.Text, { opciono: false }),
        field(3, ValueType.Choice, { opciono: false }),
        field(4, ValueType.Number),
      ],
      { 1: 29, 4: 'pet' },
    );
    form.set(DATE, null);
    form.set(DOCTOR, null);
    expect([...faults(form, true, DAYS)]).toEqual([
      [2, 'Niste uneli stavku sa nazivom: Polje 2.'],
      [1, 'Stavka sa nazivom: Polje 1 nije u opsegu (0) - (28)'],
      [4, 'Stavka sa nazivom: Polje 4 nije broj.'],
      [DATE, 'Niste uneli datum pregleda.'],
      [DOCTOR, 'Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.'],
    ]);
    expect(faults(form, false, DAYS).has(DOCTOR)).toBe(false);
  });

  it('finds relevant items that are blank, but never a choice', () => {
    const form = store([
      field(1, ValueType.Text, { relevantno: true }),
      field(2, ValueType.Choice, { relevantno: true }),
      field(3, ValueType.Text, { relevantno: true, prikazujeSe: false }),
    ]);
    expect(blankRelevant(form).map(({ id }) => id)).toEqual([1]);
  });

  it('asks for nothing that is there, is calculated or is a choice, and for no doctor who is named', () => {
    const asked = { opciono: false, relevantno: true };
    const fields = [
      field(1, ValueType.Number, asked),
      field(2, ValueType.Choice, { ...asked, radioButton: true }),
      field(3, ValueType.Text),
      field(4, ValueType.Number, { ...asked, formulaZaRacunanje: formula(twice) }),
    ];
    const stored = (values: Values) =>
      new EntryStore(fields, values, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, { unosID: 5, verzija: 1, kljuc: 'k' });
    expect([...faults(stored({ 1: 0 }), true, DAYS)]).toEqual([]);
    expect(blankRelevant(stored({ 1: 0 }))).toEqual([]);
    expect([...faults(stored({}), true, DAYS).keys()]).toEqual([1]);
    expect(blankRelevant(stored({})).map(({ id }) => id)).toContain(1);
  });

  it('names a tick that it will clear, and no box without one', () => {
    const fields = [field(1, ValueType.Number), field(2, ValueType.Choice, { imaCekBox: true, formulaZaPrikaz: formula(whenOver5) })];
    const hidden = (value: boolean) => {
      const form = store(fields, { 1: 9, 2: value });
      form.set(1, 2);
      return toBeCleared(form, false).map(({ id }) => id);
    };
    expect([hidden(true), hidden(false)]).toEqual([[2], []]);
  });

  it('asks for nothing that lies in a panel which is not shown, but for what waits behind the plus', () => {
    const inside = { opciono: false, relevantno: true };
    const fields = [
      field(1, ValueType.Panel, { prikazujeSe: false }),
      field(2, ValueType.Tab, { naredjeniAUTS: 1 }),
      field(3, ValueType.Text, { ...inside, naredjeniAUTS: 2 }),
      field(4, ValueType.Tab, { prikazujeSe: false }),
      field(5, ValueType.Text, { ...inside, naredjeniAUTS: 4 }),
    ];
    expect([...faults(store(fields), false, DAYS).keys()]).toEqual([5]);
    expect(blankRelevant(store(fields)).map(({ id }) => id)).toEqual([5]);
  });

  it('takes no examination on a day that is none', () => {
    const form = store([]);
    form.set(DATE, '31.02.2026.');
    expect([...faults(form, false, DAYS)]).toEqual([[DATE, 'Datum pregleda nije ispravan.']]);
  });

  it('takes no examination in the future or before the birth', () => {
    const form = store([]);
    const said = (date: string) => {
      form.set(DATE, date);
      return faults(form, false, DAYS).get(DATE) ?? null;
    };
    expect([said('2026-11-22'), said('1970-02-01')]).toEqual([null, null]);
    expect(said('2026-11-23')).toBe('Datum pregleda ne može biti u budućnosti (danas je 22.11.2026.).');
    expect(said('1970-01-31')).toBe('Datum pregleda ne može biti pre rođenja pacijenta (01.02.1970.).');
  });

  it('does not ask again about the day of an entry from before that rule', () => {
    const form = new EntryStore([], {}, { datumUnosa: '2029-01-01', radnikOdgovoran: null }, { unosID: 7, verzija: 1, kljuc: 'k' });
    expect(faults(form, false, DAYS).size).toBe(0);
    form.set(DATE, '2029-01-02');
    expect([...faults(form, false, DAYS).keys()]).toEqual([DATE]);
  });

  it('knows the day by the server, or by this clock when a day has passed since', () => {
    const of = (danas: string) => dateRangeOf({ pacijent: { datumRodjenja: '1970-02-01' } as Display['pacijent'], danas });
    expect(of('9999-01-01')).toEqual({ from: '1970-02-01', to: '9999-01-01' });
    expect(of('2000-01-01').to).toBe(today());
  });

  it('takes dates, of the years 1920 to 2030', () => {
    const form = store(
      [1, 2, 3, 4].map((id) => field(id, ValueType.Date)),
      { 1: '1919-12-31', 2: '1920-01-01', 3: '2206-03-05', 4: '05.03.26' },
    );
    form.set(DATE, '0026-03-05');
    expect([...faults(form, false, DAYS)]).toEqual([
      [1, 'Stavka sa nazivom: Polje 1 nije između 1920. i 2030. godine.'],
      [3, 'Stavka sa nazivom: Polje 3 nije između 1920. i 2030. godine.'],
      [4, 'Stavka sa nazivom: Polje 4 nije datum.'],
      [DATE, 'Datum pregleda nije između 1920. i 2030. godine.'],
    ]);
  });

  it('sends no blanks, no calculated values, and nothing of fields that the form does not have', () => {
    const fields = [
      field(1, ValueType.Number),
      field(2, ValueType.Number, { formulaZaRacunanje: formula(twice) }),
      field(3, ValueType.Set),
      field(4, ValueType.Text),
      field(5, ValueType.Number),
      field(6, ValueType.Date),
    ];
    expect(sendable(fields, { 1: 0, 2: 4, 3: [], 4: '  ', 5: 'pet', 6: '05.03.26', 99: 'staro' })).toEqual({ 1: 0 });
    expect(sendable(fields, { 6: '2026-03-05' })).toEqual({ 6: '2026-03-05' });
    expect(sendable(fields, { 6: 20260305 })).toEqual({});
  });

  it('sends no blank rows, and of a row no more than its columns hold', () => {
    const columns = [field(2, ValueType.Text), field(3, ValueType.Number)];
    const section = field(1, ValueType.Panel, { najviseRedova: 5, kolone: columns });
    const rows: Row[] = [
      { id: 1, v: { 2: 'A', 3: 'pet', 9: 'staro' } },
      { id: 2, v: { 2: '  ' } },
    ];
    expect(sendable([section], { 1: stored(rows) })).toEqual({ 1: [{ id: 1, v: { 2: 'A' } }] });
    expect(sendable([section], { 1: stored(rows.slice(1)) })).toEqual({});
    expect(sendable([{ ...section, kolone: undefined }], { 1: stored(rows) })).toEqual({});
  });
});

describe('a draft', () => {
  const head = { datumUnosa: '2026-03-05', radnikOdgovoran: 2 };
  const draft = (osnova: Values, vrednosti: Values, more: Partial<Draft> = {}): Draft => ({
    vreme: 0,
    pacijentID: 1,
    osnova,
    vrednosti,
    ...head,
    osnovaDatumUnosa: '2026-03-05',
    osnovaRadnikOdgovoran: 2,
    verzija: 1,
    kljuc: null,
    ...more,
  });

  it('is offered only where it edited something that the entry does not say yet', () => {
    const form = store([field(1, ValueType.Set), field(2, ValueType.Text)], { 1: [3, 4], 2: 'tuđe' });
    expect(differs(draft({ 1: [3] }, { 1: [4, 3] }), form)).toBe(false);
    expect(differs(draft({ 1: [3], 2: 'staro' }, { 1: [4, 3], 2: 'staro' }), form)).toBe(false);
    expect(differs(draft({ 1: [3] }, { 1: [4] }), form)).toBe(true);
    expect(differs(draft({}, {}, { datumUnosa: '2026-03-06' }), form)).toBe(true);
  });

  it('stands over what others saved since only where it edited; an answer of both keeps the older base', () => {
    const form = store([field(1, ValueType.Number), field(2, ValueType.Number), field(3, ValueType.Number), field(4, ValueType.Text)], {
      1: 10,
      2: 1,
      3: 30,
      4: 'novo polje',
    });
    const { mine, base } = laidOver(draft({ 1: 1, 2: 1, 3: 1 }, { 1: 1, 2: 2, 3: 3 }, { radnikOdgovoran: 7 }), form);
    expect(mine).toEqual({ values: { 1: 10, 2: 2, 3: 3, 4: 'novo polje' }, head: { datumUnosa: '2026-03-05', radnikOdgovoran: 7 } });
    expect(base).toEqual({ values: { 1: 10, 2: 1, 3: 1, 4: 'novo polje' }, head });
  });

  it('remembers by which form it was typed, and tells what was typed into fields that the form has no more', () => {
    const head = { datumUnosa: '2026-03-05', radnikOdgovoran: 2 };
    const opened = (ids: number[], obrazac: string) => {
      const fields = ids.map((id) => field(id, ValueType.Number, { naziv: `Polje ${id}` }));
      return new EntryStore(fields, { 1: 5, 2: 6 }, head, NEW, {}, [], obrazac);
    };
    const form = opened([1, 2, 3], 'stari');
    form.set(1, 7);
    form.set(3, 8.5);
    const kept = draftOf(form, 1, 0) as Draft;
    expect(kept.obrazac).toBe('stari');
    const newer = opened([1, 2], 'novi');
    expect(goneFrom(kept, newer)).toEqual(['Polje 3: 8,5']);
    expect(goneFrom(kept, form)).toEqual([]);
    expect(laidOver(kept, newer).mine.values).toEqual({ 1: 7, 2: 6 });
  });

  it('tells of what was typed, and of no result, no blank and nothing that was there before', () => {
    const fields = [
      field(1, ValueType.Number),
      field(2, ValueType.Number, { formulaZaRacunanje: formula(twice) }),
      ...[3, 4, 5].map((id) => field(id, ValueType.Text)),
    ];
    const form = store(fields, { 1: 3, 3: 'pre', 4: 'pre' });
    expect(draftOf(form, 5, 1)).toBeNull();
    form.set(1, 4);
    form.set(4, '');
    const kept = draftOf(form, 5, 1) as Draft;
    expect(kept.uneto).toEqual({ 1: 'Polje 1: 4' });
    expect(kept).toMatchObject({ vreme: 1, pacijentID: 5, osnova: { 1: 3, 3: 'pre', 4: 'pre' }, vrednosti: { 1: 4, 3: 'pre' }, ...head });
  });

  it('edits no result', () => {
    const form = store([field(1, ValueType.Number), field(2, ValueType.Number, { formulaZaRacunanje: formula(twice) })], { 1: 3 });
    const older = draft({ 1: 3, 2: 5 }, { 1: 3, 2: 7 });
    expect(differs(older, form)).toBe(false);
    expect(laidOver(older, form).mine.values).toEqual({ 1: 3 });
  });

  it('of an entry holds what was typed against what others saved meanwhile', () => {
    const fields = [field(1, ValueType.Number), field(2, ValueType.Number)];
    const opened = (values: Values, verzija: number) =>
      new EntryStore(fields, values, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, { unosID: 9, verzija, kljuc: 'k' });
    const form = opened({ 1: 5, 2: 1 }, 1);
    form.set(1, 13);
    const { mine, base } = laidOver(draftOf(form, 1, 0) as Draft, opened({ 1: 21, 2: 2 }, 2));
    expect([mine.values, base.values]).toEqual([
      { 1: 13, 2: 2 },
      { 1: 5, 2: 2 },
    ]);
  });

  it("is on the device its worker's alone, newest copy first, for three days at most", async () => {
    keepNow(5, 'unos-1.a', draft({}, { 1: 1 }, { vreme: 1_000 }));
    await keep(5, 'unos-1.b', draft({}, { 1: 2 }, { vreme: 2_000 }));
    await keep(6, 'unos-1.c', draft({}, { 1: 3 }, { vreme: 2_000 }));
    expect([...(await kept(5, 'unos-1.')).keys()].sort()).toEqual(['unos-1.a', 'unos-1.b']);
    expect((await kept(5, 'unos-10.')).size).toBe(0);
    await sweepDrafts(3 * 24 * 60 * 60 * 1000 + 1_500);
    expect([...(await kept(5, '')).keys()]).toEqual(['unos-1.b']);
  });

  it('is offered as its window typed it last, also when that was after it was gathered', async () => {
    signedIn();
    const worker = session.current()?.id ?? 0;
    const of = (vreme: number) => draft({}, { 1: vreme }, { vreme });
    const found = await gather({
      here: Promise.resolve(
        new Map([
          ['unos-1.a', of(1)],
          ['unos-1.b', of(4)],
        ]),
      ),
      drafts: Promise.resolve({
        data: [
          { kljuc: 'unos-1.b', sadrzaj: of(3) },
          { kljuc: 'unos-1.c', sadrzaj: of(2) },
        ],
      }),
    });
    keepNow(worker, 'unos-1.a', of(5));
    expect((await claimed(found)).map((one) => [one.key, one.draft.vreme])).toEqual([
      ['unos-1.a', 5],
      ['unos-1.b', 4],
      ['unos-1.c', 2],
    ]);
  });

  it('goes to the server and from the device before its worker signs out; one that does not arrive stays', async () => {
    signedIn();
    const worker = session.current()?.id ?? 0;
    await keep(worker, 'unos-1.a', draft({}, { 1: 1 }));
    await keep(worker, 'unos-2.a', draft({}, { 1: 2 }));
    const calls = fakeApi({
      'PUT /api/entry-drafts/unos-1.a': () => ({ status: 204 }),
      'PUT /api/entry-drafts/unos-2.a': () => ({ status: 503, body: {} }),
    });
    await handOver();
    expect(calls.map(({ body }) => (body as { pacijentID: number }).pacijentID)).toEqual([1, 1]);
    expect([...(await kept(worker, '')).keys()]).toEqual(['unos-2.a']);
  });

  it('of somebody who is signed in no more is neither kept nor sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    signedIn();
    const worker = session.current()?.id ?? 0;
    const calls = fakeApi({});
    const keeper = new DraftKeeper('unos-1', 1, () => draft({}, { 1: 1 }));
    keeper.changed();
    session.start({ ...lekar, id: worker + 1, token: 'drugi' });
    await vi.advanceTimersByTimeAsync(10_000);
    keeper.flush();
    keeper.close();
    vi.useRealTimers();
    expect(keeper.isOwn()).toBe(false);
    expect([(await kept(worker, '')).size, (await kept(worker + 1, '')).size, calls.length]).toEqual([0, 0, 0]);
  });
});

describe('a wrong answer', () => {
  const whole = { tipAtributa: { donjaGranicaBrojneVrednosti: 1, decimaleBrojneVrednosti: 0 } };
  const fields = [
    field(1, ValueType.Number, whole),
    field(2, ValueType.Number, { formulaZaRacunanje: formula(twice) }),
    field(3, ValueType.Date),
  ];

  it('is told when its field is left, and no result is shown that is made of it', () => {
    const form = store(fields);
    for (const [value, fault] of [
      [0, 'Stavka sa nazivom: Polje 1 nije u opsegu (1) - (9.007.199.254.740.991)'],
      [6.6, 'Stavka sa nazivom: Polje 1 mora biti ceo broj.'],
      ['pet', 'Stavka sa nazivom: Polje 1 nije broj.'],
      ['2.108', 'Stavka sa nazivom: Polje 1: „2.108” može da znači 2108 ili 2,108. Izaberite jedno.'],
    ] as const) {
      form.set(1, value);
      expect(form.state(1).error).toBeNull();
      expect([form.value(2), form.state(2).because]).toEqual([null, 'Polje 1']);
      form.leave(1);
      expect(form.state(1).error).toBe(fault);
      expect([...faults(form, false, DAYS)]).toEqual([[1, fault]]);
    }
    form.set(1, 2108);
    form.leave(1);
    expect([form.state(1).error, form.value(2), form.state(2).because]).toEqual([null, 4216, null]);
    form.set(3, '05.03.26');
    form.leave(3);
    expect(form.state(3).error).toBe('Stavka sa nazivom: Polje 3 nije datum.');
  });

  it('that was saved before the rule and is not touched stands, until somebody changes it', () => {
    const form = new EntryStore(fields, { 1: 0 }, { datumUnosa: '2026-03-05', radnikOdgovoran: 2 }, { unosID: 7, verzija: 1, kljuc: 'k' });
    expect([faults(form, false, DAYS).size, form.value(2)]).toEqual([0, 0]);
    form.set(1, 0.5);
    expect([faults(form, false, DAYS).size, form.value(2)]).toEqual([1, null]);
  });

  it('has at most the decimals of its type', () => {
    const limited = (most: number) => field(1, ValueType.Number, { tipAtributa: { decimaleBrojneVrednosti: most } });
    const told = (most: number, value: number) => [...faults(store([limited(most)], { 1: value }), false, DAYS).values()];
    expect(told(1, 7.5)).toEqual([]);
    expect(told(1, 7.55)).toEqual(['Stavka sa nazivom: Polje 1 može imati najviše 1 decimalu.']);
    expect(told(2, 2.675)).toEqual(['Stavka sa nazivom: Polje 1 može imati najviše 2 decimale.']);
    expect(told(5, 1.1234567)).toEqual(['Stavka sa nazivom: Polje 1 može imati najviše 5 decimala.']);
  });
});

it('fields lie in their panels by order; one whose panel is gone lies at the top', () => {
  const inside = arrange([
    field(3, ValueType.Text, { naredjeniAUTS: 1 }),
    field(2, ValueType.Text, { naredjeniAUTS: 1 }),
    field(1, ValueType.Panel),
    field(4, ValueType.Text, { naredjeniAUTS: 77 }),
  ]);
  expect(inside(null).map(({ id }) => id)).toEqual([1, 4]);
  expect(inside(1).map(({ id }) => id)).toEqual([2, 3]);
});

it('info texts lose whatever could run', () => {
  expect(cleanHtml('<b onclick="x()">C</b><script>x()</script><img src=x onerror="x()"><a href="javascript:x()">a</a>')).toBe(
    '<b>C</b><img src="x"><a>a</a>',
  );
});

it('links of info texts leave the entry on the screen', () => {
  expect(cleanHtml('<a href="https://primer.rs">smernice</a>')).toBe(
    '<a href="https://primer.rs" target="_blank" rel="noopener noreferrer">smernice</a>',
  );
});

it('blank answers are all the same', () => {
  expect(sameStored(null, []) && sameStored(undefined, ' ') && !sameStored(false, null)).toBe(true);
  expect(t.entries.range(null, '3,2')).toBe('do 3,2');
});
