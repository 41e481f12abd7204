// The socket as it dies: closed, silent, or never there; and what the screen does then.
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useApi } from '../api/hooks';
import { fakeApi, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { useReportEvents } from './events';

/** A socket of which the test says what becomes of it. */
class FakeSocket {
  static opened: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;
  constructor(readonly address: URL) {
    FakeSocket.opened.push(this);
  }
  close() {
    this.closed = true;
  }
  says(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const LIVE = 'asks every 0 ms, as it should be';
const HEARTBEAT = { vrsta: 'otkucaj' };
let calls: FakeCall[];

function Screen() {
  const { pollEvery, offline } = useReportEvents();
  useApi('/api/report-runs', { refreshInterval: pollEvery });
  return <output>{`asks every ${pollEvery} ms, ${offline ? 'offline' : 'as it should be'}`}</output>;
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  signedIn();
  calls = fakeApi({
    'POST /api/socket-tickets': () => ({ body: { ticket: 'karta' } }),
    'GET /api/report-runs': () => ({ body: { data: [], total: 0 } }),
  });
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const readings = () => calls.filter(({ path }) => path === '/api/report-runs').length;

/** The screen with a socket that is open, after the reading that follows the opening. */
async function connected(): Promise<FakeSocket> {
  show(<Screen />);
  await pass(0);
  const [socket] = FakeSocket.opened;
  if (!socket) throw new Error('no socket was opened');
  act(() => socket.onopen?.());
  await pass(200);
  expect(screen.getByRole('status')).toHaveTextContent(LIVE);
  return socket;
}

it('reads the lists anew at a hint and not at a heartbeat', async () => {
  const socket = await connected();
  const before = readings();
  socket.says(HEARTBEAT);
  await pass(1_000);
  expect(readings()).toBe(before);
  socket.says({ vrsta: 'izvestaj', id: '1', seq: 1 });
  socket.says({ vrsta: 'izvestaj', id: '1', seq: 2 });
  await pass(1_000);
  expect(readings()).toBe(before + 1);
});

it('stays with a socket whose heartbeats arrive', async () => {
  const socket = await connected();
  for (let heard = 0; heard < 12; heard += 1) {
    await pass(10_000);
    socket.says(HEARTBEAT);
  }
  expect(FakeSocket.opened).toEqual([socket]);
  expect(screen.getByRole('status')).toHaveTextContent(LIVE);
});

it('leaves a silent socket within half a minute, asks by itself, and comes back', async () => {
  const socket = await connected();
  const before = readings();
  await pass(24_000);
  expect(screen.getByRole('status')).toHaveTextContent(LIVE);
  await pass(1_500);
  expect(socket.closed).toBe(true);
  expect(screen.getByRole('status')).toHaveTextContent('asks every 5000 ms, offline');
  expect(readings()).toBe(before + 1);
  await pass(5_500);
  expect(readings()).toBeGreaterThan(before + 1);

  const next = FakeSocket.opened[1];
  expect(next).toBeDefined();
  act(() => next?.onopen?.());
  await pass(200);
  expect(screen.getByRole('status')).toHaveTextContent(LIVE);
  // What the old one says after all is nobody's business.
  const after = readings();
  socket.says({ vrsta: 'izvestaj', id: '1', seq: 3 });
  await pass(1_000);
  expect(readings()).toBe(after);
});

it('does not wait for a socket that never opens', async () => {
  show(<Screen />);
  await pass(0);
  await pass(26_000);
  expect(FakeSocket.opened[0]?.closed).toBe(true);
  await pass(2_000);
  expect(FakeSocket.opened).toHaveLength(2);
});

it('closes its socket with the screen and opens none after that', async () => {
  const { unmount } = show(<Screen />);
  await pass(0);
  unmount();
  await pass(120_000);
  expect(FakeSocket.opened).toHaveLength(1);
  expect(FakeSocket.opened[0]?.closed).toBe(true);
});
