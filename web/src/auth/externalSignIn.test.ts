import { afterEach, describe, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { proveInWindow, readOutcome, report } from './externalSignIn';

const text = t.externalSignIn;

describe('what the server says after the #', () => {
  it('is a code for the page that was asked for', () => {
    expect(readOutcome('#povratak=%2Fpacijenti%2F7%3Fkartica%3Dunosi%23kraj&kod=abc')).toEqual({
      code: 'abc',
      failure: null,
      page: '/pacijenti/7?kartica=unosi#kraj',
      mark: null,
    });
  });

  it.each([
    ['#greska=nedostupna&povratak=%2F', text.failures.nedostupna],
    ['#greska=odbijena&kod=abc', text.failures.odbijena],
    ['#greska=nova-re%C4%8D', text.failures.neispravna],
    ['', text.failures.neispravna],
  ])('is a failure in words: %s', (hash, failure) => expect(readOutcome(hash)).toMatchObject({ code: null, failure }));

  it.each(['https://drugi.rs/', '//drugi.rs/', '/\\drugi.rs', '/\t/drugi.rs', 'javascript:alert(1)', 'registri', ''])(
    'leads to no other site: %s',
    (page) => expect(readOutcome(`#kod=abc&povratak=${encodeURIComponent(page)}`).page).toBe('/'),
  );
});

describe('a window beside the page', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** The mark of the window that was opened. */
  function opening(): () => string {
    const open = vi.fn<(address: string) => object>(() => ({}));
    vi.stubGlobal('open', open);
    return () => new URL(open.mock.calls.at(-1)?.[0] ?? '', 'http://localhost').searchParams.get('oznaka') ?? '';
  }
  const outcome = (mark: string, code: string | null) => ({
    mark,
    code,
    failure: code ? null : (text.failures.odustanak ?? null),
    page: '/',
  });

  it('gives its code to the page that opened it, and to no other', async () => {
    const mark = opening();
    const given: string[] = [];
    const first = proveInWindow(new AbortController().signal).then((code) => given.push(`prvi ${code}`));
    const markOfFirst = mark();
    const second = proveInWindow(new AbortController().signal).then((code) => given.push(`drugi ${code}`));
    report(outcome(mark(), 'b'));
    await second;
    report(outcome(markOfFirst, 'a'));
    await first;
    expect(given).toEqual(['drugi b', 'prvi a']);
  });

  it('says why it has failed, and that none was opened', async () => {
    const mark = opening();
    const proof = proveInWindow(new AbortController().signal);
    report(outcome(mark(), null));
    await expect(proof).rejects.toThrow(text.failures.odustanak);
    vi.stubGlobal('open', () => null);
    await expect(proveInWindow(new AbortController().signal)).rejects.toThrow(text.blocked);
  });

  it('is given up by who asks anew', async () => {
    opening();
    const asked = new AbortController();
    const proof = proveInWindow(asked.signal);
    asked.abort();
    await expect(proof).rejects.toThrow('given up');
  });
});
