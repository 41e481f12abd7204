import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeApi, lekar, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { session, useSession } from '../api/session';
import { SignIn } from './SignIn';
import { home } from './signIn';

/** What is there for the signed in only. */
const Inside = () => useSession() && <p>Unutra</p>;

describe('the sign-in screen', () => {
  let calls: FakeCall[];
  const logins = () => calls.filter(({ path }) => path === '/api/login');

  beforeEach(() => {
    calls = fakeApi({
      'GET /api/application': () => ({ body: { nazivAplikacije: 'Registri KCS', autoPrijava: false, demo: false, verzija: '2.2.0' } }),
      'GET /api/sponsors': () => ({ body: { data: [], total: 0 } }),
      'GET /api/registers': () => ({ body: { data: [{ id: 7, naziv: 'Kardiologija' }], total: 1 } }),
      'POST /api/login': ({ body }) =>
        (body as { password: string }).password === 'lekar'
          ? { body: { ulogovaniRadnik: lekar } }
          : { status: 401, body: { message: 'Neispravno korisničko ime i/ili lozinka.', field: null } },
    });
    show(<SignIn />);
  });

  it('asks for the missing name, then for the missing password, and calls nobody', async () => {
    await userEvent.type(screen.getByLabelText(/^Korisničko ime/), '   {Enter}');
    expect(screen.getByText('Niste uneli korisničko ime.')).toBeVisible();
    await userEvent.type(screen.getByLabelText(/^Korisničko ime/), 'lekar{Enter}');
    expect(screen.getByText('Niste uneli šifru.')).toBeVisible();
    expect(screen.queryByText('Niste uneli korisničko ime.')).toBeNull();
    expect(logins()).toHaveLength(0);
  });

  it('keeps the message about a wrong password until the next try', async () => {
    await userEvent.type(screen.getByLabelText(/^Korisničko ime/), 'lekar');
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'pogrešno{Enter}');
    expect(await screen.findByText('Neispravno korisničko ime i/ili lozinka.')).toBeVisible();
    expect(session.current()).toBeNull();
  });

  it('shows and hides the password', async () => {
    const password = screen.getByLabelText(/^Lozinka/);
    expect(password).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Prikaži lozinku' }));
    expect(password).toHaveAttribute('type', 'text');
    await userEvent.click(screen.getByRole('button', { name: 'Sakrij lozinku' }));
    expect(password).toHaveAttribute('type', 'password');
  });

  it('keeps the login record after Enter with the right password', async () => {
    await userEvent.type(screen.getByLabelText(/^Korisničko ime/), ' lekar ');
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'lekar{Enter}');
    await waitFor(() => expect(session.current()).toMatchObject({ id: 2, token: 'prvi-token', imePrezime: 'Đorđe Čubrilović' }));
    expect(logins()[0]?.body).toEqual({ username: 'lekar', password: 'lekar' });
  });

  it('stays until the page is loaded anew: a screen drawn before that would lose a click', async () => {
    show(<Inside />);
    await userEvent.type(screen.getByLabelText(/^Korisničko ime/), 'lekar');
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'lekar{Enter}');
    await waitFor(() => expect(session.current()).not.toBeNull());
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/registers')).toHaveLength(1));
    expect(screen.queryByText('Unutra')).toBeNull();
  });

  it('bears the name of the installation', async () => {
    expect(await screen.findByText('Registri KCS')).toBeVisible();
  });
});

describe('after the sign-in', () => {
  const registers = (...ids: number[]) =>
    fakeApi({ 'GET /api/registers': () => ({ body: { data: ids.map((id) => ({ id })), total: ids.length } }) });

  it('the only register opens by itself', async () => {
    registers(7);
    expect(await home()).toBe('/registri/7');
  });

  it('who has chosen it begins with the own day, and nobody else', async () => {
    const start = (pocetna: string) =>
      fakeApi({
        'GET /api/registers': () => ({ body: { data: [{ id: 7 }], total: 1 } }),
        'GET /api/worker-start': () => ({ body: { pocetna, nedeljniPregled: false, javiUpite: true } }),
      });
    start('mojDan');
    expect(await home()).toBe('/mojDan');
    start('pacijenti');
    expect(await home()).toBe('/registri/7');
  });

  it('several registers, none, or a failure lead to the list', async () => {
    registers(7, 8);
    expect(await home()).toBe('/registri');
    registers();
    expect(await home()).toBe('/registri');
    fakeApi({});
    expect(await home()).toBe('/registri');
  });
});

describe('the stored login record', () => {
  it('counts only with a token and a full name', () => {
    expect(session.current()).toBeNull();
    signedIn({ imePrezime: '' });
    expect(session.current()).toBeNull();
    signedIn({ token: '' });
    expect(session.current()).toBeNull();
    signedIn();
    expect(session.current()?.username).toBe('lekar');
    localStorage.setItem('regix.ulogovaniRadnik', '{broken');
    expect(session.current()).toBeNull();
  });
});
