import { afterEach, expect, it } from 'vitest';
import { keepFocusOfBusyButtons } from './keepFocus';

let end = () => {};
afterEach(() => end());

function page() {
  document.body.innerHTML = '<button id="snimi">Snimi</button><input id="polje">';
  end = keepFocusOfBusyButtons();
  const button = document.getElementById('snimi') as HTMLButtonElement;
  const input = document.getElementById('polje') as HTMLInputElement;
  button.focus();
  return { button, input };
}

/** As a browser does with what has the focus and is switched off. */
async function busy(button: HTMLButtonElement, meanwhile = () => {}) {
  button.disabled = true;
  button.blur();
  await Promise.resolve();
  meanwhile();
  button.disabled = false;
  await Promise.resolve();
}

it('gives a button that was busy its focus back', async () => {
  const { button } = page();
  await busy(button);
  expect(document.activeElement).toBe(button);
});

it('leaves the focus where it went meanwhile', async () => {
  const { button, input } = page();
  await busy(button, () => input.focus());
  expect(document.activeElement).toBe(input);
});
