// How many questions wait for the worker, in the top bar on every screen.
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { opensPatients } from '../auth/rights';
import { t } from '../messages';
import style from './questions.module.css';

/** How often it is asked again while one goes from screen to screen. */
const EVERY_MS = 60_000;

export function QuestionsMark() {
  const { pacijenti } = useWorker();
  const { pathname } = useLocation();
  const asked = useRef<number | null>(null);
  // Asked when another screen is opened, and never by the clock: that would keep an abandoned session alive.
  const { data, mutate } = useApi(opensPatients(pacijenti) ? '/api/question-counts' : null);
  useEffect(() => {
    const now = Date.now();
    if (asked.current !== null && now - asked.current < EVERY_MS) return;
    if (asked.current !== null) void mutate();
    asked.current = now;
  }, [pathname, mutate]);
  if (!data?.cekaju) return null;
  return (
    <NavLink to="/mojiUpiti" className={style.mark} aria-label={t.questions.waiting(data.cekaju)} title={t.questions.waiting(data.cekaju)}>
      <span className="pi pi-flag-fill" aria-hidden />
      <span aria-hidden>{data.cekaju}</span>
    </NavLink>
  );
}
