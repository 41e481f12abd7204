import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { ValueType } from '../../forms/valueType';
import type { Reply } from '../../schema';
import { fakeApi, show, signedIn } from '../../testing/fakeApi';
import { formField } from '../../testing/formField';
import { EntryStore } from '../model/store';
import { EntryStateBar } from './EntryStateBar';

beforeEach(() => signedIn());

type States = Reply<'EntryStates'>;
type Row = States['istorija'][number];

const NOTHING: States['moze'] = { zavrsi: false, potpisi: false, vrati: false, zakljucaj: false, otkljucaj: false };

const row = (rest: Partial<Row>): Row => ({
  id: 1,
  stanje: 'zavrsen',
  radnja: 'zavrsavanje',
  razlog: null,
  radnik: 'Čedomir Živković',
  vreme: '2026-11-29T10:15:00',
  znacenje: null,
  verzijaObrasca: null,
  otisak: null,
  vazi: false,
  otisakOdgovara: false,
  ...rest,
});

const signature = row({
  id: 2,
  stanje: 'potpisan',
  radnja: 'potpis',
  znacenje: 'autor',
  verzijaObrasca: 3,
  otisak: 'ab12',
  vazi: true,
  otisakOdgovara: true,
});

const storeOf = (dirty = false) => {
  const field = formField(7, ValueType.Text);
  const store = new EntryStore(
    [field],
    { 7: 'a' },
    { datumUnosa: '2026-11-01', radnikOdgovoran: null },
    { unosID: 3, verzija: 2, kljuc: 'k' },
  );
  if (dirty) store.set(7, 'b');
  return store;
};

const open = (states: Partial<States>, dirty = false) => {
  const body: States = { stanje: 'uRadu', verzija: 2, zakljucano: null, istorija: [], moze: NOTHING, ...states };
  const calls = fakeApi({
    'GET /api/entries/3/states': () => ({ body }),
    'POST /api/entries/3/finish': () => ({ status: 204 }),
    'POST /api/entries/3/sign': () => ({ status: 204 }),
    'POST /api/entries/3/lock': () => ({ status: 409, body: { message: 'Neko je izmenio unos otkad ste ga otvorili.', field: null } }),
  });
  const onChanged = vi.fn(() => Promise.resolve());
  show(<EntryStateBar entry={3} version={2} store={storeOf(dirty)} busy={false} onChanged={onChanged} />);
  return { calls, onChanged };
};

it('finishes what is saved, and nothing while something is typed', async () => {
  const { calls } = open({ moze: { ...NOTHING, zavrsi: true } }, true);
  await userEvent.click(await screen.findByRole('button', { name: 'Završi' }));
  expect(await screen.findByText('Prvo snimite izmene.')).toBeInTheDocument();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(0);
});

it('finishes in the version that is shown, and has the entry read anew', async () => {
  const { calls, onChanged } = open({ moze: { ...NOTHING, zavrsi: true } });
  await userEvent.click(await screen.findByRole('button', { name: 'Završi' }));
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalled());
  expect(calls.find(({ path }) => path === '/api/entries/3/finish')).toMatchObject({ body: { verzija: 2 } });
});

it("signs with the worker's own password, and says what is missing at its field", async () => {
  const { calls } = open({ stanje: 'zavrsen', istorija: [row({})], moze: { ...NOTHING, potpisi: true } });
  await userEvent.click(await screen.findByRole('button', { name: 'Potpiši' }));
  const dialog = await screen.findByRole('dialog', { name: 'Potpisivanje unosa' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Potpiši' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Niste uneli lozinku.');
  await userEvent.type(within(dialog).getByLabelText(/Vaša lozinka/), 'tajna reč');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Potpiši' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const body = { verzija: 2, znacenje: 'autor', lozinka: 'tajna reč' };
  expect(calls.find(({ path }) => path === '/api/entries/3/sign')).toMatchObject({ body });
});

it('asks for a reason before it locks, and shows what the server refuses', async () => {
  const { calls } = open({ moze: { ...NOTHING, zakljucaj: true } });
  await userEvent.click(await screen.findByRole('button', { name: 'Zaključaj' }));
  const dialog = await screen.findByRole('dialog', { name: 'Zaključavanje unosa' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Zaključaj' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Napišite razlog, od 3 do 500 znakova.');
  await userEvent.type(within(dialog).getByLabelText(/Razlog/), 'Kraj kvartala');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Zaključaj' }));
  expect(await within(dialog).findByText('Neko je izmenio unos otkad ste ga otvorili.')).toBeInTheDocument();
  expect(calls.at(-1)).toMatchObject({ body: { verzija: 2, razlog: 'Kraj kvartala' } });
});

it('says who signed and what a change ends, and keeps each state in the history', async () => {
  open({ stanje: 'potpisan', istorija: [signature, row({})] });
  const bar = await screen.findByRole('region', { name: 'Stanje unosa' });
  expect(bar).toHaveTextContent('Potpis: Čedomir Živković (autor unosa), 29.11.2026. 10:15');
  expect(bar).toHaveTextContent('Izmena okončava potpis.');
  await userEvent.click(within(bar).getByRole('button', { name: 'Istorija stanja' }));
  const dialog = await screen.findByRole('dialog', { name: 'Istorija stanja' });
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(2);
  expect(dialog).toHaveTextContent('autor unosa, verzija formulara 3');
  expect(dialog).toHaveTextContent('ab12');
});

it('says who locked the period and why, and offers nothing', async () => {
  const zakljucano = {
    vrsta: 'period',
    radnik: 'Ana Đorđević',
    vreme: '2026-11-30T08:00:00',
    razlog: 'Kraj kvartala',
    doDana: '30.09.2026.',
  } as const;
  open({ stanje: 'zakljucan', zakljucano });
  const bar = await screen.findByRole('region', { name: 'Stanje unosa' });
  expect(bar).toHaveTextContent('Period do 30.09.2026. je zaključan: Ana Đorđević');
  expect(bar).toHaveTextContent('Razlog: Kraj kvartala');
  expect(within(bar).queryByRole('button', { name: 'Otključaj' })).toBeNull();
});
