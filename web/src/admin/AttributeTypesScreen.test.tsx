import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import AttributeTypesScreen from './AttributeTypesScreen';

it('an item gets no number only where it is said that it has no weight', async () => {
  signedIn();
  const type = { id: 7, naziv: 'Jačina', tipVrednostiAtributa: 4, nazivTipaVrednostiAtributa: 'Skup', drugeJedinice: [], verzija: 1 };
  const items = [{ id: 1, naziv: 'Odbija', tipAtributaID: 7, numVrednost: null, bezTezine: true, opcioni: true, redosled: 0, verzija: 1 }];
  const calls = fakeApi({
    'GET /api/value-types': () => ({ body: { data: [{ numVrednost: 4, naziv: 'Skup' }], total: 1 } }),
    'GET /api/attribute-types': () => ({ body: { data: [type], total: 1 } }),
    'GET /api/attribute-types/7': () => ({ body: type }),
    'GET /api/enum-items': () => ({ body: { data: items, total: 1 } }),
    'POST /api/enum-items': ({ body }) => ({ status: 201, body: { ...(body as object), id: 2, verzija: 1 } }),
  });
  show(<AttributeTypesScreen />);
  await userEvent.click(await screen.findByRole('cell', { name: 'Jačina' }));
  await userEvent.click(screen.getByRole('button', { name: 'Izmeni' }));
  await userEvent.click(await screen.findByRole('tab', { name: 'Stavke nabrajanja' }));
  await screen.findByRole('cell', { name: 'bez težine' });
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Dodaj' }));
  const dialog = await waitFor(() => {
    const all = screen.getAllByRole('dialog');
    expect(all).toHaveLength(2);
    return within(all[1] as HTMLElement);
  });
  await userEvent.type(dialog.getByRole('textbox', { name: /Naziv/ }), 'Nepoznato');
  await userEvent.click(dialog.getByRole('button', { name: 'Dodaj' }));
  await dialog.findByText('Niste uneli numeričku vrednost.');
  await userEvent.click(dialog.getByRole('switch', { name: 'Bez težine' }));
  expect(dialog.getByRole('textbox', { name: /Numerička vrednost/ })).toBeDisabled();
  await userEvent.click(dialog.getByRole('button', { name: 'Dodaj' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  const sent = calls.find(({ method }) => method === 'POST')?.body;
  expect(sent).toMatchObject({ naziv: 'Nepoznato', numVrednost: null, bezTezine: true, tipAtributa: 7 });
});
