import { fireEvent, screen, within } from '@testing-library/react';
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

const similar = {
  pacijentID: 9,
  imePrezime: 'Anić Anna',
  datumRodjenja: '1961-05-15',
  jmbg: '1505961715007',
  lbo: '22345678901',
  razlog: 'datum',
};
const ALIKE = 'slicanPacijent';
const asksAlike = ({ body }: { body: unknown }) =>
  (body as { potvrde: string[] }).potvrde.includes(ALIKE)
    ? null
    : {
        status: 422,
        body: { message: 'Već postoji pacijent sličnog imena.', field: null, potvrde: [{ oznaka: ALIKE, tekst: 'Sličan.' }] },
      };

it('shows whom a change makes alike, with the way to each, and saves it once somebody says that they are two', async () => {
  const onSaved = vi.fn();
  const calls = fakeApi({
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'PATCH /api/patients/7': (call) => asksAlike(call) ?? { body: whole },
    'POST /api/patients/duplicates': () => ({
      body: { data: [{ ...similar, pacijentID: 7, imePrezime: 'Anić Ana' }, similar], uDrugimUstanovama: 0 },
    }),
  });
  show(<PatientDialog patient={whole} onClose={() => undefined} onSaved={onSaved} />);
  fireEvent.change(await screen.findByLabelText(/^Ime/), { target: { value: 'Anna' } });
  await userEvent.click(screen.getByRole('button', { name: 'Snimi' }));
  const told = await screen.findByRole('alert');
  expect(within(told).getByText('Slični pacijenti već postoje')).toBeInTheDocument();
  expect(
    within(told)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/pacijenti/9']);
  await userEvent.click(screen.getByRole('button', { name: 'Ipak snimi izmene' }));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledWith(7));
  expect(calls.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual({ ime: 'Anna', verzija: 3, potvrde: [ALIKE] });
});

it('shows who is alike where somebody registered that one a moment ago', async () => {
  const onSaved = vi.fn();
  let asked = 0;
  fakeApi({
    'GET /api/parameter/pacijent': () => ({ body: {} }),
    'POST /api/patients': (call) => asksAlike(call) ?? { status: 201, body: { id: 8 } },
    'POST /api/patients/duplicates': () => {
      asked += 1;
      return { body: { data: asked === 1 ? [] : [similar], uDrugimUstanovama: 0 } };
    },
  });
  show(<PatientDialog patient={null} register={1} onClose={() => undefined} onSaved={onSaved} />);
  const write = (name: RegExp, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
  await screen.findByLabelText(/^Ime/);
  write(/^Ime/, 'Ana');
  write(/^Prezime/, 'Anić');
  write(/^JMBG/, whole.jmbg);
  write(/^LBO/, whole.lbo);
  write(/^Kontakt telefon/, '0111234567');
  await userEvent.click(screen.getByRole('button', { name: 'Snimi' }));
  const told = await screen.findByRole('alert');
  expect(within(told).getByRole('link', { name: /Anić Anna/ })).toBeInTheDocument();
  expect(onSaved).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Ipak snimi novog pacijenta' }));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledWith(8));
});
