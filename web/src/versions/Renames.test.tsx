import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { withQuery } from '../api/address';
import { show } from '../testing/fakeApi';
import { Renames, UNSAID, wordingQuery } from './Renames';

const RENAMES: readonly Schema<'Rename'>[] = [
  { vrsta: 'stavka', id: 7, polja: ['Stepen'], staro: 'tezak', novo: 'težak' },
  { vrsta: 'jedinica', id: 3, polja: ['Doza', 'Doza 2'], staro: 'mg', novo: null },
];

function Asked() {
  const [said, say] = useState(UNSAID);
  return (
    <>
      <Renames renames={RENAMES} said={said} onSay={say} />
      <output>{withQuery('', wordingQuery(said))}</output>
    </>
  );
}

it('an item is only spelt otherwise and a unit is another one until somebody says otherwise', () => {
  show(<Asked />);
  const item = within(screen.getByRole('group', { name: 'Stavka „tezak” postaje „težak” (Stepen)' }));
  const unit = within(screen.getByRole('group', { name: 'Jedinica „mg” postaje „—” (Doza, Doza 2)' }));
  expect(item.getByLabelText('Samo pravopis')).toBeChecked();
  expect(unit.getByLabelText('Drugo značenje')).toBeChecked();
  expect(screen.getByRole('status')).toHaveTextContent('');
  fireEvent.click(item.getByLabelText('Drugo značenje'));
  fireEvent.click(unit.getByLabelText('Samo pravopis'));
  expect(screen.getByRole('status')).toHaveTextContent('drugeStavke=7&isteJedinice=3');
  fireEvent.click(item.getByLabelText('Samo pravopis'));
  expect(screen.getByRole('status')).toHaveTextContent('isteJedinice=3');
  expect(item.getByLabelText('Samo pravopis')).toBeChecked();
});
