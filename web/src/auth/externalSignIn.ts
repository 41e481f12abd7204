// Signing in at the hospital's provider: by leaving the page, or in a window of its own beside a page that stays as it is.
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { session } from '../api/session';
import { t } from '../messages';

/** Where the server sends the browser when the provider has answered. */
export const LANDING = '/spoljna-prijava';
/** Windows that have been at the provider no longer know who opened them: they speak over this. */
const CHANNEL = 'regix.spoljna-prijava';
const SIGNED_OUT = 'regix.odjavljen';
const text = t.externalSignIn;

/** What the server says after the `#` of the landing. */
export interface SignInOutcome {
  /** Exchanged once for a session, or for a confirmation. */
  code: string | null;
  /** The sentence of a failure. */
  failure: string | null;
  /** The page that was asked for. */
  page: string;
  /** The window that waits for it. */
  mark: string | null;
}

export const failureOf = (why: string): string => text.failures[why] ?? text.failures.neispravna ?? t.error.server;

/** Anybody may write what stands after the `#`: only a page of this site is gone to. */
function ownPage(page: string | null): string {
  const target = new URL(page ?? '/', window.location.origin);
  return target.origin === window.location.origin && page?.startsWith('/') ? target.pathname + target.search + target.hash : '/';
}

export function readOutcome(hash: string): SignInOutcome {
  const told = new URLSearchParams(hash.replace(/^#/, ''));
  const [code, why] = [told.get('kod'), told.get('greska')];
  const failure = why || !code ? failureOf(why ?? '') : null;
  return { code: failure ? null : code, failure, page: ownPage(told.get('povratak')), mark: told.get('oznaka') };
}

/** Whoever signs out here is still signed in at the provider: the next one at this browser is asked there who she is. */
export const askNextOne = (): void => localStorage.setItem(SIGNED_OUT, '1');

/** Leaves for the provider, and comes back to this page. */
export function leaveForProvider(): void {
  const { pathname, search, hash } = window.location;
  const ponovo = localStorage.getItem(SIGNED_OUT) !== null || undefined;
  window.location.assign(at('/api/oidc/login', { povratak: pathname + search + hash, ponovo }));
}

/** Exchanges a code for a session; `worker`: who must have signed in, where her page waits. */
export async function signInWith(code: string, secondStep = '', worker?: number): Promise<void> {
  const body = { spoljniKod: code, ...(secondStep && { kod: secondStep }), ...(worker && { radnikID: worker }) };
  const { ulogovaniRadnik } = await api.signInExternally(body);
  session.start(ulogovaniRadnik);
  localStorage.removeItem(SIGNED_OUT);
}

interface Message {
  mark: string;
  code: string | null;
  failure: string | null;
}

/** Tells the page that waits. */
export function report({ mark, code, failure }: SignInOutcome): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ mark: mark ?? '', code, failure } satisfies Message);
  channel.close();
}

/** Not `crypto.randomUUID`, which a site without TLS does not have. */
const newMark = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');

/**
 * Lets the worker prove in a new window who she is, and resolves to the code that comes of it. The window may be closed without a word:
 * whoever asks anew gives the earlier one up.
 */
export function proveInWindow(given: AbortSignal): Promise<string> {
  const mark = newMark();
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string>((resolve, reject) => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.mark !== mark) return;
      if (data.code) resolve(data.code);
      else reject(new ApiError(0, data.failure ?? failureOf('')));
    });
    given.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
    const opened = window.open(
      at('/api/oidc/login', { povratak: '/', ponovo: true, oznaka: mark }),
      '_blank',
      'popup,width=520,height=720',
    );
    if (!opened) reject(new ApiError(0, text.blocked));
  }).finally(() => channel.close());
}
