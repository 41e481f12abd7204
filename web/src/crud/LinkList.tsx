// The transfer list of what a record is linked to: the rights of a role, the roles and institutions of a worker.
import { useState } from 'react';
import type { ListOf, Query } from '../api/address';
import { useRecords } from '../api/hooks';
import { Loading, LoadFailed } from '../ui/states';
import { useSettled } from '../ui/useSettled';
import { TransferList } from './TransferList';

/** As many as a list can be looked through; more are found by their names. */
const SHOWN = 200;
const REST = 300;

interface Props<T> {
  /** Where all of them are listed. */
  path: ListOf<T>;
  /** What narrows that list down to the linked ones: `{ uloga: 7 }`. */
  of: Record<string, number>;
  name: (item: T) => string;
  /** What narrows it down to those that may be added. */
  offered?: Query;
  disabled: boolean;
  add: (id: number) => Promise<unknown>;
  remove: (ids: number[]) => Promise<unknown>;
}

export function LinkList<T extends { id: number }>({ path, of, name, offered, disabled, add, remove }: Props<T>) {
  const [wanted, setWanted] = useState('');
  const filter = useSettled(wanted, REST).trim();
  const all = useRecords<T>(path, { ...offered, filter, size: SHOWN });
  const held = useRecords<T>(path, of);
  if (!all.data || !held.data) {
    const error = all.error ?? held.error;
    return error ? <LoadFailed error={error} retry={() => void Promise.all([all.mutate(), held.mutate()])} /> : <Loading />;
  }
  const holds = new Set(held.data.data.map(({ id }) => id));
  const item = (one: T) => ({ id: one.id, label: name(one) });
  const { data, total } = all.data;
  const available = data.filter((one) => !holds.has(one.id));
  // What is linked is not to be had; of those that are not shown, only the whole list tells how many are.
  const linked = filter === '' && !offered ? holds.size : data.length - available.length;
  return (
    <TransferList
      available={available.map(item)}
      cut={total > data.length ? { shown: available.length, total: total - linked } : null}
      onSearch={setWanted}
      chosen={held.data.data.map(item)}
      disabled={disabled}
      onAdd={async (ids) => {
        try {
          for (const id of ids) await add(id);
        } finally {
          await held.mutate();
        }
      }}
      onRemove={async (ids) => {
        await remove(ids);
        await held.mutate();
      }}
    />
  );
}
