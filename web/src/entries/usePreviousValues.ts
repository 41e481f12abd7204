// The previous values beside the fields follow the day of the examination: asked for anew when it becomes another on the screen.
import { useEffect, useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { fromServer } from '../format';
import { useFieldState } from './drawing/form';
import { dateRangeOf, examinedFault } from './model/rules';
import { DATE, type EntryStore } from './model/store';
import type { Display } from './model/types';

/** `loadedFor` is the day for which the display of a new entry was loaded; none: today. `byNewest`: an entry shown by its form of today. */
export function usePreviousValues(display: Display, store: EntryStore, loadedFor: string | null, byNewest: boolean): void {
  const { pacijent, tsa, danas } = display;
  const unosID = tsa.unosID ?? null;
  const { value } = useFieldState(store, DATE);
  const day = typeof value === 'string' && fromServer(value) && !examinedFault(store, dateRangeOf(display)) ? value : null;
  const [knownFor, setKnownFor] = useState(tsa.datumUnosa ?? loadedFor ?? danas);
  useEffect(() => {
    if (day === null || day === knownFor) return;
    const abort = new AbortController();
    store.tellPrevious('loading');
    const of = unosID === null ? { tsaID: tsa.id, pacijentID: pacijent.id } : { haID: unosID, ...(byNewest && { najnoviji: true }) };
    api
      .get(at('/api/entry-previous', { ...of, datumUnosa: day }), abort.signal)
      .then(({ prethodne }) => !abort.signal.aborted && store.tellPrevious(prethodne))
      .catch(() => !abort.signal.aborted && store.tellPrevious('failed'))
      .finally(() => !abort.signal.aborted && setKnownFor(day));
    return () => abort.abort();
  }, [day, knownFor, unosID, byNewest, tsa.id, pacijent.id, store]);
}
