// An entry of an older version of its form: that there is a newer one, what it has otherwise, and the way over to it.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { Loading, LoadFailed } from '../ui/states';
import { Differences, OtherValues } from '../versions/Differences';
import { Publications } from '../versions/Publications';
import style from './drawing/entry.module.css';
import type { Display } from './model/types';

const text = t.versions;

interface Props {
  display: Display;
  /** The entry's own version, where it is shown by the newest one and not yet saved by it. */
  takenFrom: number | null;
  /** Back to the entry's own version, with what was typed. */
  onBack: () => Promise<void>;
  /** None where the worker may not change the entry. */
  onGo: (() => Promise<void>) | null;
}

/** Quiet: an old entry is right as it is. */
export function NewerFormNotice({ display: { obrazac, tsa }, takenFrom, onBack, onGo }: Props) {
  const [open, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const newer = obrazac.novija ?? null;
  if (takenFrom !== null) {
    const back = async () => {
      setLeaving(true);
      await onBack();
      setLeaving(false);
    };
    return (
      <div className={style.version}>
        <span role="status">{text.taken(obrazac.verzija)}</span>
        <button type="button" className={style.confirm} disabled={leaving} onClick={() => void back()}>
          {text.goBack(takenFrom)}
        </button>
      </div>
    );
  }
  if (newer === null || tsa.unosID == null) return null;
  return (
    <div className={style.version}>
      <span role="status">{text.older(obrazac.verzija, formatDate(obrazac.od ?? null), newer)}</span>
      <button type="button" className={style.confirm} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.showDifferences}
      </button>
      {open && <NewerFormDialog unosID={tsa.unosID} mine={obrazac.verzija} newer={newer} onGo={onGo} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface DialogProps {
  unosID: number;
  mine: number;
  newer: number;
  onGo: Props['onGo'];
  onClose: () => void;
}

function NewerFormDialog({ unosID, mine, newer, onGo, onClose }: DialogProps) {
  const { data, error, mutate } = useApi(at('/api/entries/{id}/newer-form', { id: unosID }), { revalidateOnFocus: false });
  const [going, setGoing] = useState(false);
  async function go() {
    setGoing(true);
    await onGo?.();
    setGoing(false);
  }
  return (
    <Dialog
      visible
      header={text.differences(mine, newer)}
      draggable={false}
      onHide={onClose}
      style={{ width: 'min(44rem, 94vw)' }}
      footer={
        <>
          <Button label={t.common.close} severity="secondary" outlined onClick={onClose} />
          {onGo && <Button label={text.go(newer)} disabled={!data || going} loading={going} onClick={() => void go()} />}
        </>
      }
    >
      {error && !data ? (
        <LoadFailed title={text.differencesFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={4} />
      ) : (
        <div className={style.differences}>
          <div>
            <p>{text.newest(newer, formatDateTime(data.novijaOd))}</p>
            {data.objave.length > 0 && <Publications of={data.objave} />}
          </div>
          <OtherValues results={data.rezultati} withoutField={data.bezPolja} />
          <Differences difference={data.razlike} />
          {onGo && <p className={style.keptAsTyped}>{text.keptAsTyped}</p>}
        </div>
      )}
    </Dialog>
  );
}

/** What was typed into fields that the newest version does not have. */
export function GoneValues({ values }: { values: readonly string[] }) {
  const [closed, setClosed] = useState(false);
  if (closed || values.length === 0) return null;
  return (
    <div className={style.gone} role="alert">
      <p>{text.gone}</p>
      <ul>
        {values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
      <button type="button" className={style.confirm} onClick={() => setClosed(true)}>
        {text.goneClose}
      </button>
    </div>
  );
}
