// A screen for those who hold one of its rights. The server decides anew at every call.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/states';
import { mayOpen, opensPatients, type Right } from './rights';
import { useWorker } from '../api/session';

interface Props {
  rights?: readonly Right[];
  /** Of patients: for workers whose roles open them. */
  clinical?: boolean;
  children: ReactNode;
}

export function Guarded({ rights, clinical = false, children }: Props) {
  const { prava, pacijenti } = useWorker();
  const isClosed = clinical && !opensPatients(pacijenti);
  if (!isClosed && mayOpen(prava, rights)) return children;
  return (
    <Page title={isClosed ? t.error.patientsClosed : t.error.forbidden}>
      <Panel>
        <EmptyState
          icon="pi-lock"
          title={isClosed ? t.error.patientsClosedHelp : t.error.forbiddenHelp}
          action={<Link to="/registri">{t.error.backToRegisters}</Link>}
        />
      </Panel>
    </Page>
  );
}
