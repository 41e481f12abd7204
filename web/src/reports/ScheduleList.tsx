// Scheduled reports: when each runs next, to whom it goes, edit and delete.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import type { ListPage } from '../api/types';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { NamedValues } from './NamedValues';
import { RemoveButton } from './RemoveButton';
import style from './reports.module.css';
import { ZONE } from './request';
import type { Schedule } from './types';

interface Props {
  report: number | null;
  pollEvery: number;
  edit: (schedule: Schedule) => void;
}

export function ScheduleList({ report, pollEvery, edit }: Props) {
  const { data, error, mutate } = useApi<ListPage<Schedule>>(
    '/api/report-schedules',
    { izvestaj: report },
    { keepPreviousData: true, refreshInterval: pollEvery },
  );
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
      {data.data.map((schedule) => (
        <ScheduleCard key={schedule.zakazivanjeID} schedule={schedule} named={report === null} edit={edit} reload={() => void mutate()} />
      ))}
    </ul>
  );
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
  const [busy, setBusy] = useState(false);
  const { zakazivanjeID, naziv, opis, ustanova, sledeceIzvrsavanje, emails, formati, vremenskaZona } = schedule;
  const remove = async () => {
    if (!(await confirm({ message: t.reports.removeSchedule, accept: t.reports.remove, danger: true }))) return;
    setBusy(true);
    try {
      await api.delete(`/api/report-schedules/${zakazivanjeID}`);
      toast.success(t.reports.removedSchedule);
    } catch (error) {
      toast.failure(t.reports.removeScheduleFailed, error);
    } finally {
      setBusy(false);
      reload();
    }
  };
  return (
    <li aria-label={`${naziv}, ${opis}`}>
      <article className={style.card}>
        <div className={style.cardHead}>
          <div>
            {named && <h3>{naziv}</h3>}
            <p className={style.when}>{opis}</p>
            <p className={style.muted}>{ustanova}</p>
            <p className={style.muted}>
              {sledeceIzvrsavanje ? t.reports.nextAt(formatDateTime(sledeceIzvrsavanje)) : t.reports.finishedSchedule}
              {vremenskaZona !== ZONE && ` (${vremenskaZona})`}
            </p>
          </div>
          <span className={style.muted}>{formati.join(', ')}</span>
        </div>
        <NamedValues values={schedule.parametriOpis} />
        {emails.length > 0 && (
          <p className={style.recipients}>
            <i className="pi pi-envelope" aria-hidden /> {emails.join(', ')}
          </p>
        )}
        <div className={style.actions}>
          <Button icon="pi pi-pencil" label={t.reports.edit} outlined disabled={busy} onClick={() => edit(schedule)} />
          <RemoveButton disabled={busy} onClick={() => void remove()} />
        </div>
      </article>
    </li>
  );
}
