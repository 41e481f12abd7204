import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import { show } from '../testing/fakeApi';
import { TransferList } from './TransferList';

const available = [
  { id: 1, label: 'Lekar' },
  { id: 2, label: 'Šef odeljenja' },
];
const chosen = [{ id: 3, label: 'Sestra' }];

const side = (name: string) => within(screen.getByRole('region', { name }));

it('saves a move of the marked items at once', async () => {
  const onAdd = vi.fn(() => Promise.resolve());
  show(<TransferList available={available} chosen={chosen} onAdd={onAdd} onRemove={vi.fn()} />);
  expect(screen.getByRole('button', { name: 'Dodaj izabrano' })).toBeDisabled();
  await userEvent.click(side('Dostupno').getByRole('option', { name: 'Šef odeljenja' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj izabrano' }));
  expect(onAdd).toHaveBeenCalledExactlyOnceWith([2]);
});

it('moves all back in one call', async () => {
  const onRemove = vi.fn(() => Promise.resolve());
  show(<TransferList available={available} chosen={chosen} onAdd={vi.fn()} onRemove={onRemove} />);
  await userEvent.click(screen.getByRole('button', { name: 'Vrati sve' }));
  expect(onRemove).toHaveBeenCalledExactlyOnceWith([3]);
});

it('finds an item by a part of its name', async () => {
  show(<TransferList available={available} chosen={chosen} onAdd={vi.fn()} onRemove={vi.fn()} />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filtriraj listu: Dostupno' }), 'sef');
  expect(side('Dostupno').queryByRole('option', { name: 'Lekar' })).toBeNull();
  expect(side('Dostupno').getByRole('option', { name: 'Šef odeljenja' })).toBeVisible();
});

it('tells why a move was refused', async () => {
  const onAdd = vi.fn(() => Promise.reject(new ApiError(403, 'Nemate pravo na ovu radnju.')));
  show(<TransferList available={available} chosen={chosen} onAdd={onAdd} onRemove={vi.fn()} />);
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj sve' }));
  expect(await screen.findByText('Nemate pravo na ovu radnju.')).toBeVisible();
});

const buttons = () => ['Dodaj izabrano', 'Dodaj sve', 'Vrati izabrano', 'Vrati sve'].map((name) => screen.getByRole('button', { name }));
const mark = (list: string, name: string) => userEvent.click(side(list).getByRole('option', { name }));

it('lets nothing be moved while a move is under way, and has nothing marked after it', async () => {
  let end = () => {};
  const onAdd = vi.fn(() => new Promise<void>((done) => (end = done)));
  show(<TransferList available={available} chosen={chosen} onAdd={onAdd} onRemove={vi.fn()} />);
  await mark('Dostupno', 'Lekar');
  await mark('Dodeljeno', 'Sestra');
  expect(buttons().map((button) => button.matches(':disabled'))).toEqual([false, false, false, false]);
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj izabrano' }));
  expect(buttons().map((button) => button.matches(':disabled'))).toEqual([true, true, true, true]);
  end();
  await waitFor(() => expect(buttons().map((button) => button.matches(':disabled'))).toEqual([true, false, true, false]));
});

it('keeps what was marked for another try where a move was refused', async () => {
  const onRemove = vi.fn(() => Promise.reject(new ApiError(403, 'Nemate pravo na ovu radnju.')));
  show(<TransferList available={available} chosen={chosen} onAdd={vi.fn()} onRemove={onRemove} />);
  await mark('Dodeljeno', 'Sestra');
  await userEvent.click(screen.getByRole('button', { name: 'Vrati izabrano' }));
  await screen.findByText('Nemate pravo na ovu radnju.');
  await userEvent.click(screen.getByRole('button', { name: 'Vrati izabrano' }));
  expect(onRemove.mock.calls).toEqual([[[3]], [[3]]]);
});

it('only shows where nothing may be changed', () => {
  show(<TransferList available={available} chosen={chosen} onAdd={vi.fn()} onRemove={vi.fn()} disabled />);
  expect(buttons().map((button) => button.matches(':disabled'))).toEqual([true, true, true, true]);
});

it('does not move all of a list that shows the first ones only', () => {
  show(<TransferList available={available} chosen={[]} onAdd={vi.fn()} onRemove={vi.fn()} cut={{ shown: 2, total: 9 }} />);
  expect(buttons().map((button) => button.matches(':disabled'))).toEqual([true, true, true, true]);
  expect(within(screen.getByRole('region', { name: 'Dostupno' })).getByRole('status')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Dostupno prikazano 2 od 9' })).toBeVisible();
  expect(side('Dodeljeno').getByText('Lista je prazna')).toBeVisible();
});

it('has its own names for the lists where it is given them', () => {
  show(<TransferList available={available} chosen={chosen} availableTitle="Sve" chosenTitle="Moje" onAdd={vi.fn()} onRemove={vi.fn()} />);
  expect(screen.getByRole('heading', { name: 'Sve 2' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Moje 1' })).toBeVisible();
});

it('marks one beside another and lets one go again, with no key held down, and moves all that are marked', async () => {
  const onAdd = vi.fn(() => Promise.resolve());
  show(<TransferList available={[...available, { id: 4, label: 'Tehničar' }]} chosen={chosen} onAdd={onAdd} onRemove={vi.fn()} />);
  for (const name of ['Lekar', 'Šef odeljenja', 'Tehničar', 'Lekar']) await mark('Dostupno', name);
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj izabrano' }));
  expect(onAdd).toHaveBeenCalledExactlyOnceWith([2, 4]);
});

it('reads each list out by its name, and that one is empty as what cannot be marked', () => {
  show(<TransferList available={available} chosen={[]} onAdd={vi.fn()} onRemove={vi.fn()} />);
  expect(screen.getByRole('listbox', { name: 'Dostupno' })).toBeVisible();
  const empty = within(screen.getByRole('listbox', { name: 'Dodeljeno' })).getByRole('option', {
    name: 'Lista je prazna',
    selected: false,
  });
  expect(empty).toHaveAttribute('aria-disabled', 'true');
});
