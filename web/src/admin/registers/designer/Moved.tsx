// The live form has changed since the draft was taken from it: what, and the way to take it into the draft.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import type { Reply, Schema } from '../../../schema';
import { useApi } from '../../../api/hooks';
import { t } from '../../../messages';
import { useToast } from '../../../ui/toast';
import style from './designer.module.css';
import type { DraftSaver } from './draftSaver';
import { asDraft, type FormDraft } from './model';
import { propertyName } from './names';

const text = t.formDesigner;

export function Moved({ form, saver, onTaken }: { form: number; saver: DraftSaver; onTaken: (draft: FormDraft) => void }) {
  const { data, mutate } = useApi(at('/api/forms/{id}/draft/changes', { id: form }), { revalidateOnFocus: false });
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  async function take(sukobi: Schema<'Prefers'> | null) {
    setBusy(true);
    try {
      if (!(await saver.flush())) return;
      const taken = await api.post(at('/api/forms/{id}/draft/rebase', { id: form }), { verzija: saver.number(), sukobi });
      saver.end();
      // The publication that is opened next shows the same call's answer.
      await mutate().catch(() => undefined);
      onTaken(asDraft(taken));
    } catch (error) {
      toast.failure(text.takeFailed, error);
    } finally {
      setBusy(false);
    }
  }
  const clashes = data?.sukobi ?? [];
  return (
    <section className={style.bar} aria-label={text.movedTitle}>
      <div>
        <p role="status">{text.moved2}</p>
        <ChangeList title={text.theirs} changes={data?.tudje ?? []} />
        <ChangeList title={text.clashes} changes={clashes} />
      </div>
      <div className={style.buttons}>
        {clashes.length === 0 ? (
          <Button label={text.takeOver} size="small" disabled={!data} loading={busy} onClick={() => void take(null)} />
        ) : (
          <>
            <Button label={text.keepMine} size="small" outlined loading={busy} onClick={() => void take('moje')} />
            <Button label={text.takeTheirs} size="small" outlined loading={busy} onClick={() => void take('njihovo')} />
          </>
        )}
      </div>
    </section>
  );
}

export function ChangeList({ title, changes }: { title: string; changes: readonly Reply<'DraftChange'>[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <strong>{title}</strong>
      <ul>
        {changes.map(({ gde, naziv, vrsta, svojstva }) => (
          <li key={`${gde} ${naziv} ${vrsta}`}>
            {text.change(naziv, text.changeKinds[vrsta], svojstva.map((one) => propertyName(gde, one) ?? one).join(', '))}
          </li>
        ))}
      </ul>
    </>
  );
}
