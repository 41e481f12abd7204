import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, signedIn } from '../testing/fakeApi';
import { printed } from './prints';

const RUN = '018f3b1e-0000-7000-8000-000000000001';
const PATH = `/api/entry-prints/${RUN}`;

/** A server on which the print goes through these states, the last of which stays. */
function server(...states: string[]) {
  let asked = 0;
  const state = () => states[Math.min(asked++, states.length - 1)] ?? 'queued';
  return fakeApi({
    'POST /api/entry-prints': () => ({ status: 202, body: { stampaID: RUN } }),
    [`GET ${PATH}`]: () => ({ body: { status: state(), greska: 'Unos je u međuvremenu obrisan.' } }),
    [`GET ${PATH}/file`]: () => ({ body: 'pdf' }),
    [`POST ${PATH}/cancel`]: () => ({ status: 204 }),
  });
}

const cancelled = (calls: { path: string }[]) => calls.filter(({ path }) => path === `${PATH}/cancel`).length;

beforeEach(() => {
  vi.useFakeTimers();
  signedIn();
});
afterEach(() => {
  vi.useRealTimers();
});

it('fetches the file as soon as it is made', async () => {
  const calls = server('queued', 'running', 'succeeded');
  const printing = printed({ unosID: 7 }, () => true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await (await printing)?.content.text()).toBe('"pdf"');
  expect(calls[0]?.body).toMatchObject({ unosID: 7 });
  expect(cancelled(calls)).toBe(0);
});

it('says why the engine could not make it', async () => {
  server('failed');
  await expect(printed({ unosID: 7 }, () => true)).rejects.toMatchObject({ message: 'Unos je u međuvremenu obrisan.' });
});

it('waits no longer than a person would, takes the print back and says so', async () => {
  const calls = server('queued');
  const printing = expect(printed({ unosID: 7 }, () => true)).rejects.toMatchObject({
    message: 'Dokument za štampu nije napravljen na vreme. Pokušajte ponovo za nekoliko minuta.',
  });
  await vi.advanceTimersByTimeAsync(44_000);
  expect(cancelled(calls)).toBe(0);
  await vi.advanceTimersByTimeAsync(3_000);
  await printing;
  expect(cancelled(calls)).toBe(1);
  const after = calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls.length).toBe(after);
});

it('stops when its tab was closed', async () => {
  const calls = server('running');
  expect(await printed({ unosID: 7 }, () => false)).toBeNull();
  expect(cancelled(calls)).toBe(1);
});
