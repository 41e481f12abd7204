// Who did what and when, and which fields changed (B 2.10).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { useId, useState, type SyntheticEvent } from 'react';
import { useApi } from '../api/hooks';
import type { LogAnswer, LogField, LogRow, LogSearchData } from '../api/types';
import { CrudTable } from '../crud/CrudTable';
import { formatDateTime, formatNumber, toServerDate } from '../format';
import { t } from '../messages';
import { useFaultFocus } from '../ui/formFocus';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './admin.module.css';
import { SearchOutcome, useSearchTurns } from './SearchOutcome';
import { fieldName, fieldValue } from './logFields';
import { periodFault, type PeriodFault } from './period';
import { PeriodFields } from './PeriodFields';
import { Several } from './Several';

const text = t.log;

/** The row as the table shows, sorts and filters it. */
type Shown = Omit<LogRow, 'radnik'> & { id: number; radnik: string; klasaNaziv: string };

const className = (klasa: string) => text.classNames[klasa] ?? klasa;
const deedName = (akcija: string) => text.deedNames[akcija] ?? akcija;

export default function LogScreen() {
  const [from, setFrom] = useState<string | null>(() => toServerDate(new Date()));
  const [until, setUntil] = useState<string | null>(null);
  const [radnici, setRadnici] = useState<number[]>([]);
  const [klase, setKlase] = useState<string[]>([]);
  const [akcije, setAkcije] = useState<string[]>([]);
  const [fault, setFault] = useState<PeriodFault | null>(null);
  const { asked, ask } = useSearchTurns();
  const criteria = useApi<LogSearchData>('/api/log/search-data');
  const toast = useToast();
  const id = useId();
  useFaultFocus(id, fault);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    toast.clear();
    const found = periodFault(from, until);
    setFault(found);
    if (found) return toast.error(text.failed, found.message);
    ask({
      datumOd: from ?? '',
      ...(until ? { datumDo: until } : {}),
      ...(radnici.length > 0 ? { radniciArray: radnici.join(',') } : {}),
      ...(klase.length > 0 ? { klaseArray: klase.join(',') } : {}),
      ...(akcije.length > 0 ? { akcijeArray: akcije.join(',') } : {}),
    });
  }

  const { data } = criteria;
  const message = (field: PeriodFault['field']) => (fault?.field === field ? fault.message : null);
  return (
    <Page title={text.title}>
      <Panel>
        {criteria.error && !data && <LoadFailed title={text.criteriaFailed} error={criteria.error} retry={() => void criteria.mutate()} />}
        <form id={id} className={style.search} onSubmit={submit} noValidate>
          <PeriodFields {...{ from, until, setFrom, setUntil, message }} />
          <Several label={text.workers} all={text.all} options={data?.radnici ?? []} value={radnici} onChange={setRadnici} />
          <Several
            label={text.classes}
            all={text.allFeminine}
            options={(data?.klase ?? []).map((one) => ({ value: one, label: className(one) }))}
            value={klase}
            onChange={setKlase}
          />
          <Several
            label={text.deeds}
            all={text.allFeminine}
            options={(data?.akcije ?? []).map((one) => ({ value: one, label: deedName(one) }))}
            value={akcije}
            onChange={setAkcije}
          />
          <Button type="submit" label={t.common.search} icon="pi pi-search" />
        </form>
      </Panel>
      <SearchOutcome asked={asked} icon="pi-search" start={text.start}>
        {(query) => <Results query={query} />}
      </SearchOutcome>
    </Page>
  );
}

function Results({ query }: { query: Record<string, string> }) {
  const { data, error, isLoading, mutate } = useApi<LogAnswer>('/api/log', query, { revalidateOnFocus: false, keepPreviousData: true });
  const [open, setOpen] = useState<Shown | null>(null);
  if (error) {
    return (
      <Panel>
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  const rows = (data?.data ?? []).map((row, id): Shown => ({
    ...row,
    id,
    radnik: row.radnik ?? text.nobody,
    klasaNaziv: className(row.klasa),
    akcija: deedName(row.akcija),
  }));
  return (
    <Panel title={text.results} flush>
      {data?.skraceno && <Message severity="warn" text={text.cut(formatNumber(rows.length))} />}
      <CrudTable
        resource="log"
        title={text.results}
        columns={[
          'radnik',
          'klasaNaziv',
          'akcija',
          {
            field: 'vremePristupa',
            body: ({ vremePristupa }) => <span className={style.date}>{formatDateTime(vremePristupa)}</span>,
            filter: false,
          },
          'opis',
        ]}
        rows={rows}
        total={rows.length}
        loading={isLoading}
        selected={open}
        onSelect={(row) => row && setOpen(row)}
        onOpen={setOpen}
      />
      {open && <Details row={open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

function Details({ row, onClose }: { row: Shown; onClose: () => void }) {
  useFocusReturn();
  return (
    <Dialog
      visible
      onHide={onClose}
      header={`${text.details} – ${row.klasaNaziv}, ${row.akcija}`}
      style={{ width: 'min(52rem, 96vw)' }}
      draggable={false}
      footer={<Button type="button" label={t.common.close} severity="secondary" outlined autoFocus onClick={onClose} />}
    >
      <p className={style.lead}>
        {row.radnik}, {formatDateTime(row.vremePristupa)}
      </p>
      {row.blurPodataka ? (
        <Message severity="info" text={text.keptBack} />
      ) : (
        <DataTable
          {...tableDefaults}
          paginator={row.polja.length > tableDefaults.rows}
          value={row.polja}
          pt={{ table: { 'aria-label': text.details } }}
          emptyMessage={<EmptyState title={text.noFields} />}
        >
          <Column
            field="naziv"
            header={text.field}
            body={({ naziv }: LogField) => fieldName(row.klasa, naziv)}
            className={style.words}
            sortable
          />
          <Column header={text.before} body={({ stara }: LogField) => fieldValue(stara)} className={style.words} />
          <Column header={text.after} body={({ nova }: LogField) => fieldValue(nova)} className={style.words} />
        </DataTable>
      )}
    </Dialog>
  );
}
