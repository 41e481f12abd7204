import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signedIn } from '../../testing/fakeApi';
import { claimed } from './draft';
import type { Draft } from './draftStorage';

const KEY = 'unos-7.prozor';
const draft: Draft = {
  vreme: 1,
  pacijentID: 1,
  vrednosti: { 1: 5 },
  datumUnosa: null,
  radnikOdgovoran: null,
  osnova: {},
  osnovaDatumUnosa: null,
  osnovaRadnikOdgovoran: null,
  verzija: 1,
  kljuc: null,
};

let other: BroadcastChannel;
let granted: (() => Promise<void> | undefined) | undefined;

/** Another window has the draft and says so; the browser does not hear that the lock is not waited for any more. */
beforeEach(() => {
  signedIn();
  other = new BroadcastChannel(`regix.nacrt.2.${KEY}`);
  other.onmessage = () => other.postMessage('moj je');
  const request = (_name: string, _options: unknown, hold: () => Promise<void> | undefined) => {
    granted = hold;
    return new Promise(() => undefined);
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { locks: { request } }));
});
afterEach(() => {
  other.close();
  vi.unstubAllGlobals();
});

it('a draft that another window types is left to it, though the browser never tells of the lock', async () => {
  expect(await claimed(new Map([[KEY, draft]]))).toEqual([]);
});

it('a lock that comes after it was given up is let go at once', async () => {
  await claimed(new Map([[KEY, draft]]));
  expect(granted?.()).toBeUndefined();
});
