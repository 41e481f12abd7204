import { expect, it, vi } from 'vitest';
import { blankDraft } from '../testing/draft';
import { fakeApi, lekar, signedIn } from '../testing/fakeApi';
import { keepNow } from '../drafts/draftStorage';
import { arrived, askAhead, awaited, load, shown, entryTarget } from './target';

const at = (address: string) => new URL(address, 'http://regix.test');

it('reads a saved entry and a new one from the address, and nothing from any other', () => {
  expect(entryTarget(at('/unosi/12?datumUnosa=2026-03-05'))).toEqual({
    unosID: 12,
    pacijentID: 0,
    tsaID: 0,
    path: '/api/entry-display?haID=12',
    draftKey: 'unos-12',
    date: null,
  });
  expect(entryTarget(at('/unosi2/12'))?.unosID).toBe(12);
  expect(entryTarget(at('/unosi/novi?tsaID=3&pacijentID=4&datumUnosa=2026-03-05'))).toEqual({
    unosID: null,
    pacijentID: 4,
    tsaID: 3,
    path: '/api/entry-display?tsaID=3&pacijentID=4&datumUnosa=2026-03-05',
    draftKey: 'novi-4-3',
    date: '2026-03-05',
  });
  expect(entryTarget(at('/unosi/novi?tsaID=3&pacijentID=4&datumUnosa=juče'))?.date).toBeNull();
  for (const other of ['/unosi/novi', '/unosi/novi?tsaID=3&pacijentID=x', '/unosi/12a', '/unosi', '/pacijenti/12'])
    expect(entryTarget(at(other))).toBeNull();
});

it('shows what was asked for ahead once, its drafts too, and asks again for everything after', async () => {
  signedIn(lekar);
  let calls = 0;
  const asked: (string | null)[] = [];
  fakeApi({
    'GET /api/entry-display': ({ query }) => ({ body: { haID: query.get('haID'), call: ++calls } }),
    'GET /api/entry-drafts': ({ query }) => {
      asked.push(query.get('kljuc'));
      return { body: { data: [] } };
    },
  });
  const { signal } = new AbortController();
  const shown = async (address: string) => {
    const target = entryTarget(at(address));
    if (!target) throw new Error('no entry');
    const { display, drafts } = load(target, signal);
    await drafts;
    return display;
  };
  askAhead(at('/unosi/12'));
  expect(await shown('/unosi/12')).toEqual({ haID: '12', call: 1 });
  expect(asked).toEqual(['unos-12']);
  expect(await shown('/unosi/12')).toEqual({ haID: '12', call: 2 });
  askAhead(at('/unosi/12'));
  expect(await shown('/unosi/13')).toEqual({ haID: '13', call: 4 });
  expect(await shown('/unosi/12')).toEqual({ haID: '12', call: 5 });
  expect(asked).toEqual(['unos-12', 'unos-12', 'unos-12', 'unos-13', 'unos-12']);
});

it('draws at once what has arrived before its screen, once, and waits where there is a draft of it', async () => {
  signedIn(lekar);
  const kept: { kljuc: string; sadrzaj: unknown }[] = [];
  fakeApi({
    'GET /api/entry-display': ({ query }) => ({ body: { haID: query.get('haID') } }),
    'GET /api/entry-drafts': () => ({ body: { data: kept } }),
  });
  const target = entryTarget(at('/unosi/12'));
  const arrives = async () => {
    askAhead(at('/unosi/12'));
    expect(arrived(target)).toBeNull();
    await new Promise((done) => setTimeout(done));
    return arrived(target);
  };
  expect(await arrives()).toEqual({ haID: '12' });
  expect(arrived(entryTarget(at('/unosi/13')))).toBeNull();
  shown();
  expect(arrived(target)).toBeNull();
  kept.push({ kljuc: 'unos-12.a', sadrzaj: {} });
  expect(await arrives()).toBeNull();
  kept.pop();
  expect(await arrives()).not.toBeNull();
  keepNow(lekar.id, 'unos-12.b', { ...blankDraft, vreme: Date.now() });
  expect(await arrives()).toBeNull();
});

it('lets its screen wait for what was asked for ahead, and not longer than a moment', async () => {
  signedIn(lekar);
  fakeApi({
    'GET /api/entry-display': ({ query }) => ({ body: { haID: query.get('haID') } }),
    'GET /api/entry-drafts': () => ({ body: { data: [] } }),
  });
  const answering = globalThis.fetch;
  let answer = () => {};
  const slow = new Promise<void>((go) => (answer = go));
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    await slow;
    return answering(...asked);
  });
  const target = entryTarget(at('/unosi/12'));
  askAhead(at('/unosi/12'));
  await awaited();
  expect(arrived(target)).toBeNull();
  answer();
  await awaited();
  expect(arrived(target)).toEqual({ haID: '12' });
});
