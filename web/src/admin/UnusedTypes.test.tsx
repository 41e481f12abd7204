import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeApi, show } from '../testing/fakeApi';
import { UnusedTypes } from './UnusedTypes';

const TYPES = [
  { id: 5, naziv: 'Bol', nazivTipaVrednostiAtributa: 'Skupovni' },
  { id: 9, naziv: 'Puls', nazivTipaVrednostiAtributa: 'Brojni' },
];

it('names all types that nothing uses and removes them in one step', async () => {
  let left = TYPES;
  const calls = fakeApi({
    'GET /api/unused-attribute-types': () => ({ body: { data: left, total: left.length } }),
    'POST /api/unused-attribute-types-delete': () => {
      left = [];
      return { status: 204 };
    },
  });
  const onRemoved = vi.fn();
  show(<UnusedTypes onRemoved={onRemoved} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Ukloni tipove bez polja (2)' }));
  expect(screen.getByText('Bol')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Ukloni sve (2)' }));
  await waitFor(() => expect(onRemoved).toHaveBeenCalledOnce());
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ tipovi: [5, 9] });
  await waitFor(() => expect(screen.queryByRole('button', { name: /Ukloni tipove/ })).toBeNull());
});

it('is not there where every type is used', async () => {
  fakeApi({ 'GET /api/unused-attribute-types': () => ({ body: { data: [], total: 0 } }) });
  show(<UnusedTypes onRemoved={vi.fn()} />);
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
});
