// The patients of a row: those who may be named, and how many others there are.
import type { Reply } from '../schema';
import { formatNumber } from '../format';
import { t } from '../messages';
import style from './looks.module.css';

const text = t.looks;
/** More of a row are counted. */
const NAMED = 3;

export function LookedAt({
  pacijenti,
  brojPacijenata,
  all = false,
}: {
  pacijenti: Reply<'LoggedPatient'>[];
  brojPacijenata: number;
  all?: boolean;
}) {
  if (brojPacijenata === 0) return t.common.none;
  if (pacijenti.length === 0) {
    return <em className={style.hidden}>{brojPacijenata === 1 ? text.hidden : text.hiddenMany(formatNumber(brojPacijenata))}</em>;
  }
  const shown = all ? pacijenti : pacijenti.slice(0, NAMED);
  const others = brojPacijenata - shown.length;
  return (
    <>
      {shown.map(({ imePrezime }) => imePrezime).join(', ')}
      {others > 0 && ` ${text.more(formatNumber(others))}`}
    </>
  );
}
