import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import InstitutionsScreen from './InstitutionsScreen';

it('offers no change of an institution that somebody else administers, and says who does', async () => {
  signedIn();
  const data = [
    { id: 1, naziv: 'Klinika A', menja: true },
    { id: 2, naziv: 'Klinika B', menja: false },
  ];
  fakeApi({ 'GET /api/institutions': () => ({ body: { data, total: 2 } }) });
  show(<InstitutionsScreen />);
  const button = (name: string) => screen.getByRole('button', { name });
  const why = 'Ovu ustanovu menja njen administrator, ili administrator svih ustanova.';

  await userEvent.click(await screen.findByRole('cell', { name: 'Klinika B' }));
  expect(screen.getByRole('status')).toHaveTextContent(why);
  for (const name of ['Izmeni', 'Obriši']) expect(button(name)).toBeDisabled();
  expect(button('Detalji')).toBeEnabled();

  await userEvent.click(screen.getByRole('cell', { name: 'Klinika A' }));
  expect(screen.queryByText(why)).toBeNull();
  for (const name of ['Izmeni', 'Obriši']) expect(button(name)).toBeEnabled();
});
