import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { today } from '../today';
import { VisitStrip } from './VisitStrip';

beforeEach(() => signedIn());

const visit = (id: number, stanje: string, more: object = {}) => ({
  id,
  sifra: `M${String(id)}`,
  naziv: `Kontrola ${String(id)}`,
  red: 0,
  ponavljaSe: false,
  cilj: '2025-04-30',
  prozorOd: '2025-04-16',
  prozorDo: '2025-05-14',
  cekaDo: '2025-06-13',
  stanje,
  unosID: null,
  danUnosa: null,
  rucno: false,
  razlog: null,
  formulari: [{ tsaID: 3, naziv: 'Pregled', unosID: null }],
  pomeranja: [],
  ...more,
});

const answer = (posete: object[], izmena = true) => ({
  body: {
    plan: { id: 1, planID: 4, naziv: 'Praćenje', broj: 1, ukljucenje: '2025-01-31', ukljucenjeRucno: false, prekinut: false, verzija: 1 },
    planovi: [{ id: 4, naziv: 'Praćenje' }],
    posete,
    izmena,
  },
});

const PATH = 'GET /api/patients/7/visit-plan';

it('leads to the form of a visit that is awaited and to the entry of one that is done', async () => {
  const done = visit(1, 'ispunjena', { unosID: 9, danUnosa: '2025-05-02', formulari: [{ tsaID: 3, naziv: 'Pregled', unosID: 9 }] });
  fakeApi({ [PATH]: () => answer([done, visit(2, 'otvorena'), visit(3, 'buduca')]) });
  show(<VisitStrip patient={7} register={1} />);
  const list = await screen.findByRole('list', { name: 'Plan poseta' });
  const [first, second, third] = within(list).getAllByRole('listitem');
  expect(within(first as HTMLElement).getByRole('link', { name: 'Otvori: Pregled' })).toHaveAttribute('href', '/unosi/9');
  expect(within(second as HTMLElement).getByRole('link', { name: 'Započni: Pregled' })).toHaveAttribute(
    'href',
    expect.stringContaining(`datumUnosa=${today()}`),
  );
  expect(within(third as HTMLElement).queryByRole('link')).toBeNull();
  expect(within(third as HTMLElement).getByText('buduća')).toBeInTheDocument();
});

it('changes nothing for those who only read', async () => {
  fakeApi({ [PATH]: () => answer([visit(2, 'kasni')], false) });
  show(<VisitStrip patient={7} register={1} />);
  expect(await screen.findByText('kasni')).toBeInTheDocument();
  expect(screen.getAllByRole('button').map((button) => button.ariaLabel)).toEqual(['Uputstvo: Plan poseta pacijenta']);
  expect(screen.queryByRole('link')).toBeNull();
});

it('calls a visit off with a reason', async () => {
  const calls = fakeApi({ [PATH]: () => answer([visit(2, 'kasni')]), 'POST /api/planned-visits/2/cancel': () => ({ status: 204 }) });
  show(<VisitStrip patient={7} register={1} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Otkaži: Kontrola 2' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Otkaži' }));
  expect(await within(dialog).findByText('Razlog ima od 3 do 500 znakova.')).toBeInTheDocument();
  await userEvent.type(within(dialog).getByLabelText(/Razlog/), 'Na putu');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Otkaži' }));
  expect(calls.find(({ path }) => path.endsWith('/cancel'))?.body).toEqual({ razlog: 'Na putu' });
});

it('is not there where the register has no plan', async () => {
  fakeApi({ [PATH]: () => ({ body: { plan: null, planovi: [], posete: [], izmena: true } }) });
  const { container } = show(<VisitStrip patient={7} register={1} />);
  await expect.poll(() => container.textContent).toBe('');
});
