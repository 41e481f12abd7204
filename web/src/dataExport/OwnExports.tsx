// The worker's own exports: how far each is, its file, and getting rid of it.
import { Button } from 'primereact/button';
import { Paginator } from 'primereact/paginator';
import { ProgressBar } from 'primereact/progressbar';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { formatBytes, formatDate, formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { useReportEvents } from '../reports/events';
import { useConfirm } from '../ui/confirm';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useDeed } from '../ui/useDeed';
import style from './dataExport.module.css';

const text = t.dataExport;
const PAGE_SIZE = 10;

const isOpen = ({ status }: Reply<'DataExportRow'>) => status === 'queued' || status === 'running';
const nameOf = ({ registar, obrazac }: Reply<'DataExportRow'>) => `${registar}, ${obrazac ?? text.registerPatients}`;

function tagOf(row: Reply<'DataExportRow'>) {
  switch (row.status) {
    case 'succeeded':
      return row.spreman
        ? ({ severity: 'success', value: text.status.succeeded } as const)
        : ({ severity: 'secondary', value: text.expired } as const);
    case 'running':
      return { severity: 'info', value: text.status.running } as const;
    case 'failed':
      return { severity: 'danger', value: text.status.failed } as const;
    default:
      return { severity: 'secondary', value: text.status[row.status] } as const;
  }
}

export function OwnExports() {
  const [page, setPage] = useState(0);
  const { pollEvery } = useReportEvents();
  const { data, error, mutate } = useApi(at('/api/data-exports', { page, size: PAGE_SIZE }), {
    keepPreviousData: true,
    refreshInterval: pollEvery,
  });
  if (!data) return error ? <LoadFailed title={text.listFailed} error={error} retry={() => void mutate()} /> : <Loading lines={4} />;
  if (data.data.length === 0) return <EmptyState icon="pi-download" title={text.none} help={text.noneHelp} />;
  return (
    <>
      <ul className={style.cards}>
        {data.data.map((row) => (
          <Card key={row.id} row={row} reload={() => void mutate()} />
        ))}
      </ul>
      {data.total > PAGE_SIZE && (
        <Paginator first={page * PAGE_SIZE} rows={PAGE_SIZE} totalRecords={data.total} onPageChange={({ page: next }) => setPage(next)} />
      )}
    </>
  );
}

function Card({ row, reload }: { row: Reply<'DataExportRow'>; reload: () => void }) {
  const name = nameOf(row);
  return (
    <li aria-label={`${name}, ${formatDateTime(row.zatrazen)}`}>
      <div className={style.head}>
        <h3>{name}</h3>
        <Tag {...tagOf(row)} role="status" />
      </div>
      <div className={style.meta}>
        <span>{formatDateTime(row.zatrazen)}</span>
        <span>{text.profile[row.profil].toLowerCase()}</span>
        <span>{text.rows(formatNumber(row.redova), formatNumber(row.pacijenata))}</span>
        {(row.od ?? row.do) !== null && (
          <span>{text.period(row.od ? formatDate(row.od) : text.open, row.do ? formatDate(row.do) : text.open)}</span>
        )}
        {row.stanja !== 'svi' && <span>{text.states[row.stanja].toLowerCase()}</span>}
        {row.pretraga && <span>{text.fromSearch}</span>}
        <span>{row.ustanove.join(', ')}</span>
        {row.spreman && row.istice && <span>{text.until(formatDate(row.istice))}</span>}
      </div>
      <p className={style.said}>
        {text.reason}: {row.razlog}
      </p>
      {isOpen(row) && <Progress row={row} />}
      {row.greska && (
        <p className={style.failure} role="alert">
          {row.greska}
        </p>
      )}
      <Actions row={row} reload={reload} />
    </li>
  );
}

function Progress({ row }: { row: Reply<'DataExportRow'> }) {
  const done = row.uradjeno ?? 0;
  const share = row.redova > 0 ? Math.min(100, Math.round((100 * done) / row.redova)) : 0;
  return (
    <div className={style.progress}>
      <ProgressBar
        {...(done > 0 ? { value: share, showValue: false } : { mode: 'indeterminate' as const })}
        aria-label={text.status[row.status]}
      />
      <small className={style.meta}>
        {row.otkazivanje
          ? text.cancelling
          : done > 0
            ? text.progress(formatNumber(done), formatNumber(row.redova))
            : text.status[row.status]}
      </small>
    </div>
  );
}

function Actions({ row, reload }: { row: Reply<'DataExportRow'>; reload: () => void }) {
  const toast = useToast();
  const confirm = useConfirm();
  const deed = useDeed(reload);
  const act: typeof deed.act = (work, failed) => {
    toast.clear();
    return deed.act(work, failed);
  };
  const remove = async () => {
    if (!(await confirm({ message: text.removeQuestion, accept: text.remove, danger: true }))) return;
    await act(async () => {
      await api.delete(at('/api/data-exports/{id}', { id: row.id }));
      toast.success(text.removed);
    }, text.removeFailed);
  };
  if (isOpen(row))
    return (
      <div className={style.actions}>
        <Button
          label={row.otkazivanje ? text.cancelling : text.cancel}
          icon="pi pi-times"
          severity="secondary"
          outlined
          disabled={deed.busy || row.otkazivanje}
          onClick={() => void act(() => api.post(at('/api/data-exports/{id}/cancel', { id: row.id })), text.cancelFailed)}
        />
      </div>
    );
  return (
    <div className={style.actions}>
      {row.spreman && (
        <Button
          icon="pi pi-download"
          disabled={deed.busy}
          onClick={() => void act(() => api.download(at('/api/data-exports/{id}/file', { id: row.id })), text.downloadFailed)}
        >
          <span className={style.download}>
            {text.download} <small>{row.bajtova !== null && formatBytes(row.bajtova)}</small>
          </span>
        </Button>
      )}
      <Button label={text.remove} icon="pi pi-trash" severity="danger" text disabled={deed.busy} onClick={() => void remove()} />
    </div>
  );
}
