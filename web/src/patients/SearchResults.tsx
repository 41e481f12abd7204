// Who was found. A patient whom the institution does not know is a row without identity and without ways in.
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable, type DataTableSortEvent } from 'primereact/datatable';
import { Message } from 'primereact/message';
import { Tag } from 'primereact/tag';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { changesPatients, mayOpen, Right } from '../auth/rights';
import { useWorker } from '../api/session';
import { EMPTY, formatNumber } from '../format';
import { label, t } from '../messages';
import { entryPath } from '../places';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { ExportMenu } from './export/ExportMenu';
import { found, foundIn, ownEntryText } from './matches';
import { NewEntryDialog } from './NewEntryDialog';
import style from './search.module.css';
import { asksForEntry, type SearchRequest } from './criteria';
import { searchSentence } from './sentences';
import { StaleMark } from './StaleMark';
import { StatusTag } from './PatientStatus';
import type { OrderColumn, ResultOrder, SearchMatch, SearchRow, SearchSetup } from './types';
import type { Search } from './useSearch';

const text = t.patients.search;
const PAGE_SIZES = [5, 10, 20, 25, 50, 100];

/** `05.03.2026.` sorts as `2026.03.05`. */
const sortable = (date: string | null) => date?.split('.').reverse().join('.') ?? '';

/** By what the table sorts a row. Rows that the server has put in order stay as they came. */
function keysOf(row: SearchRow, red: number, order: ResultOrder | null): Record<OrderColumn, string | number | null> {
  const place = order?.opadajuce ? -red : red;
  if (order) return { imePrezime: place, jmbg: place, lbo: place, identifikacioniBroj: place, prviUnos: place, poslednjiUnos: place };
  const { imePrezime, jmbg, lbo, identifikacioniBroj } = row;
  return {
    imePrezime,
    jmbg,
    lbo,
    identifikacioniBroj,
    prviUnos: sortable(row.prviUnosDatum),
    poslednjiUnos: sortable(row.poslednjiUnosDatum),
  };
}

/** The table's name of a column's keys. */
const KEY = 'kljuc.';
const keyOf = (column: OrderColumn) => `${KEY}${column}`;

/** The server looks up no more matches than of so many rows. */
const MOST_WITH_MATCHES = 20_000;

type Shown = SearchRow & { red: number; kljuc: ReturnType<typeof keysOf> };

interface Props {
  setup: SearchSetup;
  search: Search;
  request: SearchRequest | null;
  /** Asks for the results in another order. */
  reorder: (order: ResultOrder | null) => void;
}

export function SearchResults({ setup, search, request, reorder }: Props) {
  const { answer, error, isRunning, again } = search;
  const { prava } = useWorker();
  const navigate = useNavigate();
  const title = text.results;
  if (!request) {
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
        {error.field ? (
          <EmptyState icon="pi-exclamation-triangle" title={text.failed} help={error.field === 'redosled' ? error.message : text.refused} />
        ) : (
          <LoadFailed title={text.failed} error={error} retry={again} />
        )}
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
  const { unosi, skraceno, zapis, manjeOdTudjih } = answer;
  const others = manjeOdTudjih == null ? null : text.fewOthers(manjeOdTudjih);
  const similar = unosi.filter(({ slicno }) => slicno).length;
  const criteria = request.redPretrage;
  const matched = criteria.length > 0 || asksForEntry(request);
  const matchesCut = matched && unosi.length > MOST_WITH_MATCHES;
  return (
    <Panel
      title={`${title}: ${text.found(unosi.length, formatNumber(unosi.length))}${others === null ? '' : ` + ${others}`}`}
      actions={
        unosi.length > 0 && (
          <>
            {mayOpen(prava, [Right.DataExport]) && (
              <Button
                label={text.withFields}
                icon="pi pi-database"
                text
                size="small"
                onClick={() => void navigate(`/izvozPodataka?registar=${String(setup.id)}&pretraga=${String(zapis)}`)}
              />
            )}
            <ExportMenu
              result={{ rows: unosi, fields: matched ? setup.polja : null }}
              title={setup.naziv}
              cut={skraceno}
              others={others}
              zapis={zapis}
            />
          </>
        )
      }
      flush
    >
      {skraceno && <Message severity="warn" className={style.cut} text={text.cut(formatNumber(unosi.length))} />}
      <p className={style.searched}>
        {searchSentence(setup, request)}
        {matchesCut && ` ${text.matchesCut}`}
        {similar > 0 && ` ${text.similarHelp(formatNumber(similar))}`}
        {others !== null && ` ${text.fewOthersHelp(others)}`}
      </p>
      {unosi.length > 0 && <p className={style.keys}>{text.keys}</p>}
      <ResultTable
        rows={unosi}
        setup={setup}
        loading={isRunning}
        matched={matched}
        // All that there are stand here: they are sorted where they are.
        order={skraceno ? (request.redosled ?? null) : null}
        reorder={skraceno ? reorder : null}
        byName={!skraceno || (others === null && !unosi.some(({ blurPodataka }) => blurPodataka))}
      />
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
  return id !== null ? <Link to={entryPath(id)}>{shown}</Link> : shown;
}

/** Which entry and which value each criterion found. */
function Matches({ row: { pogodak: matches, unos }, setup }: { row: SearchRow; setup: SearchSetup }) {
  if (matches.length === 0 && !unos) return EMPTY;
  return (
    <ul className={style.matches}>
      {unos && (
        <li>
          <Link to={entryPath(unos.unosID)}>
            <span className={style.date}>{unos.unosDatum}</span>
          </Link>{' '}
          {ownEntryText(unos)}
        </li>
      )}
      {matches.map((match) => (
        <li key={match.uslov}>
          <MatchedEntry match={match} /> {found(match, setup.polja)}
          <StaleMark mark={match.zastareo} />
        </li>
      ))}
    </ul>
  );
}

function MatchedEntry({ match }: { match: SearchMatch }) {
  if (match.unosID === null) return foundIn(match);
  const date = <span className={style.date}>{foundIn(match)}</span>;
  return <Link to={entryPath(match.unosID)}>{date}</Link>;
}

interface TableProps {
  rows: SearchRow[];
  setup: SearchSetup;
  loading: boolean;
  matched: boolean;
  /** In which order the server has sent them; none: its own. */
  order: ResultOrder | null;
  /** None: the rows are all that there are. */
  reorder: Props['reorder'] | null;
  /** Whether what names a patient may order them. */
  byName: boolean;
}

function ResultTable({ rows, setup, loading, matched, order, reorder, byName }: TableProps) {
  const { pacijenti } = useWorker();
  const [entryFor, setEntryFor] = useState<{ row: SearchRow; byKey: boolean } | null>(null);
  const shown = useMemo<Shown[]>(() => rows.map((row, red) => ({ ...row, red, kljuc: keysOf(row, red, order) })), [rows, order]);
  const ordered = reorder && {
    sortField: order ? keyOf(order.po) : '',
    sortOrder: order ? (order.opadajuce ? (-1 as const) : (1 as const)) : (0 as const),
    onSort: ({ sortField, sortOrder }: DataTableSortEvent) =>
      reorder(sortOrder ? { po: sortField.slice(KEY.length) as OrderColumn, opadajuce: sortOrder === -1 } : null),
  };
  const number = (field: 'jmbg' | 'lbo' | 'identifikacioniBroj', like: string) => (
    <Column
      field={field}
      sortField={keyOf(field)}
      header={label(`searchRow.${field}`)}
      sortable={byName}
      headerClassName={style.beside}
      bodyClassName={style.beside}
      body={(row: Shown) => (row.blurPodataka ? <Blurred like={like} /> : (row[field] ?? EMPTY))}
    />
  );
  return (
    <>
      <DataTable
        {...tableDefaults}
        {...ordered}
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
          sortField={keyOf('imePrezime')}
          header={label('searchRow.imePrezime')}
          sortable={byName}
          body={(row: Shown) =>
            row.blurPodataka || row.pacijentID === null ? (
              <Blurred like="Prezime Ime" />
            ) : (
              <>
                <Link to={`/pacijenti/${row.pacijentID}`} className={style.name} data-patient>
                  {row.imePrezime}
                </Link>
                <StatusTag status={row.status} day={row.statusDan} />
                {row.slicno && <Tag value={text.similar} severity="warning" className={style.similar} />}
                <small className={style.below}>{row.jmbg}</small>
                {matched && (
                  <div className={style.below}>
                    <Matches row={row} setup={setup} />
                  </div>
                )}
              </>
            )
          }
        />
        {number('jmbg', '0000000000000')}
        {number('lbo', '00000000000')}
        {number('identifikacioniBroj', 'AAA-0000')}
        <Column
          field="prviUnos"
          sortField={keyOf('prviUnos')}
          header={label('searchRow.prviUnos')}
          sortable
          headerClassName={style.beside}
          bodyClassName={style.beside}
          body={(row: Shown) => <EntryCell id={row.prviUnosID} name={row.prviUnos} date={row.prviUnosDatum} />}
        />
        <Column
          field="poslednjiUnos"
          sortField={keyOf('poslednjiUnos')}
          header={label('searchRow.poslednjiUnos')}
          sortable
          body={(row: Shown) => <EntryCell id={row.poslednjiUnosID} name={row.poslednjiUnos} date={row.poslednjiUnosDatum} />}
        />
        {matched && (
          <Column
            header={text.match}
            headerClassName={style.beside}
            bodyClassName={style.beside}
            body={(row: Shown) => (row.blurPodataka ? <Blurred like="00.00.0000." /> : <Matches row={row} setup={setup} />)}
          />
        )}
        {changesPatients(pacijenti) && setup.tipoviUnosa.some(({ mozeSeInstancirati }) => mozeSeInstancirati) && (
          <Column
            header={<span className="sr-only">{t.table.actions}</span>}
            className={style.action}
            body={(row: Shown) =>
              row.blurPodataka ? null : (
                <Button
                  icon="pi pi-plus"
                  label={text.newEntry}
                  outlined
                  size="small"
                  aria-label={text.newEntryFor(row.imePrezime ?? '')}
                  data-begin
                  // A press of a key, or of the key that stands for it, has no clicks.
                  onClick={({ detail }) => setEntryFor({ row, byKey: detail === 0 })}
                />
              )
            }
          />
        )}
      </DataTable>
      {entryFor && entryFor.row.pacijentID !== null && (
        <NewEntryDialog
          pacijentID={entryFor.row.pacijentID}
          patient={entryFor.row.imePrezime ?? undefined}
          byKey={entryFor.byKey}
          types={setup.tipoviUnosa}
          datePicked={setup.odabirDatumaPregledaPreUnosa}
          onClose={() => setEntryFor(null)}
        />
      )}
    </>
  );
}
