import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { NewEntryDialog } from './NewEntryDialog';

const types = [
  { id: 1, naziv: 'Pregled', mozeSeInstancirati: true, maxInstanci: 2 },
  { id: 2, naziv: 'HAQ-DI', mozeSeInstancirati: true, maxInstanci: null },
  { id: 3, naziv: 'Zatvoren', mozeSeInstancirati: false, maxInstanci: null },
];
const create = () => userEvent.click(screen.getByRole('button', { name: 'Kreiraj' }));

it('wants a type of those that can be made, and says what the server has against one more', async () => {
  signedIn();
  const poruka = 'Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 2';
  const calls = fakeApi({
    'GET /api/entry-count': () => ({ body: { isValid: false, poruka, maxInstanci: 2, brojUnosa: 2, postojeci: [] } }),
  });
  show(<NewEntryDialog pacijentID={5} types={types} datePicked={false} onClose={() => {}} />);
  expect(screen.queryByRole('radio', { name: 'Zatvoren' })).toBeNull();
  await create();
  expect(await screen.findByText('Morate odabrati neki od unosa.')).toBeInTheDocument();
  expect(calls).toEqual([]);
  await userEvent.click(screen.getByRole('radio', { name: 'Pregled' }));
  await create();
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(poruka));
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({ pacijentID: '5', thaID: '1' });
});

it('tells that the day has as many as it may, who began that entry and the way to it, until another day is chosen', async () => {
  signedIn();
  const poruka = 'Za taj dan već postoji unos. Otvorite ga.';
  const first = { unosID: 9, datumUnosa: '2026-03-05', kreirao: 'Perić Mila', datumKreiranja: '2026-03-05 09:05', pravoIzmene: true };
  const calls = fakeApi({
    'GET /api/entry-count': () => ({ body: { isValid: false, poruka, maxInstanci: null, brojUnosa: 1, postojeci: [first] } }),
  });
  show(<NewEntryDialog pacijentID={5} types={types} datePicked onClose={() => {}} />);
  fireEvent.input(screen.getByLabelText(/Datum pregleda/), { target: { value: '05.03.2026.' } });
  await userEvent.click(screen.getByRole('radio', { name: 'Pregled' }));
  await create();
  expect(await screen.findByText(poruka)).toBeInTheDocument();
  const way = screen.getByRole('link', { name: 'Otvori postojeći unos' });
  expect(way).toHaveAttribute('href', '/unosi/9');
  expect(way.closest('li')).toHaveTextContent('započeo korisnik Perić Mila, 05.03.2026. 09:05');
  expect(calls[0]?.query.get('datumUnosa')).toBe('2026-03-05');
  fireEvent.input(screen.getByLabelText(/Datum pregleda/), { target: { value: '06.03.2026.' } });
  expect(screen.queryByText(poruka)).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

it('wants the date where the installation asks for it', async () => {
  signedIn();
  fakeApi({});
  show(<NewEntryDialog pacijentID={5} types={types} datePicked onClose={() => {}} />);
  fireEvent.input(screen.getByLabelText(/Datum pregleda/), { target: { value: '' } });
  await create();
  expect(await screen.findByText('Morate odabrati datum pregleda')).toBeInTheDocument();
});
