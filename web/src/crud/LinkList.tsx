// The transfer list of what a record is linked to: the rights of a role, the roles and institutions of a worker.
import { useList } from '../api/hooks';
import { Loading, LoadFailed } from '../ui/states';
import { TransferList } from './TransferList';

interface Props<T> {
  /** Where all of them are listed. */
  path: string;
  /** What narrows that list down to the linked ones: `{ uloga: 7 }`. */
  of: Record<string, number>;
  name: (item: T) => string;
  /** Whether one may be added, by the server's word; all of them without it. */
  offered?: (item: T) => boolean;
  disabled: boolean;
  add: (id: number) => Promise<unknown>;
  remove: (ids: number[]) => Promise<unknown>;
}

export function LinkList<T extends { id: number }>({ path, of, name, offered = () => true, disabled, add, remove }: Props<T>) {
  const all = useList<T>(path);
  const held = useList<T>(path, of);
  if (!all.data || !held.data) {
    const error = all.error ?? held.error;
    return error ? <LoadFailed error={error} retry={() => void Promise.all([all.mutate(), held.mutate()])} /> : <Loading />;
  }
  const holds = new Set(held.data.data.map(({ id }) => id));
  const item = (one: T) => ({ id: one.id, label: name(one) });
  return (
    <TransferList
      available={all.data.data.filter((one) => !holds.has(one.id) && offered(one)).map(item)}
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
