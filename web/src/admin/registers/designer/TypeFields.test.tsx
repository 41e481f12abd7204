import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import type { Reply } from '../../../schema';
import { blankItem, blankType } from './model';
import { TypeFields } from './TypeFields';

const told: Reply<'DraftItem'>[][] = [];

function SetFields({ first }: { first: readonly Reply<'DraftItem'>[] }) {
  const [items, setItems] = useState(first);
  return (
    <TypeFields
      type={blankType(3, ValueType.Set, 'Jačina')}
      items={items}
      faults={[]}
      sharedWith={null}
      onPasted={() => undefined}
      onType={() => undefined}
      onItems={(edit) => {
        const next = edit(items, -5);
        told.push([...next]);
        setItems(next);
      }}
    />
  );
}

const weights = () => told.at(-1)?.map(({ naziv, numVrednost, bezTezine }) => [naziv, numVrednost, bezTezine]);

it('an item is said to have no weight in one step, and gets a number again', () => {
  render(<SetFields first={[blankItem(10, 3, 'Blaga', 1)]} />);
  const tick = () => screen.getByRole('checkbox', { name: 'Bez težine' });
  fireEvent.click(tick());
  expect(weights()).toEqual([['Blaga', null, true]]);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Numerička vrednost' }).disabled).toBe(true);
  fireEvent.click(tick());
  expect(weights()).toEqual([['Blaga', null, false]]);
  const number = screen.getByRole<HTMLInputElement>('textbox', { name: 'Numerička vrednost' });
  expect(number.disabled).toBe(false);
});

it('what is pasted without a number has no weight, and that is told', () => {
  render(<SetFields first={[blankItem(10, 3, 'Blaga', 1)]} />);
  fireEvent.click(screen.getByRole('button', { name: 'Nalepi iz tabele' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Nalepljene stavke' }), { target: { value: 'E\tx\nTeška\t4' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preuzmi stavke' }));
  expect(weights()).toEqual([
    ['Blaga', 1, false],
    ['E', null, true],
    ['Teška', 4, false],
  ]);
  expect(screen.getByRole('status').textContent).toBe('Bez težine: E. Formula koja traži broj takve stavke je prazna.');
});
