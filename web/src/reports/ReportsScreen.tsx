// Reports (A 2.12): the category tree, and beside it the chosen report's parameters, runs, schedules and calendar.
import { TabPanel, TabView } from 'primereact/tabview';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useStillHere } from '../ui/useStillHere';
import { useReportEvents } from './events';
import { ParametersTab } from './ParametersTab';
import { ReportTree } from './ReportTree';
import style from './reports.module.css';
import type { RequestDraft } from './request';
import { RunList } from './RunList';
import { ScheduleList } from './ScheduleList';
import type { Schedule } from './types';

const ReportCalendar = lazy(() => import('./ReportCalendar'));

const TABS = ['parametri', 'generisani', 'zakazani', 'kalendar'] as const;
type Tab = (typeof TABS)[number];

const isTab = (text: string | null): text is Tab => TABS.some((tab) => tab === text);

export default function ReportsScreen() {
  const [search, setSearch] = useSearchParams();
  const report = Number(search.get('izvestaj')) || null;
  const asked = search.get('prikaz');
  const tab: Tab = isTab(asked) ? asked : report ? 'parametri' : 'generisani';
  const [editing, setEditing] = useState<Schedule | null>(null);
  const { pollEvery, offline } = useReportEvents();
  const [drafts] = useState(() => new Map<string, RequestDraft>());

  const go = (izvestaj: number | null, prikaz: Tab) => {
    setSearch(izvestaj ? { izvestaj: String(izvestaj), prikaz } : { prikaz });
  };
  const choose = (izvestaj: number | null) => {
    setEditing(null);
    go(izvestaj, izvestaj ? 'parametri' : 'generisani');
  };
  const edit = (schedule: Schedule) => {
    setEditing(schedule);
    go(schedule.izvestajID, 'parametri');
  };

  // Older e-mails name the run so.
  const linked = search.get('run');
  if (linked) return <Navigate to={`/izvestaji/${linked}`} replace />;
  return (
    <Page
      title={t.reports.title}
      lead={<Lead offline={offline} />}
      actions={
        <>
          <Link to="/tabla">{t.board.title}</Link>
          <Link to="/analiza">{t.menu.analyses}</Link>
        </>
      }
    >
      <div className={style.layout}>
        <ReportTree chosen={report} choose={choose} />
        <Chosen
          key={report ?? 'all'}
          report={report}
          tab={tab}
          show={(next) => go(report, next)}
          editing={editing}
          drafts={drafts}
          stopEditing={() => setEditing((now) => (now === editing ? null : now))}
          edit={edit}
          open={go}
          pollEvery={pollEvery}
        />
      </div>
    </Page>
  );
}

/** What the screen is for, or that it is not told of changes: both have their place, so that nothing moves when the one becomes the other. */
function Lead({ offline }: { offline: boolean }) {
  return (
    <span className={style.lead}>
      <span data-shown={!offline}>{t.reports.lead}</span>
      <span role="status">
        <span className={style.offline} data-shown={offline}>
          <i className="pi pi-exclamation-triangle" aria-hidden /> {t.reports.offline}
        </span>
      </span>
    </span>
  );
}

interface ChosenProps {
  report: number | null;
  tab: Tab;
  show: (tab: Tab) => void;
  editing: Schedule | null;
  drafts: Map<string, RequestDraft>;
  stopEditing: () => void;
  edit: (schedule: Schedule) => void;
  open: (report: number, tab: Tab) => void;
  pollEvery: number;
}

function Chosen({ report, tab, show, editing, drafts, stopEditing, edit, open, pollEvery }: ChosenProps) {
  const { data: form, error, mutate } = useApi(report ? at('/api/reports/{id}/parameters', { id: report }) : null);
  const tabs = report ? TABS : TABS.slice(1);
  const stillHere = useStillHere();

  if (report && error && !form) {
    return (
      <Panel>
        <LoadFailed title={t.reports.parametersFailed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  // TabView counts what is null among its children as a tab, so the list holds only what is there.
  const panels = [
    <TabPanel key="generisani" header={t.reports.tabGenerated}>
      <RunList report={report} pollEvery={pollEvery} shown={tab === 'generisani'} />
    </TabPanel>,
    <TabPanel key="zakazani" header={t.reports.tabScheduled}>
      <ScheduleList report={report} pollEvery={pollEvery} edit={edit} />
    </TabPanel>,
    <TabPanel key="kalendar" header={t.reports.tabCalendar}>
      {tab === 'kalendar' && (
        <Suspense fallback={<Loading lines={8} />}>
          <ReportCalendar report={report} open={open} />
        </Suspense>
      )}
    </TabPanel>,
  ];
  if (report) {
    panels.unshift(
      <TabPanel key="parametri" header={t.reports.tabParameters}>
        {form ? (
          <ParametersTab
            key={editing?.zakazivanjeID ?? 'new'}
            form={form}
            editing={editing}
            drafts={drafts}
            stopEditing={stopEditing}
            done={(scheduled) => {
              stopEditing();
              if (stillHere()) show(scheduled ? 'zakazani' : 'generisani');
            }}
          />
        ) : (
          <Loading />
        )}
      </TabPanel>,
    );
  }
  return (
    <Panel title={report ? (form?.izvestaj.naziv ?? '…') : t.reports.mine} flush>
      {form?.izvestaj.opis && <p className={style.description}>{form.izvestaj.opis}</p>}
      {/* Every tab stays mounted: what was typed on one must not be lost by a look at another. */}
      <TabView
        activeIndex={Math.max(0, tabs.indexOf(tab))}
        onTabChange={({ index }) => show(tabs[index] ?? 'generisani')}
        renderActiveOnly={false}
        scrollable
        className={style.tabs}
      >
        {panels}
      </TabView>
    </Panel>
  );
}
