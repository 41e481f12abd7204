import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { TimeInput } from './TimeInput';
import { typedTime } from './typedTime';

function Alarm({ initial = null }: { initial?: string | null }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <TimeInput aria-label="Vreme" value={value} onChange={setValue} />
      <output>{value ?? 'ništa'}</output>
      <button type="button">Dalje</button>
    </>
  );
}

it.each([
  ['8', '08:00'],
  ['8:5', '08:05'],
  ['08:05', '08:05'],
  ['8.30', '08:30'],
  ['8 30', '08:30'],
  [' 23:59 ', '23:59'],
  ['0805', '08:05'],
  ['0', '00:00'],
  ['24', null],
  ['24:00', null],
  ['8:60', null],
  ['8:', null],
  ['805', null],
  ['8:30:15', null],
  ['podne', null],
])('%j is read as %j', (text, time) => {
  expect(typedTime(text)).toBe(time);
});

it('takes a time as it is typed over another, and puts it in order afterwards', async () => {
  render(<Alarm initial="07:30" />);
  const input = screen.getByLabelText('Vreme');
  expect(input).toHaveValue('07:30');
  await userEvent.tripleClick(input);
  await userEvent.keyboard('8.5');
  expect(input).toHaveValue('8.5');
  expect(screen.getByRole('status')).toHaveTextContent('08:05');
  await userEvent.click(screen.getByText('Dalje'));
  await waitFor(() => expect(input).toHaveValue('08:05'));
});

it('keeps what is no time where it was typed, and says so', async () => {
  render(<Alarm />);
  const input = screen.getByLabelText('Vreme');
  await userEvent.type(input, '25:00');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(screen.getByText('Dalje'));
  expect(input).toHaveValue('25:00');
  await waitFor(() => expect(input).toHaveAccessibleDescription('Vreme nije ispravno. Unesite ga kao ČČ:MM.'));
  expect(input).toBeInvalid();
  expect(screen.getByRole('status')).toHaveTextContent('25:00');
  await userEvent.clear(input);
  expect(screen.getByRole('status')).toHaveTextContent('ništa');
  expect(screen.queryByRole('alert')).toBeNull();
});
