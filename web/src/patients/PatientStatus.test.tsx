import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { savedPatient } from '../testing/patients';
import { DeathNotice, PatientStatusPanel } from './PatientStatus';

beforeEach(() => signedIn());

const row = {
  id: 4,
  status: 'preminuo',
  registarID: null,
  registar: null,
  dan: '2024-06-01',
  uzrokSifra: 'I21',
  uzrok: 'Akutni infarkt',
  izvor: 'potvrda',
  napomena: null,
  ispravljaID: null,
  ponisten: false,
  vazi: true,
  radnik: 'Test Ana',
  ustanova: 'Klinika A',
  vreme: '2024-06-03 10:00',
};
const registri = [{ registarID: 7, naziv: 'Kardiologija', uzroci: [{ status: 'preminuo', sifra: 'I21', naziv: 'Akutni infarkt' }] }];
const patient = { ...savedPatient, pravoStatusa: true };

it('tells of a death with who said it, and asks again where entries lie after it', async () => {
  const sent: unknown[] = [];
  fakeApi({
    'GET /api/patients/7/statuses': () => ({ body: { istorija: [row], registri, pravoStatusa: true } }),
    'POST /api/patients/7/statuses': ({ body }) => {
      sent.push(body);
      const given = (body as { potvrde: string[] }).potvrde;
      return given.length > 0
        ? { status: 201, body: { id: 5 } }
        : {
            status: 409,
            body: { message: 'Potvrdite.', field: null, potvrde: [{ oznaka: 'unosiPosleSmrti', tekst: 'Posle tog dana postoje unosi.' }] },
          };
    },
  });
  const reload = vi.fn();
  const death = { id: 4, dan: '2024-06-01', uzrok: 'Akutni infarkt', radnik: 'Test Ana', ustanova: 'Klinika A', vreme: '2024-06-03 10:00' };
  show(
    <>
      <DeathNotice death={death} />
      <PatientStatusPanel patient={patient} reload={reload} />
    </>,
  );
  expect(screen.getByText(/Smrt je zabeležena: 01\.06\.2024\., Akutni infarkt Zabeležio: Test Ana, Klinika A/)).toBeInTheDocument();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Status pacijenta' }));
  await user.click(await screen.findByRole('button', { name: 'Ispravi: Preminuo, 01.06.2024.' }));
  const dialog = await screen.findByRole('dialog', { name: 'Ispravka statusa' });
  await user.click(within(dialog).getByRole('button', { name: 'Snimi' }));
  expect(await within(dialog).findByText('Napišite zašto se zapis ispravlja.')).toBeInTheDocument();
  await user.type(within(dialog).getByLabelText(/^Napomena/), 'Pogrešan dan');
  await user.click(within(dialog).getByRole('button', { name: 'Snimi' }));
  await user.click(await screen.findByRole('button', { name: 'Podaci su ispravni' }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalled());
  expect(sent.at(-1)).toMatchObject({
    status: 'preminuo',
    dan: '2024-06-01',
    uzrok: 'I21',
    ispravljaID: 4,
    ponisten: false,
    potvrde: ['unosiPosleSmrti'],
    napomena: 'Pogrešan dan',
  });
});

it('shows what was corrected as such, and lets only who may change it', async () => {
  const rows = [
    { ...row, id: 6, dan: '2024-06-01', ispravljaID: 4, ponisten: true, vazi: false, napomena: 'Druga osoba' },
    { ...row, vazi: false },
  ];
  fakeApi({ 'GET /api/patients/7/statuses': () => ({ body: { istorija: rows, registri, pravoStatusa: false } }) });
  show(<PatientStatusPanel patient={{ ...patient, pravoStatusa: false }} reload={vi.fn()} />);
  await userEvent.click(screen.getByRole('button', { name: 'Status pacijenta' }));
  expect(await screen.findAllByText('poništeno')).toHaveLength(2);
  expect(screen.getByText('Druga osoba')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Ispravi/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Zabeleži status' })).toBeNull();
});
