import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Schema } from '../schema';
import { searchSetup } from '../testing/patients';
import { emptyRow, type CriterionRow, type EntryScope } from './criteria';
import { CriteriaRows } from './CriteriaRows';
import type { SearchField, SearchSetup } from './types';

const field = (id: number, tipVrednosti: Schema<'ValueType'>, tipUnosaID = 1): SearchField => ({
  id,
  naziv: `Stavka ${id}`,
  tipUnosaID,
  tipVrednosti,
  jedinica: null,
  stavke: [{ id: 7, naziv: 'Prva' }],
});
const form = (id: number) => ({ id, naziv: `Obrazac ${id}`, mozeSeInstancirati: true, maxInstanci: null });
const setup: SearchSetup = {
  ...searchSetup,
  id: 1,
  tipoviUnosa: [form(1)],
  polja: [field(1, 1), field(2, 2), field(3, 3), field(4, 4), field(5, 5)],
};

const told = vi.fn<(rows: CriterionRow[]) => void>();
const rows = () => told.mock.lastCall?.[0] ?? [];
function Rows({ initial, of = setup }: { initial: CriterionRow[]; of?: SearchSetup }) {
  const [kept, setKept] = useState(initial);
  const [scope, setScope] = useState<EntryScope>('biloKojiUnos');
  const change = (next: CriterionRow[]) => {
    setKept(next);
    told(next);
  };
  return <CriteriaRows setup={of} rows={kept} scope={scope} onScope={setScope} problem={null} onChange={change} />;
}
const open = (label: string) => userEvent.click(screen.getByLabelText(label).closest('.p-dropdown') ?? document.body);
const choose = async (label: string, option: string) => {
  await open(label);
  await userEvent.click(await screen.findByText(option, { selector: '.p-dropdown-item *' }));
  await waitFor(() => expect(document.querySelector('.p-dropdown-item')).toBeNull());
};
const offered = async (label: string) => {
  await open(label);
  await waitFor(() => expect(document.querySelector('.p-dropdown-item')).not.toBeNull());
  const names = [...document.querySelectorAll('.p-dropdown-item')].map(({ textContent }) => textContent);
  await userEvent.keyboard('{Escape}');
  return names;
};

const COMPARISONS = [
  'veće od',
  'manje od',
  'jednako',
  'nije jednako',
  'manje ili jednako',
  'veće ili jednako',
  'popunjeno',
  'nije popunjeno',
];
const SELECTION = ['izabrano', 'nije izabrano', 'popunjeno', 'nije popunjeno'];

it.each([
  [1, SELECTION],
  [2, COMPARISONS],
  [3, ['jednako', 'nije jednako', 'sadrži', 'ne sadrži', 'počinje sa', 'završava se sa', 'popunjeno', 'nije popunjeno']],
  [4, SELECTION],
  [5, COMPARISONS],
])('offers an item of type %i its operators', async (type, operators) => {
  render(<Rows initial={[{ ...emptyRow(), poljeID: type }]} />);
  expect(await offered('Operator')).toEqual(operators);
});

it('links every row but the first to the one before, and removes a row', async () => {
  render(<Rows initial={[emptyRow()]} />);
  expect(screen.queryByLabelText('Veza sa prethodnim uslovom')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj uslov' }));
  const second = screen.getByRole('listitem', { name: 'Uslov 2' });
  await userEvent.click(within(second).getByText('ili'));
  expect(rows().map(({ veza }) => veza)).toEqual(['i', 'ili']);
  await userEvent.click(within(second).getByRole('button', { name: 'Ukloni uslov' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

it('asks for the entry type only where the register shows current entries, and offers only its items', async () => {
  const two = { ...setup, tipoviUnosa: [form(1), form(2)], polja: [field(1, 1), field(2, 2, 2)] };
  const { unmount } = render(<Rows of={two} initial={[emptyRow()]} />);
  expect(screen.queryByLabelText('Formular')).toBeNull();
  unmount();
  render(<Rows of={{ ...two, prikazTekucihUnosaKodPretrage: true }} initial={[emptyRow()]} />);
  await choose('Formular', 'Obrazac 2');
  expect(await offered('Stavka unosa')).toEqual(['Stavka 2']);
});

it('takes a number below zero', async () => {
  render(<Rows initial={[{ ...emptyRow(), poljeID: 2, operator: '<' }]} />);
  await userEvent.type(screen.getByLabelText('Vrednost'), '-3,5');
  expect(rows()[0]?.vrednost).toBe('-3,5');
});

it('reads each criterion as a sentence, in the scope that is chosen', async () => {
  render(<Rows initial={[{ ...emptyRow(), poljeID: 2, operator: '>', vrednost: '5' }]} />);
  expect(screen.getByText('Bar u jednom unosu „Obrazac 1”: Stavka 2 veće od 5.')).toBeVisible();
  await choose('Uslovi važe za', 'najnoviji unos');
  expect(screen.getByText('U najnovijem unosu „Obrazac 1”: Stavka 2 veće od 5.')).toBeVisible();
});

it('asks for no value of what is filled', async () => {
  render(<Rows initial={[{ ...emptyRow(), poljeID: 2, operator: '>' }]} />);
  expect(screen.getByLabelText('Vrednost')).toBeVisible();
  await choose('Operator', 'nije popunjeno');
  expect(screen.queryByLabelText('Vrednost')).toBeNull();
});
