// What became of the patient: the history of statuses, and the ways to record one, correct it and take it back.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import type { Reply, Schema } from '../schema';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { GuideButton } from '../ui/GuideButton';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { StatusDialog } from './StatusDialog';
import style from './status.module.css';

const text = t.patientStatus;
export type StatusRow = Reply<'StatusRecord'>;

/** The status of one register where it is not the usual one, for the head of the page and of rows. */
export function StatusTag({ status, day }: { status: Schema<'PatientStatus'> | null | undefined; day: string | null | undefined }) {
  if (!status || status === 'aktivan') return null;
  const name = text.statuses[status];
  return <Tag value={day ? text.since(name, day) : name} severity={status === 'preminuo' ? 'danger' : 'warning'} className={style.tag} />;
}

/** That the patient died, on the page of each institution that knows her, with who said it. */
export function DeathNotice({ death }: { death: Reply<'PatientDeath'> | null | undefined }) {
  if (!death) return null;
  const said = `${text.deathNotice(formatDate(death.dan), death.uzrok ?? null)} ${text.deathSaidBy(death.radnik, death.ustanova, formatDateTime(death.vreme))}`;
  return <Message severity="warn" className={style.notice} text={said} />;
}

interface Props {
  patient: Schema<'Patient'>;
  reload: () => void;
}

export function PatientStatusPanel({ patient, reload }: Props) {
  const [open, setOpen] = useState(false);
  const [recording, setRecording] = useState(false);
  const [changed, setChanged] = useState<{ row: StatusRow; undo: boolean } | null>(null);
  const isAsked = open || recording || changed !== null;
  const { data, error, mutate } = useApi(isAsked ? at('/api/patients/{id}/statuses', { id: patient.id }) : null, {
    revalidateOnFocus: false,
  });
  const close = () => {
    setRecording(false);
    setChanged(null);
  };
  const done = () => {
    close();
    void mutate();
    reload();
  };
  return (
    <FoldingPanel
      title={text.title}
      startsClosed
      onToggle={setOpen}
      actions={
        <span className={style.actions}>
          {patient.pravoStatusa && (
            <Button type="button" label={text.record} icon="pi pi-flag" outlined size="small" onClick={() => setRecording(true)} />
          )}
          <GuideButton page="patientStatus" />
        </span>
      }
    >
      {!isAsked ? null : error && !data ? (
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={4} />
      ) : data.istorija.length === 0 ? (
        <EmptyState icon="pi-flag" title={text.none} help={text.noneHelp} />
      ) : (
        <ul className={style.history}>
          {data.istorija.map((row) => (
            <Row key={row.id} row={row} rows={data.istorija} mayChange={data.pravoStatusa} change={(undo) => setChanged({ row, undo })} />
          ))}
        </ul>
      )}
      {data && (recording || changed) && (
        <StatusDialog
          patient={patient}
          registers={data.registri}
          corrected={changed?.row ?? null}
          undo={changed?.undo ?? false}
          onClose={close}
          onDone={done}
        />
      )}
    </FoldingPanel>
  );
}

interface RowProps {
  row: StatusRow;
  rows: readonly StatusRow[];
  mayChange: boolean;
  change: (undo: boolean) => void;
}

function Row({ row, rows, mayChange, change }: RowProps) {
  const name = text.statuses[row.status];
  const what = `${name}, ${formatDate(row.dan)}`;
  const later = rows.find(({ ispravljaID }) => ispravljaID === row.id);
  return (
    <li data-standing={row.vazi}>
      <div className={style.what}>
        <p>
          <strong>{what}</strong> <span>{row.registar ?? text.everywhere}</span>{' '}
          {row.ponisten ? (
            <Tag value={text.undone} severity="secondary" />
          ) : later ? (
            <Tag value={later.ponisten ? text.undone : text.corrected} severity="secondary" />
          ) : null}
          {row.ispravljaID != null && !row.ponisten && <small className={style.muted}> {text.corrects}</small>}
        </p>
        {row.uzrok && <p>{text.because(`${row.uzrok} (${row.uzrokSifra ?? ''})`)}</p>}
        {row.napomena && <p className={style.note}>{row.napomena}</p>}
        <p className={style.muted}>
          {text.source(sourceName(row.izvor))} · {text.by(row.radnik, row.ustanova, formatDateTime(row.vreme))}
        </p>
      </div>
      {mayChange && row.vazi && (
        <div className={style.actions}>
          <Button
            label={text.correct}
            aria-label={`${text.correct}: ${what}`}
            icon="pi pi-pencil"
            text
            size="small"
            onClick={() => change(false)}
          />
          <Button
            label={text.undo}
            aria-label={`${text.undo}: ${what}`}
            icon="pi pi-undo"
            text
            severity="danger"
            size="small"
            onClick={() => change(true)}
          />
        </div>
      )}
    </li>
  );
}

const sourceName = (source: string) => (text.sources as Readonly<Record<string, string>>)[source] ?? source;
