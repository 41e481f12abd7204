// What earlier entries held last, beside the field that is being filled in, and how far what is typed is from it.
import { formatDate, formatNumber } from '../../format';
import type { Stored } from '../../forms/formula';
import { add } from '../../forms/formula/round';
import { t } from '../../messages';
import type { Previous } from '../model/types';
import style from './entry.module.css';

const text = t.entries;

export const previousId = (id: number): string => `polje-${String(id)}-prethodno`;

function told(previous: Previous): string {
  if (previous === 'loading') return text.previousLoading;
  if (previous === 'failed') return text.previousFailed;
  return previous === 'none' ? text.noPrevious : text.previous(previous.tekst, formatDate(previous.datum));
}

/** Always one line at least, whatever is known of it: the page does not move while it is asked for. */
export function PreviousNote({ id, previous, value }: { id: number; previous: Previous; value: Stored }) {
  const before = typeof previous === 'string' ? null : (previous.broj ?? null);
  const by = before !== null && typeof value === 'number' ? add(value, -before) : null;
  return (
    <small id={previousId(id)} className={style.previous} data-known={typeof previous !== 'string'}>
      {told(previous)}
      {by !== null && (
        <span className={style.difference}>
          <span aria-hidden>{by > 0 ? '↑' : by < 0 ? '↓' : '='}</span>
          {by !== 0 && <span aria-hidden>{formatNumber(Math.abs(by))}</span>}
          <span className="sr-only">{text.difference(by, formatNumber(Math.abs(by)))}</span>
        </span>
      )}
      {typeof previous !== 'string' && previous.drugaJedinica && <span className={style.otherUnit}>{text.previousOtherUnit}</span>}
    </small>
  );
}
