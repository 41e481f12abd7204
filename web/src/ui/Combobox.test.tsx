// A name is chosen by typing a part of it.
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Combobox, fitting } from './Combobox';

const DOCTORS = [
  { value: 1, label: 'Čolić Milica' },
  { value: 2, label: 'Đukić Žarko' },
  { value: 3, label: 'Živković Čedomir' },
];

function Doctors({ first = null }: { first?: number | null }) {
  const [value, setValue] = useState<number | null>(first);
  return (
    <>
      <label htmlFor="lekar">Lekar</label>
      <Combobox id="lekar" value={value} options={DOCTORS} onChange={setValue} placeholder="Izaberite" emptyMessage="Nema takvog lekara" />
      <output>{value ?? 'niko'}</output>
    </>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>('Lekar');
const press = (...keys: string[]) => keys.forEach((key) => fireEvent.keyDown(field(), { key }));
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const chosen = () => screen.getByRole('status').textContent;

it('finds each typed word anywhere, without diacritics', () => {
  expect(fitting(DOCTORS, 'ced ziv').map(({ value }) => value)).toEqual([3]);
  expect(fitting(DOCTORS, 'djuk').map(({ value }) => value)).toEqual([2]);
  expect(fitting(DOCTORS, ' ')).toHaveLength(3);
});

it('takes what is marked: by a part of the name, by the arrows, by Tab', () => {
  render(<Doctors />);
  type('ziv');
  press('Enter');
  expect([chosen(), field().value]).toEqual(['3', 'Živković Čedomir']);
  press('ArrowDown', 'ArrowUp', 'Enter');
  expect(chosen()).toBe('2');
  type('col');
  press('Tab');
  expect(chosen()).toBe('1');
});

it('takes nobody where nobody fits, and Escape leaves what was chosen', () => {
  render(<Doctors first={2} />);
  type('petrović');
  expect(screen.getByText('Nema takvog lekara')).toBeTruthy();
  press('Enter', 'Escape');
  expect([chosen(), field().value]).toEqual(['2', 'Đukić Žarko']);
  expect(field().getAttribute('aria-expanded')).toBe('false');
});

it('is blank once its text was taken out', () => {
  render(<Doctors first={2} />);
  type('');
  fireEvent.blur(field());
  expect([chosen(), field().value]).toEqual(['niko', '']);
});
