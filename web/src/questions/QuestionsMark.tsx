// How many questions wait for the worker, in the top bar on every screen.
import { NavLink } from 'react-router';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { opensPatients } from '../auth/rights';
import { t } from '../messages';
import { useAgainOnNewScreen } from '../ui/useAgainOnNewScreen';
import style from './questions.module.css';

export function QuestionsMark() {
  const { pacijenti } = useWorker();
  const { data, mutate } = useApi(opensPatients(pacijenti) ? '/api/question-counts' : null);
  useAgainOnNewScreen(mutate);
  if (!data?.cekaju) return null;
  return (
    <NavLink to="/mojiUpiti" className={style.mark} aria-label={t.questions.waiting(data.cekaju)} title={t.questions.waiting(data.cekaju)}>
      <span className="pi pi-flag-fill" aria-hidden />
      <span aria-hidden>{data.cekaju}</span>
    </NavLink>
  );
}
