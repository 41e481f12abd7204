// Generated reports: what runs now with its progress, what is done with its files, what failed and why.
import { Button } from 'primereact/button';
import { Paginator } from 'primereact/paginator';
import { ProgressBar } from 'primereact/progressbar';
import { Tag } from 'primereact/tag';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import type { Page } from '../api/types';
import { formatBytes, formatDate, formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { NamedValues } from './NamedValues';
import style from './reports.module.css';
import type { Delivery, Run, RunStatus } from './types';

interface Props {
  report: number | null;
  pollEvery: number;
  /** The run that a link pointed at. */
  highlighted: string | null;
}

const PAGE_SIZE = 10;
const isOpen = ({ status }: Run) => status === 'queued' || status === 'running';

const SEVERITY: Record<RunStatus, 'info' | 'success' | 'danger' | 'warning' | 'secondary'> = {
  queued: 'secondary',
  running: 'info',
  succeeded: 'success',
  failed: 'danger',
  cancelled: 'secondary',
  skipped_overlap: 'warning',
  skipped_unauthorised: 'danger',
  missed: 'warning',
};

export function RunList({ report, pollEvery, highlighted }: Props) {
  const [page, setPage] = useState(0);
  const { data, error, mutate } = useApi<Page<Run>>(
    '/api/report-runs',
    { izvestaj: report, page, size: PAGE_SIZE },
    { keepPreviousData: true, refreshInterval: pollEvery },
  );
  const linked = useApi<Run>(highlighted && `/api/report-runs/${highlighted}`);

  if (error && !data) return <LoadFailed title={t.reports.runsFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={6} />;
  // A link may point at a run that is not on this page.
  const runs = linked.data && !data.data.some(({ giID }) => giID === linked.data?.giID) ? [linked.data, ...data.data] : data.data;
  if (runs.length === 0) return <EmptyState icon="pi-file" title={t.reports.runsEmpty} help={report === null ? t.reports.runsEmptyHelpAll : t.reports.runsEmptyHelp} />;
  return (
    <>
      <ul className={style.cards}>
        {runs.map((run) => (
          <RunCard key={run.giID} run={run} named={report === null} highlighted={run.giID === highlighted} reload={() => void mutate()} />
        ))}
      </ul>
      {data.total > PAGE_SIZE && (
        <Paginator first={page * PAGE_SIZE} rows={PAGE_SIZE} totalRecords={data.total} onPageChange={({ page: next }) => setPage(next)} />
      )}
    </>
  );
}

interface CardProps {
  run: Run;
  named: boolean;
  highlighted: boolean;
  reload: () => void;
}

function RunCard({ run, named, highlighted, reload }: CardProps) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (highlighted) card.current?.scrollIntoView({ block: 'center' });
  }, [highlighted]);
  return (
    <li ref={card} className={highlighted ? style.highlighted : undefined} aria-label={`${run.naziv}, ${formatDateTime(run.vremeGenerisanja)}`}>
      <article className={style.card}>
        <div className={style.cardHead}>
          <div>
            {named && <h3>{run.naziv}</h3>}
            <p className={style.when}>
              {formatDateTime(run.vremeGenerisanja)}
              {run.zakazivanjeID !== null && <span className={style.muted}> · {t.reports.fromSchedule}</span>}
            </p>
          </div>
          <Tag severity={SEVERITY[run.status]} value={t.reports.status[run.status]} role="status" />
        </div>
        <NamedValues values={run.parametri} />
        {isOpen(run) && <Progress run={run} />}
        {run.greska && (
          <p className={style.failure} role="alert">
            {run.greska.tekst}
          </p>
        )}
        {run.skraceno && <p className={style.cut}>{t.reports.truncated}</p>}
        <Deliveries deliveries={run.isporuke} />
        <Actions run={run} reload={reload} />
      </article>
    </li>
  );
}

function Progress({ run }: { run: Run }) {
  const parts = [run.faza && t.reports.stage[run.faza], run.redova ? t.reports.rows(run.redova, formatNumber(run.redova)) : null].filter(Boolean);
  return (
    <div className={style.progress}>
      <ProgressBar mode="indeterminate" aria-label={t.reports.status[run.status]} />
      <small className={style.muted}>{run.otkazivanje ? t.reports.cancelling : parts.join(' · ')}</small>
    </div>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return null;
  const sent = deliveries.filter(({ status }) => status === 'sent').length;
  const failed = deliveries.some(({ status }) => status === 'failed');
  return (
    <details className={style.deliveries} open={failed}>
      <summary>
        {t.reports.deliveries}: {sent}/{deliveries.length}
      </summary>
      <ul>
        {deliveries.map(({ adresa, status, poruka, vreme }) => (
          <li key={adresa}>
            <span>{adresa}</span>
            <span className={status === 'failed' ? style.error : style.muted}>
              {t.reports.delivery[status]}
              {vreme && ` ${formatDateTime(vreme)}`}
              {poruka && ` – ${poruka}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Actions({ run, reload }: { run: Run; reload: () => void }) {
  const toast = useToast();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>, failed: string) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast.failure(failed, error);
    } finally {
      setBusy(false);
      reload();
    }
  };
  const remove = async () => {
    if (!(await confirm({ message: t.reports.removeRun, accept: t.reports.remove, danger: true }))) return;
    await act(async () => {
      await api.delete(`/api/report-runs/${run.giID}`);
      toast.success(t.reports.removedRun);
    }, t.reports.removeRunFailed);
  };
  return (
    <div className={style.actions}>
      {isOpen(run) ? (
        <Button
          label={run.otkazivanje ? t.reports.cancelling : t.reports.cancel}
          icon="pi pi-times"
          severity="secondary"
          outlined
          disabled={busy || run.otkazivanje}
          onClick={() => void act(() => api.post(`/api/report-runs/${run.giID}/cancel`), t.reports.cancelFailed)}
        />
      ) : (
        <>
          {run.formats.map(({ nazivKratki, bytes }) => (
            <Button
              key={nazivKratki}
              icon="pi pi-download"
              outlined
              disabled={busy}
              onClick={() => void act(() => api.download(`/api/report-runs/${run.giID}/download?format=${nazivKratki}`), t.reports.downloadFailed)}
            >
              <span className="sr-only">{t.reports.download}</span> <span className={style.format}>{nazivKratki}</span> <small>{formatBytes(bytes)}</small>
            </Button>
          ))}
          {run.redova !== null && run.status === 'succeeded' && (
            <small className={style.muted}>
              {t.reports.rows(run.redova, formatNumber(run.redova))}
              {run.istice && ` · ${t.reports.expires(formatDate(run.istice))}`}
            </small>
          )}
          <Button icon="pi pi-trash" label={t.reports.remove} severity="danger" text className={style.last} disabled={busy} onClick={() => void remove()} />
        </>
      )}
    </div>
  );
}
