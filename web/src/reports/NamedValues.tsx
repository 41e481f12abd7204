// Parameters of a run or a schedule as people read them.
import type { Schema } from '../schema';
import { t } from '../messages';
import style from './reports.module.css';

export function NamedValues({ values }: { values: readonly Schema<'ReportParameterRead'>[] }) {
  if (values.length === 0) return null;
  return (
    <dl className={style.values}>
      {values.map(({ naziv, vrednost, sada }) => (
        <div key={naziv}>
          <dt>{naziv}</dt>
          <dd>{sada ? t.reports.meantNow(vrednost, sada) : vrednost}</dd>
        </div>
      ))}
    </dl>
  );
}
