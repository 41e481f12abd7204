// Values that an entry's items had and have, newest first.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useMemo, type ReactNode } from 'react';
import { at } from '../api/address';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { filesOf } from '../files/attached';
import { FileLinks } from '../files/FileLink';
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { label, t } from '../messages';
import { ArchiveNote } from '../ui/ArchiveNote';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useIsNarrow } from '../ui/useIsNarrow';
import { HistoryCard } from './HistoryCard';
import { Sentences, type HistoryView, type Sentence } from './Sentences';
import { asChanges, type ValueChange } from './types';
import { valueText, yesNoOrNone } from './values';

const text = t.patients.archive;

/** With what was typed in another unit. */
const withTyped = (shown: string, typed: string | null | undefined): string => (typed ? text.typed(shown, typed) : shown);

const COLUMNS: readonly (readonly [
  Exclude<keyof Reply<'ArchiveRow'>, 'zastareo' | 'preracunato' | 'fajlovi' | 'uneto'>,
  (row: Reply<'ArchiveRow'>) => ReactNode,
])[] = [
  [
    'vremePrestankaVazenja',
    (row) =>
      row.vremePrestankaVazenja
        ? formatDateTime(row.vremePrestankaVazenja)
        : row.zastareo
          ? `${text.current} (${t.patients.stale.value})`
          : text.current,
  ],
  ['radnik', (row) => row.radnik ?? EMPTY],
  ['nazivAtributa', (row) => row.nazivAtributa],
  ['nabrojivaVrednost', (row) => row.nabrojivaVrednost ?? EMPTY],
  ['logickaVrednost', (row) => yesNoOrNone(row.logickaVrednost)],
  ['tekstVrednost', (row) => (row.fajlovi.length > 0 ? <FileLinks files={row.fajlovi} /> : (row.tekstVrednost ?? EMPTY))],
  ['brojnaVrednost', (row) => withTyped(formatNumber(row.brojnaVrednost), row.uneto)],
  ['datumskaVrednost', (row) => formatDate(row.datumskaVrednost)],
  ['radnikUpisao', (row) => (row.preracunato ? text.recomputedBy(row.radnikUpisao ?? EMPTY) : (row.radnikUpisao ?? EMPTY))],
  ['vremeKreiranja', (row) => formatDateTime(row.vremeKreiranja)],
  ['vremePoslednjeIzmene', (row) => formatDateTime(row.vremePoslednjeIzmene)],
];

const OTHERS = COLUMNS.filter(([field]) => field !== 'nazivAtributa');

function sentence({ nazivAtributa, tvaNumVrednost, jedinica, staro, novo, redovi, radnik, vreme, preracunato }: ValueChange): Sentence {
  const field = { tvaNumVrednost, enumStavkeSve: [], tipAtributa: { jedinica } };
  const side = ({ vrednost, stavke, uneto }: ValueChange['staro']) => withTyped(stavke ?? valueText(field, vrednost), uneto);
  const named = new Map([...filesOf(staro.vrednost), ...filesOf(novo.vrednost)].map((file) => [file.id, file]));
  const files = [...named.values()];
  const said = { subject: nazivAtributa, before: side(staro), after: side(novo), rows: redovi, files, who: radnik, when: vreme };
  return preracunato ? { ...said, deed: text.recomputed } : said;
}

interface Props {
  entry: string;
  items: readonly number[];
  view?: HistoryView;
}

export function ValueChanges({ entry, items, view = 'table' }: Props) {
  const { data, error, mutate } = useApi(at('/api/entries/{id}/archive', { id: Number(entry), nizAutsID: items.join(',') }), {
    revalidateOnFocus: false,
  });
  const isNarrow = useIsNarrow();
  const said = useMemo(() => (data ? asChanges(data.promene).map(sentence) : []), [data]);
  if (error) return <LoadFailed title={text.entryFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={6} />;
  const note = <ArchiveNote before={data.uArhiviPre} />;
  if (view === 'sentences') {
    return (
      <>
        <Sentences said={said} label={text.changes} />
        {note}
      </>
    );
  }
  return (
    <>
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
            body={(row: Reply<'ArchiveRow'>) => (
              <HistoryCard
                title={row.nazivAtributa}
                columns={OTHERS.map(([field, body]) => ({ name: label(`valueArchive.${field}`), shown: body(row) }))}
              />
            )}
          />
        ) : (
          COLUMNS.map(([field, body]) => <Column key={field} field={field} header={label(`valueArchive.${field}`)} body={body} sortable />)
        )}
      </DataTable>
      {note}
    </>
  );
}
