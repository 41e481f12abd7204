// Beside a stored value that today's configuration would give or read otherwise.
import { markText, type Mark } from '../marks';
import style from './page.module.css';

export function StaleMark({ mark }: { mark: Omit<Mark, 'polje'> | undefined }) {
  if (!mark) return null;
  const said = markText(mark);
  return <span className={`pi pi-exclamation-triangle ${style.stale ?? ''}`} role="img" aria-label={said} title={said} />;
}
