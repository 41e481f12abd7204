// Server data through SWR: the address is the key.
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { api, ApiError, withQuery, type Query } from './client';
import type { ListPage } from './types';

export const swrOptions: SWRConfiguration = {
  fetcher: (path: string) => api.get(path),
  // A refusal stays a refusal; only a lost server is worth asking again.
  shouldRetryOnError: (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
  errorRetryCount: 3,
  errorRetryInterval: 3_000,
  dedupingInterval: 2_000,
};

/** The record at `path`; `null` waits until the path is known. */
export const useApi = <T>(path: string | null, query?: Query, options?: SWRConfiguration<T, ApiError>): SWRResponse<T, ApiError> =>
  useSWR<T, ApiError>(path && withQuery(path, query), options);

/** A list `{data, total}` of active records. */
export const useList = <T>(path: string | null, query?: Query): SWRResponse<ListPage<T>, ApiError> =>
  useApi<ListPage<T>>(path, { aktivan: true, ...query }, { keepPreviousData: true });
