// The records of a resource with contains-filters, sorting, paging and one selected row.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { useState, type ReactNode } from 'react';
import { contains } from '../fold';
import type { Deletion } from '../api/types';
import { formatDateTime } from '../format';
import { label, t, type Label } from '../messages';
import { EmptyState, Loading } from '../ui/states';
import { tableDefaults } from '../ui/table';
import type { Resource } from './bindFields';
import style from './crud.module.css';

export interface CrudColumn<T> {
  field: keyof T & string;
  /** The text that is shown and searched, where that is not the value itself. */
  text?: (record: T) => string;
  /** How the value is shown; as it is when absent. */
  body?: (record: T) => ReactNode;
  /** Values that are not text (dates, switches, pictures) are not searched by text. */
  filter?: boolean;
  sortable?: boolean;
}

/** How many rows a page has, where it is not the usual number. */
export type Paging = Pick<typeof tableDefaults, 'rows' | 'rowsPerPageOptions'>;

/** What a list of records is about and shows. */
export interface Listed<T> {
  resource: Resource;
  title: string;
  columns: readonly (CrudColumn<T> | (keyof T & string))[];
}

interface Props<T extends { id: number }> extends Listed<T> {
  paging?: Paging;
  rows: T[];
  total: number;
  loading: boolean;
  selected: T | null;
  onSelect: (record: T | null) => void;
  onOpen: (record: T) => void;
  /** Who deleted each of the rows and when, where they are deleted ones. */
  deletions?: readonly Deletion[];
}

export function CrudTable<T extends { id: number }>({
  resource,
  title,
  paging = tableDefaults,
  columns,
  rows,
  total,
  loading,
  selected,
  onSelect,
  onOpen,
  deletions,
}: Props<T>) {
  const all = columns.map((column): CrudColumn<T> => (typeof column === 'string' ? { field: column } : column));
  const [wanted, setWanted] = useState<Partial<Record<string, string>>>({});
  const [page, setPage] = useState({ first: 0, rows: paging.rows });
  // The table's own "contains" knows no š, č and ž.
  const found = rows.filter((record) => all.every(({ field, text }) => contains(text ? text(record) : record[field], wanted[field])));
  const deletion = (record: T) => deletions?.find(({ id }) => id === record.id);
  const unfiltered = (name: string) => ({
    filter: true,
    showFilterMenu: false,
    showClearButton: false,
    filterElement: () => <span className="sr-only">{t.table.noFilter(name)}</span>,
  });
  const filter = (field: string, name: string) => (
    <InputText
      value={wanted[field] ?? ''}
      onChange={(e) => {
        setWanted({ ...wanted, [field]: e.target.value });
        setPage({ ...page, first: 0 });
      }}
      aria-label={t.table.filter(name)}
      className="p-column-filter"
    />
  );
  return (
    <>
      {!loading && total > rows.length && <Message severity="warn" text={t.table.cut(rows.length, total)} />}
      <DataTable
        {...tableDefaults}
        value={found}
        {...page}
        rowsPerPageOptions={paging.rowsPerPageOptions}
        onPage={({ first, rows: size }) => setPage({ first, rows: size })}
        loading={loading}
        paginator={!loading}
        dataKey="id"
        pt={{ table: { 'aria-label': title } }}
        className={style.table}
        filterDisplay="row"
        selectionMode="single"
        selection={selected}
        onSelectionChange={({ value }) => onSelect(value as T | null)}
        onRowDoubleClick={({ data }) => {
          // The second click has unselected it.
          onSelect(data as T);
          onOpen(data as T);
        }}
        emptyMessage={loading ? <Loading /> : <EmptyState title={t.common.empty} />}
      >
        {all.map(({ field, text, body = text, filter: filtered = true, sortable = true }) => {
          const name = label(`${resource}.${field}` as Label);
          return (
            <Column
              key={field}
              field={field}
              header={name}
              body={body}
              sortable={sortable}
              filter
              showFilterMenu={false}
              showClearButton={false}
              filterElement={() => (filtered ? filter(field, name) : <span className="sr-only">{t.table.noFilter(name)}</span>)}
            />
          );
        })}
        {deletions && (
          <Column
            header={t.crud.deletedBy}
            body={(record: T) => deletion(record)?.radnik ?? t.common.none}
            {...unfiltered(t.crud.deletedBy)}
          />
        )}
        {deletions && (
          <Column
            header={t.crud.deletedAt}
            body={(record: T) => formatDateTime(deletion(record)?.vreme)}
            {...unfiltered(t.crud.deletedAt)}
          />
        )}
      </DataTable>
    </>
  );
}
