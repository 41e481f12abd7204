// Runs of a register's rules: how far the one under way is, and what became of the others.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import type { Reply } from '../schema';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './admin.module.css';

const text = t.quality.runs;
/** While one is under way. */
const EVERY = 2000;

type Run = Reply<'QualityRun'>;

const isUnderWay = ({ status }: Run): boolean => status === 'queued' || status === 'running';
const told = (count: number | null | undefined): string => (count == null ? text.few : formatNumber(count));

export function QualityRuns({ register }: { register: number }) {
  const address = at('/api/registers/{id}/quality-runs', { id: register });
  const { data, error, mutate } = useApi(address, {
    refreshInterval: (latest) => (latest?.data.some(isUnderWay) ? EVERY : 0),
  });
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const open = data?.data.find(isUnderWay);

  async function send(deed: () => Promise<unknown>) {
    setBusy(true);
    try {
      await deed();
    } catch (failure) {
      toast.failure(text.notDone, failure);
    }
    await mutate();
    setBusy(false);
  }

  return (
    <Panel title={text.title} flush>
      <div className={style.runs}>
        {open ? (
          <Button
            label={open.otkazujeSe ? text.cancelling : text.cancel}
            icon="pi pi-times"
            outlined
            disabled={busy || open.otkazujeSe}
            onClick={() => void send(() => api.post(at('/api/quality-runs/{id}/cancel', { id: open.id })))}
          />
        ) : (
          <Button label={text.start} icon="pi pi-play" outlined disabled={busy} onClick={() => void send(() => api.post(address))} />
        )}
      </div>
      {error && !data ? (
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={3} />
      ) : data.data.length === 0 ? (
        <EmptyState title={text.none} />
      ) : (
        <Table runs={data.data} />
      )}
    </Panel>
  );
}

function Table({ runs }: { runs: readonly Run[] }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.runTable} tabIndex={0} role="group" aria-label={text.title}>
      <table>
        <thead>
          <tr>
            {[text.when, text.who, text.state, text.looked, text.entries, text.begun, text.ended].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>{formatDateTime(run.vreme)}</td>
              <td>{run.radnik}</td>
              <td>{t.quality.runStates[run.status]}</td>
              <td>{text.of(formatNumber(run.pregledano), formatNumber(run.ukupno))}</td>
              <td>{formatNumber(run.unosa)}</td>
              <td>{told(run.novih)}</td>
              <td>{told(run.okoncanih)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
