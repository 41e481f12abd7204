import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../../testing/fakeApi';
import RegisterScreen from './RegisterScreen';

const noForms = { prviTipHijerarhijeAtributaID: null, podrazumevaniTipHijerarhijeAtributaID: null };
const register = { id: 7, verzija: 3, naziv: 'Neurologija', brojRezultataUPretrazi: null, ...noForms };

it('a register without a number of results says whose it follows, and follows it after a save', async () => {
  const calls = fakeApi({
    'GET /api/registers/7': () => ({ body: register }),
    'GET /api/forms': () => ({ body: { data: [], total: 0 } }),
    'PATCH /api/registers/7': ({ body }) => ({ body }),
  });
  signedIn();
  show(
    <Routes>
      <Route path="/registar/:id" element={<RegisterScreen />} />
      <Route path="*" element="svi registri" />
    </Routes>,
    '/registar/7',
  );
  await screen.findAllByText('Kao u parametrima instalacije');
  await userEvent.type(screen.getByRole('textbox', { name: 'Šifra' }), 'NEU{Enter}');
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ sifra: 'NEU', brojRezultataUPretrazi: null }),
  );
});
