// One register: what it is about and its reports.
import { Link, useParams } from 'react-router';
import { useApi } from '../api/hooks';
import type { Page as List, Register, ReportCategory } from '../api/types';
import { mayOpen } from '../auth/rights';
import { useWorker } from '../auth/session';
import { label, t } from '../messages';
import { screenAt } from '../screens';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './registers.module.css';

export default function RegisterScreen() {
  const { id = '' } = useParams();
  const { data: register, error, mutate } = useApi<Register>(/^\d+$/.test(id) ? `/api/registers/${id}` : null);
  const { prava } = useWorker();
  const reports = screenAt('/izvestaji');

  if (!/^\d+$/.test(id) || error?.status === 404) return <NotFound />;
  if (error) return <LoadFailed error={error} retry={() => void mutate()} />;
  return (
    <Page
      title={register?.naziv ?? t.common.loading}
      breadcrumb={[{ label: t.registers.title, to: '/registri' }, { label: register?.naziv ?? '…' }]}
    >
      {register ? <About register={register} /> : <Loading />}
      {reports && mayOpen(prava, reports.rights) && register && <RegisterReports id={register.id} />}
    </Page>
  );
}

function About({ register: { naziv, sifra, opis } }: { register: Register }) {
  return (
    <Panel title={t.registers.about}>
      <dl className={style.about}>
        {([['register.naziv', naziv], ['register.sifra', sifra], ['register.opis', opis]] as const).map(([key, value]) => (
          <div key={key}>
            <dt>{label(key)}</dt>
            <dd>{value ?? t.common.none}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function RegisterReports({ id }: { id: number }) {
  const { data, error, mutate } = useApi<List<ReportCategory>>('/api/report-categories/tree');
  const own = data?.data.flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji)).filter(({ registarID }) => registarID === id);
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
