// What a check has found, or an import has written: counts, faults by kind, and what can be done next.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useState } from 'react';
import type { Reply } from '../schema';
import { at } from '../api/address';
import { api } from '../api/client';
import { formatNumber } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Panel } from '../ui/Panel';
import { useToast } from '../ui/toast';
import style from './dataImport.module.css';

const text = t.dataImport;

interface Props {
  data: Reply<'DataImport'>;
  reload: () => Promise<void>;
  toMapping: () => void;
  close: () => void;
}

type Count = keyof typeof text.counts;
/** Counts that are told only where there is something to count. */
const RARE: readonly Count[] = ['izmenjenihPacijenata', 'izmenjenihUnosa', 'bezUnosa', 'obrisanih'];

export function Outcome({ data, reload, toMapping, close }: Props) {
  const { ishod, status } = data;
  const confirm = useConfirm();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  if (!ishod) return null;
  const counts = (Object.keys(text.counts) as Count[]).filter((name) => !RARE.includes(name) || ishod[name] > 0);
  const clean = ishod.gresaka === 0;

  async function act(work: () => Promise<unknown>, failed: string) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast.failure(failed, error);
    }
    setBusy(false);
  }
  async function bringIn() {
    const question = text.confirmQuestion(formatNumber(ishod?.novihPacijenata ?? 0), formatNumber(ishod?.novihUnosa ?? 0), data.ustanova);
    if (!(await confirm({ message: question, accept: text.confirm }))) return;
    await act(() => api.post(at('/api/data-imports/{id}/confirm', { id: data.id }), { otisak: data.otisak ?? '' }), text.confirmFailed);
    await reload();
  }

  return (
    <Panel title={text.found}>
      <div className={style.form}>
        {status === 'done' ? (
          <Message className={style.message} severity="success" text={text.done} />
        ) : status === 'checked' && clean ? (
          <Message className={style.message} severity="success" text={text.clean} />
        ) : (
          status === 'checked' && (
            <Message
              className={style.message}
              severity="error"
              text={text.faulty(formatNumber(ishod.gresaka), formatNumber(ishod.redovaSaGreskom))}
            />
          )
        )}
        <dl className={style.counts}>
          {counts.map((name) => (
            <div key={name}>
              <dt>{text.counts[name]}</dt>
              <dd>{formatNumber(ishod[name])}</dd>
            </div>
          ))}
        </dl>
        {ishod.greske.length > 0 && <Kinds title={text.faults} kinds={ishod.greske} />}
        {ishod.upozorenja.length > 0 && <Kinds title={text.warnings} help={text.warningsHelp} kinds={ishod.upozorenja} />}
        {status === 'checked' && !clean && ishod.redovaSaGreskom > 0 && <p className={style.help}>{text.downloadHelp}</p>}
        <div className={style.actions}>
          {status === 'checked' && clean && (
            <Button label={text.confirm} icon="pi pi-database" loading={busy} onClick={() => void bringIn()} />
          )}
          {status === 'checked' && !clean && ishod.redovaSaGreskom > 0 && (
            <Button
              label={text.download}
              icon="pi pi-download"
              loading={busy}
              onClick={() => void act(() => api.download(at('/api/data-imports/{id}/faulty-rows', { id: data.id })), text.downloadFailed)}
            />
          )}
          {status === 'checked' && <Button label={text.backToMapping} icon="pi pi-arrow-left" outlined onClick={toMapping} />}
          {status === 'done' && <Button label={text.another} icon="pi pi-plus" outlined onClick={close} />}
        </div>
      </div>
    </Panel>
  );
}

function Kinds({ title, help, kinds }: { title: string; help?: string; kinds: readonly Reply<'ImportFaultKind'>[] }) {
  const rowsOf = ({ redovi, broj }: Reply<'ImportFaultKind'>) =>
    redovi.join(', ') + (broj > redovi.length && redovi.length > 0 ? `, ${text.more}` : '');
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {help && <p className={style.help}>{help}</p>}
      {/* It scrolls, by the keyboard too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={style.scroll} tabIndex={0} role="group" aria-label={title}>
        <table className={style.table}>
          <thead>
            <tr>
              <th scope="col">{text.faultColumn}</th>
              <th scope="col">{text.faultMessage}</th>
              <th scope="col">{text.faultCount}</th>
              <th scope="col">{text.faultRows}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <tr key={`${kind.kolona ?? ''} ${kind.poruka}`}>
                <td>{kind.kolona ?? text.wholeRow}</td>
                <td>{kind.poruka}</td>
                <td>{formatNumber(kind.broj)}</td>
                <td>{rowsOf(kind)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
