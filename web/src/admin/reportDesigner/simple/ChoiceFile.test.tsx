import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi, show } from '../../../testing/fakeApi';
import { ChoiceFile } from './ChoiceFile';

const onRead = vi.fn(() => Promise.resolve());
const bring = (content: string) =>
  fireEvent.change(screen.getByLabelText('Učitaj izbor', { selector: 'input' }), {
    target: { files: [new File([content], 'udeo.json', { type: 'application/json' })] },
  });

it('brings a file in as a choice, for the form that was chosen', async () => {
  const choice = { registarID: 3, tipUnosaID: 7 };
  const calls = fakeApi({ 'POST /api/reports/5/simple-definition-file': () => ({ body: choice }) });
  show(<ChoiceFile report={5} broj={null} form={7} busy={false} onRead={onRead} />);
  bring('{"vrsta":"regix-izbor-izvestaja"}');
  await waitFor(() => expect(onRead).toHaveBeenCalledWith(choice));
  expect(calls.map(({ body }) => body)).toEqual([{ fajl: '{"vrsta":"regix-izbor-izvestaja"}', tipUnosaID: 7 }]);
});

it('says what the server refuses and what is too large, and keeps the choice that stands', async () => {
  onRead.mockClear();
  const message = 'Fajl ne odgovara formularu „Pregled”: nema polja „CRP” (šifra „crp”).';
  const calls = fakeApi({ 'POST /api/reports/5/simple-definition-file': () => ({ status: 422, body: { message, field: 'fajl' } }) });
  show(<ChoiceFile report={5} broj={null} form={null} busy={false} onRead={onRead} />);
  bring('{}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message));
  bring('x'.repeat(600_000));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Fajl je veći od 512 KB'));
  expect([calls.length, onRead.mock.calls.length]).toEqual([1, 0]);
});

it('takes away only what is kept', () => {
  fakeApi({});
  const { unmount } = show(<ChoiceFile report={5} broj={null} form={null} busy={false} onRead={onRead} />);
  expect(screen.getByRole('button', { name: 'Preuzmi izbor' })).toBeDisabled();
  unmount();
  show(<ChoiceFile report={5} broj={2} form={null} busy={false} onRead={onRead} />);
  expect(screen.getByRole('button', { name: 'Preuzmi izbor' })).toBeEnabled();
});
