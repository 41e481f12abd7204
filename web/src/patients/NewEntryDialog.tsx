// What a new entry needs before it is opened: its date, its type, and room for one more of them (A 2.5, 5).
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { RadioButton } from 'primereact/radiobutton';
import { useId, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import type { Reply } from '../schema';
import { at } from '../api/address';
import { api } from '../api/client';
import { fromServer } from '../format';
import { t } from '../messages';
import { newEntryPath } from '../places';
import { today } from '../today';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import { ExistingEntries } from './ExistingEntries';
import style from './search.module.css';

const text = t.patients.newEntry;

/** The button that submits stands outside of the form. */
function submitOnChoice(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || event.target.type !== 'radio') return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface Props {
  pacijentID: number;
  /** Said where the dialog does not stand on the patient's own page. */
  patient?: string;
  types: readonly Reply<'EntryType'>[];
  /** Whether the installation wants the date of examination before the entry. */
  datePicked: boolean;
  /** The day of the visit that the entry joins; none: today is proposed. */
  day?: string | null;
  /** Opened by the keyboard: it stands at the choice of the form, the day is proposed. */
  byKey?: boolean;
  onClose: () => void;
}

export function NewEntryDialog({ pacijentID, patient, types, datePicked, day: joined = null, byKey = false, onClose }: Props) {
  useFocusReturn();
  const possible = types.filter(({ mozeSeInstancirati }) => mozeSeInstancirati);
  const [date, setDate] = useState<string | null>(() => joined ?? today());
  const [type, setType] = useState<number | null>(possible.length === 1 ? (possible[0]?.id ?? null) : null);
  const [problem, setProblem] = useState<string | null>(null);
  const [existing, setExisting] = useState<Reply<'EntryCount'>['postojeci']>([]);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const toast = useToast();
  const id = useId();
  const isOfDate = problem === text.missingDate || problem === text.wrongDate;

  function choose(form: number) {
    setType(form);
    setProblem(null);
    setExisting([]);
  }

  function pickDate(day: string | null) {
    setDate(day);
    setProblem(null);
    setExisting([]);
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if ((datePicked || joined !== null) && !fromServer(date)) return setProblem(date === null ? text.missingDate : text.wrongDate);
    if (type === null) return setProblem(text.missingType);
    setBusy(true);
    try {
      const day = datePicked || joined !== null ? date : null;
      const { isValid, poruka, postojeci } = await api.get(at('/api/entry-count', { pacijentID, thaID: type, datumUnosa: day }));
      if (isValid) return void navigate(newEntryPath(type, pacijentID, day));
      setProblem(poruka ?? text.failed);
      setExisting(postojeci);
    } catch (error) {
      toast.failure(text.failed, error);
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.title}
      onHide={onClose}
      draggable={false}
      onShow={() => {
        const first = document.getElementById(id)?.querySelector<HTMLElement>('input[type="radio"]');
        if (byKey && first) first.focus();
        else focusFirst(id);
      }}
      style={{ width: 'min(28rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={onClose} />
          <Button type="submit" form={id} label={text.create} loading={busy} />
        </>
      }
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter on a choice is Enter in the form */}
      <form id={id} onSubmit={(event) => void submit(event)} onKeyDown={submitOnChoice} className={style.dialog} noValidate>
        {patient && (
          <p className={style.patient}>
            <span className="pi pi-user" aria-hidden /> {patient}
          </p>
        )}
        {(datePicked || joined !== null) && (
          <Field label={text.date} required error={isOfDate ? problem : null}>
            {(control) => <DateInput {...control} value={date} max={today()} onChange={pickDate} />}
          </Field>
        )}
        <fieldset className={style.types}>
          <legend>{text.type}</legend>
          {possible.map((form) => (
            <span key={form.id}>
              <RadioButton
                inputId={`${id}-${form.id}`}
                name="tip"
                value={form.id}
                checked={type === form.id}
                onChange={() => choose(form.id)}
              />
              <label htmlFor={`${id}-${form.id}`}>{form.naziv}</label>
            </span>
          ))}
        </fieldset>
        {problem && !isOfDate && (
          <p role="alert" className={style.problem}>
            {problem}
          </p>
        )}
        <ExistingEntries entries={existing} />
      </form>
    </Dialog>
  );
}
