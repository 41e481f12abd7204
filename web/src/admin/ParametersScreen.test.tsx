import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show } from '../testing/fakeApi';
import ParametersScreen from './ParametersScreen';

const open = async (saved: Record<string, string>) => {
  fakeApi({
    'GET /api/parameters': () => ({
      body: { total: 1, data: Object.entries(saved).map(([naziv, vrednost], id) => ({ id, naziv, vrednost, opis: null, aktivan: true })) },
    }),
    'GET /api/parameter/poznati': () => ({
      body: [
        { naziv: 'danaCuvanjaIzvestaja', vazi: saved.danaCuvanjaIzvestaja === '60' ? '60' : '30', dozvoljeno: 'ceo broj od 1 do 9.999' },
        { naziv: 'kriterijumPol', vazi: 'true', dozvoljeno: null },
      ],
    }),
  });
  show(<ParametersScreen />);
  await userEvent.click(await screen.findByRole('tab', { name: 'Izveštaji' }));
  return screen.getByLabelText('Dana čuvanja izveštaja');
};
const FAULT = 'Snimljena vrednost nije ispravna; važi 30. Dozvoljeno: ceo broj od 1 do 9.999.';

it('shows what is saved', async () => {
  expect(await open({ danaCuvanjaIzvestaja: '60' })).toHaveValue('60');
  expect(screen.queryByText(FAULT)).toBeNull();
});

it('shows what holds where nothing is saved', async () => {
  expect(await open({})).toHaveValue('30');
  expect(screen.queryByText(FAULT)).toBeNull();
});

it('says of a value that an older version took that it does not hold, until another is typed', async () => {
  const days = await open({ danaCuvanjaIzvestaja: 'trideset' });
  expect(days).toHaveValue('trideset');
  expect(screen.getByText(FAULT)).toBeVisible();
  await userEvent.clear(days);
  await userEvent.type(days, '45');
  expect(screen.queryByText(FAULT)).toBeNull();
});

it('shows a switch as it holds', async () => {
  await open({ kriterijumPol: 'da' });
  await userEvent.click(screen.getByRole('tab', { name: 'Pretraga registra' }));
  expect(await screen.findByRole('switch', { name: 'Pol' })).toBeChecked();
});
