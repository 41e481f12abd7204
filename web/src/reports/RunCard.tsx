// One generated report: its progress while it runs, its files when it is done, why it failed.
import { Button } from 'primereact/button';
import { ProgressBar } from 'primereact/progressbar';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import { api } from '../api/client';
import { newKey } from '../api/key';
import { formatBytes, formatDate, formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { openTab, showPdf } from '../ui/pdfTab';
import { useToast } from '../ui/toast';
import { useDeed } from '../ui/useDeed';
import { NamedValues } from './NamedValues';
import { QueryFault } from './QueryFault';
import { RemoveButton } from './RemoveButton';
import style from './reports.module.css';
import { RunRecipients } from './RunRecipients';
import type { Delivery, Run, RunStatus } from './types';

const PDF = 'PDF';
const downloadPath = ({ giID }: Run, format: string) => at('/api/report-runs/{id}/download', { id: giID, format });
const isOpen = ({ status }: Run) => status === 'queued' || status === 'running';

const SEVERITY: Record<RunStatus, 'info' | 'success' | 'danger' | 'warning' | 'secondary'> = {
  queued: 'secondary',
  running: 'info',
  succeeded: 'success',
  failed: 'danger',
  cancelled: 'secondary',
  skipped_overlap: 'warning',
  skipped_unauthorised: 'danger',
  skipped_paused: 'danger',
  skipped_ended: 'danger',
  missed: 'warning',
};

/** When its schedule was to make it, by the clock of the zone of then. */
const dueOf = ({ zakazanoZa }: Run) =>
  zakazanoZa ? t.reports.dueAt(formatDateTime(zakazanoZa.vreme), zakazanoZa.zona) : t.reports.fromSchedule;

interface CardProps {
  run: Run;
  named: boolean;
  reload: () => void;
  /** It was ordered again: the new run. */
  ordered: (run: string) => void;
}

export function RunCard({ run, named, reload, ordered }: CardProps) {
  return (
    <li aria-label={`${run.naziv}, ${formatDateTime(run.vremeGenerisanja)}`}>
      <article className={style.card}>
        <div className={style.cardHead}>
          <div>
            {named && <h3>{run.naziv}</h3>}
            <p className={style.when}>
              {formatDateTime(run.vremeGenerisanja)}
              {run.zakazivanjeID !== null && <span className={style.muted}> · {dueOf(run)}</span>}
            </p>
            <p className={style.muted}>
              {run.ustanova}
              {!run.moj && ` · ${t.reports.askedBy(run.trazio)}`}
              {typeof run.verzija === 'number' && ` · ${t.reports.madeFrom(run.verzija)}`}
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
        <QueryFault fault={run.greska?.upit ?? undefined} report={run.izvestajID} />
        {run.nedostupno && <p className={style.cut}>{run.nedostupno}</p>}
        {run.skraceno && <p className={style.cut}>{t.reports.truncated}</p>}
        {run.napomene.map((note) => (
          <p key={note} className={style.muted}>
            {note}
          </p>
        ))}
        <RunRecipients run={run} reload={reload} />
        <Deliveries deliveries={run.isporuke.filter(({ adresa }) => run.primaoci.every((reader) => reader.adresa !== adresa))} />
        {run.preuzimanja.length > 0 && (
          <p className={style.recipients}>
            {t.reports.takenBy}: {run.preuzimanja.map(({ radnik, vreme }) => `${radnik} (${formatDateTime(vreme)})`).join(', ')}
          </p>
        )}
        <Actions run={run} reload={reload} ordered={ordered} />
      </article>
    </li>
  );
}

function Progress({ run }: { run: Run }) {
  const parts = [run.faza && t.reports.stage[run.faza], run.redova ? t.reports.rows(run.redova, formatNumber(run.redova)) : null].filter(
    Boolean,
  );
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

/** To the report on the screen, as soon as there is something of it. */
function ReadLink({ run }: { run: Run }) {
  return (
    <Link to={`/izvestaji/${run.giID}/prikaz`} className={`p-button p-component ${style.read ?? ''}`}>
      <span className="pi pi-desktop" aria-hidden /> {t.reports.read}
    </Link>
  );
}

function Actions({ run, reload, ordered }: Omit<CardProps, 'named'>) {
  const toast = useToast();
  const confirm = useConfirm();
  const { busy, act } = useDeed(reload);
  const [key, setKey] = useState(newKey);
  const remove = async () => {
    if (!(await confirm({ message: t.reports.removeRun, accept: t.reports.remove, danger: true }))) return;
    await act(async () => {
      await api.delete(at('/api/report-runs/{id}', { id: run.giID }));
      toast.success(t.reports.removedRun);
    }, t.reports.removeRunFailed);
  };
  const order = (posalji: boolean) =>
    act(async () => {
      const made = await api.post(at('/api/report-runs/{id}/again', { id: run.giID }), { posalji, kljuc: key });
      setKey(newKey());
      toast.success(t.reports.accepted);
      if (made.izvestajID) ordered(made.izvestajID);
    }, t.reports.againFailed);
  const again = async () => {
    if (run.emails.length === 0) return order(false);
    const question = {
      title: t.reports.again,
      message: t.reports.againQuestion(run.emails.join(', ')),
      accept: t.reports.againAndSend,
      instead: { verb: t.reports.againQuietly, act: () => void order(false) },
    };
    if (await confirm(question)) await order(true);
  };
  const openPdf = () => {
    const tab = openTab(t.reports.openingPdf);
    void act(async () => {
      try {
        showPdf(tab, await api.file(downloadPath(run, PDF)));
      } catch (error) {
        tab?.close();
        throw error;
      }
    }, t.reports.downloadFailed);
  };
  return (
    <div className={style.actions}>
      {isOpen(run) && run.ekran && <ReadLink run={run} />}
      {isOpen(run) ? (
        <Button
          label={run.otkazivanje ? t.reports.cancelling : t.reports.cancel}
          icon="pi pi-times"
          severity="secondary"
          outlined
          disabled={busy || run.otkazivanje}
          onClick={() => void act(() => api.post(at('/api/report-runs/{id}/cancel', { id: run.giID })), t.reports.cancelFailed)}
        />
      ) : (
        <>
          {run.ekran && <ReadLink run={run} />}
          {run.formats.some(({ nazivKratki }) => nazivKratki === PDF) && (
            <Button icon="pi pi-external-link" label={t.reports.openPdf} disabled={busy} onClick={openPdf} />
          )}
          {run.formats.map(({ nazivKratki, bytes }) => (
            <Button
              key={nazivKratki}
              icon="pi pi-download"
              outlined
              disabled={busy}
              onClick={() => void act(() => api.download(downloadPath(run, nazivKratki)), t.reports.downloadFailed)}
            >
              <span className="sr-only">{t.reports.download}</span> <span className={style.format}>{nazivKratki}</span>{' '}
              <small>{formatBytes(bytes)}</small>
            </Button>
          ))}
          {run.moj && !run.nedostupno && (
            <Button
              icon="pi pi-replay"
              label={t.reports.again}
              severity="secondary"
              outlined
              disabled={busy}
              onClick={() => void again()}
            />
          )}
          {run.redova !== null && run.status === 'succeeded' && (
            <small className={style.muted}>
              {t.reports.rows(run.redova, formatNumber(run.redova))}
              {run.istice && ` · ${t.reports.expires(formatDate(run.istice))}`}
            </small>
          )}
          {run.moj && <RemoveButton disabled={busy} onClick={() => void remove()} />}
        </>
      )}
    </div>
  );
}
