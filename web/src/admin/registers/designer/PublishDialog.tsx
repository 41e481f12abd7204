// Before a draft is published: what it changes, what that makes of what is stored, and the question.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputTextarea } from 'primereact/inputtextarea';
import { Message } from 'primereact/message';
import { RadioButton } from 'primereact/radiobutton';
import { useId, useState } from 'react';
import { at } from '../../../api/address';
import { api, ApiError, messageOf, refusalOf } from '../../../api/client';
import type { Reply } from '../../../schema';
import { useApi } from '../../../api/hooks';
import { useWorker } from '../../../api/session';
import { mayOpen, opensPatients, Right } from '../../../auth/rights';
import { ImpactMessage } from '../../../crud/ImpactMessage';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { Field } from '../../../ui/Field';
import { Loading, LoadFailed } from '../../../ui/states';
import { Differences } from '../../../versions/Differences';
import { Renames, UNSAID } from '../../../versions/Renames';
import { SIGNATURES_STAY, SignatureChoice, signatureFault, type EndedSignatures } from '../SignatureChoice';
import style from './designer.module.css';
import { FaultList } from './FaultList';
import { ImpactList, useImpact } from './ImpactList';
import { ChangeList } from './Moved';

const text = t.formDesigner;

/** A note is a few sentences; the server refuses longer ones. */
const LONGEST_NOTE = 1000;

interface Props {
  form: number;
  verzija: number;
  faults: readonly Reply<'DraftFault'>[];
  /** Leads to where a fault is. */
  onFault: (fault: Reply<'DraftFault'>) => void;
  onPublished: (broj: number, isRecomputed: boolean) => void;
  /** To what others have changed meanwhile. */
  onMoved: () => void;
  onClose: () => void;
}

export function PublishDialog({ form, verzija, faults, onFault, onPublished, onMoved, onClose }: Props) {
  const { data, error, mutate } = useApi(at('/api/forms/{id}/draft/changes', { id: form }), { revalidateOnFocus: false });
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  /** Found by publishing alone: reports that read what the draft removes. */
  const [found, setFound] = useState<readonly Reply<'DraftFault'>[] | null>(null);
  const [wording, say] = useState(UNSAID);
  const [napomena, setNote] = useState('');
  const confirm = useConfirm();
  const { pacijenti, prava } = useWorker();
  const [preracunaj, setRecompute] = useState(false);
  const [signatures, setSignatures] = useState(SIGNATURES_STAY);
  const [reasonFault, setReasonFault] = useState<string | null>(null);
  const ended: EndedSignatures = preracunaj ? signatures : SIGNATURES_STAY;
  const standing = found ?? faults;
  const { impact, error: uncounted } = useImpact(form, wording, {
    zavrsiPotpise: ended.zavrsiPotpise,
    isOn: standing.length === 0,
  });
  const theirs = data?.tudje ?? [];

  async function publish(potvrdjenoRezultata: number | null): Promise<void> {
    try {
      const body = { verzija, potvrdjenoRezultata, preracunaj, napomena, ...ended, ...wording };
      const { broj, preracunavanje } = await api.post(at('/api/forms/{id}/draft/publish', { id: form }), body);
      onPublished(broj, preracunavanje !== null);
    } catch (error) {
      const { uticaj } = (error instanceof ApiError && error.answer) || {};
      const message = uticaj && <ImpactMessage message={messageOf(error)} impact={uticaj} />;
      if (uticaj && (await confirm({ message, accept: text.publish }))) return publish(uticaj.rezultata);
      if (uticaj) return;
      const refusal = refusalOf<'/api/forms/{id}/draft/publish', 'post', 422>(error, 422, 'greskeNacrta');
      if (refusal) return setFound(refusal.greskeNacrta);
      // What others have changed is listed.
      if (error instanceof ApiError && error.status === 409 && (await mutate().catch(() => undefined))?.tudje.length) return;
      setRefused(messageOf(error));
    }
  }
  const press = async () => {
    const fault = signatureFault(ended);
    setReasonFault(fault);
    if (fault !== null) return;
    setBusy(true);
    setRefused(null);
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
          <Button
            label={text.publish}
            icon="pi pi-check"
            disabled={!data || standing.length > 0 || theirs.length > 0}
            loading={busy}
            onClick={() => void press()}
          />
        </>
      }
    >
      <div className={style.publish}>
        {refused !== null && <Message severity="error" text={refused} />}
        {standing.length > 0 && (
          <section aria-label={text.faultsFirst(standing.length)}>
            <Message severity="error" text={text.faultsFirst(standing.length)} />
            <FaultList faults={standing} onOpen={onFault} isOpen />
          </section>
        )}
        {theirs.length > 0 && (
          <section className={style.bar} aria-label={text.movedTitle}>
            <div>
              <p role="alert">{text.movedFirst}</p>
              <ChangeList title={text.theirs} changes={theirs} />
              <ChangeList title={text.clashes} changes={data?.sukobi ?? []} />
            </div>
            <Button label={text.goTake} size="small" onClick={onMoved} />
          </section>
        )}
        {data && <Renames renames={data.preimenovano} said={wording} onSay={say} />}
        {standing.length === 0 && (
          <section aria-label={text.impact}>
            <h2>{text.impact}</h2>
            <ImpactList impact={impact} error={uncounted} mayOpen={opensPatients(pacijenti)} form={form} />
          </section>
        )}
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
        {preracunaj && (
          <SignatureChoice
            count={impact?.preracunavanje.potpisa ?? null}
            chosen={signatures}
            mayEnd={mayOpen(prava, [Right.EntryLocking])}
            fault={reasonFault}
            onChoose={setSignatures}
          />
        )}
        <Field label={text.note} help={text.noteHelp}>
          {(control) => (
            <InputTextarea
              {...control}
              rows={2}
              autoResize
              maxLength={LONGEST_NOTE}
              value={napomena}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
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
