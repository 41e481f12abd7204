import { render, waitFor } from '@testing-library/react';
import { PrimeReactProvider } from 'primereact/api';
import { Button } from 'primereact/button';
import { expect, it } from 'vitest';
import { styleContainer } from './primeStyles';

const inPage = () => [...document.head.querySelectorAll<HTMLStyleElement>('style[data-primereact-style-id]')];

it("brings a component's stylesheets into the page, and leaves them as they are when another one appears", async () => {
  const button = (label: string) => (
    <PrimeReactProvider value={{ styleContainer }}>
      <Button label={label} />
    </PrimeReactProvider>
  );
  const { unmount } = render(button('Snimi'));
  await waitFor(() => expect(inPage().map(({ textContent }) => textContent)).toContainEqual(expect.stringContaining('.p-button')));
  const rules = () => inPage().map(({ firstChild }) => firstChild);
  const first = rules();
  unmount();
  render(button('Obriši'));
  await Promise.resolve();
  expect(rules().filter((rule, place) => rule !== first[place])).toEqual([]);
});

it('puts what a component writes for itself alone where the component takes it away', async () => {
  const own = document.createElement('style');
  styleContainer.append(own);
  await waitFor(() => expect(own.parentNode).toBe(document.head));
});
