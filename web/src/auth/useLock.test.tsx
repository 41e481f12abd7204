import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const HOUR = 3_600_000;
const TOUCHED = 'regix.poslednjiDodir';

// Each test is a page of its own: what an earlier one listened to would count as another tab.
let listening: [string, EventListener][] = [];
beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  const listen = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: unknown, options?: unknown) => {
    listening.push([type, listener as EventListener]);
    listen(type, listener as EventListener, options as AddEventListenerOptions);
  });
});
afterEach(() => {
  vi.useRealTimers();
  listening.forEach(([type, listener]) => window.removeEventListener(type, listener, { capture: true }));
  listening = [];
});

/** The page as it is opened in a browser in which somebody is signed in, and which was last touched so long ago. */
async function opened(ago: number | null) {
  const { fakeApi, lekar } = await import('../testing/fakeApi');
  localStorage.clear();
  fakeApi({ 'POST /api/logout': () => ({ status: 204 }) });
  localStorage.setItem('regix.ulogovaniRadnik', JSON.stringify({ ...lekar, token: 'prvi-token' }));
  if (ago !== null) localStorage.setItem(TOUCHED, String(Date.now() - ago));
  vi.resetModules();
  listening.forEach(([type, listener]) => window.removeEventListener(type, listener, { capture: true }));
  const { session } = await import('../api/session');
  const { useLock } = await import('./useLock');
  return { isLocked: () => session.current()?.zakljucano === true, lockAfter: (minutes: number) => renderHook(() => useLock(minutes)) };
}

it('a browser that is opened again after hours asks for the password, whoever moves the mouse first', async () => {
  const { isLocked, lockAfter } = await opened(7 * HOUR);
  window.dispatchEvent(new Event('pointermove'));
  lockAfter(15);
  expect(isLocked()).toBe(true);
});

it('a page that was touched a minute ago, or never before, does not', async () => {
  const one = await opened(60_000);
  one.lockAfter(15);
  expect(one.isLocked()).toBe(false);
  const other = await opened(null);
  other.lockAfter(15);
  expect(other.isLocked()).toBe(false);
});

it('a computer that slept is locked though the mouse moves before the next look, once and not again', async () => {
  const { isLocked, lockAfter } = await opened(0);
  lockAfter(15);
  vi.setSystemTime(Date.now() + HOUR);
  window.dispatchEvent(new Event('pointermove'));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(isLocked()).toBe(true);
  const { session } = await import('../api/session');
  session.update({ zakljucano: false });
  act(() => void vi.advanceTimersByTime(20_000));
  expect(isLocked()).toBe(false);
});

it('where the screen never locks, it does not', async () => {
  const { isLocked, lockAfter } = await opened(7 * HOUR);
  lockAfter(0);
  expect(isLocked()).toBe(false);
});
