// The plan of one patient: which one, and from which day it is counted.
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { fromServer } from '../format';
import { t } from '../messages';
import type { Reply } from '../schema';
import { today } from '../today';
import { DateInput } from '../ui/DateInput';
import { DeedDialog } from '../ui/DeedDialog';
import { Field } from '../ui/Field';
import { useToast } from '../ui/toast';
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
  const [chosen, setChosen] = useState(plan?.planID ?? choices[0]?.id ?? 0);
  const [day, setDay] = useState<string | null>(plan?.ukljucenjeRucno ? plan.ukljucenje : null);
  const toast = useToast();

  return (
    <DeedDialog
      title={text.title}
      accept={t.common.save}
      className={style.dialog}
      formClassName={style.fields}
      missing={() => (day !== null && !fromServer(day) ? t.common.wrongDate : null)}
      deed={async () => {
        await api.put(at('/api/patients/{id}/visit-plan', { id: patient, registarID: register }), {
          registarID: register,
          planID: chosen,
          ukljucenje: day,
          verzija: plan?.verzija ?? null,
        });
        toast.success(text.saved);
        onSaved();
      }}
      onClose={onClose}
    >
      {(fault) => (
        <>
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
        </>
      )}
    </DeedDialog>
  );
}
