import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DateInput } from './DateInput';
import { PeriodFields } from './PeriodFields';
import { typedDate } from './typedDate';

function Birthday({ initial = null }: { initial?: string | null }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <DateInput aria-label="Datum" value={value} onChange={setValue} />
      <output>{value ?? 'ništa'}</output>
      <button type="button">Dalje</button>
    </>
  );
}

it.each([
  ['05.03.2026.', '2026-03-05'],
  ['05.03.2026', '2026-03-05'],
  ['5.3.2026', '2026-03-05'],
  ['05. 03. 2026.', '2026-03-05'],
  ['5/3/2026', '2026-03-05'],
  ['05032026', '2026-03-05'],
  ['2026-03-05', '2026-03-05'],
  ['29.02.2024.', '2024-02-29'],
  ['05.03.1915.', '1915-03-05'],
  ['29.02.2025.', null],
  ['05.13.2026.', null],
  ['05.03.26.', null],
  ['05.03.0202.', null],
  ['05.03.', null],
  ['juče', null],
])('%j is read as %j', (text, date) => {
  expect(typedDate(text)).toBe(date);
});

it('takes a date as it is typed over another, and puts it in order afterwards', async () => {
  render(<Birthday initial="2020-01-02" />);
  const input = screen.getByLabelText('Datum');
  await userEvent.tripleClick(input);
  await userEvent.keyboard('15.3.2021');
  expect(input).toHaveValue('15.3.2021');
  expect(screen.getByRole('status')).toHaveTextContent('2021-03-15');
  await userEvent.click(screen.getByText('Dalje'));
  await waitFor(() => expect(input).toHaveValue('15.03.2021.'));
});

it('keeps what is no date where it was typed, and says so', async () => {
  render(<Birthday />);
  const input = screen.getByLabelText('Datum');
  await userEvent.type(input, '31.02.2026.');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(screen.getByText('Dalje'));
  expect(input).toHaveValue('31.02.2026.');
  expect(await screen.findByRole('alert')).toHaveTextContent('Datum nije ispravan. Unesite ga kao DD.MM.GGGG.');
  expect(input).toHaveAccessibleDescription('Datum nije ispravan. Unesite ga kao DD.MM.GGGG.');
  expect(input).toBeInvalid();
  expect(screen.getByRole('status')).toHaveTextContent('31.02.2026.');
  await userEvent.clear(input);
  expect(input).toBeValid();
  expect(screen.getByRole('status')).toHaveTextContent('ništa');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('leaves a date before the years of the calendar as it is', async () => {
  render(<Birthday initial="1912-07-01" />);
  const input = screen.getByLabelText('Datum');
  await userEvent.click(input);
  await userEvent.click(screen.getByText('Dalje'));
  await waitFor(() => expect(input).toHaveValue('01.07.1912.'));
  expect(screen.getByRole('status')).toHaveTextContent('1912-07-01');
});

it('says what is wrong only after the click that leaves the field, which nothing takes away from under the mouse', async () => {
  const user = userEvent.setup();
  render(<Birthday />);
  await user.type(screen.getByLabelText('Datum'), '31.02.2026.');
  await user.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('button', { name: 'Dalje' }) });
  expect(screen.queryByRole('alert')).toBeNull();
  await user.pointer({ keys: '[/MouseLeft]' });
  expect(await screen.findByRole('alert')).toHaveTextContent('Datum nije ispravan.');
});

it('offers no day of a period after its end, nor one before its beginning', async () => {
  const none = () => undefined;
  render(<PeriodFields from="2026-03-05" until="2026-03-10" setFrom={none} setUntil={none} message={() => null} />);
  const offered = async (at: number) => {
    await userEvent.click(screen.getAllByRole('button', { name: 'Izaberi datum' })[at] as HTMLElement);
    const days = await waitFor(() => {
      const found = [...document.querySelectorAll('.p-datepicker td:not(.p-datepicker-other-month) span:not(.p-disabled)')];
      expect(found.length).toBeGreaterThan(0);
      return found.map(({ textContent }) => Number(textContent));
    });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.querySelector('.p-datepicker')).toBeNull());
    return days;
  };
  expect(Math.max(...(await offered(0)))).toBe(10);
  expect(Math.min(...(await offered(1)))).toBe(5);
});
