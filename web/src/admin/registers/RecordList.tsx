// A list whose records open somewhere else: on a page of their own.
import { Button } from 'primereact/button';
import { useState, type ReactNode } from 'react';
import { Bin, BinButton, type ListedCrud } from '../../crud/Bin';
import type { Mode } from '../../crud/CrudDialog';
import { CrudTable, type Paging } from '../../crud/CrudTable';
import { useListing } from '../../crud/useListing';
import { t } from '../../messages';
import { Panel } from '../../ui/Panel';
import { LoadFailed } from '../../ui/states';
import crudStyle from '../../crud/crud.module.css';

interface Props<T extends { id: number }> extends ListedCrud<T> {
  paging?: Paging;
  /** The worker may look and not touch. */
  readOnly?: boolean;
  onOpen: (mode: Mode, record: T | null) => void;
  /** What else is done with the chosen one, or none. */
  more?: (chosen: T | null) => ReactNode;
}

export function RecordList<T extends { id: number; naziv: string }>({
  crud,
  path,
  scope,
  onOpen,
  readOnly = false,
  more,
  ...table
}: Props<T>) {
  const [selected, setSelected] = useState<T | null>(null);
  const [inBin, setInBin] = useState(false);
  const listing = useListing<T>(path, scope, table.paging?.rows);
  const chosen = listing.rows.find(({ id }) => id === selected?.id) ?? null;
  const needsRow = { disabled: !chosen, title: chosen ? undefined : t.crud.selectFirst };
  if (listing.error) return <LoadFailed error={listing.error} retry={listing.retry} />;
  if (inBin) return <Bin {...table} crud={crud} path={path} scope={scope} name={({ naziv }) => naziv} onBack={() => setInBin(false)} />;
  return (
    <Panel flush>
      <div className={crudStyle.toolbar}>
        {!readOnly && (
          <>
            <Button label={t.crud.create} icon="pi pi-plus" onClick={() => onOpen('create', null)} />
            <Button label={t.crud.update} icon="pi pi-pencil" outlined onClick={() => onOpen('update', chosen)} {...needsRow} />
          </>
        )}
        <Button label={t.crud.read} icon="pi pi-eye" outlined onClick={() => onOpen('read', chosen)} {...needsRow} />
        {!readOnly && (
          <Button
            label={t.crud.remove}
            icon="pi pi-trash"
            outlined
            severity="danger"
            onClick={() => onOpen('delete', chosen)}
            {...needsRow}
          />
        )}
        {!readOnly && more?.(chosen)}
        {!readOnly && <BinButton onClick={() => setInBin(true)} />}
      </div>
      <CrudTable {...table} listing={listing} selected={chosen} onSelect={setSelected} onOpen={(record) => onOpen('read', record)} />
    </Panel>
  );
}
