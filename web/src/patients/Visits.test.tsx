import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { SinceLastVisit } from './SinceLastVisit';
import { Visits } from './Visits';

beforeEach(() => signedIn());

const form = (unosID: number, naziv: string, popunjeniRelevantni = true) => ({ unosID, tsaID: unosID, naziv, popunjeniRelevantni });
const visit = {
  id: 4,
  datum: '2026-03-05',
  ustanova: 'Klinika',
  lekarID: 2,
  lekar: 'Čubrilović Đorđe',
  pravoIzmene: true,
  obrasci: [form(9, 'Pregled'), form(10, 'Terapija', false)],
};
const others = { ...visit, id: 3, datum: '2025-01-02', pravoIzmene: false, lekar: null, lekarID: null, obrasci: [form(8, 'Pregled')] };
const listed = {
  'GET /api/patients/7/visits': () => ({
    body: { data: [visit, others], total: 2, lekari: [{ id: 2, imePrezime: 'Čubrilović Đorđe', dostupan: true }] },
  }),
};

it('a visit holds its forms, begins one more on its day, and is changed where it is the own one', async () => {
  fakeApi(listed);
  const begin = vi.fn();
  show(<Visits patient={7} register={1} mayChange begin={begin} />);
  const forms = await screen.findByRole('list', { name: 'Formulari posete 05.03.2026.' });
  expect(
    within(forms)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['Pregled', '/unosi/9'],
    ['Terapija', '/unosi/10'],
  ]);
  expect(within(forms).getAllByRole('img', { name: 'Nisu popunjena sva relevantna polja' })).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Novi formular u poseti 05.03.2026.' }));
  expect(begin).toHaveBeenCalledWith('2026-03-05');
  expect(screen.queryByRole('button', { name: 'Datum i lekar posete 02.01.2025.' })).toBeNull();
});

it('one day and one doctor are asked for all forms, and a form that cannot go says why', async () => {
  const calls = fakeApi({
    ...listed,
    'PUT /api/visits/4': () => ({ status: 422, body: { message: 'Terapija: Za taj dan već postoji unos.', field: null } }),
  });
  show(<Visits patient={7} register={1} mayChange begin={() => undefined} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Datum i lekar posete 05.03.2026.' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('Pregled, Terapija');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Promeni celu posetu' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Terapija: Za taj dan već postoji unos.');
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    datum: '2026-03-05',
    radnikOdgovoran: 2,
    osnovaRadnikOdgovoran: 2,
  });
});

const change = { polje: 5, naziv: 'Puls', sada: '72 /min', pre: '80 /min', datum: '2025-01-02', razlika: -8 };
const summaryForm = { tsaID: 1, unosID: 9, naziv: 'Pregled', datum: '2026-03-05', poslednjaPoseta: true, vrednosti: [], ukupno: 1 };

it('what changed since the visits before is told with its difference, and a form that is new changes nothing', async () => {
  fakeApi({
    'GET /api/patients/7/summary': () => ({
      body: {
        poseta: { id: 4, datum: '2026-03-05', ustanova: 'Klinika', lekar: null },
        obrasci: [
          {
            ...summaryForm,
            prviPut: false,
            promene: [change, { ...change, polje: 6, naziv: 'Nalaz', sada: null, pre: 'uredan', razlika: null }],
          },
          { ...summaryForm, unosID: 10, naziv: 'Terapija', prviPut: true, promene: [] },
          { ...summaryForm, unosID: 8, naziv: 'Stara', poslednjaPoseta: false, prviPut: false, promene: [change] },
        ],
      },
    }),
  });
  show(<SinceLastVisit patient={7} register={1} />);
  const examination = await screen.findByRole('region', { name: 'Pregled' });
  expect(examination).toHaveTextContent('Puls72 /min↓ 8');
  expect(examination).toHaveTextContent('pre: 80 /min (02.01.2025.)');
  expect(examination).toHaveTextContent('Nalaz—pre: uredan (02.01.2025.)');
  expect(screen.getByRole('region', { name: 'Terapija' })).toHaveTextContent('Popunjeno prvi put.');
  expect(screen.queryByRole('region', { name: 'Stara' })).toBeNull();
  expect(screen.queryByText(/^Još/)).toBeNull();
});

it('shows eight changes of a form, and the others when they are asked for', async () => {
  const promene = Array.from({ length: 10 }, (_, polje) => ({ ...change, polje, naziv: `Polje ${polje}` }));
  fakeApi({
    'GET /api/patients/7/summary': () => ({
      body: {
        poseta: { id: 4, datum: '2026-03-05', ustanova: 'Klinika', lekar: null },
        obrasci: [{ ...summaryForm, prviPut: false, promene }],
      },
    }),
  });
  show(<SinceLastVisit patient={7} register={1} />);
  expect(await screen.findByText('Polje 7')).toBeVisible();
  expect(screen.getByText('Polje 8')).not.toBeVisible();
  await userEvent.click(screen.getByText('Još 2 promene'));
  expect(screen.getByText('Polje 9')).toBeVisible();
});
