// Who was meant to read a run: what came of each mail, who has opened it, and sending again to one.
import { Button } from 'primereact/button';
import { at } from '../api/address';
import { api } from '../api/client';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { useDeed } from '../ui/useDeed';
import style from './reports.module.css';
import type { Run } from './types';

const text = t.reports.readers;
type Reader = Run['primaoci'][number];

export function RunRecipients({ run, reload }: { run: Run; reload: () => void }) {
  if (run.primaoci.length === 0) return null;
  const sent = run.primaoci.filter(({ status }) => status === 'sent').length;
  const opened = run.primaoci.filter(({ otvaranja }) => otvaranja > 0).length;
  return (
    <details className={style.deliveries} open={run.primaoci.length <= 5 || run.primaoci.some(({ status }) => status === 'failed')}>
      <summary>{text.summary(sent, run.primaoci.length, opened)}</summary>
      <table className={style.readers}>
        <thead>
          <tr>
            <th scope="col">{text.recipient}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.opened}</th>
            <th scope="col">
              <span className="sr-only">{text.again}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {run.primaoci.map((reader) => (
            <ReaderRow key={reader.adresa} run={run} reader={reader} reload={reload} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

const openedOf = ({ otvoreno, otvaranja, imaNalog }: Reader) =>
  otvoreno ? text.openedAt(formatDateTime(otvoreno), otvaranja) : imaNalog ? text.notOpened : text.unknown;

function ReaderRow({ run, reader, reload }: { run: Run; reader: Reader; reload: () => void }) {
  const toast = useToast();
  const confirm = useConfirm();
  const { busy, act } = useDeed(reload);
  const { adresa, radnik, status, opis, vreme, redniBroj, mozePonovo, obavesteno } = reader;
  const send = async () => {
    if (!(await confirm({ title: text.again, message: text.question(radnik ?? adresa, adresa), accept: text.send }))) return;
    await act(async () => {
      await api.post(at('/api/report-runs/{id}/send', { id: run.giID }), { adresa, redniBroj });
      toast.success(text.queued, adresa);
    }, text.failed);
  };
  return (
    <tr>
      <th scope="row" data-label={text.recipient}>
        {radnik ?? adresa}
        {radnik && <small>{adresa}</small>}
      </th>
      <td data-label={text.state} className={status === 'failed' ? style.error : undefined}>
        {status ? t.reports.delivery[status] : text.none[run.status]}
        {vreme && ` ${formatDateTime(vreme)}`}
        {redniBroj > 1 && ` (${text.nth(redniBroj)})`}
        {opis && <small>{opis}</small>}
        {!status && obavesteno && <small>{text.told(formatDateTime(obavesteno))}</small>}
      </td>
      <td data-label={text.opened}>{openedOf(reader)}</td>
      <td>
        {mozePonovo && (
          <Button
            label={text.again}
            aria-label={`${text.again}: ${radnik ?? adresa}`}
            icon="pi pi-send"
            size="small"
            text
            disabled={busy}
            onClick={() => void send()}
          />
        )}
      </td>
    </tr>
  );
}
