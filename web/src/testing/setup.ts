// jsdom lacks what PrimeReact asks the browser for.
import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

Object.assign(window, {
  matchMedia: (media: string) => ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }),
  scrollTo: () => {},
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});
