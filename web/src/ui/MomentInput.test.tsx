import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { MomentInput } from './MomentInput';
import { joinMoment, splitMoment } from './typedMoment';

function Held({ first, told }: { first: string | null; told: (value: string | null) => void }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <label htmlFor="prijem">Prijem</label>
      <MomentInput
        id="prijem"
        timeLabel="Prijem: vreme"
        value={value}
        onChange={(next) => {
          setValue(next);
          told(next);
        }}
      />
    </>
  );
}

test('the parts of a moment stay what they are until both are there', () => {
  expect(splitMoment('2026-03-05T08:05')).toStrictEqual(['2026-03-05', '08:05']);
  expect([splitMoment('2026-03-05T'), splitMoment('T08:05'), splitMoment(null)]).toStrictEqual([
    ['2026-03-05', null],
    [null, '08:05'],
    [null, null],
  ]);
  expect([joinMoment('2026-03-05', null), joinMoment(null, '08:05'), joinMoment(null, null)]).toStrictEqual([
    '2026-03-05T',
    'T08:05',
    null,
  ]);
});

test('a time is typed beside its day, as people type times', () => {
  const told = vi.fn();
  render(<Held first="2026-03-05T" told={told} />);
  fireEvent.change(screen.getByLabelText('Prijem: vreme'), { target: { value: '8.5' } });
  expect(told).toHaveBeenLastCalledWith('2026-03-05T08:05');
  fireEvent.change(screen.getByLabelText('Prijem: vreme'), { target: { value: '' } });
  expect(told).toHaveBeenLastCalledWith('2026-03-05T');
});

test('what is no time stays as it was typed, and so does the day', () => {
  const told = vi.fn();
  render(<Held first="2026-03-05T08:05" told={told} />);
  fireEvent.change(screen.getByLabelText('Prijem: vreme'), { target: { value: '25:00' } });
  expect(told).toHaveBeenLastCalledWith('2026-03-05T25:00');
});
