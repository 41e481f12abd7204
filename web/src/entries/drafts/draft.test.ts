import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../../api/session';
import { blankDraft } from '../../testing/draft';
import { fakeApi, signedIn, type FakeCall } from '../../testing/fakeApi';
import { claimed, discardDraft, DraftKeeper } from './draft';
import { kept, type Draft } from '../../drafts/draftStorage';

vi.mock('../../api/key', () => ({ newKey: () => 'prozor' }));

const KEY = 'unos-7.prozor';
const draft = { ...blankDraft, vreme: 1, vrednosti: { 1: 5 } };

describe('a draft that another window has', () => {
  let other: BroadcastChannel;
  let granted: (() => Promise<void> | undefined) | undefined;

  /** The other window says so; the browser does not hear that the lock is not waited for any more. */
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

  it('is left to it, though the browser never tells of the lock', async () => {
    expect(await claimed(new Map([[KEY, draft]]))).toEqual([]);
  });

  it('stays its own when the lock comes after it was given up', async () => {
    await claimed(new Map([[KEY, draft]]));
    expect(granted?.()).toBeUndefined();
  });
});

describe('what is typed', () => {
  let content: Draft | null;
  let answer: number;
  let calls: FakeCall[];
  let keeper: DraftKeeper;
  const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
  const here = async () => [...(await kept(session.current()?.id ?? 0, 'unos-7.')).values()].map(({ vreme }) => vreme);
  const sent = () =>
    calls.map(({ method, path, body }) => [
      method,
      path.replace(/^.*unos-7\./, ''),
      (body as { pacijentID: number } | undefined)?.pacijentID,
    ]);

  beforeEach(() => {
    localStorage.clear();
    signedIn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_000_000 });
    [content, answer] = [draft, 204];
    const way = () => ({ status: answer, body: {} });
    calls = fakeApi({
      'PUT /api/entry-drafts/unos-7.prozor': way,
      'DELETE /api/entry-drafts/unos-7.prozor': way,
      'PUT /api/entry-drafts/unos-7.drugi': way,
      'DELETE /api/entry-drafts/unos-7.drugi': way,
    });
    keeper = new DraftKeeper('unos-7', 5, (vreme) => content && { ...content, vreme });
  });
  afterEach(() => {
    keeper.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is on the device a quarter of a second after the last key', async () => {
    keeper.changed();
    await pass(200);
    keeper.changed();
    await pass(249);
    expect(await here()).toEqual([]);
    await pass(1);
    expect(await here()).toEqual([1_000_200]);
  });

  it('is on the device within a second while keys keep coming, and each second from then on', async () => {
    for (let time = 0; time < 1_000; time += 100) {
      keeper.changed();
      await pass(100);
    }
    expect(await here()).toEqual([1_000_900]);
    for (let time = 0; time < 900; time += 100) {
      keeper.changed();
      await pass(100);
    }
    expect(await here()).toEqual([1_000_900]);
    await pass(100);
    expect(await here()).toEqual([1_001_800]);
  });

  it('goes to the server three seconds after the first key, and again after the next one', async () => {
    keeper.changed();
    await pass(2_900);
    keeper.changed();
    expect(sent()).toEqual([]);
    await pass(100);
    expect(sent()).toEqual([['PUT', 'prozor', 5]]);
    expect((calls[0]?.body as { sadrzaj: Draft }).sadrzaj.vreme).toBe(1_002_900);
    await pass(60_000);
    expect(sent()).toHaveLength(1);
    keeper.changed();
    await pass(3_000);
    expect(sent()).toHaveLength(2);
  });

  it.each([
    [500, 2],
    [503, 2],
    [403, 1],
  ])('is sent again after a quarter of a minute where that may help: %i', async (status, times) => {
    answer = status;
    keeper.changed();
    await pass(3_000 + 14_999);
    expect(sent()).toHaveLength(1);
    await pass(1);
    expect(sent()).toHaveLength(times);
  });

  it('is sent again after a quarter of a minute where the server was not reached', async () => {
    let tries = 0;
    vi.stubGlobal('fetch', () => {
      tries += 1;
      return Promise.reject(new TypeError('no network'));
    });
    keeper.changed();
    await pass(3_000 + 14_999);
    expect(tries).toBe(1);
    await pass(1);
    expect(tries).toBe(2);
  });

  it('waits its whole time again after a save that failed, whatever was typed during it', async () => {
    await keeper.pause();
    await pass(2_000);
    keeper.changed();
    await pass(2_000);
    keeper.resume();
    await pass(2_999);
    expect(sent()).toEqual([]);
    await pass(1);
    expect(sent()).toHaveLength(1);
  });

  it('is gone from both when it is taken back', async () => {
    keeper.changed();
    await pass(3_000);
    content = null;
    keeper.changed();
    await pass(3_000);
    expect(await here()).toEqual([]);
    expect(sent().at(-1)).toEqual(['DELETE', 'prozor', undefined]);
  });

  it('stays here while it is saved, and is not sent then', async () => {
    keeper.changed();
    await keeper.pause();
    expect(await here()).toEqual([1_000_000]);
    await pass(10_000);
    keeper.changed();
    keeper.flush();
    await pass(10_000);
    expect(await here()).toEqual([1_000_000]);
    expect(sent()).toEqual([]);
  });

  it('is kept again after a save that failed', async () => {
    await keeper.pause();
    await pass(5_000);
    keeper.resume();
    await pass(250);
    expect(await here()).toHaveLength(1);
    await pass(2_750);
    expect(sent()).toEqual([['PUT', 'prozor', 5]]);
  });

  it('waits for what is on its way to the server before it is saved', async () => {
    let arrive = () => undefined as unknown;
    const late = new Promise<Response>((resolve) => (arrive = () => resolve(new Response(null, { status: 204 }))));
    vi.stubGlobal('fetch', () => late);
    keeper.changed();
    await pass(3_000);
    let paused = false;
    void keeper.pause().then(() => (paused = true));
    await pass(1_000);
    expect(paused).toBe(false);
    arrive();
    await pass(0);
    expect(paused).toBe(true);
  });

  it('is gone from the device after a save, and what is typed then is kept', async () => {
    keeper.changed();
    await pass(250);
    await keeper.pause();
    keeper.done();
    await pass(20_000);
    expect([await here(), sent()]).toEqual([[], []]);
    keeper.changed();
    await pass(3_000);
    expect([await here(), sent().length]).toEqual([[1_020_250], 1]);
  });

  it('is gone from the server too when its entry is deleted', async () => {
    keeper.changed();
    await pass(250);
    keeper.discard();
    await pass(20_000);
    expect(await here()).toEqual([]);
    expect(sent()).toEqual([['DELETE', 'prozor', undefined]]);
  });

  it('goes on in the place of the draft that was found, as old as it is until the next key', async () => {
    const letGo = vi.fn();
    keeper.adopt({ key: 'unos-7.drugi', draft: { ...draft, vreme: 7 }, letGo });
    expect(keeper.name()).toBe('unos-7.drugi');
    await pass(3_000);
    expect(await here()).toEqual([7]);
    expect(sent()).toEqual([['PUT', 'drugi', 5]]);
    expect(letGo).not.toHaveBeenCalled();
    keeper.close();
    expect(letGo).toHaveBeenCalledOnce();
  });

  it('is kept and sent at once when its form is left', async () => {
    keeper.changed();
    keeper.close();
    await pass(0);
    expect(await here()).toEqual([1_000_000]);
    expect(sent()).toEqual([['PUT', 'prozor', 5]]);
    await pass(60_000);
    expect(sent()).toHaveLength(1);
  });

  it('is not sent when its form is left and nothing waits', async () => {
    keeper.close();
    await pass(60_000);
    expect([await here(), sent()]).toEqual([[], []]);
  });

  it('is not sent again after its form was left', async () => {
    answer = 503;
    keeper.changed();
    keeper.close();
    await pass(60_000);
    expect(sent()).toHaveLength(1);
  });

  it('is on the device at once when the page closes', async () => {
    keeper.changed();
    keeper.flush();
    expect(await here()).toEqual([1_000_000]);
  });

  it('is not on the device when the page closes and nothing is typed, nor over what is saved just now', async () => {
    content = null;
    keeper.flush();
    expect(await here()).toEqual([]);
    content = draft;
    keeper.changed();
    await keeper.pause();
    content = { ...draft, vrednosti: { 1: 6 } };
    keeper.flush();
    expect([...(await kept(2, 'unos-7.')).values()].map(({ vrednosti }) => vrednosti)).toEqual([{ 1: 5 }]);
  });

  it('is gone from both when whoever finds it does not want it', async () => {
    keeper.changed();
    await pass(250);
    const letGo = vi.fn();
    discardDraft({ key: 'unos-7.prozor', draft, letGo });
    await pass(0);
    expect(await here()).toEqual([]);
    expect(sent()).toEqual([['DELETE', 'prozor', undefined]]);
    expect(letGo).toHaveBeenCalledOnce();
  });
});
