import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { session } from './session';
import { ConfirmPassword } from '../auth/ConfirmPassword';
import { SignInAgain } from '../auth/SignInAgain';
import { handOverWith, lock } from '../auth/signIn';
import { fakeApi, lekar, show, signedIn } from '../testing/fakeApi';
import { api, ApiError, withQuery } from './client';

describe('a call', () => {
  it('carries the token in the scheme Regix', async () => {
    signedIn();
    const calls = fakeApi({ 'GET /api/warning': () => ({ body: { message: '' } }) });
    await api.get('/api/warning');
    expect(calls[0]?.token).toBe('Regix prvi-token');
  });

  it("that is refused tells the server's message and field", async () => {
    fakeApi({ 'POST /api/roles': () => ({ status: 422, body: { message: 'Niste uneli naziv.', field: 'ime' } }) });
    await expect(api.post('/api/roles', {})).rejects.toMatchObject({ status: 422, message: 'Niste uneli naziv.', field: 'ime' });
  });

  it('that meets no server says so in plain words', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(api.get('/api/warning')).rejects.toMatchObject({
      status: 0,
      message: 'Server nije dostupan. Proverite mrežu i pokušajte ponovo.',
    });
  });

  it('answered by something that is no JSON is still an error with a text', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
    await expect(api.get('/api/warning')).rejects.toMatchObject({ status: 502, message: 'Došlo je do greške na serveru.' });
  });

  it('that finds the server busy is made again by itself, twice at most, where it only reads', async () => {
    vi.useFakeTimers();
    let made = 0;
    let busy = 1;
    vi.stubGlobal('fetch', () => {
      made += 1;
      const status = made > busy ? 200 : 503;
      return Promise.resolve(
        new Response(JSON.stringify({ message: 'Server je trenutno zauzet.', field: null }), { status, headers: { 'Retry-After': '2' } }),
      );
    });
    const outcome = async (call: Promise<unknown>) => {
      const settled = call.then(
        () => 'made',
        (error: unknown) => (error as ApiError).status,
      );
      await vi.runAllTimersAsync();
      return [await settled, made];
    };
    expect(await outcome(api.ask('/api/search', {}))).toEqual(['made', 2]);
    [made, busy] = [0, 9];
    expect(await outcome(api.get('/api/warning'))).toEqual([503, 3]);
    [made, busy] = [0, 1];
    expect(await outcome(api.file('/api/data-exports/7/file'))).toEqual(['made', 2]);
    [made, busy] = [0, 9];
    made = 0;
    expect(await outcome(api.post('/api/roles', {}))).toEqual([503, 1]);
    vi.useRealTimers();
  });

  it('leaves out what is not asked for', () => {
    expect(withQuery('/api/registers', { aktivan: true, filter: '', sort: undefined, page: 0 })).toBe('/api/registers?aktivan=true&page=0');
  });
});

describe('a session that ends', () => {
  const server = () =>
    fakeApi({
      'POST /api/login': ({ body }) =>
        (body as { password: string }).password === 'tajna'
          ? { body: { ulogovaniRadnik: { ...lekar, token: 'drugi-token' } } }
          : { status: 401, body: { message: 'Neispravno korisničko ime i/ili lozinka.', field: null } },
      'POST /api/notes': ({ token, body }) =>
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
      answers = Promise.all([api.post('/api/notes', { text: 'prva' }), api.post('/api/notes', { text: 'druga' })]);
      await Promise.resolve();
    });
    expect(await screen.findAllByRole('dialog')).toHaveLength(1);

    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'pogrešna{Enter}');
    expect(await screen.findByText('Neispravno korisničko ime i/ili lozinka.')).toBeVisible();
    await userEvent.clear(screen.getByLabelText(/^Lozinka/));
    await userEvent.type(screen.getByLabelText(/^Lozinka/), 'tajna{Enter}');

    expect(await answers).toEqual([{ saved: { text: 'prva' } }, { saved: { text: 'druga' } }]);
    expect(session.current()?.token).toBe('drugi-token');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.filter(({ path }) => path === '/api/notes')).toHaveLength(4);
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
      answer = api.patch('/api/roles/7', { pacijenti: 'uvid' }).catch((error: unknown) => error);
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
    expect(await answer).toMatchObject({ status: 428, message: 'Izmena nije sačuvana jer nije potvrđena lozinkom.' });
    expect(calls).toHaveLength(1);
  });
});
