// Before a draft is published: what it changes, what that makes of what is stored, and the question.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { RadioButton } from 'primereact/radiobutton';
import { useId, useState } from 'react';
import { api, ApiError, messageOf } from '../../../api/client';
import { useApi } from '../../../api/hooks';
import { useWorker } from '../../../api/session';
import type { Sent } from '../../../api/types';
import { opensPatients } from '../../../auth/rights';
import type { components } from '../../../gen/api';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { Loading, LoadFailed } from '../../../ui/states';
import { Differences } from '../../../versions/Differences';
import style from './designer.module.css';
import { ImpactList, useImpact } from './ImpactList';

const text = t.formDesigner;

type Changes = components['schemas']['DraftChanges'];
type Published = Sent<components['schemas']['PublishedForm']>;

/** All that the server has against it, not only the first. */
function reasonsOf(error: unknown): readonly string[] {
  const { greske = [] } = (error instanceof ApiError ? (error.answer ?? {}) : {}) as { greske?: readonly { message: string }[] };
  return greske.length > 0 ? greske.map(({ message }) => message) : [messageOf(error)];
}

interface Props {
  path: string;
  verzija: number;
  faults: number;
  onPublished: (broj: number, isRecomputed: boolean) => void;
  /** The live form has changed meanwhile. */
  onMoved: () => void;
  onClose: () => void;
}

export function PublishDialog({ path, verzija, faults, onPublished, onMoved, onClose }: Props) {
  const { data, error, mutate } = useApi<Changes>(`${path}/changes`, undefined, { revalidateOnFocus: false });
  const { impact, error: uncounted } = useImpact(`${path}/impact`);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const confirm = useConfirm();
  const { pacijenti } = useWorker();
  const [preracunaj, setRecompute] = useState(false);

  async function publish(potvrdjenoRezultata: number | null): Promise<void> {
    try {
      const body = { verzija, potvrdjenoRezultata, preracunaj };
      const { broj, preracunavanje } = await api.post<Published>(`${path}/publish`, body);
      onPublished(broj, preracunavanje !== null);
    } catch (error) {
      const differs = error instanceof ApiError ? ((error.answer ?? {}) as { uticaj?: { rezultata: number } }).uticaj : undefined;
      if (differs && (await confirm({ message: messageOf(error), accept: text.publish }))) return publish(differs.rezultata);
      if (differs) return;
      if (error instanceof ApiError && error.status === 409 && (await mutate().catch(() => undefined))?.tudje.length) return onMoved();
      setRefused(reasonsOf(error));
    }
  }
  const press = async () => {
    setBusy(true);
    setRefused([]);
    await publish(null);
    setBusy(false);
  };
  return (
    <Dialog
      visible
      header={text.publishTitle}
      draggable={false}
      onHide={onClose}
      style={{ width: 'min(46rem, 94vw)' }}
      footer={
        <>
          <Button label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button label={text.publish} icon="pi pi-check" disabled={!data || faults > 0} loading={busy} onClick={() => void press()} />
        </>
      }
    >
      <div className={style.publish}>
        {refused.map((reason) => (
          <Message key={reason} severity="error" text={reason} />
        ))}
        {faults > 0 && <Message severity="error" text={text.faultsFirst(faults)} />}
        <section aria-label={text.impact}>
          <h2>{text.impact}</h2>
          <ImpactList impact={impact} error={uncounted} mayOpen={opensPatients(pacijenti)} entries={`${path}/entries`} />
        </section>
        <section aria-label={text.changes}>
          <h2>{text.changes}</h2>
          {error && !data ? (
            <LoadFailed error={error} retry={() => void mutate()} />
          ) : !data ? (
            <Loading lines={4} />
          ) : (
            <Differences difference={data.razlike} />
          )}
        </section>
        <StoredResults recompute={preracunaj} choose={setRecompute} />
      </div>
    </Dialog>
  );
}

/** What is done with results that are stored: nothing, unless whoever publishes says so. */
function StoredResults({ recompute, choose }: { recompute: boolean; choose: (recompute: boolean) => void }) {
  const id = useId();
  const words = t.recomputation;
  return (
    <fieldset className={style.stored}>
      <legend>{words.choice}</legend>
      {([false, true] as const).map((value) => (
        <div key={String(value)}>
          <RadioButton
            inputId={`${id}-${String(value)}`}
            name={id}
            value={value}
            checked={recompute === value}
            onChange={() => choose(value)}
          />
          <label htmlFor={`${id}-${String(value)}`}>{value ? words.choices.recompute : words.choices.leave}</label>
        </div>
      ))}
      <p className={style.help}>{recompute ? words.recomputeHelp : text.oldEntriesKeep}</p>
    </fieldset>
  );
}
