// The patient's form: registering, and changing what is known. Likely duplicates are shown before a registration is saved.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useState, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { payload, useForm } from '../crud/useForm';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import { Duplicates } from './Duplicates';
import { PatientFields } from './PatientFields';
import { emptyPatient, patientProblem } from './patientForm';
import style from './patients.module.css';
import type { Candidates, Patient, PatientFlags, PatientInput } from './types';

const text = t.patients.form;

interface Props {
  /** None: a new one. */
  patient: Patient | null;
  /** Where a new patient is registered. */
  register?: number;
  onClose: () => void;
  onSaved: (id: number) => void;
}

const inputOf = (patient: Patient): PatientInput =>
  Object.fromEntries(Object.keys(emptyPatient).map((key) => [key, patient[key as keyof PatientInput]])) as unknown as PatientInput;

const resembled = ({ ime, prezime, datumRodjenja, jmbg, lbo }: PatientInput) => ({ ime, prezime, datumRodjenja, jmbg, lbo });

export function PatientDialog({ patient, register, onClose, onSaved }: Props) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [candidates, setCandidates] = useState<Candidates | null>(null);
  const { data: flags } = useApi<PatientFlags>('/api/parameter/pacijent');
  const form = useForm<PatientInput>(patient ? inputOf(patient) : emptyPatient, busy);
  const confirm = useConfirm();
  const toast = useToast();
  const id = useId();

  async function write(record: PatientInput) {
    if (patient) {
      await api.patch(`/api/patients/${patient.id}`, { ...record, verzija: patient.verzija });
      return patient.id;
    }
    const { id: created, upozorenja } = await api.post<{ id: number; upozorenja: string[] }>('/api/patients', { ...record, registarID: register });
    upozorenja.forEach((warning) => toast.warn(warning));
    return created;
  }

  async function save(compared: boolean) {
    setBusy(true);
    try {
      const record = payload(form.record);
      if (!patient && !compared) {
        const found = await api.post<Candidates>('/api/patients/duplicates', resembled(record));
        if (found.data.length + found.uDrugimUstanovama > 0) {
          setCandidates(found);
          setBusy(false);
          return;
        }
      }
      const saved = await write(record);
      toast.success(text.saved);
      onSaved(saved);
    } catch (error) {
      const field = error instanceof ApiError && error.field && error.field in form.record ? (error.field as keyof PatientInput) : null;
      form.fail({ field, message: messageOf(error) });
      setCandidates(null);
      toast.error(text.failed);
      setBusy(false);
    }
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    const problem = patientProblem(form.record);
    form.fail(problem);
    if (problem) document.getElementById(id)?.querySelector<HTMLElement>(`[data-field="${problem.field ?? ''}"] input`)?.focus();
    else void save(false);
  }

  async function close() {
    if (!form.changed || (await confirm({ message: text.discard, danger: true }))) onClose();
  }

  return (
    <Dialog
      visible
      header={patient ? text.updateTitle : text.createTitle}
      onHide={() => void close()}
      className={style.dialog}
      draggable={false}
      maximizable
      closeOnEscape={!busy}
      footer={
        candidates ? (
          <>
            <Button type="button" label={text.backToForm} severity="secondary" outlined onClick={() => setCandidates(null)} />
            <Button type="button" label={text.saveAnyway} severity="warning" loading={busy} onClick={() => void save(true)} />
          </>
        ) : (
          <>
            <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={() => void close()} />
            <Button type="submit" form={id} label={t.common.save} loading={busy} />
          </>
        )
      }
    >
      {candidates && <Duplicates candidates={candidates} />}
      <form id={id} onSubmit={submit} noValidate hidden={candidates !== null}>
        {form.problem && form.problem.field === null && (
          <p role="alert" className={style.problem}>
            {form.problem.message}
          </p>
        )}
        <PatientFields form={form} flags={flags} />
      </form>
    </Dialog>
  );
}
