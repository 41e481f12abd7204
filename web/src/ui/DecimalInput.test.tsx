import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { show } from '../testing/fakeApi';
import { DecimalInput } from './DecimalInput';

type Value = number | string | null;

function Box({ onChange }: { onChange: (value: Value) => void }) {
  const [held, setHeld] = useState<Value>(3);
  return (
    <DecimalInput
      value={held}
      onChange={(value) => {
        setHeld(value);
        onChange(value);
      }}
      decimals={10}
    />
  );
}

it.each([
  ['-0,5', -0.5, '−0,5'],
  ['−0,5', -0.5, '−0,5'],
  ['1234.25', 1234.25, '1.234,25'],
  ['0,00001', 0.00001, '0,00001'],
  [' 7, ', 7, '7'],
  ['1.234,25', 1234.25, '1.234,25'],
  ['1.23.4', '1.23.4', '1.23.4'],
])('what is typed as %s is the number %s', async (typed, expected, shown) => {
  const onChange = vi.fn();
  show(<Box onChange={onChange} />);
  const box = screen.getByRole('textbox');
  await userEvent.clear(box);
  expect(onChange).toHaveBeenLastCalledWith(null);
  await userEvent.type(box, typed);
  expect(box).toHaveValue(typed);
  expect(onChange).toHaveBeenLastCalledWith(expected);
  await userEvent.tab();
  expect(box).toHaveValue(shown);
  if (typeof expected === 'string') expect(box).toHaveAccessibleDescription('Broj nije ispravan. Unesite ga kao 12,5.');
});

it.each([
  ['a click', () => userEvent.click(screen.getByRole('button', { name: '2108' })), 2108, '2.108'],
  ['a click on the other', () => userEvent.click(screen.getByRole('button', { name: '2,108' })), 2.108, '2,108'],
  ['the arrow up', () => userEvent.keyboard('{ArrowUp}'), 2108, '2.108'],
  ['the arrow down', () => userEvent.keyboard('{ArrowDown}'), 2.108, '2,108'],
  ['the next control', () => userEvent.keyboard('{Tab}{Enter}'), 2108, '2.108'],
] as const)('a number with two readings is asked about, and %s chooses', async (_, choose, expected, shown) => {
  const onChange = vi.fn();
  show(<Box onChange={onChange} />);
  const box = screen.getByRole('textbox');
  await userEvent.clear(box);
  await userEvent.type(box, '2.108');
  expect(onChange).toHaveBeenLastCalledWith('2.108');
  expect(screen.getByRole('group', { name: '„2.108” može da znači dva broja. Izaberite jedan.' })).toBeVisible();
  await choose();
  expect(onChange).toHaveBeenLastCalledWith(expected);
  expect(screen.queryByRole('group')).toBeNull();
  expect(box).toHaveFocus();
  await userEvent.tab();
  expect(box).toHaveValue(shown);
});

it('what is shown with points between thousands is edited without them', async () => {
  const onChange = vi.fn();
  show(<Box onChange={onChange} />);
  const box = screen.getByRole('textbox');
  await userEvent.clear(box);
  await userEvent.type(box, '2108');
  await userEvent.tab();
  expect(box).toHaveValue('2.108');
  await userEvent.click(box);
  expect(box).toHaveValue('2108');
  await userEvent.type(box, '5');
  expect(onChange).toHaveBeenLastCalledWith(21085);
});
