// Values that an entry's items had and have, newest first.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useApi } from '../api/hooks';
import type { Page } from '../api/types';
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { label, t } from '../messages';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useIsNarrow } from '../ui/useIsNarrow';
import { HistoryCard } from './HistoryCard';
import type { ArchivedValue } from './types';
import { yesNo } from './values';

const text = t.patients.archive;

const COLUMNS: readonly (readonly [keyof ArchivedValue, (row: ArchivedValue) => string])[] = [
  ['vremePrestankaVazenja', (row) => (row.vremePrestankaVazenja ? formatDateTime(row.vremePrestankaVazenja) : text.current)],
  ['nazivAtributa', (row) => row.nazivAtributa],
  ['nabrojivaVrednost', (row) => row.nabrojivaVrednost ?? EMPTY],
  ['logickaVrednost', (row) => yesNo(row.logickaVrednost)],
  ['tekstVrednost', (row) => row.tekstVrednost ?? EMPTY],
  ['brojnaVrednost', (row) => formatNumber(row.brojnaVrednost)],
  ['datumskaVrednost', (row) => formatDate(row.datumskaVrednost)],
  ['vremeKreiranja', (row) => formatDateTime(row.vremeKreiranja)],
  ['vremePoslednjeIzmene', (row) => formatDateTime(row.vremePoslednjeIzmene)],
  ['radnik', (row) => row.radnik ?? EMPTY],
];

const OTHERS = COLUMNS.filter(([field]) => field !== 'nazivAtributa');

export function ValueChanges({ entry, items }: { entry: string; items: readonly number[] }) {
  const { data, error, mutate } = useApi<Page<ArchivedValue>>(`/api/entries/${entry}/archive`, { nizAutsID: items.join(',') }, { revalidateOnFocus: false });
  const isNarrow = useIsNarrow();
  if (error) return <LoadFailed title={text.entryFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={6} />;
  return (
    <DataTable
      {...tableDefaults}
      rows={10}
      value={data.data}
      pt={{ table: { 'aria-label': text.changes } }}
      emptyMessage={<EmptyState icon="pi-history" title={text.noChanges} />}
    >
      {isNarrow ? (
        <Column
          header={text.change}
          body={(row: ArchivedValue) => <HistoryCard title={row.nazivAtributa} columns={OTHERS.map(([field, body]) => ({ name: label(`valueArchive.${field}`), shown: body(row) }))} />}
        />
      ) : (
        COLUMNS.map(([field, body]) => <Column key={field} field={field} header={label(`valueArchive.${field}`)} body={body} sortable />)
      )}
    </DataTable>
  );
}
