// A list that the server gives a page after another, each beginning where the one before it ended.
import useSWRInfinite from 'swr/infinite';
import { furtherPage, type AddressTo, type PathIn } from './address';
import type { ApiError } from './client';
import type { PagedPath, RowOf } from './description';

interface PageOf<T> {
  data: T[];
  /** Where the next page begins; none: there is none. */
  sledeci: string | null;
  /** Before which day rows lie in the archive; none: all are here. */
  uArhiviPre: string | null;
}

export interface Pages<T> {
  /** Of all pages that were asked for; none while the first one is under way. */
  rows: T[] | undefined;
  more: boolean;
  archivedBefore: string | null;
  error: ApiError | undefined;
  isLoading: boolean;
  next: () => void;
  again: () => void;
}

export function usePages<A extends AddressTo<PagedPath>>(address: A | null): Pages<RowOf<PathIn<A>>> {
  const { data, error, size, isValidating, setSize, mutate } = useSWRInfinite<PageOf<RowOf<PathIn<A>>>, ApiError>(
    (index, before: PageOf<RowOf<PathIn<A>>> | null) => {
      if (address === null || index === 0) return address;
      return before?.sledeci ? furtherPage(address, before.sledeci) : null;
    },
    // A page that was read is not read again: each reading is a row of the log.
    { revalidateFirstPage: false, revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false },
  );
  return {
    rows: data?.flatMap((page) => page.data),
    more: (data?.at(-1)?.sledeci ?? null) !== null,
    archivedBefore: data?.[0]?.uArhiviPre ?? null,
    error,
    isLoading: isValidating,
    next: () => void setSize(size + 1),
    again: () => void mutate(),
  };
}
