// What stands where data is not there: nothing yet, still loading, failed.
import { Button } from 'primereact/button';
import { Skeleton } from 'primereact/skeleton';
import type { ReactNode } from 'react';
import { messageOf } from '../api/client';
import { t } from '../messages';
import { useLoadingMark } from './pageMarks';
import style from './states.module.css';

interface EmptyProps {
  icon?: string;
  title: string;
  help?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon = 'pi-inbox', title, help, action }: EmptyProps) {
  return (
    <div className={style.state}>
      <span className={`pi ${icon} ${style.icon ?? ''}`} aria-hidden />
      <p className={style.title}>{title}</p>
      {help && <p className={style.help}>{help}</p>}
      {action}
    </div>
  );
}

/** A failed load, with the server's words and a way on. */
export function LoadFailed({ error, retry, title = t.error.load }: { error: unknown; retry: () => void; title?: string }) {
  return (
    <div role="alert">
      <EmptyState
        icon="pi-exclamation-triangle"
        title={title}
        help={messageOf(error)}
        action={<Button label={t.common.retry} icon="pi pi-refresh" outlined onClick={retry} />}
      />
    </div>
  );
}

/** Grey lines in the shape of the text to come. */
export function Loading({ lines = 4 }: { lines?: number }) {
  useLoadingMark();
  return (
    <div className={style.loading} role="status" aria-label={t.common.loading}>
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} height="1.1rem" width={`${String(92 - ((i * 17) % 40))}%`} />
      ))}
    </div>
  );
}
