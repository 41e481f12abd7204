import { describe, expect, it, vi } from 'vitest';
import { fakeApi, signedIn } from '../testing/fakeApi';
import { at, withQuery } from './address';
import { api, ApiError, messageOf } from './client';

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

  it('has an id of its own, which is told with a failure that nobody expected and with no other', async () => {
    const ids: (string | null)[] = [];
    const answers: ResponseInit[] = [
      { status: 500, headers: { 'X-Request-Id': 'od-proksija-1' } },
      { status: 500, headers: {} },
      { status: 422, headers: {} },
      { status: 503, headers: {} },
    ];
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      ids.push(new Headers(init.headers).get('X-Request-Id'));
      return Promise.resolve(new Response(JSON.stringify({ message: 'Nije uspelo.', field: null }), answers[ids.length - 1]));
    });
    const told = async () => {
      try {
        await api.post('/api/roles', {});
        return null;
      } catch (error) {
        return messageOf(error);
      }
    };
    const own = (n: number) => ids[n] ?? 'none';
    expect(await told()).toBe('Nije uspelo. Ako se ponovi, javite administratoru oznaku poziva od-proksija-1.');
    expect(await told()).toBe(`Nije uspelo. Ako se ponovi, javite administratoru oznaku poziva ${own(1)}.`);
    expect([await told(), await told()]).toEqual(['Nije uspelo.', 'Nije uspelo.']);
    expect(new Set(ids).size).toBe(4);
    // What the server believes to be an id (`domain/src/logging.rs`).
    for (const id of ids) expect(id).toMatch(/^[\w.-]{8,64}$/);
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
    expect(await outcome(api.file(at('/api/data-exports/{id}/file', { id: '7' })))).toEqual(['made', 2]);
    [made, busy] = [0, 9];
    made = 0;
    expect(await outcome(api.post('/api/roles', {}))).toEqual([503, 1]);
    vi.useRealTimers();
  });

  it('leaves out what is not asked for', () => {
    expect(withQuery('/api/registers', { aktivan: true, filter: '', sort: undefined, page: 0 })).toBe('/api/registers?aktivan=true&page=0');
  });
});
