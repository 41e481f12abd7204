// How many fires of the worker's schedules made no report, beside the menu's reports, until she has looked.
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useApi } from '../api/hooks';
import { mayOpen } from '../auth/rights';
import { useWorker } from '../api/session';
import { t } from '../messages';
import { ATTENTION } from '../reports/attention';
import { screenAt } from '../screens';
import style from './TopBar.module.css';

/** How often it is asked again while she goes from screen to screen. */
const EVERY_MS = 60_000;

export function ReportsMark() {
  const { prava } = useWorker();
  const { pathname } = useLocation();
  const asked = useRef<number | null>(null);
  // Asked when the page is looked at again or another screen is opened, and never by the clock: that would keep an abandoned session alive.
  const { data, mutate } = useApi(mayOpen(prava, screenAt('/izvestaji')?.rights) ? ATTENTION : null);
  useEffect(() => {
    const now = Date.now();
    if (asked.current !== null && now - asked.current < EVERY_MS) return;
    if (asked.current !== null) void mutate();
    asked.current = now;
  }, [pathname, mutate]);
  if (!data?.broj) return null;
  return (
    <span className={style.mark}>
      <span aria-hidden>{data.broj}</span>
      <span className="sr-only">{t.reports.attention(data.broj)}</span>
    </span>
  );
}
