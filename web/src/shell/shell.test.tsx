import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { useApi } from '../api/hooks';
import { session, useWorker } from '../api/session';
import { useSearch } from '../patients/useSearch';
import { fakeApi, lekar, show, signedIn } from '../testing/fakeApi';
import { InstitutionSwitch } from './InstitutionSwitch';
import { SponsorStrip } from '../ui/SponsorStrip';
import { TopBar } from './TopBar';
import { WarningBanner } from './WarningBanner';

describe('the warning', () => {
  it('blinks until it is stilled', async () => {
    fakeApi({ 'GET /api/warning': () => ({ body: { message: 'Večeras od 22:00 sistem ne radi.' } }) });
    signedIn();
    show(<WarningBanner />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Večeras od 22:00 sistem ne radi.');
    expect(screen.getByRole('alert').className).toContain('blinks');
    await userEvent.click(screen.getByRole('button', { name: 'Zaustavi treperenje' }));
    expect(screen.getByRole('alert')).toBeVisible();
    expect(screen.getByRole('alert').className).not.toContain('blinks');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is not there when it is empty', async () => {
    const calls = fakeApi({ 'GET /api/warning': () => ({ body: { message: '  ' } }) });
    signedIn();
    show(<WarningBanner />);
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the top bar', () => {
  it('leads from the product to the registers and from the name to the own profile', () => {
    fakeApi({});
    signedIn();
    show(<TopBar product="Registar bolesti" worker={lekar} />);
    expect(screen.getByRole('link', { name: 'Registar bolesti' })).toHaveAttribute('href', '/registri');
    expect(screen.getByRole('link', { name: lekar.imePrezime })).toHaveAttribute('href', '/korisnickiProfil');
  });
});

describe('the sponsors', () => {
  it('stand in their order, with a logo or a name, and link only to the web', async () => {
    fakeApi({
      'GET /api/sponsors': () => ({
        body: {
          data: [
            { id: 2, name: 'Drugi', displayOrder: 2, logo: null, websiteUrl: 'javascript:alert(1)' },
            { id: 1, name: 'Prvi', displayOrder: 1, logo: 'iVBORw0K', websiteUrl: 'https://example.org' },
          ],
          total: 2,
        },
      }),
    });
    show(<SponsorStrip />);
    expect(await screen.findByRole('heading', { name: 'Prijatelji projekta' })).toBeVisible();
    expect(screen.getAllByRole('listitem').map((item) => item.textContent.trim())).toEqual(['', 'Drugi']);
    expect(screen.getByRole('img', { name: 'Prvi' })).toHaveAttribute('src', 'data:image/png;base64,iVBORw0K');
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['https://example.org']);
  });
});

describe('the institution', () => {
  const Switch = () => <InstitutionSwitch worker={useWorker()} />;
  const institutions = (...data: unknown[]) => ({ 'GET /api/institutions': () => ({ body: { data, total: data.length } }) });
  const first = { id: 1, naziv: 'Klinički centar Srbije' };
  const third = { id: 3, naziv: 'Klinički centar Vojvodine' };

  it('changes on the server and in the login record', async () => {
    const calls = fakeApi({ ...institutions(first, third), 'PATCH /api/workers/2': () => ({ body: {} }) });
    signedIn();
    show(<Switch />);
    await userEvent.click(await screen.findByRole('button', { name: /Klinički centar Srbije/ }));
    await userEvent.click(within(screen.getByRole('list')).getByRole('button', { name: 'Klinički centar Vojvodine' }));
    await waitFor(() => expect(session.current()).toMatchObject({ ustanovaID: 3, ustanovaNaziv: 'Klinički centar Vojvodine' }));
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ ustanovaID: 3 });
    expect(screen.getByRole('button', { name: /Klinički centar Vojvodine/ })).toHaveFocus();
  });

  it('has what is on the screen asked anew, an open search once', async () => {
    const request = {} as Parameters<typeof useSearch>[0];
    function Screen() {
      useApi('/api/registers');
      useSearch(request, useWorker().ustanovaID);
      return null;
    }
    const calls = fakeApi({
      ...institutions(first, third),
      'PATCH /api/workers/2': () => ({ body: {} }),
      'GET /api/registers': () => ({ body: {} }),
      'POST /api/search': () => ({ body: {} }),
    });
    const asked = (path: string) => calls.filter((call) => call.path === path).length;
    signedIn();
    show(
      <>
        <Switch />
        <Screen />
      </>,
    );
    await userEvent.click(await screen.findByRole('button', { name: /Klinički centar Srbije/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Klinički centar Vojvodine' }));
    await waitFor(() => expect(asked('/api/registers')).toBe(2));
    expect(asked('/api/search')).toBe(2);
  });

  it('stays when the server refuses', async () => {
    fakeApi({
      ...institutions(first, third),
      'PATCH /api/workers/2': () => ({ status: 422, body: { message: 'Niste član te ustanove.', field: 'ustanovaID' } }),
    });
    signedIn();
    show(<Switch />);
    await userEvent.click(await screen.findByRole('button', { name: /Klinički centar Srbije/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Klinički centar Vojvodine' }));
    expect(await screen.findByText('Niste član te ustanove.')).toBeVisible();
    expect(session.current()?.ustanovaID).toBe(lekar.ustanovaID);
  });

  it('is only a name where there is no other', async () => {
    const calls = fakeApi(institutions(first));
    signedIn();
    show(<Switch />);
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.getByText('Klinički centar Srbije')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
