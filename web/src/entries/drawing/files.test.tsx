import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ValueType } from '../../forms/valueType';
import type { Schema } from '../../schema';
import { filesOf, sameFiles, storedFiles } from '../../files/attached';
import { fakeApi, show as render, signedIn } from '../../testing/fakeApi';
import { formField } from '../../testing/formField';
import { draftOf, sendable } from '../drafts/draft';
import { faults } from '../model/rules';
import { EntryStore, sameStored } from '../model/store';
import type { Values } from '../model/types';
import { OpenEntryContext, undrawn } from './form';
import { Inside } from './parts';

const DAYS = { from: '1970-01-01', to: '2030-01-01' };
const FIELD = formField(1, ValueType.File, {
  naziv: 'Nalaz',
  tipAtributa: { fajlovi: { vrsteFajlova: ['pdf', 'png'], najviseFajlova: 2, najviseMegabajta: 3 } },
});
const attached = (id: number, naziv = `${String(id)}.pdf`): Schema<'EntryFile'> => ({
  id,
  naziv,
  tip: 'pdf',
  velicina: 1536,
  sha256: 'ab',
});

const opened = (values: Values, unosID: number | null = null) =>
  new EntryStore(
    [FIELD],
    values,
    { datumUnosa: '2026-01-01', radnikOdgovoran: null },
    { unosID, verzija: null, kljuc: 'k' },
    {},
    [],
    'otisak',
  );

function show(values: Values = {}, readOnly = false): EntryStore {
  const store = opened(values);
  draw(store, readOnly);
  return store;
}

const draw = (store: EntryStore, readOnly = false) =>
  render(
    <OpenEntryContext value={{ ...undrawn(store), readOnly, formerUnits: new Map(), pacijentID: 5, tsaID: 7, registarID: 1 }}>
      <Inside of={null} />
    </OpenEntryContext>,
  );

const choose = (...names: string[]) =>
  fireEvent.change(document.querySelector('input[type="file"]') as HTMLInputElement, {
    target: { files: names.map((name) => new File(['sadržaj'], name)) },
  });
const named = (store: EntryStore) => filesOf(store.value(1)).map(({ naziv }) => naziv);

beforeEach(() => signedIn());

describe('files of a field', () => {
  it('are sent as they are chosen, named by the entry, and kept by a draft', async () => {
    const calls = fakeApi({ 'POST /api/entry-files': ({ query }) => ({ status: 201, body: attached(9, query.get('naziv') ?? '') }) });
    const store = show();
    expect(screen.getByText(/PDF, PNG, do 3 MB/)).toBeInTheDocument();
    choose('nalaz.pdf');
    await screen.findByRole('button', { name: 'Otvori fajl: nalaz.pdf' });
    expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
      pacijentID: '5',
      tsaID: '7',
      poljeID: '1',
      naziv: 'nalaz.pdf',
      obrazac: 'otisak',
    });
    expect(filesOf(sendable([FIELD], store.values())[1])).toEqual([attached(9, 'nalaz.pdf')]);
    expect(draftOf(store, 5, 1)?.uneto).toEqual({ 1: 'Nalaz: nalaz.pdf (1,5 KB)' });
  });

  it('hold the save while one is on its way or did not arrive, and are offered again', async () => {
    let works = false;
    fakeApi({
      'POST /api/entry-files': () =>
        works ? { status: 201, body: attached(9, 'a.pdf') } : { status: 422, body: { message: 'Nalaz: Fajl je program.', field: '1' } },
    });
    const store = show();
    choose('a.pdf');
    expect(faults(store, false, DAYS).get(1)).toContain('se još šalje');
    expect(await screen.findByText('Nalaz: Fajl je program.')).toBeInTheDocument();
    await waitFor(() => expect(faults(store, false, DAYS).get(1)).toContain('nije poslat'));
    expect(store.isDirty()).toBe(true);
    works = true;
    fireEvent.click(screen.getByRole('button', { name: 'Pokušaj ponovo: a.pdf' }));
    await waitFor(() => expect(named(store)).toEqual(['a.pdf']));
    await waitFor(() => expect(faults(store, false, DAYS).size).toBe(0));
  });

  it('are not lost with their place on the screen', async () => {
    fakeApi({ 'POST /api/entry-files': () => ({ status: 503, body: { message: 'Skladište nije dostupno.', field: null } }) });
    const store = opened({});
    const { unmount } = draw(store);
    choose('a.pdf');
    await screen.findByText('Skladište nije dostupno.');
    unmount();
    expect(faults(store, false, DAYS).get(1)).toContain('nije poslat');
    draw(store);
    expect(screen.getByRole('button', { name: 'Pokušaj ponovo: a.pdf' })).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Ukloni fajl: a.pdf' }));
    expect(faults(store, false, DAYS).size).toBe(0);
  });

  it('are refused at once where they are larger than the field takes', async () => {
    const calls = fakeApi({});
    show();
    const large = new File([new Uint8Array(3 * 1024 * 1024 + 1)], 'veliki.pdf');
    fireEvent.change(document.querySelector('input[type="file"]') as HTMLInputElement, { target: { files: [large] } });
    expect(await screen.findByText('Fajl je veći od 3 MB, koliko je dozvoljeno.')).toBeInTheDocument();
    expect(calls).toEqual([]);
  });

  it('that were there before a narrower limit may be fewer and not more', () => {
    const three = [attached(1), attached(2), attached(3)];
    const store = opened({ 1: storedFiles(three) }, 5);
    store.set(1, storedFiles([attached(4), ...three]));
    expect(store.faultOf(1)).toBe('Stavka sa nazivom: Nalaz prima najviše fajlova: 2.');
    store.set(1, storedFiles([attached(1), attached(2)]));
    expect(store.faultOf(1)).toBeNull();
    store.set(1, storedFiles([attached(1), attached(2), attached(4)]));
    expect(store.faultOf(1)).toBeNull();
  });

  it('are no more than the field takes, by dragging too, and can be taken out', async () => {
    let id = 10;
    fakeApi({ 'POST /api/entry-files': ({ query }) => ({ status: 201, body: attached(id++, query.get('naziv') ?? '') }) });
    const store = show({ 1: storedFiles([attached(1)]) });
    fireEvent.drop(screen.getByRole('list', { name: 'Fajlovi: Nalaz' }), {
      dataTransfer: { files: [new File(['a'], 'a.pdf'), new File(['b'], 'b.pdf')] },
    });
    expect(screen.getByText('Polje prima najviše fajlova: 2. Ostali izabrani nisu priloženi.')).toBeInTheDocument();
    await waitFor(() => expect(named(store)).toEqual(['1.pdf', 'a.pdf']));
    expect(screen.getByRole('button', { name: 'Priloži fajl: Nalaz' })).toBeDisabled();
    fireEvent.click(screen.getByRole('button', { name: 'Ukloni fajl: 1.pdf' }));
    expect(named(store)).toEqual(['a.pdf']);
  });

  it('are only opened where nothing may be changed', () => {
    vi.stubGlobal('fetch', vi.fn());
    show({ 1: storedFiles([attached(1)]) }, true);
    expect(screen.getByRole('button', { name: 'Otvori fajl: 1.pdf' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Ukloni|Priloži/ })).toBeNull();
  });

  it('are the same by their ids', () => {
    expect(sameFiles([attached(1), attached(2)], [attached(2), attached(1)])).toBe(true);
    expect(sameStored(storedFiles([attached(1)]), storedFiles([attached(2)]))).toBe(false);
    expect(sameStored(storedFiles([]), null)).toBe(true);
  });
});
