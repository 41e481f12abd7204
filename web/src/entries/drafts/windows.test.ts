// Whose a draft is, told by windows with a lock each.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/client';
import { session } from '../../api/session';
import { blankDraft } from '../../testing/draft';
import { fakeApi, signedIn } from '../../testing/fakeApi';
import { claimed, discardDraft, DraftKeeper, gather, type FoundDraft } from './draft';
import { keepNow, type Draft } from '../../drafts/draftStorage';

const of = (vreme: number): Draft => ({ ...blankDraft, vreme, vrednosti: { 1: vreme } });
const drafts = (...found: [string, number][]) => new Map(found.map(([key, vreme]) => [key, of(vreme)]));
const told = (found: FoundDraft[]) => found.map(({ key, draft }) => [key, draft.vreme]);

/** Locks as a browser grants them: one holder at a time, in the order of their asking, until a signal ends the waiting. */
function browserLocks() {
  const last = new Map<string, Promise<unknown>>();
  const request = (name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void> | undefined) => {
    const unwanted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('not waited for'))));
    const turn = (last.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : hold()));
    last.set(name, turn);
    return Promise.race([turn, unwanted]);
  };
  return { request };
}

beforeEach(() => {
  localStorage.clear();
  signedIn();
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { locks: browserLocks() }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a draft', () => {
  it('is one window’s until that lets it go, and who asks hears so without waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const [mine] = await claimed(drafts(['unos-1.a', 1]));
    expect(await claimed(drafts(['unos-1.a', 1]))).toEqual([]);
    mine?.letGo();
    expect(told(await claimed(drafts(['unos-1.a', 1])))).toEqual([['unos-1.a', 1]]);
  });

  it('that is asked for by two windows at once goes to one of them', async () => {
    const both = await Promise.all([claimed(drafts(['unos-1.a', 1])), claimed(drafts(['unos-1.a', 1]))]);
    expect(both.map(({ length }) => length).sort()).toEqual([0, 1]);
  });

  it('is neither given up nor claimed for what else is said of it', async () => {
    const name = 'regix.nacrt.2.unos-1.treći';
    const said = new BroadcastChannel(name);
    const answers = vi.fn();
    const heard = () => expect.poll(() => answers.mock.calls.length);
    said.onmessage = ({ data }: MessageEvent<string>) => void answers(data);

    let letGo = () => {};
    void navigator.locks.request(name, { signal: new AbortController().signal }, () => new Promise<void>((end) => (letGo = end)));
    const asked = claimed(drafts(['unos-1.treći', 1]));
    await heard().toBe(1);
    said.postMessage('nešto drugo');
    // What is said comes in its order: when another one has heard this, whoever asks has.
    const witness = new BroadcastChannel(name);
    const witnessed = new Promise((resolve) => (witness.onmessage = resolve));
    said.postMessage('nešto drugo');
    await witnessed;
    witness.close();
    letGo();
    expect(await asked).toHaveLength(1);

    await heard().toBe(2);
    said.postMessage('nešto drugo');
    said.postMessage('čiji je nacrt');
    await heard().toBe(3);
    expect(answers.mock.calls.flat()).toEqual(['čiji je nacrt', 'moj je', 'moj je']);
    said.close();
  });

  it('is no other draft, and no other worker’s', async () => {
    expect(told(await claimed(drafts(['unos-1.a', 1], ['unos-1.b', 2])))).toEqual([
      ['unos-1.b', 2],
      ['unos-1.a', 1],
    ]);
    signedIn({ id: 3 });
    expect(await claimed(drafts(['unos-1.a', 1]))).toHaveLength(1);
    session.end();
    expect(await claimed(drafts(['unos-1.a', 1]))).toHaveLength(1);
  });

  it('is offered newest first, and as it was gathered where this device has an older copy', async () => {
    keepNow(2, 'unos-1.b', of(3));
    expect(told(await claimed(drafts(['unos-1.a', 4], ['unos-1.b', 7], ['unos-1.c', 5])))).toEqual([
      ['unos-1.b', 7],
      ['unos-1.c', 5],
      ['unos-1.a', 4],
    ]);
  });

  it('is let go of when it is not wanted, signed in or not', () => {
    fakeApi({ 'DELETE /api/entry-drafts/unos-1.a': () => ({ status: 204 }) });
    session.end();
    const letGo = vi.fn();
    discardDraft({ key: 'unos-1.a', draft: of(1), letGo });
    expect(letGo).toHaveBeenCalledOnce();
  });
});

describe('what is typed in a window', () => {
  const another = async (key: string) => (await claimed(drafts([key, 1]))).length;
  const keeper = () => new DraftKeeper('unos-1', 5, () => null);

  it('is offered to no other one until its form is left', async () => {
    const typing = keeper();
    expect(await another(typing.name())).toBe(0);
    typing.close();
    expect(await another(typing.name())).toBe(1);
  });

  it('is free when its form was left before it was the window’s', async () => {
    const typing = keeper();
    typing.close();
    expect(await another(typing.name())).toBe(1);
  });

  it.each([
    ['before', 'unos-1.prvi', () => Promise.resolve(0)],
    ['after', 'unos-1.drugi', another],
  ])('is free when the window goes on with another draft %s it has its own', async (_, other, wait) => {
    const typing = keeper();
    const own = typing.name();
    await wait(own);
    const [found] = await claimed(drafts([other, 1]));
    typing.adopt(found as FoundDraft);
    expect([typing.name(), await another(own), await another(other)]).toEqual([other, 1, 0]);
    typing.close();
    expect(await another(other)).toBe(1);
  });

  it('goes on with another draft at once, before it is the window’s', async () => {
    const [found] = await claimed(drafts(['unos-1.prvi', 1]));
    const typing = keeper();
    typing.adopt(found as FoundDraft);
    expect(typing.name()).toBe('unos-1.prvi');
    typing.close();
  });

  it('is nobody’s after its worker has signed out', () => {
    const typing = keeper();
    expect(typing.isOwn()).toBe(true);
    session.end();
    expect(typing.isOwn()).toBe(false);
    typing.close();
  });

  it('is nobody’s where nobody is signed in', () => {
    session.end();
    const typing = keeper();
    expect(typing.isOwn()).toBe(false);
    typing.close();
  });
});

describe('drafts of the server', () => {
  const here = Promise.resolve(drafts(['unos-1.a', 1]));
  const there = (...data: { kljuc: string; sadrzaj: unknown }[]) => Promise.resolve({ data, total: data.length });

  it('are those that say what was typed', async () => {
    const found = await gather({
      here,
      drafts: there({ kljuc: 'unos-1.b', sadrzaj: of(2) }, { kljuc: 'unos-1.c', sadrzaj: { nešto: 1 } }),
    });
    expect([...found.keys()]).toEqual(['unos-1.a', 'unos-1.b']);
  });

  it('are not waited for where the server refuses; any other fault is told', async () => {
    expect([...(await gather({ here, drafts: Promise.reject(new ApiError(503, 'Ne radi.')) })).keys()]).toEqual(['unos-1.a']);
    await expect(gather({ here, drafts: Promise.reject(new TypeError('naša greška')) })).rejects.toThrow('naša greška');
  });
});
