import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../../testing/fakeApi';
import FormScreen from './FormScreen';

it('a new form stands behind the others of its register', async () => {
  const calls = fakeApi({
    'GET /api/registers/7': () => ({ body: { id: 7, naziv: 'Neurologija' } }),
    'GET /api/forms': () => ({ body: { data: [{ id: 3, naziv: 'Prijem', prikazniRedosled: 40 }], total: 1 } }),
    'POST /api/forms': ({ body }) => ({ status: 201, body: { id: 4, ...(body as object) } }),
  });
  signedIn();
  const state = { unosOperation: 'create', registarID: 7, registarOperation: 'update' };
  show(
    <Routes>
      <Route path="/admin/formular/:id?" element={<FormScreen />} />
      <Route path="/nov" element={<Navigate to="/admin/formular" state={state} replace />} />
      <Route path="*" element="drugde" />
    </Routes>,
    '/nov',
  );
  const [name] = await screen.findAllByRole('textbox', { name: /^Naziv/ });
  if (name) await userEvent.type(name, 'Otpust{Enter}');
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ naziv: 'Otpust', registarID: 7, prikazniRedosled: 50 }),
  );
});
