// Whether the window is as narrow as the stylesheets' 40rem.
import { useSyncExternalStore } from 'react';

const query = () => window.matchMedia('(max-width: 40rem)');

function subscribe(tell: () => void): () => void {
  const media = query();
  media.addEventListener('change', tell);
  return () => media.removeEventListener('change', tell);
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
