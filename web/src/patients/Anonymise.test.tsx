// Making a patient anonymous: what is said beforehand, what is asked, and what follows from each answer.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Reply, Schema } from '../schema';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { savedPatient } from '../testing/patients';
import { AnonymiseDialog } from './Anonymise';
import { PatientBanner } from './PatientBanner';

const PATH = '/api/patients/7/anonymisation';
const patient: Schema<'Patient'> = { ...savedPatient, pravoAnonimizacije: true };
const preview: Reply<'AnonymisationPreview'> = {
  potvrda: 'brojKartona',
  prepreka: null,
  unosa: 12,
  podataka: 1340,
  tekstova: 31,
  ranijihStanja: 4,
  ranijihTekstova: 5,
  nacrta: 1,
  zapisaDnevnika: 210,
  fajlova: 2,
  isporuka: 0,
};

beforeEach(() => signedIn());

const open = (answers: Parameters<typeof fakeApi>[0]) => {
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const calls = fakeApi({ [`GET ${PATH}`]: () => ({ body: preview }), ...answers });
  show(<AnonymiseDialog patient={patient} onClose={onClose} onDone={onDone} />);
  return { calls, onDone };
};

describe('the question', () => {
  it('says what goes and what stays, counted', async () => {
    open({});
    const dialog = await screen.findByRole('dialog', { name: 'Anonimizacija pacijenta' });
    await within(dialog).findByText('Ovo je trajno: ne postoji način da se podaci o osobi vrate.');
    const counted = within(dialog)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(counted).toEqual([
      ['Tekstovi u unosima', '31'],
      ['Podaci o osobi u ranijim stanjima kartona', '4'],
      ['Raniji tekstovi u istoriji unosa', '5'],
      ['Nesnimljeni nacrti unosa', '1'],
      ['Fajlovi izveštaja i štampa u kojima je pacijent', '2'],
      ['E-mailovi koji čekaju slanje', '0'],
      ['Unosi sa svojim datumima', '12'],
      ['Brojevi, šifre, izbori i datumi u unosima', '1.340'],
      ['Zapisi loga: ko i kada, bez onoga što je kucano', '210'],
    ]);
  });

  it('is not put where others hold data', async () => {
    open({ [`GET ${PATH}`]: () => ({ body: { ...preview, prepreka: 'Podatke o pacijentu imaju i druge ustanove (njih 2).' } }) });
    expect(await screen.findByText('Podatke o pacijentu imaju i druge ustanove (njih 2).')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Anonimizuj' })).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('the act', () => {
  const answer = async (label: RegExp) => {
    await userEvent.type(await screen.findByLabelText(/^Razlog/), 'Zahtev broj 17');
    await userEvent.type(screen.getByLabelText(label), 'K-17');
    await userEvent.click(screen.getByRole('button', { name: 'Anonimizuj' }));
  };

  it('sends the reason and the typed number, and is done', async () => {
    const { calls, onDone } = open({ [`POST ${PATH}`]: () => ({ status: 204 }) });
    await answer(/^Broj kartona pacijenta/);
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ razlog: 'Zahtev broj 17', potvrda: 'K-17' });
  });

  it('asks for the LBO of who has no card, and says at the field what is wrong', async () => {
    const { onDone } = open({
      [`GET ${PATH}`]: () => ({ body: { ...preview, potvrda: 'lbo' } }),
      [`POST ${PATH}`]: () => ({ status: 422, body: { message: 'Uneti broj nije broj ovog pacijenta.', field: 'potvrda' } }),
    });
    await answer(/^LBO pacijenta/);
    expect(await screen.findByText('Uneti broj nije broj ovog pacijenta.')).toBeInTheDocument();
    expect(screen.getByLabelText(/^LBO pacijenta/)).toHaveFocus();
    expect(onDone).not.toHaveBeenCalled();
  });

  it('tells what refuses it as a whole', async () => {
    open({ [`POST ${PATH}`]: () => ({ status: 409, body: { message: 'Pacijent je već anonimizovan.', field: null } }) });
    await answer(/^Broj kartona pacijenta/);
    expect(await screen.findByText('Pacijent je već anonimizovan.')).toBeInTheDocument();
  });
});

it('the banner of an anonymous patient names nobody', () => {
  show(<PatientBanner patient={{ ...patient, ime: 'pacijent', prezime: 'Anonimizovan', jmbg: '', anonimizovan: true }} />);
  expect(screen.getByRole('group', { name: 'Pacijent' })).toHaveTextContent(/^Anonimizovan pacijent$/);
});
