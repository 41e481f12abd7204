// The patient's form: registering, and changing what is known. Likely duplicates are shown before a registration is saved.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useEffect, useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, ApiError, messageOf } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { payload, useForm, type Problem } from '../crud/useForm';
import { formatDateTime } from '../format';
import { label, t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { focusFirst } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import { useUnsaved } from '../ui/useUnsaved';
import { Duplicates, isTaken } from './Duplicates';
import { fieldText, type PatientField } from './patientColumns';
import { PatientFields } from './PatientFields';
import { ALIKE, alikeTo } from './alike';
import { faultsOf } from './answers';
import { changes, emptyPatient, inputOf, overtaken, patientProblems, withPlainNumbers } from './patientForm';
import { TakePatient } from './TakePatient';
import { useConfirmed } from './useConfirmed';
import style from './patients.module.css';

const text = t.patients.form;

interface Props {
  /** None: a new one. */
  patient: Schema<'Patient'> | null;
  /** Where a new patient is registered. */
  register?: number;
  onClose: () => void;
  onSaved: (id: number) => void;
}

const resembled = ({ ime, prezime, datumRodjenja, jmbg, lbo }: Schema<'PatientInput'>) => ({
  ime: ime ?? '',
  prezime: prezime ?? '',
  datumRodjenja,
  jmbg: jmbg ?? '',
  lbo: lbo ?? '',
});
const isStale = (error: unknown) => error instanceof ApiError && error.status === 409 && error.field === null;

export function PatientDialog({ patient, register, onClose, onSaved }: Props) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const [candidates, setCandidates] = useState<Schema<'Candidates'> | null>(null);
  // The record that the form changes, and what somebody else has made meanwhile of fields that are changed here too.
  const [base, setBase] = useState(patient);
  const [theirs, setTheirs] = useState<PatientField[]>([]);
  /** Who has made that; nobody's name where the history of it cannot be read. */
  const [changer, setChanger] = useState<string | null>(null);
  const { data: flags } = useApi('/api/parameter/pacijent');
  const form = useForm<Schema<'PatientInput'>>(patient ? inputOf(patient) : emptyPatient, busy);
  const isSaved = useUnsaved(form.changed);
  const confirm = useConfirm();
  const confirmed = useConfirmed();
  const toast = useToast();
  const id = useId();

  const { problem } = form;
  /** What the last save failed with, first: the focus goes there once, and stays where somebody types while faults are mended. */
  const [fault, setFault] = useState<Problem<Schema<'PatientInput'>> | null>(null);
  useEffect(() => {
    if (busy || (!fault && theirs.length === 0)) return;
    const at = fault?.field ? `[data-field="${fault.field}"] :is(input, textarea)` : '[role="alert"]';
    document.getElementById(id)?.querySelector<HTMLElement>(at)?.focus();
  }, [busy, fault, theirs, id]);
  const tell = (problems: readonly Problem<Schema<'PatientInput'>>[]) => {
    form.failAll(problems);
    setFault(problems[0] ?? null);
  };

  async function add(record: Schema<'PatientInput'>, compared: boolean): Promise<number | null> {
    if (!compared) {
      const found = await api.post('/api/patients/duplicates', resembled(record));
      if (found.data.length + found.uDrugimUstanovama > 0) {
        setCandidates(found);
        return null;
      }
    }
    const created = await confirmed(
      (potvrde) => api.post('/api/patients', { ...record, registarID: register, potvrde }),
      // She was shown who is alike, and went on.
      compared ? [ALIKE] : [],
      [ALIKE],
    );
    if (!created) setCandidates(null);
    return created?.id ?? null;
  }

  /** Other people's changes of other fields are kept; where both changed a field, the one here is saved only by a second save. */
  async function change(from: Schema<'Patient'>, mine: Partial<Schema<'PatientInput'>>, compared: boolean): Promise<number | null> {
    const path = at('/api/patients/{id}', { id: from.id });
    try {
      const send = (potvrde: string[]) => api.patch(path, { ...mine, verzija: from.verzija, potvrde });
      const saved = await confirmed(send, compared ? [ALIKE] : [], [ALIKE]);
      if (saved === null) setCandidates(null);
      return saved && from.id;
    } catch (error) {
      if (!isStale(error)) throw error;
    }
    const now = await api.get(path);
    const both = overtaken(inputOf(from), mine, inputOf(now));
    if (both.length === 0) return change(now, mine, compared);
    const states = await api.get(at('/api/patients/{id}/archive', { id: from.id })).catch(() => null);
    setChanger(states?.data[0]?.radnikUpisao ?? null);
    setBase(now);
    form.reset(inputOf(now));
    (Object.keys(mine) as PatientField[]).forEach((field) => form.set(field, mine[field] ?? null));
    setTheirs(both);
    setCandidates(null);
    return null;
  }

  async function save(compared: boolean) {
    setBusy(true);
    setFailed(false);
    setTheirs([]);
    try {
      const record = withPlainNumbers(payload(form.record));
      const saved = await (base ? change(base, changes(inputOf(base), record), compared) : add(record, compared));
      if (saved !== null) {
        isSaved();
        toast.success(text.saved);
        return onSaved(saved);
      }
    } catch (error) {
      const similar = await alikeTo(error, payload(form.record), patient?.id);
      if (similar) {
        setCandidates(similar);
        return setBusy(false);
      }
      const field = error instanceof ApiError && error.field && error.field in form.record ? (error.field as PatientField) : null;
      const faults = faultsOf(error, form.record);
      tell(
        faults.length > 0
          ? faults
          : [{ field, message: error instanceof ApiError && error.status === 404 ? t.patients.page.unknown : messageOf(error) }],
      );
      setFailed(true);
      setCandidates(null);
    }
    setBusy(false);
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    const problems = patientProblems(form.record);
    setFailed(false);
    tell(problems);
    if (problems.length === 0) void save(false);
  }

  async function close() {
    if (busy) return;
    if (!form.changed || (await confirm({ message: t.crud.discardQuestion, accept: t.crud.discard, danger: true }))) onClose();
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
      onShow={() => focusFirst(id)}
      footer={
        candidates ? (
          <>
            <Button
              type="button"
              label={text.backToForm}
              severity="secondary"
              outlined
              disabled={busy}
              onClick={() => setCandidates(null)}
            />
            {!isTaken(candidates) && (
              <Button
                type="button"
                label={patient ? text.saveChangesAnyway : text.saveAnyway}
                severity="warning"
                loading={busy}
                onClick={() => void save(true)}
              />
            )}
          </>
        ) : (
          <>
            <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={() => void close()} />
            <Button type="submit" form={id} label={t.common.save} loading={busy} />
          </>
        )
      }
    >
      {candidates && <Duplicates candidates={candidates} />}
      {candidates && candidates.uDrugimUstanovama > 0 && (
        <TakePatient
          record={withPlainNumbers(payload(form.record))}
          register={register}
          onTaken={(taken) => {
            isSaved();
            onSaved(taken);
          }}
        />
      )}
      <form id={id} onSubmit={submit} noValidate hidden={candidates !== null}>
        {failed && (
          <div role="alert" tabIndex={-1} className={style.problem}>
            <strong>{text.failed}</strong>
            {problem && problem.field === null && <p>{problem.message}</p>}
          </div>
        )}
        {base && theirs.length > 0 && (
          <div role="alert" tabIndex={-1} className={style.problem}>
            <strong>{text.overtaken(changer, formatDateTime(base.vremePoslednjeIzmene))}</strong>
            <ul>
              {theirs.map((field) => (
                <li key={field}>
                  {label(`patient.${field}`)}: {fieldText(base, field)}
                </li>
              ))}
            </ul>
            <p>{text.overtakenHelp}</p>
          </div>
        )}
        <PatientFields form={form} flags={flags} />
      </form>
    </Dialog>
  );
}
