import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reloadIfNewer } from './newSite';

const pageOf = (code: string) => `<!doctype html><html><body><script type="module" crossorigin src="${code}"></script></body></html>`;
const reload = vi.fn();
let served: () => Response;

beforeEach(() => {
  document.body.innerHTML = '<script type="module" src="/assets/index-a1.js"></script>';
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', () => Promise.resolve(served()));
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  document.body.innerHTML = '';
  reload.mockClear();
});

it('a page stays while the same code is served, and is loaded anew when another is', async () => {
  served = () => new Response(pageOf('/assets/index-a1.js'));
  await reloadIfNewer();
  expect(reload).not.toHaveBeenCalled();
  served = () => new Response(pageOf('/assets/index-b2.js'));
  await reloadIfNewer();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('is not loaded again and again where an old page is kept on the way', async () => {
  served = () => new Response(pageOf('/assets/index-b2.js'));
  await reloadIfNewer();
  await reloadIfNewer();
  expect(reload).toHaveBeenCalledTimes(1);
  served = () => new Response(pageOf('/assets/index-c3.js'));
  await reloadIfNewer();
  expect(reload).toHaveBeenCalledTimes(2);
});

it('an answer that is no page of the application, or none, changes nothing', async () => {
  for (const answer of [
    () => new Response('zatvoreno', { status: 503 }),
    () => new Response('<p>Radovi u toku</p>'),
    () => Response.error(),
  ]) {
    served = answer;
    await reloadIfNewer();
  }
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('nema veze')));
  await reloadIfNewer();
  expect(reload).not.toHaveBeenCalled();
});
