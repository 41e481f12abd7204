import { Link } from 'react-router';
import { t } from '../messages';
import { Page } from './Page';
import { Panel } from './Panel';
import { EmptyState } from './states';

export function NotFound() {
  return (
    <Page title={t.error.notFound}>
      <Panel>
        <EmptyState icon="pi-compass" title={t.error.notFoundHelp} action={<Link to="/registri">{t.error.backToRegisters}</Link>} />
      </Panel>
    </Page>
  );
}
