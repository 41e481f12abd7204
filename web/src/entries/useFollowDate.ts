// First values of a new entry and its visit follow its day: what nobody confirmed or changed is taken anew when it becomes another.
import { useEffect, useState } from 'react';
import type { Schema } from '../schema';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import { fromServer } from '../format';
import { useFieldState } from './drawing/form';
import { dateRangeOf, examinedFault } from './model/rules';
import { DATE, type EntryStore } from './model/store';
import { newDisplayOf, readDisplay } from './target';
import type { Display } from './model/types';

/** `loadedFor` is the day for which the display was loaded; none: today. */
export function useFollowDate(display: Display, store: EntryStore, loadedFor: string | null) {
  const { pacijent, tsa, danas } = display;
  const isNew = (tsa.unosID ?? null) === null;
  const { value } = useFieldState(store, DATE);
  const day = isNew && typeof value === 'string' && fromServer(value) && !examinedFault(store, dateRangeOf(display)) ? value : null;
  const [takenFor, setTakenFor] = useState(loadedFor ?? danas);
  const [anew, setAnew] = useState<{ upozorenja: readonly Schema<'QueryFault'>[]; poseta: Schema<'VisitHead'> | null } | null>(null);
  const toast = useToast();
  const following = day !== null && day !== takenFor;
  useEffect(() => {
    if (!following) return;
    const abort = new AbortController();
    readDisplay(newDisplayOf(tsa.id, pacijent.id, day), abort.signal)
      .then(({ vrednosti, preuzeto, upozorenja, poseta, tsa: { radnikOdgovoran = null } }) => {
        if (abort.signal.aborted) return;
        store.takeAnew(vrednosti, preuzeto, radnikOdgovoran);
        setAnew({ upozorenja, poseta: poseta ?? null });
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) toast.failure(t.entries.takenAnewFailed, error);
      })
      // What could not be taken anew keeps its mark with the day it is of.
      .finally(() => !abort.signal.aborted && setTakenFor(day));
    return () => abort.abort();
  }, [following, day, tsa.id, pacijent.id, store, toast]);
  return { following, queryFaults: isNew ? (anew ?? display).upozorenja : [], visit: (anew ?? display).poseta ?? null };
}
