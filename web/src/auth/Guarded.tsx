// A screen for those who hold one of its rights. The server decides anew at every call.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/states';
import { mayOpen, type Right } from './rights';
import { useWorker } from './session';

export function Guarded({ rights, children }: { rights?: readonly Right[]; children: ReactNode }) {
  const { prava } = useWorker();
  if (mayOpen(prava, rights)) return children;
  return (
    <Page title={t.error.forbidden}>
      <Panel>
        <EmptyState icon="pi-lock" title={t.error.forbiddenHelp} action={<Link to="/registri">{t.error.backToRegisters}</Link>} />
      </Panel>
    </Page>
  );
}
