import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../../testing/fakeApi';
import { Recomputations } from './Recomputations';

const one = {
  id: 4,
  verzija: 2,
  status: 'done',
  radnik: 'Marić Mila',
  vreme: '2026-03-06 15:00',
  zavrseno: '2026-03-06 15:01',
  otkazujeSe: false,
  ukupno: 10,
  pregledano: 10,
  promenjeno: 8,
  prevedeno: 1,
  ostavljeno: 1,
  potpisa: 0,
  razlogPotpisa: null,
  razlozi: [{ razlog: 'pravilo', polje: 'Masa', unosa: 1 }],
};

it('says nothing where there is nothing to recompute and nothing was', async () => {
  const calls = fakeApi({ 'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 0, ostaje: 0, potpisano: 0, data: [] } }) });
  signedIn();
  const { container } = show(<Recomputations form={7} mayOrder />);
  await waitFor(() => expect(calls).toHaveLength(1));
  await waitFor(() => expect(container.querySelector('section, [aria-busy]')).toBeNull());
});

it('asks before results that are still marked are recomputed, and shows how far it has come', async () => {
  let data: object[] = [];
  const calls = fakeApi({
    'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 3, ostaje: 1, potpisano: 0, data } }),
    'POST /api/forms/7/recomputations': () => {
      data = [{ ...one, status: 'running', pregledano: 4, promenjeno: 4, prevedeno: 0, ostavljeno: 0, razlozi: [] }];
      return { status: 201, body: { id: 4 } };
    },
    'POST /api/recomputations/4/cancel': () => {
      data = [{ ...one, status: 'running', otkazujeSe: true }];
      return { status: 204 };
    },
  });
  signedIn();
  show(<Recomputations form={7} mayOrder />);
  await screen.findByText('3 unosa imaju rezultate koje današnje formule daju drugačije.');
  await userEvent.click(screen.getByRole('button', { name: 'Preračunaj' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Preračunaj' }));
  await screen.findByText('Pregledano 4 od 10 unosa');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Preračunaj' })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Otkaži preračunavanje' }));
  const question = (await screen.findByText(/^Otkazati preračunavanje\?/)).closest('[role="alertdialog"]') as HTMLElement;
  await userEvent.click(within(question).getByRole('button', { name: 'Otkaži preračunavanje' }));
  await screen.findByText('Otkazuje se…');
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/forms/7/recomputations',
    '/api/recomputations/4/cancel',
  ]);
});

it('does not offer what another recomputation would leave again', async () => {
  fakeApi({ 'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 1, ostaje: 1, potpisano: 0, data: [one] } }) });
  signedIn();
  show(<Recomputations form={7} mayOrder />);
  await screen.findByText(/^Preračunavanje ih je ostavilo kakvi jesu/);
  expect(screen.queryByRole('button', { name: 'Preračunaj' })).toBeNull();
});

it('names the entries that stayed to who may open them, and only their number and reasons to others', async () => {
  const calls = fakeApi({
    'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 0, ostaje: 0, potpisano: 0, data: [one] } }),
    'GET /api/recomputations/4/entries': () => ({ body: { data: [{ unosID: 31, razlog: 'pravilo', polje: 'Masa' }], total: 1 } }),
  });
  const reason = 'vrednost ne zadovoljava novo pravilo (opseg, decimale ili obaveznost): Masa';
  signedIn({ pacijenti: 'ne' });
  const { unmount } = show(<Recomputations form={7} mayOrder={false} />);
  await screen.findByText(`${reason} (1)`);
  await screen.findByText('Unosi se navode po broju samo onima koji smeju da ih otvore.');
  unmount();
  signedIn({ pacijenti: 'uvid' });
  show(<Recomputations form={7} mayOrder={false} />);
  await userEvent.click(await screen.findByText('Ostalo kakvo jeste: 1 unos'));
  await waitFor(() => expect(screen.getByRole('link', { name: 'Unos br. 31' })).toHaveAttribute('href', '/unosi/31'));
  expect(calls.some(({ path }) => path === '/api/recomputations/4/entries')).toBe(true);
});

it('says how many signed entries are marked, and ends their signatures where that is chosen, with the reason', async () => {
  let data: object[] = [];
  const calls = fakeApi({
    'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 5, ostaje: 2, potpisano: 2, data } }),
    'POST /api/forms/7/recomputations': () => {
      data = [{ ...one, potpisa: 2, razlogPotpisa: 'Ispravljena formula' }];
      return { status: 201, body: { id: 4 } };
    },
  });
  signedIn({ prava: [28] });
  show(<Recomputations form={7} mayOrder />);
  await userEvent.click(await screen.findByRole('button', { name: 'Preračunaj' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('status')).toHaveTextContent('Potpisani unosi u kojima bi se nešto promenilo: 2');
  await userEvent.click(within(dialog).getByLabelText('Okončaj potpise i preračunaj i potpisane unose'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Preračunaj' }));
  await within(dialog).findByText('Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova.');
  await userEvent.type(within(dialog).getByLabelText(/^Zašto potpisi/), 'Ispravljena formula');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Preračunaj' }));
  await screen.findByText('Okončani potpisi: 2. Razlog: Ispravljena formula');
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { zavrsiPotpise: true, razlogPotpisa: 'Ispravljena formula' },
  ]);
});

it('tells whoever may not end signatures that signed entries stay', async () => {
  fakeApi({ 'GET /api/forms/7/recomputations': () => ({ body: { oznaceno: 5, ostaje: 0, potpisano: 2, data: [] } }) });
  signedIn();
  show(<Recomputations form={7} mayOrder />);
  await userEvent.click(await screen.findByRole('button', { name: 'Preračunaj' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('potpise okončava samo ko ima pravo „Zaključavanje unosa”');
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
});
