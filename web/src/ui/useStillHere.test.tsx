import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useNavigate } from 'react-router';
import { expect, it } from 'vitest';
import { useStillHere } from './useStillHere';

/** Something is sent on a screen, and goes on to "the end" by itself once it is answered. */
function opened() {
  let answer: () => void = () => undefined;
  let fetched: () => void = () => undefined;
  function Sending() {
    const navigate = useNavigate();
    const stillHere = useStillHere();
    const send = async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      if (stillHere()) void navigate('/kraj');
    };
    return <button onClick={() => void send()}>Pošalji</button>;
  }
  const code = new Promise<void>((resolve) => (fetched = resolve));
  const router = createMemoryRouter([
    { path: '/', element: <Sending /> },
    { path: '/drugde', element: <p>Drugde</p> },
    { path: '/sporo', lazy: () => code.then(() => ({ element: <p>Sporo</p> })) },
    { path: '/kraj', element: <p>Kraj</p> },
  ]);
  render(<RouterProvider router={router} />);
  return {
    go: (path: string) => act(() => void router.navigate(path)),
    answered: () => act(() => Promise.resolve(answer())),
    fetched: () => act(() => Promise.resolve(fetched())),
  };
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Pošalji' }));

it('goes on with who has waited', async () => {
  const { answered } = opened();
  await send();
  await answered();
  expect(await screen.findByText('Kraj')).toBeVisible();
});

it('brings nobody back who has gone elsewhere', async () => {
  const { go, answered } = opened();
  await send();
  go('/drugde');
  await screen.findByText('Drugde');
  await answered();
  expect(screen.getByText('Drugde')).toBeVisible();
});

it('brings nobody back who is on the way to a screen whose code is still to come', async () => {
  const { go, answered, fetched } = opened();
  await send();
  go('/sporo');
  await answered();
  await fetched();
  expect(await screen.findByText('Sporo')).toBeVisible();
});

it('brings nobody back who is at the same place of the screen, but there with something else', async () => {
  const { go, answered } = opened();
  await send();
  go('/?prikaz=kalendar');
  await answered();
  expect(screen.getByRole('button', { name: 'Pošalji' })).toBeVisible();
  expect(screen.queryByText('Kraj')).toBeNull();
});
