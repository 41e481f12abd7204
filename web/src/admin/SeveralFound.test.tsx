import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SeveralFound } from './SeveralFound';
import type { ListPage } from '../api/types';
import { fold } from '../fold';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import type { FoundChoice } from '../ui/found';
import { FoundDropdown } from '../ui/FoundDropdown';

const WORKERS = Array.from({ length: 10_016 }, (_, i) => ({ value: i + 1, label: `Šćepanović ${String(i + 1).padStart(5, '0')}` }));
const SITES = Array.from({ length: 400 }, (_, i) => ({ id: i + 1, naziv: `Bolnica ${String(i + 1).padStart(3, '0')}` }));
const CHOSEN = { selector: '.p-dropdown-label' };
let calls: FakeCall[];

const part = <T,>(all: T[], text: (one: T) => string, query: URLSearchParams): ListPage<T> => {
  const found = all.filter((one) => fold(text(one)).includes(fold(query.get('filter') ?? '')));
  return { data: found.slice(0, Number(query.get('size'))), total: found.length };
};

beforeEach(() => {
  signedIn();
  calls = fakeApi({
    'GET /api/log/workers': ({ query }) => ({ body: part(WORKERS, ({ label }) => label, query) }),
    'GET /api/institutions': ({ query }) => ({ body: part(SITES, ({ naziv }) => naziv, query) }),
    'GET /api/institutions/399': () => ({ body: SITES[398] }),
  });
});

function Several() {
  const [chosen, setChosen] = useState<FoundChoice[]>([]);
  return (
    <>
      <SeveralFound<ListPage<FoundChoice>>
        label="Radnici"
        all="Svi"
        path="/api/log/workers"
        read={({ data, total }) => ({ choices: data, total })}
        value={chosen}
        onChange={setChosen}
      />
      <output>{chosen.map(({ value }) => value).join(' ')}</output>
    </>
  );
}

function One({ stored }: { stored: number | null }) {
  const [value, setValue] = useState(stored);
  return (
    <>
      <label htmlFor="ustanova">Ustanova</label>
      <FoundDropdown<{ id: number; naziv: string }>
        id="ustanova"
        path="/api/institutions"
        name={({ naziv }) => naziv}
        value={value}
        onChange={setValue}
      />
      <output>{value}</output>
    </>
  );
}

/** The list hangs on the whole control; its input is hidden. */
const open = (label: string) => userEvent.click(screen.getByLabelText(label).closest('.p-inputwrapper') ?? document.body);
const item = (name: string) => screen.findByText(name, { selector: '.p-dropdown-item *, .p-multiselect-item *' });
const items = () => document.querySelectorAll('.p-multiselect-item');
const filter = () =>
  waitFor(() => {
    const input = document.querySelector('.p-dropdown-filter, .p-multiselect-filter, .p-multiselect-filter-container input');
    expect(input).not.toBeNull();
    return input as HTMLInputElement;
  });

describe('choices that the server searches', () => {
  it('hold one behind the first page, and keep it while others are looked for', async () => {
    show(<Several />);
    await open('Radnici');
    expect(await screen.findByText('Prikazano je prvih 50 od 10016. Suzite pretragu.')).toBeInTheDocument();
    expect(items()).toHaveLength(50);
    await userEvent.type(await filter(), 'scepanovic 10016');
    await userEvent.click(await item('Šćepanović 10016'));
    await userEvent.clear(await filter());
    await userEvent.type(await filter(), '00007');
    await userEvent.click(await item('Šćepanović 00007'));
    expect(screen.getByRole('status')).toHaveTextContent('10016 7');
    expect(screen.getByText('Šćepanović 10016, Šćepanović 00007')).toBeVisible();
    expect(calls.every(({ query }) => query.get('size') === '50')).toBe(true);
  });

  it('open before the answer is there, and say so until it is', async () => {
    const ask = fetch;
    let arrive = () => undefined as unknown;
    const late = new Promise((resolve) => (arrive = () => resolve(null)));
    vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => late.then(() => ask(...call)));
    show(
      <>
        <Several />
        <One stored={null} />
      </>,
    );
    await open('Radnici');
    await open('Ustanova');
    await waitFor(() => expect(screen.getAllByText('Učitavanje…')).toHaveLength(2));
    expect(screen.queryByText('Ništa nije nađeno')).toBeNull();
    arrive();
    expect(await screen.findByText('Prikazano je prvih 50 od 10016. Suzite pretragu.')).toBeInTheDocument();
    expect(await screen.findByText('Prikazano je prvih 50 od 400. Suzite pretragu.')).toBeInTheDocument();
  });

  it('offer to choose all only where all are shown', async () => {
    show(<Several />);
    await open('Radnici');
    await screen.findByText(/^Prikazano je prvih/);
    expect(screen.queryByRole('checkbox', { name: /sve stavke/ })).toBeNull();
  });

  it('show the stored one that they do not hold, and another after it', async () => {
    show(<One stored={399} />);
    expect(await screen.findByText('Bolnica 399', CHOSEN)).toBeVisible();
    await open('Ustanova');
    await userEvent.type(await filter(), '222');
    // The list may be drawn anew between finding an item and pressing it.
    await waitFor(async () => {
      await userEvent.click(await item('Bolnica 222'));
      expect(screen.getByRole('status')).toHaveTextContent('222');
    });
    expect(await screen.findByText('Bolnica 222', CHOSEN)).toBeVisible();
    await waitFor(() => expect(calls.at(-1)?.query.get('filter')).toBeNull());
    expect(screen.getByText('Bolnica 222', CHOSEN)).toBeVisible();
  });

  it('say that nothing was found', async () => {
    show(<One stored={null} />);
    await open('Ustanova');
    await userEvent.type(await filter(), 'xyz');
    expect(await screen.findByText('Ništa nije nađeno')).toBeInTheDocument();
  });
});
