import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import RegisterListScreen from './RegisterListScreen';

const register = (id: number, logoPutanja: string | null = null) => ({ id, naziv: `Registar ${id}`, opis: `Opis ${id}`, logoPutanja });
const answer = (registers: unknown[]) => {
  fakeApi({
    'GET /api/registers': () => ({ body: { data: registers, total: registers.length } }),
    'GET /api/parameter/registri': () => ({ body: { putanjaLogoaRegistara: '/slike/registri/' } }),
  });
  signedIn();
  show(<RegisterListScreen />);
};
const rows = async () => (await screen.findAllByRole('row')).slice(1);

it('shows 20 registers a page, numbers them on from page to page, and offers 5, 10 and 20', async () => {
  answer(Array.from({ length: 23 }, (_, i) => register(i + 1)));
  expect(await rows()).toHaveLength(20);
  await userEvent.click(screen.getByRole('button', { name: /Sledeća|Next/ }));
  const last = await rows();
  expect(last.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['21.', '22.', '23.']);
  const sizes = document.querySelector('.p-paginator .p-dropdown');
  if (!sizes) throw new Error('no choice of page sizes');
  await userEvent.click(sizes);
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['5', '10', '20']);
  await userEvent.click(screen.getByRole('option', { name: '5' }));
  expect(await rows()).toHaveLength(5);
});

it('says so when there is no register', async () => {
  answer([]);
  expect(await screen.findByText('Nema registara')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Otvori/ })).toBeNull();
});

it("shows a register's logo under the installation's path, and its letter where there is none", async () => {
  answer([register(1, 'srce.png'), register(2)]);
  const [first, second] = await rows();
  await screen.findByText('Registar 1');
  expect(first?.querySelector('img')).toHaveAttribute('src', '/slike/registri/srce.png');
  expect(second?.querySelector('img')).toBeNull();
  expect(second).toHaveTextContent('RRegistar 2');
});
