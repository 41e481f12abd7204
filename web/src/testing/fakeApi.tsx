// An API in memory for tests of components: routes answer calls, and the calls are kept.
import { render } from '@testing-library/react';
import { PrimeReactProvider } from 'primereact/api';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { SWRConfig } from 'swr';
import { vi } from 'vitest';
import { swrOptions } from '../api/hooks';
import type { SignedInWorker } from '../api/types';
import { session } from '../api/session';
import { ConfirmProvider } from '../ui/confirm';
import { ToastProvider } from '../ui/toast';

export interface FakeCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  token: string | null;
}

type Answer = { status?: number; body?: unknown };
type Handler = (call: FakeCall) => Answer;

/** `{ 'GET /api/roles': () => ({ body }) }`; anything else is a 404. */
export function fakeApi(routes: Record<string, Handler>): FakeCall[] {
  const calls: FakeCall[] = [];
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    const { pathname: path, searchParams: query } = new URL(input, 'http://localhost');
    const headers = new Headers(init.headers);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const call: FakeCall = { method: init.method ?? 'GET', path, query, body, token: headers.get('Authorization') };
    calls.push(call);
    const { status = 200, body: answer } = routes[`${call.method} ${path}`]?.(call) ?? {
      status: 404,
      body: { message: 'Zapis nije pronađen.', field: null },
    };
    return Promise.resolve(
      new Response(status === 204 ? null : JSON.stringify(answer ?? {}), { status, headers: { 'Content-Type': 'application/json' } }),
    );
  });
  return calls;
}

export const lekar: SignedInWorker = {
  id: 2,
  token: 'prvi-token',
  username: 'lekar',
  imePrezime: 'Đorđe Čubrilović',
  ustanovaID: 1,
  ustanovaNaziv: 'Klinički centar Srbije',
  theme: 'regix',
  prava: [1],
  pacijenti: 'izmena',
  spoljna: false,
};

export const signedIn = (worker: Partial<SignedInWorker> = {}) => session.start({ ...lekar, ...worker });

/** The application's providers, with an empty cache: the wrapper of a hook by itself. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <PrimeReactProvider value={{ locale: 'sr-Latn' }}>
    <SWRConfig value={{ ...swrOptions, provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      <ToastProvider>
        <ConfirmProvider>{children}</ConfirmProvider>
      </ToastProvider>
    </SWRConfig>
  </PrimeReactProvider>
);

/** Renders inside the providers. */
export const show = (ui: ReactNode, at = '/') =>
  render(
    <Providers>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: ui }], { initialEntries: [at] })} />
    </Providers>,
  );
