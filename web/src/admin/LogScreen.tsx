// Who did what and when, and which fields changed (B 2.10).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../api/address';
import type { Reply, Schema } from '../schema';
import { useApi } from '../api/hooks';
import type { LogField, LogRow } from '../api/types';
import { usePages } from '../api/usePages';
import { opensPatients } from '../auth/rights';
import { useWorker } from '../api/session';
import type { Choice } from '../crud/bindFields';
import { CrudTable } from '../crud/CrudTable';
import { filterQuery, useAsked, type AskedPage, type Sort } from '../crud/useListing';
import { formatDateTime, toServerDate } from '../format';
import { className, fieldName, fieldValue } from '../looks/logFields';
import { LookedAt } from '../looks/LookedAt';
import { PatientPicker } from '../looks/PatientPicker';
import { t } from '../messages';
import { Field } from '../ui/Field';
import type { FoundChoice } from '../ui/found';
import { OlderRows } from '../ui/OlderRows';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { periodFault, type PeriodFault } from '../ui/period';
import { PeriodFields } from '../ui/PeriodFields';
import { SearchForm } from '../ui/SearchForm';
import { SearchOutcome, useSearchTurns } from '../ui/SearchOutcome';
import { EmptyState, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { TimeInput } from '../ui/TimeInput';
import { typedTime } from '../ui/typedTime';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './admin.module.css';
import { Several } from './Several';
import { SeveralFound } from './SeveralFound';

const text = t.log;

/** The row as the table shows, sorts and filters it. */
type Shown = Omit<LogRow, 'radnik' | 'zapis'> & { id: number; radnik: string; klasaNaziv: string; zapis: string; mesto: string };

interface Fault {
  field: PeriodFault['field'] | 'vremeOd' | 'vremeDo';
  message: string;
}

const deedName = (akcija: string) => text.deedNames[akcija] ?? akcija;
const ofClass = (value: string): Choice<string> => ({ value, label: className(value) });
const ofDeed = (value: string): Choice<string> => ({ value, label: deedName(value) });

export default function LogScreen() {
  const [from, setFrom] = useState<string | null>(() => toServerDate(new Date()));
  const [until, setUntil] = useState<string | null>(null);
  const [radnici, setRadnici] = useState<FoundChoice[]>([]);
  const [klase, setKlase] = useState<string[]>([]);
  const [akcije, setAkcije] = useState<string[]>([]);
  const [fault, setFault] = useState<Fault | null>(null);
  const [patient, setPatient] = useState<Reply<'PatientOption'> | null>(null);
  const [hours, setHours] = useState<{ od: string | null; do: string | null }>({ od: null, do: null });
  const { pacijenti } = useWorker();
  const { asked, ask } = useSearchTurns();
  const criteria = useApi(at('/api/log/search-data', { size: 0 }));
  const toast = useToast();

  function search() {
    const wrong = (time: string | null) => time !== null && typedTime(time) === null;
    const found: Fault | null =
      periodFault(from, until) ??
      (wrong(hours.od) ? { field: 'vremeOd', message: text.wrongHour } : null) ??
      (wrong(hours.do) ? { field: 'vremeDo', message: text.wrongHour } : null);
    setFault(found);
    if (found) return toast.error(text.failed, found.message);
    ask({
      datumOd: from ?? '',
      ...(until ? { datumDo: until } : {}),
      ...(radnici.length > 0 ? { radniciArray: radnici.map(({ value }) => value).join(',') } : {}),
      ...(klase.length > 0 ? { klaseArray: klase.join(',') } : {}),
      ...(akcije.length > 0 ? { akcijeArray: akcije.join(',') } : {}),
      ...(patient ? { pacijentID: String(patient.id) } : {}),
      ...(hours.od ? { vremeOd: hours.od } : {}),
      ...(hours.do ? { vremeDo: hours.do } : {}),
    });
  }

  const { data } = criteria;
  const message = (field: Fault['field']) => (fault?.field === field ? fault.message : null);
  return (
    <Page title={text.title}>
      <Panel>
        {criteria.error && !data && <LoadFailed title={text.criteriaFailed} error={criteria.error} retry={() => void criteria.mutate()} />}
        <SearchForm fault={fault} onSearch={search}>
          <PeriodFields {...{ from, until, setFrom, setUntil, message }} />
          <Hour label={text.hourFrom} value={hours.od} onChange={(od) => setHours({ ...hours, od })} error={message('vremeOd')} />
          <Hour
            label={text.hourUntil}
            value={hours.do}
            onChange={(until) => setHours({ ...hours, do: until })}
            error={message('vremeDo')}
          />
          {opensPatients(pacijenti) && <PatientPicker value={patient} onChange={setPatient} />}
          <SeveralFound<Schema<'LogSearchData'>>
            label={text.workers}
            all={text.all}
            path="/api/log/search-data"
            read={({ radnici, radnikaUkupno }) => ({ choices: radnici, total: radnikaUkupno })}
            value={radnici}
            onChange={setRadnici}
          />
          <Several
            label={text.classes}
            all={text.allFeminine}
            options={(data?.klase ?? []).map(ofClass)}
            value={klase}
            onChange={setKlase}
          />
          <Several
            label={text.deeds}
            all={text.allFeminine}
            options={(data?.akcije ?? []).map(ofDeed)}
            value={akcije}
            onChange={setAkcije}
          />
        </SearchForm>
      </Panel>
      <SearchOutcome asked={asked} icon="pi-search" start={text.start}>
        {(query) => <Results query={query} classes={(data?.klase ?? []).map(ofClass)} deeds={(data?.akcije ?? []).map(ofDeed)} />}
      </SearchOutcome>
    </Page>
  );
}

interface HourProps {
  label: string;
  value: string | null;
  onChange: (time: string | null) => void;
  error: string | null;
}

function Hour({ label, value, onChange, error }: HourProps) {
  return (
    <Field label={label} error={error}>
      {({ id, invalid, 'aria-describedby': note }) => (
        <TimeInput id={id} invalid={invalid} aria-describedby={note} value={value} onChange={onChange} />
      )}
    </Field>
  );
}

interface ResultsProps {
  query: Record<string, string>;
  classes: readonly Choice<string>[];
  deeds: readonly Choice<string>[];
}

/** The filters of two columns are criteria of the call, which take several values; the others are its own. */
function narrowed(query: Record<string, string>, { klasaNaziv, akcija, ...filters }: AskedPage['filters']): Record<string, string> {
  const own = Object.entries(filterQuery(filters)).filter(([, wanted]) => wanted !== '');
  return {
    ...query,
    ...(klasaNaziv ? { klaseArray: klasaNaziv } : {}),
    ...(akcija ? { akcijeArray: akcija } : {}),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}

/** Of the choices those that the search has asked for; where it asked for none, all. */
const among = (choices: readonly Choice<string>[], asked: string | undefined) =>
  asked ? choices.filter(({ value }) => asked.split(',').includes(value)) : choices;

/** The rows that have come so far, in the order of a column. */
function inOrder(rows: Shown[], sort: Sort | null): Shown[] {
  if (!sort) return rows;
  const value = (row: Shown) => {
    const cell = row[sort.field as keyof Shown];
    return typeof cell === 'string' ? cell : '';
  };
  return rows.toSorted((one, other) => sort.order * value(one).localeCompare(value(other), 'sr-Latn'));
}

function Results({ query, classes, deeds }: ResultsProps) {
  const { asked, ask, filters } = useAsked(tableDefaults.rows);
  const { rows: found, error, again, ...pages } = usePages(at('/api/log', narrowed(query, filters)));
  const [open, setOpen] = useState<Shown | null>(null);
  if (error) {
    return (
      <Panel>
        <LoadFailed title={text.failed} error={error} retry={again} />
      </Panel>
    );
  }
  const rows = (found ?? []).map((row, id): Shown => ({
    ...row,
    id,
    radnik: row.radnik ?? text.nobody,
    klasaNaziv: className(row.klasa),
    akcija: deedName(row.akcija),
    // What a row is about: its record, and whoever may be named.
    zapis: [row.zapis, ...row.pacijenti.map(({ imePrezime }) => imePrezime)].filter((name) => name !== null).join(', '),
    mesto: [row.adresa, row.ustanova].filter((place) => place !== null).join(', '),
  }));
  return (
    <Panel title={text.results} flush>
      {asked.sort && pages.more && <Message severity="info" text={t.table.loadedOnly(rows.length)} className={style.loaded} />}
      <CrudTable
        resource="log"
        title={text.results}
        columns={[
          'radnik',
          { field: 'klasaNaziv', filter: among(classes, query.klaseArray) },
          {
            field: 'akcija',
            filter: among(deeds, query.akcijeArray),
            body: ({ akcija }) =>
              akcija === text.dangerous ? <Tag severity="danger" icon="pi pi-exclamation-triangle" value={akcija} /> : akcija,
          },
          {
            field: 'vremePristupa',
            body: ({ vremePristupa }) => <span className={style.date}>{formatDateTime(vremePristupa)}</span>,
            filter: false,
          },
          {
            field: 'zapis',
            body: (row) => (
              <>
                {row.pacijenti.length === 0 && row.zapis}
                {row.brojPacijenata > 0 && <LookedAt {...row} />}
              </>
            ),
            filter: false,
          },
          'opis',
          'mesto',
        ]}
        listing={{
          rows: inOrder(rows, asked.sort).slice(asked.first, asked.first + asked.rows),
          total: rows.length,
          asked,
          ask,
          isLoading: pages.isLoading,
        }}
        selected={open}
        onSelect={(row) => row && setOpen(row)}
        onOpen={setOpen}
      />
      <OlderRows {...pages} />
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
      <p className={style.lead}>{[row.radnik, formatDateTime(row.vremePristupa), row.mesto].filter(Boolean).join(', ')}</p>
      {row.brojPacijenata > 0 && (
        <p className={style.lead}>
          {text.patients}: <LookedAt {...row} all />
        </p>
      )}
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
