// The search call. Its answer is kept while the worker looks at a patient, and asked anew where the institution changes.
import useSWR from 'swr';
import { api } from '../api/client';
import type { ApiError } from '../api/client';
import type { SearchRequest } from './criteria';
import { withMarks } from './withMarks';
import type { SearchAnswer } from './types';

export interface Search {
  answer: SearchAnswer | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  again: () => void;
}

export function useSearch(request: SearchRequest | null, ustanovaID: number | null | undefined): Search {
  const { data, error, isValidating, mutate } = useSWR<
    SearchAnswer,
    ApiError,
    readonly [string, SearchRequest, number | null | undefined] | null
  >(request && (['/api/search', request, ustanovaID] as const), async ([, body]) => withMarks(await api.ask('/api/search', body)), {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
  return { answer: data, error, isRunning: isValidating, again: () => void mutate() };
}
