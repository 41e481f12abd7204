// The plan of one patient: which one, and from which day it is counted.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import { fromServer } from '../format';
import { t } from '../messages';
import type { Reply } from '../schema';
import { today } from '../today';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './plans.module.css';

const text = t.plans.change;

interface Props {
  patient: number;
  register: number;
  plan: Reply<'PatientVisits'>['plan'];
  choices: Reply<'PatientVisits'>['planovi'];
  onClose: () => void;
  onSaved: () => void;
}

export function PlanDialog({ patient, register, plan, choices, onClose, onSaved }: Props) {
  useFocusReturn();
  const [chosen, setChosen] = useState(plan?.planID ?? choices[0]?.id ?? 0);
  const [day, setDay] = useState<string | null>(plan?.ukljucenjeRucno ? plan.ukljucenje : null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (day !== null && !fromServer(day)) return setFault(t.common.wrongDate);
    setBusy(true);
    try {
      await api.put(at('/api/patients/{id}/visit-plan', { id: patient, registarID: register }), {
        registarID: register,
        planID: chosen,
        ukljucenje: day,
        verzija: plan?.verzija ?? null,
      });
      toast.success(text.saved);
      return onSaved();
    } catch (failure) {
      setFault(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.title}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      onShow={() => focusFirst(id)}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={t.common.save} loading={busy} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} className={style.fields} noValidate>
        <Field label={text.plan} required>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={chosen}
              options={choices.map(({ id, naziv }) => ({ value: id, label: naziv }))}
              onChange={({ value }: { value: number }) => setChosen(value)}
            />
          )}
        </Field>
        <Field label={text.included} error={fault} help={text.includedHelp}>
          {(control) => <DateInput {...control} value={day} max={today()} onChange={setDay} />}
        </Field>
      </form>
    </Dialog>
  );
}
