// How many fires of the worker's schedules made no report, beside the menu's reports, until she has looked.
import { useApi } from '../api/hooks';
import { mayOpen } from '../auth/rights';
import { useWorker } from '../api/session';
import { t } from '../messages';
import { ATTENTION } from '../reports/attention';
import { screenAt } from '../screens';
import { useAgainOnNewScreen } from '../ui/useAgainOnNewScreen';
import style from './TopBar.module.css';

export function ReportsMark() {
  const { prava } = useWorker();
  const { data, mutate } = useApi(mayOpen(prava, screenAt('/izvestaji')?.rights) ? ATTENTION : null);
  useAgainOnNewScreen(mutate);
  if (!data?.broj) return null;
  return (
    <span className={style.mark}>
      <span aria-hidden>{data.broj}</span>
      <span className="sr-only">{t.reports.attention(data.broj)}</span>
    </span>
  );
}
