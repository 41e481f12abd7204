import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, type FakeCall } from '../testing/fakeApi';
import { InstitutionLogo } from './InstitutionLogo';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const KEPT = `${PIXEL}AAAA`;
const bytes = Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0));
const picture = () => new File([bytes], 'logo.png', { type: 'image/png' });
let stored: string | null;
let refuses: boolean;
let calls: FakeCall[];

beforeEach(() => {
  stored = null;
  refuses = false;
  calls = fakeApi({
    'GET /api/institutions/7/logo': () => ({ body: { logo: stored } }),
    'PUT /api/institutions/7/logo': () =>
      refuses ? { status: 422, body: { message: 'Dozvoljene su samo slike.', field: 'logo' } } : { body: { logo: (stored = KEPT) } },
    'DELETE /api/institutions/7/logo': () => {
      stored = null;
      return { status: 204 };
    },
  });
});

const open = (disabled = false) => show(<InstitutionLogo institution={7} name="Klinika Čačak" disabled={disabled} />);
const written = () => calls.filter(({ method }) => method !== 'GET').map(({ method }) => method);

it('keeps a picture as soon as it is chosen, and shows it as it was kept', async () => {
  open();
  await userEvent.upload(await screen.findByLabelText('Logo'), picture());
  const shown = await screen.findByRole('img', { name: 'Logo ustanove Klinika Čačak' });
  expect(shown).toHaveAttribute('src', `data:image/png;base64,${KEPT}`);
  expect(await screen.findByText('Logo je snimljen.')).toBeVisible();
  expect(written()).toEqual(['PUT']);
});

it('takes a logo away only when that was confirmed', async () => {
  stored = KEPT;
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Ukloni sliku' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Odustani' }));
  expect(written()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Ukloni sliku' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Ukloni logo' }));
  await waitFor(() => expect(written()).toEqual(['DELETE']));
  await waitFor(() => expect(screen.queryByRole('img', { name: /Klinika/ })).toBeNull());
});

it('tells why a picture was not kept, and shows the one from before', async () => {
  stored = KEPT;
  refuses = true;
  open();
  await userEvent.upload(await screen.findByLabelText('Logo'), picture());
  expect(await screen.findByText('Dozvoljene su samo slike.')).toBeVisible();
  expect(screen.getByRole('img', { name: /Klinika/ })).toHaveAttribute('src', `data:image/png;base64,${KEPT}`);
});

it('is only shown to who looks at an institution', async () => {
  open(true);
  expect(await screen.findByText('Ustanova nema logo.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});
