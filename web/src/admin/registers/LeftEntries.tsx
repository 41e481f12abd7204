// Entries that a recomputation left as they are: how many for each reason, and, to who may open them, which.
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { useWorker } from '../../api/session';
import { opensPatients } from '../../auth/rights';
import type { Reply } from '../../schema';
import { t } from '../../messages';
import { entryPath } from '../../places';
import { Loading, LoadFailed } from '../../ui/states';

const text = t.recomputation;

type Reasons = Reply<'Recomputation'>['razlozi'];

/** Of a long list the rest is only counted. */
const SHOWN = 200;

export function LeftEntries({ id, count, reasons }: { id: number; count: number; reasons: Reasons }) {
  const [open, setOpen] = useState(false);
  const { pacijenti } = useWorker();
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text.left(count)}</summary>
      <ul>
        {reasons.map(({ razlog, polje, unosa }) => (
          <li key={`${razlog} ${polje ?? ''}`}>{`${text.reason(text.reasons[razlog], polje)} (${String(unosa)})`}</li>
        ))}
      </ul>
      {!opensPatients(pacijenti) ? <p>{text.notNamed}</p> : open && <Named id={id} count={count} />}
    </details>
  );
}

function Named({ id, count }: { id: number; count: number }) {
  const { data, error, mutate } = useApi(at('/api/recomputations/{id}/entries', { id, size: SHOWN }));
  if (error && !data) return <LoadFailed title={text.leftFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={2} />;
  return (
    <ul>
      {data.data.map(({ unosID, razlog, polje }) => (
        <li key={unosID}>
          <Link to={entryPath(unosID)} target="_blank">
            {t.formDesigner.entry(unosID)}
          </Link>
          {`: ${text.reason(text.reasons[razlog], polje)}`}
        </li>
      ))}
      {count > data.data.length && <li>{text.moreLeft(count - data.data.length)}</li>}
    </ul>
  );
}
