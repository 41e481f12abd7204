// A table of records: what it shows of a page, and what it asks for when somebody sorts, narrows it down, turns a page or takes a row.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { show } from '../testing/fakeApi';
import { CrudTable, YES_NO, yesNo, type CrudColumn } from './CrudTable';
import type { AskedPage, Listing } from './useListing';

interface Role {
  id: number;
  ime: string;
  opis: string | null;
  drugiFaktor: boolean;
}

const ROWS: Role[] = [
  { id: 1, ime: 'Lekar', opis: 'Leči', drugiFaktor: true },
  { id: 2, ime: 'Šef', opis: null, drugiFaktor: false },
];
const COLUMNS: (CrudColumn<Role> | keyof Role)[] = [
  'ime',
  { field: 'opis', filter: false, sortable: false },
  { field: 'drugiFaktor', body: ({ drugiFaktor }) => yesNo(drugiFaktor), filter: YES_NO },
];
const NAMES = ['Naziv', 'Opis', 'Prijava u dva koraka'];

const ask = vi.fn<(change: Partial<AskedPage>) => void>();
const onSelect = vi.fn<(record: Role | null) => void>();
const onOpen = vi.fn<(record: Role) => void>();

beforeEach(() => [ask, onSelect, onOpen].forEach((mock) => mock.mockReset()));

interface Shown {
  asked?: Partial<AskedPage>;
  listing?: Partial<Listing<Role>>;
  more?: Partial<Parameters<typeof CrudTable<Role>>[0]>;
}

/** The table of a page that holds what it is asked for, and of which a row may be taken. */
function Roles({ asked: first, listing, more }: Shown) {
  const [asked, setAsked] = useState<AskedPage>({ first: 0, rows: 20, sort: null, filters: {}, ...first });
  const [selected, setSelected] = useState<Role | null>(null);
  return (
    <CrudTable<Role>
      resource="role"
      title="Uloge"
      columns={COLUMNS}
      listing={{
        rows: ROWS,
        total: 45,
        isLoading: false,
        asked,
        ask: (change) => {
          ask(change);
          setAsked({ ...asked, ...change });
        },
        ...listing,
      }}
      selected={selected}
      onSelect={(record) => {
        onSelect(record);
        setSelected(record);
      }}
      onOpen={onOpen}
      {...more}
    />
  );
}

const table = (shown: Shown = {}) => show(<Roles {...shown} />);
const header = (name: string) => screen.getByRole('columnheader', { name });
const cells = (row: number) =>
  within(screen.getAllByRole('row')[row + 2] as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
const rowOf = (name: string) => screen.getByRole('cell', { name }).closest('tr');
const unfold = (name: string) => userEvent.click(screen.getByLabelText(name).closest('.p-dropdown') as HTMLElement);
const CHOICE = { selector: '.p-dropdown-item *' };
const choices = async () => (await screen.findAllByText(/./, CHOICE)).map(({ textContent }) => textContent);
const choose = async (name: string) => userEvent.click(await screen.findByText(name, CHOICE));

describe('the rows', () => {
  it('are shown under the names of their columns, as each is told', () => {
    table();
    expect(screen.getByRole('table', { name: 'Uloge' })).toBeVisible();
    for (const name of NAMES) expect(header(name)).toBeVisible();
    expect([cells(0), cells(1)]).toEqual([
      ['Lekar', 'Leči', 'Da'],
      ['Šef', '', 'Ne'],
    ]);
    expect(screen.queryByRole('columnheader', { name: t.crud.deletedBy })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: t.crud.deletedAt })).toBeNull();
  });

  it('are told from no rows, and from rows to come', () => {
    const { unmount } = table({ listing: { rows: [], total: 0 } });
    expect(screen.getByText(t.common.empty)).toBeVisible();
    expect(screen.queryByRole('status', { name: t.common.loading })).toBeNull();
    unmount();
    table({ listing: { rows: [], total: 0, isLoading: true } });
    expect(screen.getByRole('status', { name: t.common.loading })).toBeVisible();
    expect(screen.queryByText(t.common.empty)).toBeNull();
    expect(screen.queryByText('0–0 od 0')).toBeNull();
  });

  it('of deleted records say who deleted each of them and when, where that is known', () => {
    table({ more: { deletions: [{ id: 2, radnik: 'Petrović Ana', vreme: '2026-11-24 10:15' }] } });
    expect([cells(0), cells(1)]).toEqual([
      ['Lekar', 'Leči', 'Da', '—', '—'],
      ['Šef', '', 'Ne', 'Petrović Ana', '24.11.2026. 10:15'],
    ]);
    for (const name of [t.crud.deletedBy, t.crud.deletedAt]) {
      expect(header(name)).toBeVisible();
      expect(screen.getByText(t.table.noFilter(name))).toBeInTheDocument();
    }
  });

  it('that somebody who is not known deleted have a dash for them', () => {
    table({ more: { deletions: [{ id: 1, radnik: null, vreme: '2026-11-24 10:15' }] } });
    expect(cells(0).slice(3)).toEqual(['—', '24.11.2026. 10:15']);
  });
});

describe('a page', () => {
  it('is told by its place among all of them, and turned', async () => {
    table({ asked: { first: 20 } });
    expect(screen.getByText('21–40 od 45')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Poslednja strana' }));
    expect(ask).toHaveBeenCalledExactlyOnceWith({ first: 40, rows: 20 });
    expect(screen.getByText('41–45 od 45')).toBeVisible();
  });

  it.each([
    ['the usual numbers', undefined, ['5', '10', '20'], '5'],
    ["the screen's own", { rows: 20, rowsPerPageOptions: [20, 50] }, ['20', '50'], '50'],
  ])('has as many rows as is chosen, of %s', async (_, paging, numbers, chosen) => {
    table({ more: { paging } });
    await userEvent.click(document.querySelector('.p-paginator .p-dropdown') as HTMLElement);
    expect(await choices()).toEqual(numbers);
    await choose(chosen);
    expect(ask).toHaveBeenCalledExactlyOnceWith({ first: 0, rows: Number(chosen) });
  });
});

describe('the order', () => {
  it('is asked for upwards, downwards and not at all, and of the first page', async () => {
    table({ asked: { first: 20 } });
    for (const order of ['ascending', 'descending', 'none']) {
      await userEvent.click(header('Naziv'));
      expect(header('Naziv')).toHaveAttribute('aria-sort', order);
    }
    expect(ask.mock.calls).toEqual([
      [{ first: 0, sort: { field: 'ime', order: 1 } }],
      [{ first: 0, sort: { field: 'ime', order: -1 } }],
      [{ first: 0, sort: null }],
    ]);
  });

  it('is not that of a column without any', async () => {
    table();
    await userEvent.click(header('Opis'));
    expect(ask).not.toHaveBeenCalled();
  });
});

describe('a filter', () => {
  it('stands under each column that has one, and the others say that they have none', () => {
    table();
    expect(screen.getByRole('textbox', { name: t.table.filter('Naziv') })).toBeVisible();
    expect(screen.getByLabelText(t.table.filter('Prijava u dva koraka'))).toBeInTheDocument();
    expect(screen.queryByLabelText(t.table.filter('Opis'))).toBeNull();
    expect(screen.getByText(t.table.noFilter('Opis'))).toBeInTheDocument();
    expect(screen.queryByText(t.table.noFilter('Naziv'))).toBeNull();
    expect(document.querySelector('.p-column-filter-menu-button, .p-column-filter-clear-button')).toBeNull();
  });

  it('narrows down the first page by what is typed, beside what narrows it already', async () => {
    table({ asked: { first: 20, filters: { drugiFaktor: 'true' } } });
    await userEvent.type(screen.getByRole('textbox', { name: t.table.filter('Naziv') }), 'š');
    expect(ask).toHaveBeenCalledExactlyOnceWith({ first: 0, filters: { drugiFaktor: 'true', ime: 'š' } });
    expect(screen.getByRole('textbox', { name: t.table.filter('Naziv') })).toHaveValue('š');
  });

  it('by a few values offers them and all, and shows which one was chosen', async () => {
    const name = t.table.filter('Prijava u dva koraka');
    const shown = () => screen.getByLabelText(name).closest('.p-dropdown')?.querySelector('.p-dropdown-label')?.textContent;
    table();
    expect(shown()).toBe(t.table.any);
    await unfold(name);
    expect(await choices()).toEqual([t.table.any, 'Da', 'Ne']);
    await choose('Ne');
    expect(shown()).toBe('Ne');
    expect(ask).toHaveBeenLastCalledWith({ first: 0, filters: { drugiFaktor: 'false' } });
    await unfold(name);
    await choose(t.table.any);
    expect(shown()).toBe(t.table.any);
    expect(ask).toHaveBeenLastCalledWith({ first: 0, filters: { drugiFaktor: '' } });
  });
});

describe('a row', () => {
  it('is taken and let go by a click, one at a time', async () => {
    table();
    await userEvent.click(screen.getByRole('cell', { name: 'Lekar' }));
    expect(rowOf('Lekar')).toHaveAttribute('aria-selected', 'true');
    await userEvent.click(screen.getByRole('cell', { name: 'Šef' }));
    expect(rowOf('Šef')).toHaveAttribute('aria-selected', 'true');
    expect(rowOf('Lekar')).toHaveAttribute('aria-selected', 'false');
    await userEvent.click(screen.getByRole('cell', { name: 'Šef' }));
    expect(onSelect.mock.calls).toEqual([[ROWS[0]], [ROWS[1]], [null]]);
  });

  it('that was read anew is the same one', () => {
    table({ more: { selected: { id: 2, ime: 'Šef', opis: null, drugiFaktor: false } } });
    expect(rowOf('Šef')).toHaveAttribute('aria-selected', 'true');
  });

  it('is opened by a double click, and stays taken', async () => {
    table();
    await userEvent.dblClick(screen.getByRole('cell', { name: 'Šef' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(ROWS[1]);
    expect(onSelect).toHaveBeenLastCalledWith(ROWS[1]);
    expect(rowOf('Šef')).toHaveAttribute('aria-selected', 'true');
  });

  it('is opened where it cannot be taken, too', async () => {
    table({ more: { onSelect: undefined } });
    await userEvent.dblClick(screen.getByRole('cell', { name: 'Šef' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(ROWS[1]);
  });

  it('is only shown where nothing can be done with it', async () => {
    table({ more: { selected: undefined, onSelect: undefined, onOpen: undefined } });
    await userEvent.dblClick(screen.getByRole('cell', { name: 'Lekar' }));
    expect(rowOf('Lekar')).not.toHaveAttribute('aria-selected', 'true');
    expect(rowOf('Lekar')).not.toHaveClass('p-selectable-row');
    expect(cells(0)).toEqual(['Lekar', 'Leči', 'Da']);
  });
});
