// The worker's own imports: those that wait for her, and what became of the others.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useApi } from '../api/hooks';
import { formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './dataImport.module.css';

const text = t.dataImport;

const severity = (status: string) => (status === 'done' ? 'success' : status === 'left' ? 'secondary' : 'info');

export function OwnImports({ open }: { open: (id: number) => void }) {
  const { data, error, mutate } = useApi('/api/data-imports');
  if (!data) return error ? <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} /> : <Loading lines={3} />;
  if (data.length === 0) return <EmptyState icon="pi-upload" title={text.none} help={text.noneHelp} />;
  return (
    <ul className={style.cards}>
      {data.map((one) => (
        <li key={one.id} aria-label={one.fajl}>
          <div className={style.head}>
            <h3>{one.fajl}</h3>
            <Tag severity={severity(one.status)} value={text.status[one.status] ?? one.status} />
          </div>
          <div className={style.head}>
            <p className={style.meta}>
              {formatDateTime(one.vreme)} · {text.about(one.registar, one.ustanova, formatNumber(one.redova))}
            </p>
            <Button
              label={one.status === 'done' || one.status === 'left' ? text.show : text.continue}
              icon="pi pi-arrow-right"
              size="small"
              outlined
              onClick={() => open(one.id)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
