// Beside a stored value that today's configuration would give or read otherwise.
import { t } from '../messages';
import style from './page.module.css';

const text = t.patients.stale;

/** Of the field whose value it is. */
export interface Mark {
  polje: number;
  razlog: string;
  jedinica?: string | null;
}

export function StaleMark({ mark }: { mark: Omit<Mark, 'polje'> | undefined }) {
  if (!mark) return null;
  const said = mark.razlog === 'jedinica' ? text.unit(mark.jedinica ?? null) : mark.razlog === 'neprovereno' ? text.unchecked : text.formula;
  return <span className={`pi pi-exclamation-triangle ${style.stale ?? ''}`} role="img" aria-label={said} title={said} />;
}
