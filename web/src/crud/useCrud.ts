// One resource on the server: a page of its records, and the three writes after which the page is loaded again.
import useSWR, { useSWRConfig } from 'swr';
import { api, withQuery, type ApiError } from '../api/client';
import type { Page } from '../api/types';
import { payload } from './useForm';

export interface TableState {
  first: number;
  rows: number;
  sortField: string | null;
  sortOrder: 1 | -1 | null;
  /** Contains-filters by field. */
  filters: Readonly<Record<string, string>>;
}

export const FIRST_PAGE: TableState = { first: 0, rows: 20, sortField: null, sortOrder: null, filters: {} };

/** `page`, `size`, `sort=field,asc` and one `filter=field:text` for each filter in use. */
export function listAddress(path: string, scope: Record<string, string | number>, table: TableState): string {
  const address = withQuery(path, {
    aktivan: true,
    ...scope,
    page: Math.floor(table.first / table.rows),
    size: table.rows,
    sort: table.sortField && `${table.sortField},${table.sortOrder === -1 ? 'desc' : 'asc'}`,
  });
  const filters = Object.entries(table.filters).filter(([, text]) => text.trim());
  return address + filters.map(([field, text]) => `&filter=${encodeURIComponent(`${field}:${text.trim()}`)}`).join('');
}

export function useCrud<T extends { id: number }>(path: string, scope: Record<string, string | number> = {}, table: TableState = FIRST_PAGE) {
  const { data, error, isLoading, isValidating, mutate } = useSWR<Page<T>, ApiError>(listAddress(path, scope, table), { keepPreviousData: true });
  const { mutate: mutateAll } = useSWRConfig();
  // Other screens show the same records under other addresses.
  const reload = () => mutateAll((key) => typeof key === 'string' && (key === path || key.startsWith(`${path}?`) || key.startsWith(`${path}/`)));
  const then = async <V>(write: Promise<V>): Promise<V> => {
    const answer = await write;
    await reload();
    return answer;
  };
  return {
    rows: data?.data ?? [],
    total: data?.total ?? 0,
    error: data ? undefined : error,
    isLoading,
    isValidating,
    retry: () => void mutate(),
    create: (record: Omit<T, 'id'>) => then(api.post<T>(path, { ...scope, ...payload(record) })),
    update: (id: number, record: Partial<T>) => then(api.patch<T>(`${path}/${id}`, payload(record))),
    /** Deletion is soft (B 4). */
    remove: (id: number) => then(api.patch(`${path}/${id}`, { aktivan: false })),
  };
}

export type Crud<T extends { id: number }> = ReturnType<typeof useCrud<T>>;
