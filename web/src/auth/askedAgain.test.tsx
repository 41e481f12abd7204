// A call that the server answers with a question for the password: asked once, and then carried out.
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { session } from '../api/session';
import { fakeApi, lekar, show, signedIn } from '../testing/fakeApi';
import { ConfirmPassword } from './ConfirmPassword';
import { SignInAgain } from './SignInAgain';
import { handOverWith, lock } from './signIn';

describe('a session that ends', () => {
  const server = () =>
    fakeApi({
      'POST /api/login': ({ body }) =>
        (body as { password: string }).password === 'tajna'
          ? { body: { ulogovaniRadnik: { ...lekar, token: 'drugi-token' } } }
          : { status: 401, body: { message: 'Neispravno korisničko ime i/ili lozinka.', field: null } },
      'POST /api/save-warning': ({ token, body }) =>
        token === 'Regix drugi-token'
          ? { body: { saved: body } }
          : { status: 401, body: { message: 'Prijava je istekla. Prijavite se ponovo.', field: null } },
    });

  it('asks for the password once for all waiting calls, then carries them out', async () => {
    signedIn();
    const calls = server();
    show(<SignInAgain />);
    let answers: Promise<unknown[]> | undefined;
    await act(async () => {
      answers = Promise.all([api.post('/api/save-warning', { message: 'prva' }), api.post('/api/save-warning', { message: 'druga' })]);
      await Promise.resolve();
    });
    expect(await screen.findAllByRole('dialog')).toHaveLength(1);

    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'pogrešna{Enter}');
    expect(await screen.findByText('Neispravno korisničko ime i/ili lozinka.')).toBeVisible();
    await userEvent.clear(screen.getByLabelText(/^Lozinka/));
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'tajna{Enter}');

    expect(await answers).toEqual([{ saved: { message: 'prva' } }, { saved: { message: 'druga' } }]);
    expect(session.current()?.token).toBe('drugi-token');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.filter(({ path }) => path === '/api/save-warning')).toHaveLength(4);
  });

  it('by a locked screen goes on after the password, where no call has waited for it', async () => {
    signedIn();
    server();
    show(<SignInAgain />);
    act(() => session.update({ zakljucano: true }));
    await userEvent.type(await screen.findByLabelText(/^Lozinka/), 'tajna{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(session.current()?.token).toBe('drugi-token');
  });

  it('while what is typed goes to the server does not end the one that began meanwhile', async () => {
    signedIn();
    const calls = fakeApi({ 'POST /api/logout': () => ({ status: 204 }) });
    let arrived = () => {};
    handOverWith(() => new Promise<void>((resolve) => (arrived = resolve)));
    const locked = lock();
    session.start({ ...lekar, token: 'drugi-token' });
    arrived();
    await locked;
    expect(calls.map(({ path, token }) => [path, token])).toEqual([['/api/logout', 'Regix prvi-token']]);
    handOverWith(() => Promise.resolve());
  });

  it('is not what a wrong password at sign-in means', async () => {
    server();
    await expect(api.signIn({ username: 'lekar', password: 'x' })).rejects.toBeInstanceOf(ApiError);
  });
});

describe('a dangerous change', () => {
  /** Asks for the password until the right one has been given. */
  function server() {
    let confirmed = false;
    return fakeApi({
      'POST /api/session/confirm': ({ body }) => {
        confirmed = (body as { lozinka: string }).lozinka === 'tajna';
        return confirmed ? { status: 204 } : { status: 422, body: { message: 'Lozinka nije ispravna.', field: 'lozinka' } };
      },
      'PATCH /api/roles/7': ({ body }) =>
        confirmed
          ? { body: { saved: body } }
          : { status: 428, body: { message: 'Uloga otvara pacijente.', field: null, potvrdaLozinkom: true } },
    });
  }
  const begin = async () => {
    let answer: Promise<unknown> | undefined;
    await act(async () => {
      answer = api.patch(at('/api/roles/{id}', { id: 7 }), { pacijenti: 'uvid' }).catch((error: unknown) => error);
      await Promise.resolve();
    });
    return { answer };
  };

  it('asks for the password, says what is wrong with it, and is then sent as it was', async () => {
    signedIn();
    const calls = server();
    show(<ConfirmPassword />);
    const { answer } = await begin();
    expect(await screen.findByText('Uloga otvara pacijente.')).toBeVisible();
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'pogrešna{Enter}');
    expect(await screen.findByText('Lozinka nije ispravna.')).toBeVisible();
    await userEvent.clear(screen.getByLabelText(/^Lozinka/));
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'tajna{Enter}');
    expect(await answer).toEqual({ saved: { pacijenti: 'uvid' } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.filter(({ path }) => path === '/api/roles/7').map(({ body }) => body)).toEqual([
      { pacijenti: 'uvid' },
      { pacijenti: 'uvid' },
    ]);
  });

  it('is not sent again when the question is left', async () => {
    signedIn();
    const calls = server();
    show(<ConfirmPassword />);
    const { answer } = await begin();
    await userEvent.click(await screen.findByRole('button', { name: 'Odustani' }));
    expect(await answer).toMatchObject({ status: 428, message: 'Izmena nije snimljena jer nije potvrđena lozinkom.' });
    expect(calls).toHaveLength(1);
  });
});
