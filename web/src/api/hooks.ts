// Server data through SWR: the address is the key.
import { useEffect, useRef } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { withQuery, type AddressOf, type FoundOf, type ListOf, type PathIn, type Query, type SourceOf } from './address';
import { ApiError, read, recordAddress } from './client';
import type { ListPath, QueryOf, ReplyOf, ResourceOf, RowOf } from './description';
import type { ListPage } from './types';

export const swrOptions: SWRConfiguration = {
  fetcher: read,
  // A refusal stays a refusal; only a lost server is worth asking again.
  shouldRetryOnError: (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
  errorRetryCount: 3,
  errorRetryInterval: 3_000,
  dedupingInterval: 2_000,
};

/** What is replied at the address; `null` waits until it is known. */
export const useApi = <A extends AddressOf<'get'>>(
  address: A | null,
  options?: SWRConfiguration<ReplyOf<PathIn<A>, 'get'>, ApiError>,
): SWRResponse<ReplyOf<PathIn<A>, 'get'>, ApiError> => useSWR<ReplyOf<PathIn<A>, 'get'>, ApiError>(address, options);

/** A list `{data, total}` of active records. */
export const useList = <P extends ListPath>(path: P | null, query?: QueryOf<P>): SWRResponse<ListPage<RowOf<P>>, ApiError> =>
  useListOf<RowOf<P>>(path, query);

/** The same where the path is given: by the kind of its records. */
export const useRecords = <T>(path: ListOf<T> | ResourceOf<T> | null, query?: Query): SWRResponse<ListPage<T>, ApiError> =>
  useListOf<T>(path, query);

const useListOf = <T>(path: string | null, query: unknown): SWRResponse<ListPage<T>, ApiError> =>
  useSWR<ListPage<T>, ApiError>(path && withQuery(path, { aktivan: true, ...(query as Query | undefined) }), { keepPreviousData: true });

/** What a search replies, where its path is given: by the kind of the reply. */
export const useSource = <T>(path: SourceOf<T>, query: Query): SWRResponse<T, ApiError> => useSearched<T>(path, query);

/** The same of a list, by the kind of its records. */
export const useListed = <T>(path: ListOf<T> | FoundOf<T>, query: Query): SWRResponse<ListPage<T>, ApiError> =>
  useSearched<ListPage<T>>(path, query);

const useSearched = <T>(path: string, query: Query): SWRResponse<T, ApiError> =>
  useSWR<T, ApiError>(withQuery(path, query), { keepPreviousData: true });

/** One record of a path that is given; none waits for its id. */
export const useRecord = <T>(
  path: FoundOf<T> | ResourceOf<T>,
  id: number | string | null,
  options?: SWRConfiguration<T, ApiError>,
): SWRResponse<T, ApiError> => useSWR<T, ApiError>(id === null ? null : recordAddress(path, id), options);

/** What is told about a record is asked for again once the record has another version. */
export function useAskedAgain(version: unknown, mutate: () => Promise<unknown>): void {
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    void mutate();
  }, [version, mutate]);
}
