// jsdom lacks what PrimeReact and its styles ask the browser for.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { addLocale } from 'primereact/api';
import { afterEach, vi } from 'vitest';
import serbian from '../gen/sr-latn.json';

addLocale('sr-Latn', serbian);

// What is waited for comes late on a machine that compiles beside it.
configure({ asyncUtilTimeout: 10_000 });

Object.assign(window, {
  matchMedia: (media: string) => ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }),
  scrollTo: () => {},
});
Element.prototype.scrollIntoView = () => {};
document.adoptedStyleSheets = [];

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  localStorage.clear();
});
