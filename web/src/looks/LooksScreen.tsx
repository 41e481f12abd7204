// "Evidencija uvida": all looks at a patient, all looks of a worker, and unusual volumes; for the officer of data protection.
import { Dropdown } from 'primereact/dropdown';
import { TabPanel, TabView } from 'primereact/tabview';
import { useState, type ReactNode } from 'react';
import { periodFault, type PeriodFault } from '../ui/period';
import { PeriodFields } from '../ui/PeriodFields';
import type { Reply, Schema } from '../schema';
import type { ListPage, UnusualDay } from '../api/types';
import { toServerDate } from '../format';
import { t } from '../messages';
import { Combobox } from '../ui/Combobox';
import { Field } from '../ui/Field';
import { foundProps, useFound, type FoundChoice } from '../ui/found';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { SearchForm } from '../ui/SearchForm';
import { SearchOutcome, useSearchTurns } from '../ui/SearchOutcome';
import { useToast } from '../ui/toast';
import { LookTable } from './LookTable';
import style from './looks.module.css';
import { PatientPicker } from './PatientPicker';
import { Unusual } from './Unusual';

const text = t.looks;
const WAYS = Object.entries(text.ways).map(([value, label]) => ({ value, label }));

interface Fault {
  field: PeriodFault['field'] | 'pacijentID' | 'radnikID';
  message: string;
}

function daysAgo(days: number): string | null {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return toServerDate(day);
}

export default function LooksScreen() {
  const [tab, setTab] = useState(0);
  /** A day of a worker that was chosen among the unusual ones. */
  const [day, setDay] = useState<UnusualDay | null>(null);
  return (
    <Page title={text.title}>
      <p className={style.lead}>{text.lead}</p>
      <TabView className={style.tabs} activeIndex={tab} onTabChange={({ index }) => setTab(index)} renderActiveOnly={false}>
        <TabPanel header={text.byPatient}>
          <ByPatient />
        </TabPanel>
        <TabPanel header={text.byWorker}>
          <ByWorker key={day ? `${String(day.radnikID)} ${day.dan}` : ''} day={day} />
        </TabPanel>
        <TabPanel header={text.unusual}>
          <UnusualDays
            onShow={(chosen) => {
              setDay(chosen);
              setTab(1);
            }}
          />
        </TabPanel>
      </TabView>
    </Page>
  );
}

interface Period {
  from: string | null;
  until: string | null;
}

/** A form with a period, whose faults are told at the field. */
function Criteria({
  start,
  check,
  children,
  fault,
  setFault,
  onAsk,
}: {
  start: Period;
  check: () => Fault | null;
  children?: ReactNode;
  fault: Fault | null;
  setFault: (fault: Fault | null) => void;
  onAsk: (period: Record<string, string>) => void;
}) {
  const [{ from, until }, setPeriod] = useState(start);
  const toast = useToast();

  function search() {
    const found = check() ?? periodFault(from, until);
    setFault(found);
    if (found) return toast.error(text.failed, found.message);
    onAsk({ datumOd: from ?? '', ...(until ? { datumDo: until } : {}) });
  }

  return (
    <Panel>
      <SearchForm fault={fault} onSearch={search}>
        {children}
        <PeriodFields
          from={from}
          until={until}
          setFrom={(day) => setPeriod({ from: day, until })}
          setUntil={(day) => setPeriod({ from, until: day })}
          message={(field) => (fault?.field === field ? fault.message : null)}
        />
      </SearchForm>
    </Panel>
  );
}

function Way({ value, onChange }: { value: string | null; onChange: (way: string | null) => void }) {
  return (
    <Field label={text.way}>
      {({ id }) => (
        <Dropdown
          inputId={id}
          value={value}
          options={WAYS}
          onChange={(e) => onChange(e.value as string | null)}
          placeholder={text.allWays}
          showClear
        />
      )}
    </Field>
  );
}

const month = (): Period => ({ from: daysAgo(30), until: null });

function ByPatient() {
  const [patient, setPatient] = useState<Reply<'PatientOption'> | null>(null);
  const [way, setWay] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const { asked, ask } = useSearchTurns();
  return (
    <>
      <Criteria
        start={month()}
        fault={fault}
        setFault={setFault}
        check={() => (patient ? null : { field: 'pacijentID', message: text.missingPatient })}
        onAsk={(period) => patient && ask({ ...period, pacijentID: String(patient.id), ...(way ? { nacin: way } : {}) })}
      >
        <PatientPicker value={patient} onChange={setPatient} required error={fault?.field === 'pacijentID' ? fault.message : null} />
        <Way value={way} onChange={setWay} />
      </Criteria>
      <SearchOutcome asked={asked} icon="pi-eye" start={text.startPatient}>
        {(query) => <LookTable query={query} />}
      </SearchOutcome>
    </>
  );
}

function ByWorker({ day }: { day: UnusualDay | null }) {
  const [worker, setWorker] = useState<FoundChoice | null>(day && { value: day.radnikID, label: day.radnik });
  const [way, setWay] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const { asked, ask } = useSearchTurns();
  const workers = useFound<ListPage<Schema<'WorkerOption'>>>({
    path: '/api/looks/workers',
    read: ({ data, total }) => ({ choices: data, total }),
  });
  const { options } = foundProps(workers, worker ? [worker] : []);
  const ofDay = day && { turn: 0, query: { radnikID: String(day.radnikID), datumOd: day.dan, datumDo: day.dan } };
  return (
    <>
      <Criteria
        start={day ? { from: day.dan, until: day.dan } : month()}
        fault={fault}
        setFault={setFault}
        check={() => (worker === null ? { field: 'radnikID', message: text.missingWorker } : null)}
        onAsk={(period) => ask({ ...period, radnikID: String(worker?.value), ...(way ? { nacin: way } : {}) })}
      >
        <Field label={text.worker} required error={fault?.field === 'radnikID' ? fault.message : null}>
          {({ id, invalid, 'aria-describedby': note }) => (
            <Combobox
              id={id}
              value={worker?.value ?? null}
              options={options}
              onTyped={workers.type}
              note={workers.note}
              onChange={(value) => setWorker(options.find((one) => one.value === value) ?? null)}
              placeholder={t.common.choose}
              emptyMessage={text.noWorkers}
              invalid={invalid}
              aria-describedby={note}
            />
          )}
        </Field>
        <Way value={way} onChange={setWay} />
      </Criteria>
      <SearchOutcome asked={asked ?? ofDay} icon="pi-eye" start={text.startWorker}>
        {(query) => <LookTable query={query} />}
      </SearchOutcome>
    </>
  );
}

function UnusualDays({ onShow }: { onShow: (day: UnusualDay) => void }) {
  const [fault, setFault] = useState<Fault | null>(null);
  const { asked, ask } = useSearchTurns();
  return (
    <>
      <Criteria
        start={{ from: daysAgo(7), until: toServerDate(new Date()) }}
        fault={fault}
        setFault={setFault}
        check={() => null}
        onAsk={ask}
      />
      <SearchOutcome asked={asked} icon="pi-chart-line" start={text.startUnusual}>
        {(query) => <Unusual query={query} onShow={onShow} />}
      </SearchOutcome>
    </>
  );
}
