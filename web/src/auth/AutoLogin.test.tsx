import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, lekar, show } from '../testing/fakeApi';
import { AutoLogin } from './AutoLogin';
import { session } from '../api/session';

const open = (login: { status?: number; body?: unknown }, autoPrijava = true) => {
  window.history.replaceState(null, '', '/autologin?username=lekar&password=tajna');
  const calls = fakeApi({
    'GET /api/application': () => ({ body: { nazivAplikacije: 'Regix', autoPrijava, demo: false, verzija: '2.2.0' } }),
    'POST /api/login': () => login,
  });
  show(
    <Routes>
      <Route path="/autologin" element={<AutoLogin />} />
      <Route path="/" element={<p>početna</p>} />
    </Routes>,
    '/autologin',
  );
  return () => calls.filter(({ path }) => path === '/api/login').length;
};

afterEach(() => window.history.replaceState(null, '', '/'));

it.each([
  ['a 404', { status: 404, body: { message: 'Zapis nije pronađen.', field: null } }],
  ['an answer without a worker', { body: {} }],
  ['a wrong password', { status: 401, body: { message: 'Neispravno korisničko ime i/ili lozinka.', field: null } }],
])('after %s leads to /, signs nobody in and leaves no password in the address', async (_what, login) => {
  const logins = open(login);
  expect(await screen.findByText('početna')).toBeVisible();
  expect(logins()).toBe(1);
  expect(session.current()).toBeNull();
  expect(window.location.href).not.toContain('tajna');
});

it('asks nobody while the parameter is off', async () => {
  const logins = open({ body: { ulogovaniRadnik: lekar } }, false);
  expect(await screen.findByText('početna')).toBeVisible();
  expect(logins()).toBe(0);
});

it('keeps the login record after the right password', async () => {
  open({ body: { ulogovaniRadnik: lekar } });
  await waitFor(() => expect(session.current()).toMatchObject({ username: 'lekar', token: 'prvi-token' }));
});
