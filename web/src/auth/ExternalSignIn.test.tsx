import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { answerConfirmation, askToConfirm } from '../api/confirmation';
import { session } from '../api/session';
import { fakeApi, lekar, show, signedIn } from '../testing/fakeApi';
import { t } from '../messages';
import { ConfirmPassword } from './ConfirmPassword';
import { ExternalSignIn } from './ExternalSignIn';
import { report } from './externalSignIn';
import { SignIn } from './SignIn';
import { SignInAgain } from './SignInAgain';

const text = t.externalSignIn;
const BUTTON = 'Prijava preko KCS';
const application = (spoljnaPrijava: string | null = BUTTON) => ({
  'GET /api/application': () => ({
    body: { nazivAplikacije: 'Regix', autoPrijava: false, demo: false, verzija: '2.2.0', zakljucavanjeMinuta: 15, spoljnaPrijava },
  }),
  'GET /api/sponsors': () => ({ body: { data: [], total: 0 } }),
});
const ASKED = { status: 401, body: { message: 'Unesite kod iz aplikacije na telefonu.', field: 'kod' } };

const open = vi.fn<(address: string) => object>(() => ({}));
const mark = () => new URL(open.mock.calls.at(-1)?.[0] ?? '', 'http://localhost').searchParams.get('oznaka') ?? '';
const prove = (code: string | null, failure: string | null = null) => report({ mark: mark(), code, failure, page: '/' });

afterEach(() => {
  vi.unstubAllGlobals();
  open.mockClear();
  window.history.replaceState(null, '', '/');
});

it('is offered where there is a provider, beside the password', async () => {
  fakeApi(application());
  const { unmount } = show(<SignIn />);
  expect(await screen.findByRole('button', { name: BUTTON })).toBeVisible();
  expect(screen.getByRole('button', { name: t.signIn.button })).toBeVisible();
  unmount();
  fakeApi(application(null));
  show(<SignIn />);
  expect(await screen.findByText(t.signIn.lead)).toBeVisible();
  expect(screen.queryByText(text.or)).toBeNull();
});

it('takes the code out of the address and asks for the second step where the server does', async () => {
  window.history.replaceState(null, '', '/spoljna-prijava#povratak=%2Fregistri%2F3&kod=jednokratni');
  const calls = fakeApi({
    ...application(),
    'POST /api/oidc/sign-in': ({ body }) =>
      (body as { kod?: string }).kod === '123456' ? { body: { ulogovaniRadnik: { ...lekar, spoljna: true } } } : ASKED,
  });
  show(<ExternalSignIn />);
  await userEvent.type(await screen.findByLabelText(/^Kod sa telefona/), '123456{Enter}');
  await waitFor(() => expect(session.current()).toMatchObject({ id: 2, spoljna: true }));
  expect(window.location.pathname + window.location.hash).toBe('/registri/3');
  expect(calls.filter(({ path }) => path === '/api/oidc/sign-in').map(({ body }) => body)).toEqual([
    { spoljniKod: 'jednokratni' },
    { spoljniKod: 'jednokratni', kod: '123456' },
  ]);
});

it('shows a failure on the sign-in screen of the page that was asked for', async () => {
  window.history.replaceState(null, '', '/spoljna-prijava#povratak=%2Fregistri%2F3&greska=odbijena');
  fakeApi(application());
  show(<ExternalSignIn />);
  expect(await screen.findByText(text.failures.odbijena ?? '')).toBeVisible();
  expect(window.location.pathname).toBe('/registri/3');
  expect(await screen.findByRole('button', { name: BUTTON })).toBeVisible();
});

it('confirms a dangerous change by a new sign-in in another window', async () => {
  vi.stubGlobal('open', open);
  signedIn({ spoljna: true });
  const calls = fakeApi({ ...application(), 'POST /api/session/confirm': () => ({ status: 204 }) });
  show(<ConfirmPassword />);
  const confirmed = askToConfirm('Uloga otvara pacijente.');
  expect(await screen.findByRole('dialog', { name: text.confirmTitle })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: BUTTON }));
  expect(open.mock.calls[0]?.[0]).toContain('ponovo=true');
  prove(null, text.failures.odustanak);
  expect(await screen.findByText(text.failures.odustanak ?? '')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: BUTTON }));
  prove('potvrda');
  expect(await confirmed).toBe(true);
  expect(calls.filter(({ path }) => path === '/api/session/confirm').map(({ body }) => body)).toEqual([{ spoljniKod: 'potvrda' }]);
});

it('leaves the password to who has one', async () => {
  signedIn({ spoljna: true });
  fakeApi(application());
  show(<ConfirmPassword />);
  const confirmed = askToConfirm('Uloga otvara pacijente.');
  await userEvent.click(await screen.findByRole('button', { name: text.typePassword }));
  expect(screen.getByLabelText(/^Lozinka/)).toBeVisible();
  answerConfirmation(false);
  expect(await confirmed).toBe(false);
});

it('opens a locked screen for its own worker, with the second step where the server asks for it', async () => {
  vi.stubGlobal('open', open);
  signedIn({ spoljna: true, zakljucano: true });
  const calls = fakeApi({
    ...application(),
    'POST /api/oidc/sign-in': ({ body }) =>
      (body as { kod?: string }).kod ? { body: { ulogovaniRadnik: { ...lekar, token: 'novi', spoljna: true } } } : ASKED,
  });
  show(<SignInAgain />);
  expect(await screen.findByRole('dialog', { name: t.account.locked })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: BUTTON }));
  prove('otključavanje');
  await userEvent.type(await screen.findByLabelText(/^Kod sa telefona/), '654321{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(session.current()).toMatchObject({ token: 'novi' });
  const sent = calls.filter(({ path }) => path === '/api/oidc/sign-in').map(({ body }) => body);
  expect(sent.at(-1)).toEqual({ spoljniKod: 'otključavanje', kod: '654321', radnikID: lekar.id });
});
