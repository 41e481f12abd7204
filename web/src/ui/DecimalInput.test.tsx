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
  ['-0,5', -0.5, '-0,5'],
  ['1234.25', 1234.25, '1234,25'],
  ['0,00001', 0.00001, '0,00001'],
  [' 7, ', 7, '7'],
  ['1.234,25', '1.234,25', '1.234,25'],
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
