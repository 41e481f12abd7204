import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../../../testing/fakeApi';
import { BlocksDialog } from './BlocksDialog';

const row = (sifra: string, naziv: string, more: object = {}) => ({
  sifra,
  naziv,
  izdanje: 1,
  oblast: 'Neurologija',
  opis: `Opis: ${naziv}`,
  izvor: 'Rad iz 1989.',
  licenca: 'Javno dobro.',
  nedostaje: null,
  isporucen: true,
  ...more,
});
const NIHSS = row('nihss', 'NIHSS');
const HAQ = row('haqdi', 'HAQ-DI', { oblast: 'Reumatologija', nedostaje: 'Tekst pitanja na srpskom.' });
const OWN = row('nas', 'Naš indeks', { isporucen: false, izdanje: 3 });
const content = { blok: NIHSS, dokument: { naziv: 'NIHSS', polja: [], tipovi: [], stavke: [], pravila: [] } };

it('a block is found by its words and goes into the form with one press', async () => {
  fakeApi({ 'GET /api/blocks': () => ({ body: [NIHSS, HAQ, OWN] }), 'GET /api/blocks/nihss': () => ({ body: content }) });
  signedIn();
  const taken = vi.fn();
  show(<BlocksDialog onTake={taken} onClose={vi.fn()} />);
  await screen.findByText('NIHSS');
  await userEvent.type(screen.getByLabelText('Traži blok'), 'neuro nihss');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj u formular: NIHSS' }));
  await waitFor(() => expect(taken).toHaveBeenCalledWith(content));
});

it('each says its source, its terms and what it must not have, and only the own ones can be removed', async () => {
  fakeApi({ 'GET /api/blocks': () => ({ body: [NIHSS, HAQ, OWN] }) });
  signedIn();
  show(<BlocksDialog onTake={vi.fn()} onClose={vi.fn()} />);
  await screen.findByText('HAQ-DI');
  const [, haq, own] = screen.getAllByRole('listitem');
  expect(haq).toHaveTextContent('Izvor: Rad iz 1989.');
  expect(haq).toHaveTextContent('Licenca: Javno dobro.');
  expect(haq).toHaveTextContent('Tekst pitanja na srpskom.');
  expect(own).toHaveTextContent('blok ustanove · izdanje 3');
  if (!haq || !own) throw new Error('three blocks are listed');
  expect(within(haq).queryByRole('button', { name: /Ukloni/ })).toBeNull();
  expect(within(own).getByRole('button', { name: 'Ukloni iz biblioteke: Naš indeks' })).toBeInTheDocument();
});

it('a file that is no block is refused with what is wrong, and nothing is lost', async () => {
  const calls = fakeApi({
    'GET /api/blocks': () => ({ body: [NIHSS] }),
    'POST /api/blocks': () => ({ status: 422, body: { message: '[block]: fajl nema zaglavlje bloka', field: 'sadrzaj' } }),
  });
  signedIn();
  show(<BlocksDialog onTake={vi.fn()} onClose={vi.fn()} />);
  await screen.findByText('NIHSS');
  await userEvent.upload(screen.getByLabelText('Uvezi blok iz fajla', { selector: 'input' }), new File(['x'], 'blok.toml'));
  expect(await screen.findByRole('alert')).toHaveTextContent('[block]: fajl nema zaglavlje bloka');
  expect(calls.some(({ method, body }) => method === 'POST' && JSON.stringify(body).includes('blok.toml'))).toBe(true);
});
