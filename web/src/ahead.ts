// The first module to run: an entry that the address shows, and its screen's code, are on their way while the rest is still being read.
import { session } from './api/session';
import { askAhead } from './entries/target';

if (session.current() && askAhead(window.location)) void import('./entries/EntryScreen');
