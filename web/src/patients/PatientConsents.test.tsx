import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { savedPatient } from '../testing/patients';
import { PatientConsentsPanel } from './PatientConsents';

beforeEach(() => signedIn());

const state = (svrha: string, trazi: boolean, dat: boolean | null) => ({
  svrha,
  trazi,
  dat,
  dan: dat === null ? null : '2024-03-01',
  tekstID: null,
  tekstBroj: null,
  tekst: null,
});

it('says what holds for each purpose, and records a withdrawal with its question', async () => {
  const svrhe = [
    state('registar', true, true),
    state('istrazivanje', true, null),
    state('kontakt', false, null),
    state('razmena', true, false),
  ];
  const calls = fakeApi({
    'GET /api/patients/7/consents': () => ({
      body: { registri: [{ registarID: 7, naziv: 'Kardiologija', svrhe }], istorija: [], pravoSaglasnosti: true },
    }),
    'POST /api/patients/7/consents': () => ({ status: 201, body: { id: 3 } }),
  });
  const reload = vi.fn();
  show(<PatientConsentsPanel patient={{ ...savedPatient, pravoSaglasnosti: true }} reload={reload} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Saglasnosti' }));
  expect(await screen.findByText('data 01.03.2024.')).toBeInTheDocument();
  expect(screen.getByText('nije zabeležena, a registar je traži')).toBeInTheDocument();
  expect(screen.getByText('registar je ne traži')).toBeInTheDocument();
  expect(screen.getByText('povučena 01.03.2024.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Zabeleži saglasnost' }));
  const dialog = await screen.findByRole('dialog', { name: 'Saglasnost pacijenta' });
  const choose = async (name: RegExp, option: string) => {
    await user.click(within(dialog).getByLabelText(name).closest('.p-dropdown') as HTMLElement);
    await user.click(await screen.findByText(option, { selector: '.p-dropdown-item *' }));
  };
  await choose(/^Svrha/, 'Registar');
  await choose(/^Saglasnost je/, 'povučena');
  await user.click(within(dialog).getByRole('button', { name: 'Snimi' }));
  expect(await within(dialog).findByText(/Izaberite da li pacijent dobija status/)).toBeInTheDocument();
  await choose(/^Status „povukao/, 'Da, zabeleži i status');
  await user.click(within(dialog).getByRole('button', { name: 'Snimi' }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalled());
  const sent = calls.find(({ method }) => method === 'POST')?.body;
  expect(sent).toMatchObject({ registarID: 7, svrha: 'registar', dat: false, statusPovukao: true });
});
