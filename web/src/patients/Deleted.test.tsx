// Deleted patients: brought back, or made anonymous by who holds that right.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { DeletedPatients } from './Deleted';

const ANA = {
  id: 7,
  ime: 'Ana',
  prezime: 'Anić',
  datumRodjenja: '1970-01-05',
  jmbg: '0501970715005',
  verzija: 3,
  obrisao: 'Ilić Eva',
  vreme: '2026-03-05 14:30',
};
const COUNTS = {
  unosa: 1,
  podataka: 2,
  tekstova: 3,
  ranijihStanja: 0,
  ranijihTekstova: 0,
  nacrta: 0,
  zapisaDnevnika: 9,
  fajlova: 0,
  isporuka: 0,
};

it('makes a deleted patient anonymous, who is gone from the list then', async () => {
  let patients = [ANA];
  const calls = fakeApi({
    'GET /api/deleted-patients': () => ({ body: { data: patients, total: patients.length } }),
    'GET /api/patients/7/anonymisation': () => ({ body: { potvrda: 'lbo', prepreka: null, ...COUNTS } }),
    'POST /api/patients/7/anonymisation': () => {
      patients = [];
      return { status: 204 };
    },
  });
  signedIn({ prava: [16] });
  show(<DeletedPatients />);
  await userEvent.click(screen.getByRole('button', { name: 'Obrisani pacijenti' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Anonimizuj: Ana Anić/ }));
  // The dialog is asked for anew at each step: what held of its element a moment ago need not hold after thirty keys.
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Anonimizacija pacijenta' }));
  await userEvent.type(await (await dialog()).findByLabelText(/Razlog/), 'Zahtev pacijenta od juče');
  await userEvent.type(await (await dialog()).findByLabelText(/LBO/), '12345678901');
  await userEvent.click(await (await dialog()).findByRole('button', { name: /^Anonimizuj/ }));
  expect(await screen.findByText('Nema podataka')).toBeVisible();
  expect(screen.queryByRole('dialog', { name: 'Anonimizacija pacijenta' })).toBeNull();
  const sent = calls.find(({ method }) => method === 'POST')?.body;
  expect(sent).toEqual({ razlog: 'Zahtev pacijenta od juče', potvrda: '12345678901' });
});

it('offers it to nobody else', async () => {
  const calls = fakeApi({ 'GET /api/deleted-patients': () => ({ body: { data: [ANA], total: 1 } }) });
  signedIn({ prava: [1, 2, 4] });
  show(<DeletedPatients />);
  await userEvent.click(screen.getByRole('button', { name: 'Obrisani pacijenti' }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(await screen.findByRole('button', { name: /^Vrati: Ana Anić/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Anonimizuj/ })).toBeNull();
});

it('shows whom a patient who comes back is like, as a registration does, and brings back only who is meant', async () => {
  const question = { oznaka: 'slicanPacijent', tekst: 'Već postoji pacijent sličnog imena, rođen istog ili bliskog datuma.' };
  const similar = { pacijentID: 9, imePrezime: 'Anić Anna', datumRodjenja: '1970-01-06', jmbg: '0601970715004', lbo: '1', razlog: 'datum' };
  const own = { ...similar, pacijentID: 7, imePrezime: 'Anić Ana' };
  const calls = fakeApi({
    'GET /api/deleted-patients': () => ({ body: { data: [ANA], total: 1 } }),
    'PATCH /api/patients/7': ({ body }) =>
      (body as { potvrde: string[] }).potvrde.includes('slicanPacijent')
        ? { body: { id: 7 } }
        : { status: 422, body: { message: question.tekst, field: null, potvrde: [question] } },
    'POST /api/patients/duplicates': () => ({ body: { data: [own, similar], uDrugimUstanovama: 0 } }),
  });
  signedIn({ prava: [1] });
  show(<DeletedPatients />);
  const changes = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => (body as { potvrde: string[] }).potvrde);
  await userEvent.click(screen.getByRole('button', { name: 'Obrisani pacijenti' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Vrati: Ana Anić/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Sličan pacijent već postoji' });
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(1);
  expect(within(dialog).getByRole('link', { name: /Anić Anna/ })).toHaveAttribute('href', '/pacijenti/9');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Odustani' }));
  expect(changes()).toEqual([[]]);

  await userEvent.click(screen.getByRole('button', { name: /^Vrati: Ana Anić/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Ipak vrati pacijenta' }));
  expect(await screen.findByText(/^Uspešno vraćeno/)).toBeVisible();
  expect(changes()).toEqual([[], [], ['slicanPacijent']]);
});
