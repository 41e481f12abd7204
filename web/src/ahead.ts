// The first module to run (vite.config.ts sees to it): an entry that the address shows is on its way while the rest is still being read.
import { session } from './api/session';
import { askAhead } from './entries/target';

/** Whether the address shows an entry. */
export const isEntry = session.current() !== null && askAhead(window.location);
