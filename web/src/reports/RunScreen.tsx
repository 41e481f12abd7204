// One generated report, as the link in an e-mail opens it: for who asked for it and for those it was sent to, that run and only that.
import { Link, useNavigate, useParams } from 'react-router';
import { at } from '../api/address';
import { messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { RunCard } from './RunCard';
import style from './reports.module.css';
import { asRun } from './types';

/** What the server refuses for good, by its status: who may not, what is not there, what is no more. */
const REFUSALS: Readonly<Record<number, { icon: string; title: string }>> = {
  403: { icon: 'pi-lock', title: t.reports.linkRefused },
  404: { icon: 'pi-question-circle', title: t.reports.linkUnknown },
  410: { icon: 'pi-clock', title: t.reports.linkGone },
};

export default function RunScreen() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const {
    data: run,
    error,
    mutate,
  } = useApi(at('/api/report-runs/{id}', { id }), {
    refreshInterval: (latest) => (latest?.status === 'queued' || latest?.status === 'running' ? 3_000 : 0),
  });
  const refusal = error && REFUSALS[error.status];
  if (refusal) {
    return (
      <Page title={t.reports.linked}>
        <Panel>
          <div role="alert">
            <EmptyState
              icon={refusal.icon}
              title={refusal.title}
              help={messageOf(error)}
              action={<Link to="/registri">{t.error.backToRegisters}</Link>}
            />
          </div>
        </Panel>
      </Page>
    );
  }
  if (!run) {
    return (
      <Page title={t.reports.linked}>
        <Panel>{error ? <LoadFailed title={t.reports.runsFailed} error={error} retry={() => void mutate()} /> : <Loading />}</Panel>
      </Page>
    );
  }
  return (
    <Page
      title={run.naziv}
      lead={t.reports.linked}
      actions={run.moj && <Link to={`/izvestaji?izvestaj=${run.izvestajID}&prikaz=generisani`}>{t.reports.allOfIt}</Link>}
    >
      <ul className={style.cards}>
        <RunCard
          key={run.giID}
          run={asRun(run)}
          named={false}
          reload={() => void mutate()}
          ordered={(made) => void navigate(`/izvestaji/${made}`)}
        />
      </ul>
    </Page>
  );
}
