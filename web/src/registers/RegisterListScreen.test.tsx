import { fireEvent, screen, waitFor } from '@testing-library/react';
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
// By selectors: a search by role through a whole table takes seconds here.
const rows = () => [...document.querySelectorAll('tbody tr')];
const click = (selector: string) => {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`no ${selector}`);
  fireEvent.click(element);
};

it('shows 20 registers a page, numbers them on from page to page, and offers 5, 10 and 20', async () => {
  answer(Array.from({ length: 23 }, (_, i) => register(i + 1)));
  await screen.findByText('Registar 1');
  expect(rows()).toHaveLength(20);
  click('.p-paginator-next');
  expect(rows().map((row) => row.querySelector('td')?.textContent)).toEqual(['21.', '22.', '23.']);
  click('.p-paginator .p-dropdown');
  await waitFor(() =>
    expect([...document.querySelectorAll('.p-dropdown-item')].map(({ textContent }) => textContent)).toEqual(['5', '10', '20']),
  );
  click('.p-dropdown-item');
  expect(rows()).toHaveLength(5);
});

it('says so when there is no register', async () => {
  answer([]);
  expect(await screen.findByText('Nema registara')).toBeVisible();
  expect(document.querySelector('tbody button')).toBeNull();
});

it("shows a register's logo under the installation's path, and its letter where there is none", async () => {
  answer([register(1, 'srce.png'), register(2)]);
  await screen.findByText('Registar 1');
  const [first, second] = rows();
  expect(first?.querySelector('img')).toHaveAttribute('src', '/slike/registri/srce.png');
  expect(second?.querySelector('img')).toBeNull();
  expect(second).toHaveTextContent('RRegistar 2');
});
