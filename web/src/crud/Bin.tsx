// What was deleted: who did it and when, and the button that brings it back.
import { Button } from 'primereact/button';
import { useState } from 'react';
import type { ResourceOf } from '../api/description';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { CrudTable, type Listed } from './CrudTable';
import type { Crud } from './useCrud';
import { useListing } from './useListing';
import style from './crud.module.css';

export const BinButton = ({ onClick }: { onClick: () => void }) => (
  <Button type="button" label={t.crud.bin} icon="pi pi-inbox" text severity="secondary" onClick={onClick} />
);

/** The records of a path, and the calls that change them. */
export interface ListedCrud<T extends { id: number }> extends Listed<T> {
  crud: Crud<T>;
  path: ResourceOf<T>;
  scope?: Record<string, string | number>;
}

interface Props<T extends { id: number }> extends ListedCrud<T> {
  name: (record: T) => string;
  onBack: () => void;
}

export function Bin<T extends { id: number }>({ crud, path, scope, resource, title, columns, name, onBack }: Props<T>) {
  const listing = useListing<T>(path, { ...scope, aktivan: false });
  const [selected, setSelected] = useState<T | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const chosen = listing.rows.find(({ id }) => id === selected?.id) ?? null;

  async function restore() {
    if (!chosen) return;
    toast.clear();
    setBusy(true);
    try {
      await crud.restore(chosen.id, (chosen as { verzija?: number }).verzija);
      setSelected(null);
      toast.success(t.crud.restored(name(chosen)));
    } catch (error) {
      toast.failure(t.crud.restoreFailed, error);
    } finally {
      setBusy(false);
    }
  }

  if (listing.error) return <LoadFailed error={listing.error} retry={listing.retry} />;
  return (
    <Panel flush>
      <div className={style.toolbar}>
        <Button type="button" label={t.crud.backToList} icon="pi pi-arrow-left" outlined severity="secondary" onClick={onBack} autoFocus />
        <Button
          type="button"
          label={t.crud.restore}
          icon="pi pi-undo"
          loading={busy}
          disabled={!chosen}
          title={chosen ? undefined : t.crud.selectFirst}
          onClick={() => void restore()}
        />
      </div>
      <CrudTable
        resource={resource}
        title={t.crud.deletedOf(title)}
        columns={columns}
        listing={listing}
        selected={chosen}
        onSelect={setSelected}
        onOpen={setSelected}
        deletions={listing.deletions ?? []}
      />
    </Panel>
  );
}
