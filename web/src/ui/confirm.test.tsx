import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../testing/fakeApi';
import { useConfirm } from './confirm';

function Asking() {
  const confirm = useConfirm();
  return (
    <>
      <button onClick={() => void confirm({ message: 'Obrisati?', accept: 'Obriši' })}>Pitaj</button>
      <input aria-label="Ime" />
    </>
  );
}

const asked = async () => {
  show(<Asking />);
  await userEvent.click(screen.getByRole('button', { name: 'Pitaj' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Odustani' }));
};
const gone = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

it('gives the focus back to what asked', async () => {
  await asked();
  await gone();
  expect(screen.getByRole('button', { name: 'Pitaj' })).toHaveFocus();
});

it('leaves the focus with who types elsewhere as soon as the question is answered', async () => {
  await asked();
  const field = screen.getByLabelText('Ime');
  field.focus();
  await gone();
  expect(field).toHaveFocus();
});
