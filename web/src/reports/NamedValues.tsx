// Parameters of a run or a schedule as people read them.
import { t } from '../messages';
import style from './reports.module.css';
import type { Named } from './types';

export function NamedValues({ values }: { values: readonly Named[] }) {
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
