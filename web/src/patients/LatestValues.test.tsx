import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { show } from '../testing/fakeApi';
import { groupsOf, LatestValues, type LatestField } from './LatestValues';

const field = (
  id: number,
  tvaNumVrednost: Schema<'ValueType'>,
  naziv: string,
  naredjeniAUTS: number | null,
  more: Partial<LatestField> = {},
): LatestField => ({
  id,
  naziv,
  tvaNumVrednost,
  naredjeniAUTS,
  redosled: id,
  enumStavkeSve: [],
  tipAtributa: { jedinica: null, decimaleBrojneVrednosti: 0 },
  ...more,
});

const FORM = [
  field(1, 11, 'Aktivnost', null),
  field(2, 8, 'Laboratorija', 1),
  field(3, 2, 'CRP', 2),
  field(4, 11, 'Homunkulus', null),
  field(5, 9, 'Bolni zglobovi', 4),
  field(6, 1, 'Rame desno (Bolni zglobovi)', 5, { imageCoordinateX: 1 }),
  field(7, 1, 'Koleno levo', 5, { imageCoordinateX: 2 }),
  field(8, 3, 'Napomena', null),
];

it('keeps the groups of the form, fields before tabs, and the joints of a picture in one line', () => {
  expect(groupsOf(FORM, { 3: 12, 6: true, 7: false, 8: 'dobro' })).toEqual([
    { id: null, names: [], rows: [{ id: 8, name: 'Napomena', shown: 'dobro' }] },
    { id: 2, names: ['Aktivnost', 'Laboratorija'], rows: [{ id: 3, name: 'CRP', shown: '12' }] },
    { id: 5, names: ['Homunkulus'], rows: [{ id: 5, name: 'Bolni zglobovi', shown: 'Rame desno' }] },
  ]);
});

it('folds a long text and the tabs after the first one where there is much', async () => {
  const many = Array.from({ length: 30 }, (_, i) => field(100 + i, 2, `Mera ${i}`, 4));
  show(
    <LatestValues
      fields={[...FORM, ...many]}
      values={{ 3: 12, 8: 'dugačko '.repeat(200), ...Object.fromEntries(many.map(({ id }) => [id, 1])) }}
    />,
  );
  expect([...document.querySelectorAll('details')].map(({ open }) => open)).toEqual([false, false]);
  expect(screen.getByText(/^dugačko/).textContent.length).toBeLessThan(260);
  await userEvent.click(screen.getByRole('button', { name: 'Prikaži sve' }));
  expect(screen.getByText(/^dugačko/).textContent.length).toBeGreaterThan(1500);
});
