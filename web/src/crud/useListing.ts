// A page of a list, as the server sorts it, narrows it down and counts it: what the table asks for stands here.
import { useState } from 'react';
import type { ListOf, Query } from '../api/address';
import type { ApiError } from '../api/client';
import type { ResourceOf } from '../api/description';
import type { Reply } from '../schema';
import { useRecords } from '../api/hooks';
import type { ListPage } from '../api/types';
import { tableDefaults } from '../ui/table';
import { useSettled } from '../ui/useSettled';

/** Nothing is asked while the hand still types. */
const REST = 300;

export interface Sort {
  field: string;
  order: 1 | -1;
}

export interface AskedPage {
  first: number;
  rows: number;
  sort: Sort | null;
  /** What is asked of the columns, by their fields. */
  filters: Readonly<Record<string, string>>;
}

/** The rows of a page, how many there are on all of them, and what was asked for. */
export interface Listing<T> {
  rows: T[];
  total: number;
  asked: AskedPage;
  ask: (change: Partial<AskedPage>) => void;
  isLoading: boolean;
}

export interface ServerListing<T> extends Listing<T> {
  /** Only where there is no list to show. */
  error: ApiError | undefined;
  retry: () => void;
  deletions: readonly Reply<'Deletion'>[] | undefined;
}

export function useAsked(rows: number) {
  const [asked, setAsked] = useState<AskedPage>({ first: 0, rows, sort: null, filters: {} });
  const ask = (change: Partial<AskedPage>) => setAsked((before) => ({ ...before, ...change }));
  return { asked, ask, filters: useSettled(asked.filters, REST) };
}

/** The parameters of the call that name the columns. */
export const filterQuery = (filters: AskedPage['filters']): Query =>
  Object.fromEntries(Object.entries(filters).map(([field, wanted]) => [`filter.${field}`, wanted.trim()]));

export function useListing<T extends { id: number }>(
  path: ListOf<T> | ResourceOf<T>,
  scope: Query = {},
  size: number = tableDefaults.rows,
): ServerListing<T> {
  const { asked, ask, filters } = useAsked(size);
  const { first, rows, sort } = asked;
  const { data, error, isLoading, mutate } = useRecords<T>(path, {
    ...scope,
    page: Math.floor(first / rows),
    size: rows,
    sort: sort && `${sort.order < 0 ? '-' : ''}${sort.field}`,
    ...filterQuery(filters),
  });
  const answer: (ListPage<T> & { brisanja?: readonly Reply<'Deletion'>[] | null }) | undefined = data;
  const total = answer?.total ?? 0;
  // The last row of the last page was deleted.
  if (answer?.data.length === 0 && first > 0) ask({ first: Math.max(0, Math.ceil(total / rows) - 1) * rows });
  return {
    rows: answer?.data ?? [],
    total,
    deletions: answer?.brisanja ?? undefined,
    error: answer ? undefined : error,
    isLoading,
    retry: () => void mutate(),
    asked,
    ask,
  };
}
