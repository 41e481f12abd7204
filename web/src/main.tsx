import { isEntry } from './ahead';
import '@fontsource-variable/inter/wght.css';
import 'primeicons/primeicons.css';
import './theme/base.css';
import './gen/themes.css';
import './gen/prime.css';
import './theme/prime-tuning.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { handOverWith } from './auth/signIn';
import { session } from './api/session';
import { handOver, sweepDrafts } from './drafts/draftStorage';
import { fetchClinical } from './screens';
import { applyTheme } from './theme/theme';
import { keepFocusOfBusyButtons } from './ui/keepFocus';
import { markDialogs } from './ui/pageMarks';
import { refuseStrayFiles } from './ui/refuseStrayFiles';
import { whenIdle } from './ui/whenIdle';

if (isEntry) void import('./entries/EntryScreen');
applyTheme(session.current()?.theme);
void sweepDrafts();
handOverWith(handOver);
keepFocusOfBusyButtons();
refuseStrayFiles();
markDialogs();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
window.addEventListener('load', () => whenIdle(() => void fetchClinical(), 5_000));
