// The mark of scheduled reports that were not made: who shows the list of runs takes it away.
import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
export const ATTENTION = '/api/report-runs/attention';

/** Tells the server that the worker has her runs before her. */
export function useSeen(shown: boolean): void {
  const { mutate } = useSWRConfig();
  const { data } = useApi(shown ? ATTENTION : null);
  const waiting = shown && Boolean(data?.broj);
  useEffect(() => {
    if (!waiting) return;
    // What fails stays marked, and is tried at the next look.
    void api
      .post('/api/report-runs/seen')
      .then(() => mutate(ATTENTION))
      .catch(() => undefined);
  }, [waiting, mutate]);
}
