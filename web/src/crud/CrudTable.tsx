// A page of records with contains-filters, sorting and one selected row. The server filters, sorts and cuts.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { InputText } from 'primereact/inputtext';
import type { ReactNode } from 'react';
import { label, t, type Label } from '../messages';
import { EmptyState } from '../ui/states';
import { tableDefaults } from '../ui/table';
import type { Resource } from './bindFields';
import type { TableState } from './useCrud';

export interface CrudColumn<T> {
  field: keyof T & string;
  /** How the value is shown; as it is when absent. */
  body?: (record: T) => ReactNode;
  /** Values that are not text (dates, switches, pictures) are not searched by text. */
  filter?: boolean;
  sortable?: boolean;
}

interface Props<T extends { id: number }> {
  resource: Resource;
  title: string;
  columns: readonly (CrudColumn<T> | (keyof T & string))[];
  rows: T[];
  total: number;
  loading: boolean;
  state: TableState;
  onState: (state: TableState) => void;
  selected: T | null;
  onSelect: (record: T | null) => void;
  onOpen: (record: T) => void;
}

export function CrudTable<T extends { id: number }>({ resource, title, columns, rows, total, loading, state, onState, selected, onSelect, onOpen }: Props<T>) {
  const filter = (field: string, name: string) => (
    <InputText
      value={state.filters[field] ?? ''}
      onChange={(e) => onState({ ...state, first: 0, filters: { ...state.filters, [field]: e.target.value } })}
      aria-label={t.table.filter(name)}
      className="p-column-filter"
    />
  );
  return (
    <DataTable
      {...tableDefaults}
      lazy
      value={rows}
      totalRecords={total}
      first={state.first}
      rows={state.rows}
      loading={loading}
      dataKey="id"
      pt={{ table: { 'aria-label': title } }}
      filterDisplay="row"
      sortField={state.sortField ?? undefined}
      sortOrder={state.sortOrder}
      onPage={({ first, rows: size }) => onState({ ...state, first, rows: size })}
      onSort={({ sortField, sortOrder }) => onState({ ...state, first: 0, sortField: sortOrder ? sortField : null, sortOrder: sortOrder === -1 ? -1 : sortOrder ? 1 : null })}
      selectionMode="single"
      selection={selected}
      onSelectionChange={({ value }) => onSelect(value as T | null)}
      onRowDoubleClick={({ data }) => onOpen(data as T)}
      emptyMessage={<EmptyState title={t.common.empty} />}
    >
      {columns.map((column) => {
        const { field, body, filter: filtered = true, sortable = true }: CrudColumn<T> = typeof column === 'string' ? { field: column } : column;
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
    </DataTable>
  );
}
