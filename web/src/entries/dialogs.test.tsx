import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { blankDraft } from '../testing/draft';
import { show } from '../testing/fakeApi';
import { DraftDialog, JoinDialog } from './dialogs';

const ways = () => ({ onRestore: vi.fn(), onDiscard: vi.fn(), onLeave: vi.fn(), onOpenOwn: vi.fn(), onMove: vi.fn() });
const draft = { ...blankDraft, vreme: new Date(2026, 10, 20, 14, 30).getTime() };
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);

it('names the patient, the form, the visit and when it was typed, and goes on by one click in its own visit', async () => {
  const way = ways();
  show(<DraftDialog draft={draft} patient="Anić Ana" form="Pregled" visit="2026-11-20" other={null} {...way} />);
  expect(screen.getByRole('dialog')).toHaveTextContent(
    'Pronađeni su podaci koji su uneti 20.11.2026. 14:30, a nisu snimljeni.PacijentAnić AnaUnosPregledDatum pregleda20.11.2026.',
  );
  await click('Nastavi sa unetim podacima');
  expect(way.onRestore).toHaveBeenCalledOnce();
});

it('says both days in another visit, where one click opens its own, leaves it, or asks', async () => {
  const way = ways();
  show(<DraftDialog draft={draft} patient="Anić Ana" form="Pregled" visit="2026-11-20" other="2026-11-05" {...way} />);
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Ovde je otvoren pregled od 05.11.2026., a podaci su uneti za pregled od 20.11.2026.',
  );
  expect(buttons()).toEqual(['Prenesi u pregled od 05.11.2026.', 'Ostavi za kasnije', 'Otvori pregled od 20.11.2026.']);
  await click('Ostavi za kasnije');
  await click('Otvori pregled od 20.11.2026.');
  await click('Prenesi u pregled od 05.11.2026.');
  expect([way.onLeave, way.onOpenOwn, way.onMove, way.onRestore, way.onDiscard].map((called) => called.mock.calls.length)).toEqual([
    1, 1, 1, 0, 0,
  ]);
});

it('without a day of its own it is left or moved', () => {
  show(<DraftDialog draft={draft} patient="Anić Ana" form="Pregled" visit={null} other="2026-11-05" {...ways()} onOpenOwn={null} />);
  expect(screen.getByRole('alert')).toHaveTextContent('a podaci su uneti bez datuma pregleda.');
  expect(buttons()).toEqual(['Prenesi u pregled od 05.11.2026.', 'Ostavi za kasnije']);
});

it('says who began the visit and when, and joins only who chooses so', async () => {
  const settle = vi.fn();
  const entry = {
    unosID: 9,
    datumUnosa: '2026-11-20',
    kreirao: 'Perić Mila',
    datumKreiranja: '2026-11-20 09:05',
    pravoIzmene: true,
  };
  show(<JoinDialog open={{ entries: [entry], settle }} />);
  expect(screen.getByRole('dialog')).toHaveTextContent('Unos za pregled od 20.11.2026. započeo je korisnik Perić Mila, 20.11.2026. 09:05');
  await click('Odustani');
  await click('Pridruži se unosu');
  expect(settle.mock.calls).toEqual([[null], [9]]);
});
