// What every part of one entry's form shares: its answers, its fields by the tab or panel they lie in, whose entry it is.
import { createContext, use, useCallback, useState, useSyncExternalStore } from 'react';
import { ValueType } from '../../forms/valueType';
import { DrawingQueue } from './queue';
import type { EntryStore, FieldState, FocusRequest } from '../model/store';
import type { FormField } from '../model/types';

export interface OpenEntry {
  store: EntryStore;
  /** Fields inside a tab, panel or image, by `redosled`. */
  inside: (id: number | null) => readonly FormField[];
  /** How many rows a field takes about: those of all that lie in it. */
  rows: (field: FormField) => number;
  /** What is not in sight is drawn in its turn. */
  queue: DrawingQueue;
  readOnly: boolean;
  /** Units in which values were stored that the form has in another one now. */
  formerUnits: ReadonlyMap<number, string | null>;
  /** None where a form is only tried. */
  pacijentID: number | null;
  tsaID: number;
  registarID: number;
}

export const OpenEntryContext = createContext<OpenEntry | null>(null);

export function useOpenEntry(): OpenEntry {
  const form = use(OpenEntryContext);
  if (!form) throw new Error('useOpenEntry outside an entry');
  return form;
}

/** Fields by what they lie in; one whose tab or panel is gone lies at the top. */
export function arrange(fields: readonly FormField[]): OpenEntry['inside'] {
  const known = new Set(fields.map(({ id }) => id));
  const inside = new Map<number | null, FormField[]>();
  const ordered = [...fields].sort((a, b) => a.redosled - b.redosled || a.id - b.id);
  for (const field of ordered) {
    const parent = field.naredjeniAUTS && known.has(field.naredjeniAUTS) ? field.naredjeniAUTS : null;
    const siblings = inside.get(parent);
    if (siblings) siblings.push(field);
    else inside.set(parent, [field]);
  }
  return (id) => inside.get(id) ?? [];
}

/** One for a field, and one for each that lies in it but in no tab, since one tab is seen at a time. */
function rowsOf(inside: OpenEntry['inside']): OpenEntry['rows'] {
  const known = new Map<number, number>();
  const rows = (field: FormField): number => {
    const before = known.get(field.id);
    if (before !== undefined) return before;
    known.set(field.id, 1);
    const counted = inside(field.id).reduce((sum, one) => sum + (one.tvaNumVrednost === ValueType.Tab ? 0 : rows(one)), 1);
    known.set(field.id, counted);
    return counted;
  };
  return rows;
}

/** A form that begins to be drawn: its fields as they lie in one another, none of them drawn yet. */
export function undrawn(store: EntryStore): Pick<OpenEntry, 'store' | 'inside' | 'rows' | 'queue'> {
  const inside = arrange(store.fields);
  return { store, inside, rows: rowsOf(inside), queue: new DrawingQueue() };
}

/** One field's state; the component is drawn again only when this field changes. */
export function useFieldState(store: EntryStore, id: number): FieldState {
  const subscribe = useCallback((listener: () => void) => store.subscribe(id, listener), [store, id]);
  return useSyncExternalStore(subscribe, () => store.state(id));
}

/** Whether a display formula hides it. */
export function useHidden(store: EntryStore, id: number): boolean {
  const subscribe = useCallback((listener: () => void) => store.subscribe(id, listener), [store, id]);
  return useSyncExternalStore(subscribe, () => store.isHidden(id));
}

/** Whether no formula hides it, or none did before; the component is not drawn again for more than the first time. */
export function useWasShown(store: EntryStore, id: number): boolean {
  const subscribe = useCallback((listener: () => void) => store.subscribe(id, listener), [store, id]);
  const [was, setWas] = useState(() => !store.isHidden(id));
  const is = useSyncExternalStore(subscribe, () => was || !store.isHidden(id));
  if (is && !was) setWas(true);
  return is;
}

/** Ids of those that display formulas hide. */
export function useHiddenAmong(store: EntryStore, fields: readonly FormField[]): number[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = fields.map(({ id }) => store.subscribe(id, listener));
      return () => ends.forEach((end) => end());
    },
    [store, fields],
  );
  const hidden = useSyncExternalStore(subscribe, () =>
    fields
      .filter(({ id }) => store.isHidden(id))
      .map(({ id }) => id)
      .join(),
  );
  return hidden === '' ? [] : hidden.split(',').map(Number);
}

export const useWanted = (store: EntryStore): FocusRequest | null => useSyncExternalStore(store.onFocusRequest, store.wanted);

export const inputId = (id: number): string => `polje-${id}`;
export const noteId = (id: number): string => `polje-${id}-napomena`;
export const labelId = (id: number): string => `polje-${id}-naziv`;
