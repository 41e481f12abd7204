// A number of a report: a link to those whom it counts, for whoever opens patients.
import { Link } from 'react-router';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { countedPath } from './countedSearch';

export function CountedNumber({ shown, search }: { shown: string | undefined; search: Reply<'ScreenSearch'> | undefined }) {
  const { pacijenti } = useWorker();
  if (!search || !shown || pacijenti === 'ne') return shown;
  return (
    <Link to={countedPath(search)} title={t.reportView.toSearch}>
      {shown}
    </Link>
  );
}
