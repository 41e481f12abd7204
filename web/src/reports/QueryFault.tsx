// What the database said of a report's query, and the way to where it is mended; the server tells it to who configures reports only.
import { Link } from 'react-router';
import { t } from '../messages';
import style from './reports.module.css';
import type { Run } from './types';

interface Props {
  fault: NonNullable<NonNullable<Run['greska']>['upit']> | undefined;
  report: number | undefined;
}

export function QueryFault({ fault, report }: Props) {
  if (!fault) return null;
  return (
    <div className={style.queryFault} role="group" aria-label={t.reports.queryFault}>
      <p className={style.muted}>{t.reports.queryFault}:</p>
      <p>
        {fault.red !== null && `${t.reportDesigner.place('upit', fault.red, fault.kolona)}: `}
        <code>{fault.poruka}</code>
      </p>
      {fault.savet && <p>{fault.savet}</p>}
      {report !== undefined && <Link to={`/admin/izvestaji/${String(report)}/dizajner`}>{t.reports.openDesigner}</Link>}
    </div>
  );
}
