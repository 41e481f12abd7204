import { afterEach, expect, it } from 'vitest';
import { refuseStrayFiles } from './refuseStrayFiles';

let end = () => {};
afterEach(() => end());

/** Whether the page has kept the browser from its own way with what is dragged there. */
function isKept(selector: string, kind: 'dragover' | 'drop', types = ['Files']) {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types, dropEffect: 'copy' } });
  document.querySelector(selector)?.dispatchEvent(event);
  return event.defaultPrevented;
}

it.each(['dragover', 'drop'] as const)('keeps a file that nobody takes from being opened in place of the page: %s', (kind) => {
  document.body.innerHTML = '<p>Dijagnoza</p><input type="file"><input type="text">';
  expect(isKept('p', kind)).toBe(false);
  end = refuseStrayFiles();
  expect(isKept('p', kind)).toBe(true);
  expect(isKept('input[type="text"]', kind)).toBe(true);
  expect(isKept('input[type="file"]', kind)).toBe(false);
  expect(isKept('input[type="text"]', kind, ['text/plain'])).toBe(false);
});
