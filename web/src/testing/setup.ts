// jsdom lacks what PrimeReact and its styles ask the browser for.
import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { addLocale } from 'primereact/api';
import { afterEach, vi } from 'vitest';
import serbian from '../gen/sr-latn.json';

addLocale('sr-Latn', serbian);

Object.assign(window, {
  matchMedia: (media: string) => ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }),
  scrollTo: () => {},
});
Element.prototype.scrollIntoView = () => {};
document.adoptedStyleSheets = [];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});
