// The records of a list with a filter for each column, sorting, paging and one selected row. The list itself answers all of them.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import type { ReactNode } from 'react';
import type { Reply } from '../schema';
import { formatDateTime } from '../format';
import { label, t, type Label } from '../messages';
import { EmptyState, Loading } from '../ui/states';
import { tableDefaults } from '../ui/table';
import type { Choice, Resource } from './bindFields';
import type { Listing } from './useListing';
import style from './crud.module.css';

export interface CrudColumn<T> {
  field: keyof T & string;
  /** How the value is shown; as it is when absent. */
  body?: (record: T) => ReactNode;
  /** Of a column with few values: those to choose from. None: it has no filter (pictures, moments). */
  filter?: readonly Choice<string>[] | false;
  sortable?: boolean;
}

export const YES_NO: readonly Choice<string>[] = [
  { value: 'true', label: t.common.yes },
  { value: 'false', label: t.common.no },
];

export const yesNo = (value: boolean) => (value ? t.common.yes : t.common.no);

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
  listing: Listing<T>;
  selected?: T | null;
  /** Without it the table only shows. */
  onSelect?: (record: T | null) => void;
  onOpen?: (record: T) => void;
  /** Who deleted each of the rows and when, where they are deleted ones. */
  deletions?: readonly Reply<'Deletion'>[];
}

export function CrudTable<T extends { id: number }>({
  resource,
  title,
  paging = tableDefaults,
  columns,
  listing: { rows, total, asked, ask, isLoading },
  selected = null,
  onSelect,
  onOpen,
  deletions,
}: Props<T>) {
  const all = columns.map((column): CrudColumn<T> => (typeof column === 'string' ? { field: column } : column));
  const deletion = (record: T) => deletions?.find(({ id }) => id === record.id);
  const unfiltered = (name: string) => ({
    filter: true,
    showFilterMenu: false,
    showClearButton: false,
    filterElement: () => <span className="sr-only">{t.table.noFilter(name)}</span>,
  });
  const filterBy = (field: string, wanted: string) => ask({ first: 0, filters: { ...asked.filters, [field]: wanted } });
  return (
    <DataTable
      {...tableDefaults}
      lazy
      value={rows}
      totalRecords={total}
      first={asked.first}
      rows={asked.rows}
      rowsPerPageOptions={paging.rowsPerPageOptions}
      onPage={({ first, rows: size }) => ask({ first, rows: size })}
      sortField={asked.sort?.field}
      sortOrder={asked.sort?.order}
      onSort={({ sortField, sortOrder }) =>
        ask({ first: 0, sort: sortOrder === 1 || sortOrder === -1 ? { field: sortField, order: sortOrder } : null })
      }
      loading={isLoading}
      paginator={!isLoading}
      dataKey="id"
      pt={{ table: { 'aria-label': title } }}
      className={style.table}
      filterDisplay="row"
      selectionMode={onSelect && 'single'}
      selection={selected}
      onSelectionChange={({ value }: { value: unknown }) => onSelect?.(value as T | null)}
      onRowDoubleClick={({ data }) => {
        // The second click has unselected it.
        onSelect?.(data as T);
        onOpen?.(data as T);
      }}
      emptyMessage={isLoading ? <Loading /> : <EmptyState title={t.common.empty} />}
    >
      {all.map(({ field, body, filter, sortable = true }) => {
        const name = label(`${resource}.${field}` as Label);
        return (
          <Column
            key={field}
            field={field}
            header={name}
            body={body}
            sortable={sortable}
            {...unfiltered(name)}
            {...(filter === false
              ? {}
              : {
                  filterElement: () => (
                    <Filter
                      name={name}
                      choices={filter}
                      value={asked.filters[field] ?? ''}
                      onChange={(wanted) => filterBy(field, wanted)}
                    />
                  ),
                })}
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
        <Column header={t.crud.deletedAt} body={(record: T) => formatDateTime(deletion(record)?.vreme)} {...unfiltered(t.crud.deletedAt)} />
      )}
    </DataTable>
  );
}

interface FilterProps {
  name: string;
  choices: readonly Choice<string>[] | undefined;
  value: string;
  onChange: (wanted: string) => void;
}

function Filter({ name, choices, value, onChange }: FilterProps) {
  if (!choices)
    return (
      <InputText value={value} onChange={(e) => onChange(e.target.value)} aria-label={t.table.filter(name)} className="p-column-filter" />
    );
  return (
    <Dropdown
      value={value === '' ? null : value}
      placeholder={t.table.any}
      options={[{ value: '', label: t.table.any }, ...choices]}
      optionLabel="label"
      optionValue="value"
      onChange={(e) => onChange(e.value as string)}
      aria-label={t.table.filter(name)}
      className="p-column-filter"
    />
  );
}
