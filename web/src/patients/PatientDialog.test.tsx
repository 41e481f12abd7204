import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { savedPatient } from '../testing/patients';
import { PatientDialog } from './PatientDialog';

beforeEach(() => signedIn());

const whole = {
  ...savedPatient,
  datumRodjenja: '1961-05-14',
  jmbg: '1405961710018',
  lbo: '12345678901',
  polTrenutni: true,
  kontaktTelefon: '011/1234567',
  adresa: 'Pasterova 1',
};

it('says who changed the same field meanwhile, keeps what was typed, and saves it on the newest record', async () => {
  const theirs = { ...whole, adresa: 'Nova 2', verzija: 4, vremePoslednjeIzmene: '2026-03-06 09:15' };
  const changer = vi.fn(() => ({ body: { data: [{ ...theirs, radnikUpisao: 'Živković Čedomir' }], total: 1 } }));
  const onSaved = vi.fn();
  const calls = fakeApi({
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'PATCH /api/patients/7': ({ body }) =>
      (body as { verzija: number }).verzija === 4
        ? { body: theirs }
        : { status: 409, body: { message: 'Neko je u međuvremenu izmenio podatke o pacijentu. Učitajte ih ponovo.', field: null } },
    'GET /api/patients/7': () => ({ body: theirs }),
    'GET /api/patients/7/archive': changer,
  });
  show(<PatientDialog patient={whole} onClose={() => undefined} onSaved={onSaved} />);
  const address = await screen.findByLabelText('Adresa');
  await userEvent.clear(address);
  await userEvent.type(address, 'Moja 3');
  await userEvent.click(screen.getByRole('button', { name: 'Snimi' }));

  const told = await screen.findByRole('alert');
  expect(within(told).getByText(/u međuvremenu izmenio: Živković Čedomir, 06\.03\.2026\. 09:15\./)).toBeInTheDocument();
  expect(within(told).getByText(/Adresa.*Nova 2/)).toBeInTheDocument();
  expect(address).toHaveValue('Moja 3');
  expect(onSaved).not.toHaveBeenCalled();

  await userEvent.click(screen.getByRole('button', { name: 'Snimi' }));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledWith(7));
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { adresa: 'Moja 3', verzija: 3, potvrde: [] },
    { adresa: 'Moja 3', verzija: 4, potvrde: [] },
  ]);
});
