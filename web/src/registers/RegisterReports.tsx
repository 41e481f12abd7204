// The reports of one register, for those who may open reports.
import { Link } from 'react-router';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './registers.module.css';

export function RegisterReports({ id }: { id: number }) {
  const { data, error, mutate } = useApi('/api/report-categories/tree');
  const own = data?.data
    .flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji))
    .filter(({ registarID }) => registarID === id);
  return (
    <Panel title={t.registers.reports}>
      {error ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !own ? (
        <Loading />
      ) : own.length === 0 ? (
        <EmptyState icon="pi-chart-bar" title={t.registers.noReports} />
      ) : (
        <ul className={style.reports}>
          {own.map((report) => (
            <li key={report.id}>
              <Link to={`/izvestaji?izvestaj=${report.id}`} className={style.report}>
                <strong>
                  <span className="pi pi-chart-bar" aria-hidden /> {report.naziv}
                </strong>
                {report.opis && <span>{report.opis}</span>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
