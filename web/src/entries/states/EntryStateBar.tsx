// What somebody has made of the saved entry: its state, who signed or locked it, and what this worker may do next.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi, useAskedAgain } from '../../api/hooks';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import type { Reply, Schema } from '../../schema';
import { GuideButton } from '../../ui/GuideButton';
import { useToast } from '../../ui/toast';
import type { EntryStore } from '../model/store';
import { StateDialog, type AskedDeed } from './StateDialog';
import { StateHistory } from './StateHistory';
import style from './states.module.css';

const text = t.entryStates;
const SEVERITIES = { uRadu: 'info', zavrsen: 'success', potpisan: 'success', zakljucan: 'warning' } as const;
const ICONS = { uRadu: 'pi pi-pencil', zavrsen: 'pi pi-check', potpisan: 'pi pi-verified', zakljucan: 'pi pi-lock' } as const;

export function StateTag({ state }: { state: Schema<'EntryState'> }) {
  return <Tag value={text.states[state]} icon={ICONS[state]} severity={SEVERITIES[state]} />;
}

interface Props {
  entry: number;
  /** Each save may have ended a signature. */
  version: number | null | undefined;
  store: EntryStore;
  /** Something else is done with the entry. */
  busy: boolean;
  /** The state is another one: what may be done with the entry is too. */
  onChanged: () => Promise<void>;
}

export function EntryStateBar({ entry, version, store, busy, onChanged }: Props) {
  const { data, error, mutate } = useApi(at('/api/entries/{id}/states', { id: entry }));
  useAskedAgain(version, mutate);
  const toast = useToast();
  const [asked, setAsked] = useState<AskedDeed | null>(null);
  const [history, setHistory] = useState(false);
  const [finishing, setFinishing] = useState(false);
  if (!data) return error ? <p className={style.bar}>{text.failed}</p> : <p className={style.bar} aria-busy />;
  const { stanje, moze, verzija } = data;

  async function done(deed: keyof typeof text.done) {
    toast.success(text.done[deed]);
    setAsked(null);
    await mutate();
    await onChanged();
  }

  /** What is not saved is neither finished nor signed. */
  function whenSaved(deed: () => void) {
    if (store.isDirty()) return toast.error(text.saveFirst);
    deed();
  }

  async function finish() {
    setFinishing(true);
    try {
      await api.post(at('/api/entries/{id}/finish', { id: entry }), { verzija });
      await done('finish');
    } catch (failure) {
      toast.failure(text.deedFailed, failure);
    }
    setFinishing(false);
  }

  const waits = busy || finishing;
  const ask = (deed: AskedDeed, icon: string, outlined = true) => (
    <Button
      type="button"
      size="small"
      label={text[deed]}
      icon={icon}
      outlined={outlined}
      disabled={waits}
      onClick={() => whenSaved(() => setAsked(deed))}
    />
  );
  return (
    <section className={style.bar} aria-label={text.bar}>
      <div className={style.told}>
        <StateTag state={stanje} />
        <Told states={data} />
      </div>
      <div className={style.deeds}>
        {moze.zavrsi && (
          <Button
            type="button"
            size="small"
            label={text.finish}
            icon="pi pi-check"
            disabled={busy}
            loading={finishing}
            onClick={() => whenSaved(() => void finish())}
          />
        )}
        {moze.potpisi && ask('sign', 'pi pi-verified', stanje === 'potpisan')}
        {moze.vrati && ask('reopen', 'pi pi-undo')}
        {moze.zakljucaj && ask('lock', 'pi pi-lock')}
        {moze.otkljucaj && ask('unlock', 'pi pi-lock-open')}
        <Button type="button" size="small" label={text.history} icon="pi pi-list" text onClick={() => setHistory(true)} />
        <GuideButton page="entryStates" />
      </div>
      {asked && <StateDialog entry={entry} version={verzija} deed={asked} onDone={() => done(asked)} onClose={() => setAsked(null)} />}
      {history && <StateHistory rows={data.istorija} onClose={() => setHistory(false)} />}
    </section>
  );
}

/** Who locked it and why, and the signatures that hold. */
function Told({ states: { zakljucano, istorija, stanje } }: { states: Reply<'EntryStates'> }) {
  const signatures = istorija.filter(({ vazi }) => vazi);
  const [last] = istorija;
  return (
    <>
      {zakljucano && (
        <span>
          {zakljucano.doDana
            ? text.lockedPeriod(zakljucano.doDana, zakljucano.radnik, formatDateTime(zakljucano.vreme), zakljucano.razlog)
            : text.lockedEntry(zakljucano.radnik, formatDateTime(zakljucano.vreme), zakljucano.razlog)}
        </span>
      )}
      {signatures.map(({ id, radnik, znacenje, vreme, otisak, otisakOdgovara }) => (
        <span key={id}>
          {text.signedBy(radnik, znacenje ? text.meanings[znacenje] : '', formatDateTime(vreme))}
          {otisak && !otisakOdgovara && <strong className={style.altered}> {text.altered}</strong>}
        </span>
      ))}
      {stanje === 'potpisan' && <span className={style.muted}>{text.ends}</span>}
      {stanje === 'zavrsen' && last && <span className={style.muted}>{text.by(last.radnik, formatDateTime(last.vreme))}</span>}
    </>
  );
}
