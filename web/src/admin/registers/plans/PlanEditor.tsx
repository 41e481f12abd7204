// The visits of a plan, edited as one and published as the next version; of a new plan its name as well.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../../../api/address';
import { api, ApiError, messageOf } from '../../../api/client';
import { useApi, useList } from '../../../api/hooks';
import { t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { useToast } from '../../../ui/toast';
import { useUnsaved } from '../../../ui/useUnsaved';
import { nextItem, placeOf, type PlanItem, type VisitPlan } from './plan';
import { Preview } from './Preview';
import { VisitFields } from './VisitFields';
import style from './plans.module.css';

const text = t.plans.admin;

interface Props {
  register: number;
  /** None: a new one. */
  plan: VisitPlan | null;
  onClose: () => void;
  onSaved: () => void;
}

/** What the server found wrong, by visit and property; the rest as one text. */
function faultsOf(error: unknown): { byPlace: Record<number, Record<string, string>>; other: string | null } {
  const byPlace: Record<number, Record<string, string>> = {};
  const greske = error instanceof ApiError ? (error.answer?.greske ?? []) : [];
  let other: string | null = greske.length === 0 ? messageOf(error) : null;
  for (const { field, message } of greske) {
    const found = placeOf(field);
    if (found) (byPlace[found.place] ??= {})[found.property] ??= message;
    else other ??= message;
  }
  return { byPlace, other };
}

export function PlanEditor({ register, plan, onClose, onSaved }: Props) {
  const [begun] = useState<readonly PlanItem[]>(() => plan?.stavke ?? [nextItem([])]);
  const [items, setItems] = useState(begun);
  const [sifra, setCode] = useState('');
  const [naziv, setName] = useState('');
  const [note, setNote] = useState('');
  const [isDefault, setDefault] = useState(plan === null);
  const [forExisting, setForExisting] = useState(true);
  const [faults, setFaults] = useState<ReturnType<typeof faultsOf> | null>(null);
  const [busy, setBusy] = useState(false);
  const settle = useUnsaved(items !== begun);
  const { data: forms } = useList('/api/forms', { registar: register });
  const { data: fields } = useApi(at('/api/registers/{id}/visit-plan-fields', { id: register }));
  const toast = useToast();
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setBusy(true);
    setFaults(null);
    try {
      if (plan) {
        const body = { stavke: items, napomena: note || null, zaPostojece: forExisting, verzija: plan.verzija };
        await api.post(at('/api/visit-plans/{id}/versions', { id: plan.id }), body);
      } else {
        await api.post(at('/api/registers/{id}/visit-plans', { id: register }), { sifra, naziv, podrazumevani: isDefault, stavke: items });
      }
      toast.success(plan ? text.publishedNow : text.created);
      settle();
      return onSaved();
    } catch (error) {
      setFaults(faultsOf(error));
      toast.failure(text.publishFailed, error);
    }
    setBusy(false);
  }

  return (
    <form className={style.plans} onSubmit={(event) => void submit(event)} noValidate>
      {!plan && (
        <div className={style.fields}>
          <Field label={text.code} required>
            {(control) => <InputText {...control} value={sifra} maxLength={40} onChange={({ target }) => setCode(target.value)} />}
          </Field>
          <Field label={text.name} required>
            {(control) => <InputText {...control} value={naziv} maxLength={120} onChange={({ target }) => setName(target.value)} />}
          </Field>
          <span className={style.check}>
            <Checkbox inputId={`${id}-sami`} checked={isDefault} onChange={() => setDefault(!isDefault)} />
            <label htmlFor={`${id}-sami`}>{text.isDefault}</label>
          </span>
        </div>
      )}
      {items.map((item, place) => (
        <VisitFields
          key={place}
          item={item}
          forms={(forms?.data ?? []).map(({ id, naziv }) => ({ value: id, label: naziv }))}
          dateFields={(fields?.data ?? []).map(({ id, naziv, formular }) => ({ value: id, label: `${formular}: ${naziv}` }))}
          faults={faults?.byPlace[place] ?? {}}
          onChange={(changed) => setItems(items.map((one, other) => (other === place ? changed : one)))}
          onRemove={() => setItems(items.filter((_, other) => other !== place))}
        />
      ))}
      <div className={style.actions}>
        <Button type="button" label={text.addVisit} icon="pi pi-plus" outlined onClick={() => setItems([...items, nextItem(items)])} />
      </div>
      <Preview register={register} items={items} />
      {plan && (
        <>
          <Field label={text.note}>
            {(control) => <InputText {...control} value={note} maxLength={1000} onChange={({ target }) => setNote(target.value)} />}
          </Field>
          <span className={style.check}>
            <Checkbox inputId={`${id}-postojeci`} checked={forExisting} onChange={() => setForExisting(!forExisting)} />
            <label htmlFor={`${id}-postojeci`}>{text.existing}</label>
          </span>
        </>
      )}
      {faults?.other && <Message severity="error" text={faults.other} />}
      <div className={style.actions}>
        <Button type="submit" label={plan ? text.publish : text.save} loading={busy} />
        <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
      </div>
    </form>
  );
}
