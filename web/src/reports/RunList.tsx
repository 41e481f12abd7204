// Generated reports of the worker, newest first, a page at a time.
import { Paginator } from 'primereact/paginator';
import { useState } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useSeen } from './attention';
import style from './reports.module.css';
import { RunCard } from './RunCard';
import { asRuns } from './types';

interface Props {
  report: number | null;
  pollEvery: number;
  /** Its tab is the one that is looked at. */
  shown: boolean;
}

const PAGE_SIZE = 10;
export function RunList({ report, pollEvery, shown }: Props) {
  useSeen(shown);
  const [page, setPage] = useState(0);
  const { data, error, mutate } = useApi(at('/api/report-runs', { izvestaj: report, page, size: PAGE_SIZE }), {
    keepPreviousData: true,
    refreshInterval: pollEvery,
  });

  if (error && !data) return <LoadFailed title={t.reports.runsFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={6} />;
  if (data.data.length === 0)
    return (
      <EmptyState
        icon="pi-file"
        title={t.reports.runsEmpty}
        help={report === null ? t.reports.runsEmptyHelpAll : t.reports.runsEmptyHelp}
      />
    );
  return (
    <>
      <ul className={style.cards}>
        {asRuns(data.data).map((run) => (
          <RunCard key={run.giID} run={run} named={report === null} reload={() => void mutate()} ordered={() => setPage(0)} />
        ))}
      </ul>
      {data.total > PAGE_SIZE && (
        <Paginator first={page * PAGE_SIZE} rows={PAGE_SIZE} totalRecords={data.total} onPageChange={({ page: next }) => setPage(next)} />
      )}
    </>
  );
}
