import { screen, within } from '@testing-library/react';
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
