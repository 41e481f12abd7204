// Scheduled reports: when each runs next, to whom it goes; run at once, paused, edited, deleted.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { newKey } from '../api/key';
import { useApi } from '../api/hooks';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useDeed } from '../ui/useDeed';
import { NamedValues } from './NamedValues';
import { RemoveButton } from './RemoveButton';
import style from './reports.module.css';
import { recipientName } from './RecipientsInput';
import { recipientsOf, SCREEN } from './request';
import { asSchedules, type Schedule } from './types';

interface Props {
  report: number | null;
  pollEvery: number;
  edit: (schedule: Schedule) => void;
}

export function ScheduleList({ report, pollEvery, edit }: Props) {
  const { data, error, mutate } = useApi(at('/api/report-schedules', { izvestaj: report }), {
    keepPreviousData: true,
    refreshInterval: pollEvery,
  });
  if (error && !data) return <LoadFailed title={t.reports.schedulesFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={4} />;
  if (data.data.length === 0)
    return (
      <EmptyState
        icon="pi-calendar"
        title={t.reports.schedulesEmpty}
        help={report === null ? t.reports.schedulesEmptyHelpAll : t.reports.schedulesEmptyHelp}
      />
    );
  return (
    <ul className={style.cards}>
      {asSchedules(data.data).map((schedule) => (
        <ScheduleCard key={schedule.zakazivanjeID} schedule={schedule} named={report === null} edit={edit} reload={() => void mutate()} />
      ))}
    </ul>
  );
}

/** When it runs next, by the clock of the zone that is named, or why it does not. */
function nextOf({ pauziranoOd, sledeceIzvrsavanje, vremenskaZona }: Schedule): string {
  if (pauziranoOd) return t.reports.pausedSince(formatDateTime(pauziranoOd));
  if (!sledeceIzvrsavanje) return t.reports.finishedSchedule;
  return t.reports.nextAt(formatDateTime(sledeceIzvrsavanje), vremenskaZona);
}

interface CardProps {
  schedule: Schedule;
  named: boolean;
  edit: (schedule: Schedule) => void;
  reload: () => void;
}

function ScheduleCard({ schedule, named, edit, reload }: CardProps) {
  const toast = useToast();
  const confirm = useConfirm();
  const { busy, act } = useDeed(reload);
  const [key, setKey] = useState(newKey);
  const { zakazivanjeID, naziv, opis, ustanova, pauziranoOd, razlogPauze, formati } = schedule;
  const recipients = recipientsOf(schedule).map(recipientName);
  const saying = (work: () => Promise<unknown>, done: [summary: string, detail?: string], failed: string) =>
    act(async () => {
      await work();
      toast.success(...done);
    }, failed);
  const remove = async () => {
    if (!(await confirm({ message: t.reports.removeSchedule, accept: t.reports.remove, danger: true }))) return;
    await saying(
      () => api.delete(at('/api/report-schedules/{id}', { id: zakazivanjeID })),
      [t.reports.removedSchedule],
      t.reports.removeScheduleFailed,
    );
  };
  const run = async () => {
    const question = { title: t.reports.runNow, message: t.reports.runNowQuestion(recipients.join(', ')), accept: t.reports.againAndSend };
    if (recipients.length > 0 && !(await confirm(question))) return;
    const order = async () => {
      await api.post(at('/api/report-schedules/{id}/run', { id: zakazivanjeID }), { kljuc: key });
      setKey(newKey());
    };
    await saying(order, [t.reports.accepted, t.reports.runNowStarted], t.reports.againFailed);
  };
  const pause = () =>
    saying(() => api.post(at('/api/report-schedules/{id}/pause', { id: zakazivanjeID })), [t.reports.paused], t.reports.pauseFailed);
  const resume = () =>
    saying(() => api.post(at('/api/report-schedules/{id}/resume', { id: zakazivanjeID })), [t.reports.resumed], t.reports.resumeFailed);
  return (
    <li aria-label={`${naziv}, ${opis}`}>
      <article className={style.card}>
        <div className={style.cardHead}>
          <div>
            {named && <h3>{naziv}</h3>}
            <p className={style.when}>{opis}</p>
            <p className={style.muted}>{ustanova}</p>
            <p className={style.muted}>{nextOf(schedule)}</p>
          </div>
          <span className={style.muted}>{formati.filter((format) => format !== SCREEN).join(', ')}</span>
        </div>
        {razlogPauze && <p className={style.cut}>{razlogPauze}</p>}
        <NamedValues values={schedule.parametriOpis} />
        {recipients.length > 0 && (
          <p className={style.recipients}>
            <i className="pi pi-envelope" aria-hidden /> {recipients.join(', ')}
          </p>
        )}
        <div className={style.actions}>
          <Button icon="pi pi-pencil" label={t.reports.edit} outlined disabled={busy} onClick={() => edit(schedule)} />
          <Button icon="pi pi-bolt" label={t.reports.runNow} severity="secondary" outlined disabled={busy} onClick={() => void run()} />
          {pauziranoOd ? (
            <Button
              icon="pi pi-play"
              label={t.reports.resume}
              severity="secondary"
              outlined
              disabled={busy}
              onClick={() => void resume()}
            />
          ) : (
            <Button icon="pi pi-pause" label={t.reports.pause} severity="secondary" outlined disabled={busy} onClick={() => void pause()} />
          )}
          <RemoveButton disabled={busy} onClick={() => void remove()} />
        </div>
      </article>
    </li>
  );
}
