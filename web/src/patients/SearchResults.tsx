// Who was found. A patient whom the institution does not know is a row without identity and without ways in.
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { Message } from 'primereact/message';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { EMPTY, formatNumber } from '../format';
import { label, t } from '../messages';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { ExportMenu } from './export/ExportMenu';
import { NewEntryDialog } from './NewEntryDialog';
import { entryPath, hasEntryScreen } from './places';
import style from './search.module.css';
import type { SearchRow, SearchSetup } from './types';
import type { Search } from './useSearch';

const text = t.patients.search;
const PAGE_SIZES = [5, 10, 20, 25, 50, 100];

/** `05.03.2026.` sorts as `2026.03.05`. */
const sortable = (date: string | null) => date?.split('.').reverse().join('.') ?? '';

type Shown = SearchRow & { red: number; prvi: string; poslednji: string };

export function SearchResults({ setup, search, asked }: { setup: SearchSetup; search: Search; asked: boolean }) {
  const { answer, error, isRunning, again } = search;
  const title = text.results;
  if (!asked) {
    return (
      <Panel title={title}>
        <EmptyState icon="pi-search" title={text.start} help={text.startHelp} />
      </Panel>
    );
  }
  if (error) {
    return (
      <Panel title={title}>
        {/* What a field was refused for is mended there; the same again would be refused again. */}
        {error.field ? <EmptyState icon="pi-exclamation-triangle" title={text.failed} help={text.refused} /> : <LoadFailed title={text.failed} error={error} retry={again} />}
      </Panel>
    );
  }
  if (!answer) {
    return (
      <Panel title={text.running}>
        <Loading lines={8} />
      </Panel>
    );
  }
  const { unosi, skraceno } = answer;
  return (
    <Panel title={`${title}: ${text.found(unosi.length, formatNumber(unosi.length))}`} actions={unosi.length > 0 && <ExportMenu rows={unosi} title={setup.naziv} cut={skraceno} />} flush>
      {skraceno && <Message severity="warn" className={style.cut} text={text.cut(formatNumber(unosi.length))} />}
      <ResultTable rows={unosi} setup={setup} loading={isRunning} />
    </Panel>
  );
}

function Blurred({ like }: { like: string }) {
  return (
    <>
      <span className={style.blurred} aria-hidden>
        {like}
      </span>
      <span className="sr-only">{text.hidden}</span>
    </>
  );
}

function EntryCell({ id, name, date }: { id: number | null; name: string | null; date: string | null }) {
  if (!date) return EMPTY;
  const shown = (
    <>
      <span className={style.date}>{date}</span> <span className={style.entryName}>{name}</span>
    </>
  );
  return id !== null && hasEntryScreen() ? <Link to={entryPath(id)}>{shown}</Link> : shown;
}

function ResultTable({ rows, setup, loading }: { rows: SearchRow[]; setup: SearchSetup; loading: boolean }) {
  const [entryFor, setEntryFor] = useState<SearchRow | null>(null);
  const shown = useMemo<Shown[]>(
    () => rows.map((row, red) => ({ ...row, red, prvi: sortable(row.prviUnosDatum), poslednji: sortable(row.poslednjiUnosDatum) })),
    [rows],
  );
  const number = (field: 'jmbg' | 'lbo' | 'identifikacioniBroj', like: string) => (
    <Column
      field={field}
      header={label(`searchRow.${field}`)}
      sortable
      headerClassName={style.beside}
      bodyClassName={style.beside}
      body={(row: Shown) => (row.blurPodataka ? <Blurred like={like} /> : (row[field] ?? EMPTY))}
    />
  );
  return (
    <>
      <DataTable
        {...tableDefaults}
        rowsPerPageOptions={PAGE_SIZES}
        value={shown}
        dataKey="red"
        loading={loading}
        className={style.results}
        pt={{ table: { 'aria-label': text.results } }}
        emptyMessage={<EmptyState icon="pi-search" title={text.none} help={text.noneHelp} />}
      >
        <Column
          field="imePrezime"
          header={label('searchRow.imePrezime')}
          sortable
          body={(row: Shown) =>
            row.blurPodataka || row.pacijentID === null ? (
              <Blurred like="Prezime Ime" />
            ) : (
              <>
                <Link to={`/pacijenti/${row.pacijentID}`} className={style.name}>
                  {row.imePrezime}
                </Link>
                <small className={style.below}>{row.jmbg}</small>
              </>
            )
          }
        />
        {number('jmbg', '0000000000000')}
        {number('lbo', '00000000000')}
        {number('identifikacioniBroj', 'AAA-0000')}
        <Column
          field="prviUnos"
          sortField="prvi"
          header={label('searchRow.prviUnos')}
          sortable
          headerClassName={style.beside}
          bodyClassName={style.beside}
          body={(row: Shown) => <EntryCell id={row.prviUnosID} name={row.prviUnos} date={row.prviUnosDatum} />}
        />
        <Column
          field="poslednjiUnos"
          sortField="poslednji"
          header={label('searchRow.poslednjiUnos')}
          sortable
          body={(row: Shown) => <EntryCell id={row.poslednjiUnosID} name={row.poslednjiUnos} date={row.poslednjiUnosDatum} />}
        />
        {hasEntryScreen() && setup.tipoviUnosa.some(({ mozeSeInstancirati }) => mozeSeInstancirati) && (
          <Column
            header={<span className="sr-only">{t.table.actions}</span>}
            className={style.action}
            body={(row: Shown) =>
              row.blurPodataka ? null : (
                <Button icon="pi pi-plus" label={text.newEntry} outlined size="small" aria-label={text.newEntryFor(row.imePrezime ?? '')} onClick={() => setEntryFor(row)} />
              )
            }
          />
        )}
      </DataTable>
      {entryFor?.pacijentID != null && (
        <NewEntryDialog
          pacijentID={entryFor.pacijentID}
          patient={entryFor.imePrezime ?? undefined}
          types={setup.tipoviUnosa}
          datePicked={setup.odabirDatumaPregledaPreUnosa}
          onClose={() => setEntryFor(null)}
        />
      )}
    </>
  );
}
