import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import WorklistScreen from './WorklistScreen';

beforeEach(() => signedIn());

const none = { broj: 0, pacijenti: [] };
const ana = { pacijentID: 7, imePrezime: 'Anić Ana', datumRodjenja: '1950-01-01' };

it('counts each group and leads to its patients; the field finds in all registers and puts nothing into the address', async () => {
  const calls = fakeApi({
    'GET /api/worklist': () => ({
      body: {
        danas: { broj: 1, pacijenti: [{ ...ana, dan: '2026-03-05' }] },
        moji: { broj: 71, pacijenti: [] },
        nesnimljeno: none,
        nedavni: none,
      },
    }),
    'POST /api/patient-lookups': () => ({
      body: { pacijenti: [{ ...ana, jmbg: '0101950710018', lbo: '', registri: [{ id: 1, naziv: 'Kardiologija' }] }], skraceno: false },
    }),
  });
  show(<WorklistScreen />);
  expect(await screen.findByRole('button', { name: 'Danas u ustanovi: 1' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Moji pacijenti u poslednjih godinu dana: 71' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Anić Ana' })).toHaveAttribute('href', '/pacijenti/7');
  await userEvent.type(screen.getByRole('textbox'), 'anić{Enter}');
  const found = await screen.findByRole('list', { name: 'Nađeno: 1' });
  expect(found).toHaveTextContent('JMBG 0101950710018');
  expect(found.querySelector('a')).toHaveFocus();
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({ path: '/api/patient-lookups', body: { tekst: 'anić' } });
});
