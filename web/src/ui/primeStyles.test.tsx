import { render, waitFor } from '@testing-library/react';
import { PrimeReactProvider } from 'primereact/api';
import { Button } from 'primereact/button';
import { expect, it } from 'vitest';
import { styleContainer } from './primeStyles';

const adopted = () => [...document.adoptedStyleSheets];
const written = (sheet: CSSStyleSheet) => [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');

it("has the page adopt a component's stylesheet once, and leaves it as it is when another one appears", async () => {
  const button = (label: string) => (
    <PrimeReactProvider value={{ styleContainer }}>
      <Button label={label} />
    </PrimeReactProvider>
  );
  const inHead = () => document.head.querySelectorAll('style[data-primereact-style-id]').length;
  const before = inHead();
  const { unmount } = render(button('Snimi'));
  await waitFor(() => expect(adopted().map(written)).toContainEqual(expect.stringContaining('.p-button')));
  const first = adopted();
  unmount();
  render(button('Obriši'));
  await Promise.resolve();
  expect(adopted()).toEqual(first);
  expect(inHead()).toBe(before);
});

it('follows what a component writes for itself alone, and drops it with the component', async () => {
  const own = document.createElement('style');
  styleContainer.append(own);
  own.textContent = '.p-sama { color: red }';
  const sheets = () =>
    adopted()
      .filter((sheet) => written(sheet).includes('.p-sama'))
      .map(written);
  await waitFor(() => expect(sheets()).toHaveLength(1));
  own.textContent = '.p-sama { color: blue }';
  await waitFor(() => expect(sheets()).toEqual([expect.stringContaining('blue')]));
  own.remove();
  await waitFor(() => expect(sheets()).toEqual([]));
});
