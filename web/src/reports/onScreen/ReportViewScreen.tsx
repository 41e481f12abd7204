// A generated report, read on the screen: what was asked for, changed in place; its tables and charts; its files beside. While it is being
// made its first rows are here already. Who prints the page prints its PDF.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { ProgressBar } from 'primereact/progressbar';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { at } from '../../api/address';
import { api, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import { formatNumber } from '../../format';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { FoldingPanel } from '../../ui/FoldingPanel';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { openTab, showPdf } from '../../ui/pdfTab';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { useDeed } from '../../ui/useDeed';
import { NamedValues } from '../NamedValues';
import { QueryFault } from '../QueryFault';
import { emptyDraft, typedValues, type RequestDraft } from '../request';
import { addressOf, type SharedReport } from './address';
import { BlockView } from './BlockView';
import style from './onScreen.module.css';
import { ViewParameters } from './ViewParameters';

type Report = Reply<'ScreenReport'>;

const PDF = 'PDF';
/** How often a run under way is looked at: sooner until its first rows are here. It ends within seconds, and no other run is looked at. */
const LOOK_FIRST = 400;
const LOOK_AGAIN = 1_000;

const isOpen = (report: Report | undefined) => report?.status === 'queued' || report?.status === 'running';

export default function ReportViewScreen() {
  const { id = '' } = useParams();
  const { data, error, mutate } = useApi(at('/api/report-runs/{id}/screen', { id }), {
    refreshInterval: (latest) => (isOpen(latest) ? (latest?.sadrzaj ? LOOK_AGAIN : LOOK_FIRST) : 0),
    dedupingInterval: LOOK_FIRST / 2,
    // What is shown of a run that has ended never changes, and each reading of it is in the log.
    revalidateOnFocus: false,
  });
  if (error && !data) {
    const refused = error.status === 403 || error.status === 404 || error.status === 410;
    return (
      <Page title={t.reportView.title}>
        <Panel>
          {refused ? (
            <div role="alert">
              <EmptyState
                icon="pi-lock"
                title={t.reports.linkRefused}
                help={messageOf(error)}
                action={<Link to="/izvestaji">{t.reportView.toReports}</Link>}
              />
            </div>
          ) : (
            <LoadFailed error={error} retry={() => void mutate()} title={t.reportView.failed} />
          )}
        </Panel>
      </Page>
    );
  }
  if (!data)
    return (
      <Page title={t.reportView.title}>
        <Panel>
          <Loading lines={8} />
        </Panel>
      </Page>
    );
  return <View key={id} run={id} report={data} reload={() => void mutate()} />;
}

function View({ run, report, reload }: { run: string; report: Report; reload: () => void }) {
  const { sadrzaj } = report;
  return (
    <Page
      title={sadrzaj?.naslov ?? report.naziv}
      lead={sadrzaj?.podnaslov}
      breadcrumb={[
        { label: t.reports.title, to: '/izvestaji' },
        { label: report.naziv, to: `/izvestaji?izvestaj=${String(report.izvestajID)}&prikaz=generisani` },
        { label: t.reportView.title },
      ]}
      actions={<Actions run={run} report={report} reload={reload} />}
    >
      {report.moj && <Parameters report={report} />}
      <Panel>
        <State report={report} />
        {sadrzaj && (
          <>
            <p className={style.heading}>
              {sadrzaj.ustanova} · {sadrzaj.radnik} · {sadrzaj.generisano}
            </p>
            <NamedValues values={sadrzaj.parametri} />
            {sadrzaj.skraceno && (
              <p className={style.cut} role="status">
                {sadrzaj.skraceno}
              </p>
            )}
            {notesBeside(report, sadrzaj).map((note) => (
              <p key={note} className={style.note}>
                {note}
              </p>
            ))}
            <div className={style.blocks}>
              {sadrzaj.blokovi.map((block, place) => (
                <BlockView key={place} run={run} place={place} block={block} whole={report.potpun} />
              ))}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}

/** Notices of a report stand among its parameters already. */
const notesBeside = ({ napomene }: Report, { parametri }: Reply<'ScreenContents'>) =>
  napomene.filter((note) => !parametri.some(({ naziv, vrednost }) => note === `${naziv}: ${vrednost}.`));

/** How far it is, or why there is nothing to read. */
function State({ report }: { report: Report }) {
  if (isOpen(report)) {
    const rows = report.redova ?? 0;
    return (
      <div className={style.progress}>
        <ProgressBar mode="indeterminate" aria-label={t.reports.status[report.status as 'queued' | 'running']} />
        <p role="status" className={style.muted}>
          {report.sadrzaj ? t.reportView.more : t.reportView.making}
          {rows > 0 && ` · ${t.reports.rows(rows, formatNumber(rows))}`}
        </p>
      </div>
    );
  }
  if (report.status !== 'succeeded')
    return (
      <>
        <p className={style.refusal} role="alert">
          {report.greska ?? t.reportView.notMade}
        </p>
        <QueryFault fault={report.upit ?? undefined} report={report.izvestajID} />
      </>
    );
  return (
    <>
      {report.greska && <p className={style.cut}>{report.greska}</p>}
      {!report.sadrzaj && <EmptyState icon="pi-desktop" title={t.reportView.notOnScreen} help={t.reportView.notOnScreenHelp} />}
    </>
  );
}

function Parameters({ report }: { report: Report }) {
  const { data: form } = useApi(at('/api/reports/{id}/parameters', { id: report.izvestajID }));
  const navigate = useNavigate();
  const isAsked = form !== undefined && (form.parametri.length > 0 || form.izvestaj.traziRegistar);
  // A report that is on offer no more is read as it was made.
  if (!isAsked) return null;
  const begin: RequestDraft = {
    ...emptyDraft(form),
    values: typedValues(form, report.vrednosti),
    register: report.registarID,
  };
  return (
    <FoldingPanel title={t.reportView.parameters} startsClosed>
      <ViewParameters form={form} begin={begin} ordered={(made) => void navigate(`/izvestaji/${made}/prikaz`)} />
    </FoldingPanel>
  );
}

function Actions({ run, report, reload }: { run: string; report: Report; reload: () => void }) {
  const toast = useToast();
  const { busy, act } = useDeed(reload);
  const [helps, setHelps] = useState(false);
  const hasPdf = report.formati.includes(PDF);
  const openPdf = useCallback(() => {
    const tab = openTab(t.reports.openingPdf);
    void act(async () => {
      try {
        showPdf(tab, await api.file(at('/api/report-runs/{id}/download', { id: run, format: PDF })));
      } catch (error) {
        tab?.close();
        throw error;
      }
    }, t.reports.downloadFailed);
  }, [act, run]);

  useEffect(() => {
    const print = (event: KeyboardEvent) => {
      if (!hasPdf || event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      openPdf();
    };
    window.addEventListener('keydown', print);
    return () => window.removeEventListener('keydown', print);
  }, [hasPdf, openPdf]);

  const share = async () => {
    const values: SharedReport['values'] = {};
    for (const [name, value] of Object.entries(report.vrednosti)) {
      if (typeof value === 'string') values[name] = value;
      else if (Array.isArray(value)) values[name] = value.map(String);
    }
    const address = report.moj ? addressOf(report.izvestajID, { values, register: report.registarID }) : `/izvestaji/${run}/prikaz`;
    await navigator.clipboard.writeText(new URL(address, window.location.href).href);
    toast.success(t.reportView.shared, report.moj ? t.reportView.sharedHelp : t.reportView.sharedRunHelp);
  };
  return (
    <>
      {hasPdf && <Button icon="pi pi-print" label={t.reportView.print} outlined disabled={busy} onClick={openPdf} />}
      {report.formati.map((format) => (
        <Button
          key={format}
          icon="pi pi-download"
          outlined
          disabled={busy}
          onClick={() => void act(() => api.download(at('/api/report-runs/{id}/download', { id: run, format })), t.reports.downloadFailed)}
        >
          <span className="sr-only">{t.reports.download}</span> {format}
        </Button>
      ))}
      <Button
        icon="pi pi-link"
        label={t.reportView.share}
        outlined
        severity="secondary"
        onClick={() => void act(share, t.reportView.shareFailed)}
      />
      <Button icon="pi pi-question" rounded text aria-label={t.reportView.help} onClick={() => setHelps(true)} />
      <Dialog header={t.reportView.help} visible={helps} onHide={() => setHelps(false)} style={{ width: 'min(40rem, 96vw)' }}>
        <ul className={style.help}>
          {t.reportView.helpLines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
