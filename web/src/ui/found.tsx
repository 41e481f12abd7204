// Choices that the server searches: it sends the first ones that fit what was typed, and says how many there are.
import { useState, type ReactNode } from 'react';
import type { SWRResponse } from 'swr';
import type { FoundOf, Query, SourceOf } from '../api/address';
import type { ApiError } from '../api/client';
import { useListed, useSource } from '../api/hooks';
import { t } from '../messages';
import style from './states.module.css';
import { useSettled } from './useSettled';

/** As many as a list can be looked through. */
const SHOWN = 50;
const REST = 250;

export interface FoundChoice {
  value: number;
  label: string;
}

/** Where choices come from. */
export interface Source<A> {
  path: SourceOf<A>;
  query?: Query;
  read: (answer: A) => { choices: readonly FoundChoice[]; total: number };
}

export interface Found {
  choices: readonly FoundChoice[];
  /** There are more than these. */
  cut: boolean;
  note: string | null;
  error: ApiError | undefined;
  loading: boolean;
  typed: string;
  type: (text: string) => void;
}

/** What is typed, and what of it is searched by. */
function useTyped() {
  const [typed, type] = useState('');
  const filter = useSettled(typed, REST).trim();
  return { typed, type, searched: { filter, size: SHOWN } };
}

function foundIn<A>(
  { typed, type }: ReturnType<typeof useTyped>,
  { data, error, isLoading }: SWRResponse<A, ApiError>,
  read: Source<A>['read'],
): Found {
  const { choices, total } = data ? read(data) : { choices: [], total: 0 };
  const cut = total > choices.length;
  return {
    choices,
    cut,
    note: cut ? t.common.firstOnes(choices.length, total) : null,
    error: data ? undefined : error,
    loading: isLoading,
    typed,
    type,
  };
}

export function useFound<A>({ path, query, read }: Source<A>): Found {
  const typed = useTyped();
  return foundIn(typed, useSource<A>(path, { ...query, ...typed.searched }), read);
}

/** Of records that are listed. */
export function useFoundRecords<T>(path: FoundOf<T>, query: Query | undefined, choice: (record: T) => FoundChoice): Found {
  const typed = useTyped();
  const listed = useListed<T>(path, { ...query, ...typed.searched });
  return foundIn(typed, listed, ({ data, total }) => ({ choices: data.map(choice), total }));
}

/** What a Dropdown and a MultiSelect need for it. What is chosen stays among the options, whether it was found this time or not. */
export function foundProps({ choices, note, loading, typed, type }: Found, chosen: readonly FoundChoice[]) {
  const found = new Set(choices.map(({ value }) => value));
  return {
    options: [
      ...chosen.filter(({ value }) => !found.has(value)).map((one) => ({ ...one, matches: one.label })),
      // The server searches, in its folded way; every choice that it sent must pass the widget's own filter too.
      ...choices.map((one) => ({ ...one, matches: `${one.label} ${typed}` })),
    ],
    optionLabel: 'label',
    optionValue: 'value',
    filter: true,
    filterBy: 'matches',
    resetFilterOnHide: true,
    onFilter: ({ filter }: { filter: string }) => type(filter),
    onHide: () => type(''),
    // Not `loading`: the widget would pass over a click until the answer is there.
    dropdownIcon: loading ? 'pi pi-spinner pi-spin' : undefined,
    emptyMessage: loading ? t.common.loading : t.common.noneFound,
    emptyFilterMessage: loading ? t.common.loading : t.common.noneFound,
    panelFooterTemplate: note === null ? undefined : ((<p className={style.cut}>{note}</p>) as ReactNode),
  };
}
