// The search call. Its answer is kept while the worker looks at a patient, and asked anew where the institution changes.
import useSWR from 'swr';
import { api } from '../api/client';
import type { ApiError } from '../api/client';
import { criteriaOf, type SearchRequest } from './criteria';
import { withMarks } from './withMarks';
import type { SearchAnswer } from './types';

export interface Search {
  answer: SearchAnswer | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  again: () => void;
}

/** An answer and the criteria to which it is one. */
interface AnswerTo {
  asked: string;
  answer: SearchAnswer;
}

const askedBy = (request: SearchRequest, ustanovaID: number | null | undefined): string =>
  JSON.stringify([criteriaOf(request), ustanovaID]);

export function useSearch(request: SearchRequest | null, ustanovaID: number | null | undefined): Search {
  const { data, error, isValidating, mutate } = useSWR<
    AnswerTo,
    ApiError,
    readonly [string, SearchRequest, number | null | undefined] | null
  >(
    request && (['/api/search', request, ustanovaID] as const),
    async ([, body, institution]) => ({ asked: askedBy(body, institution), answer: await withMarks(await api.ask('/api/search', body)) }),
    { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false, keepPreviousData: true },
  );
  // While the same results come in another order, those that are there stay.
  const answer = request && data?.asked === askedBy(request, ustanovaID) ? data.answer : undefined;
  return { answer, error, isRunning: isValidating, again: () => void mutate() };
}
