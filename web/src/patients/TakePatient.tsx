// The way across where another institution keeps the patient: why it is taken, said once; all five data are those of the form.
import { Button } from 'primereact/button';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState, type SyntheticEvent } from 'react';
import type { Schema } from '../schema';
import { api, messageOf } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { useToast } from '../ui/toast';
import style from './patients.module.css';

const text = t.patients.taking;
const SHORTEST = 10;

interface Props {
  record: Schema<'PatientInput'>;
  register: number | undefined;
  onTaken: (id: number) => void;
}

export function TakePatient({ record, register, onTaken }: Props) {
  const [razlog, setRazlog] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const id = useId();

  async function take(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (razlog.trim().length < SHORTEST) return setError(text.reasonMissing);
    setBusy(true);
    setError(null);
    try {
      const { ime, prezime, datumRodjenja, jmbg, lbo } = record;
      const taken = await api.post('/api/patient-takings', {
        ime: ime ?? '',
        prezime: prezime ?? '',
        datumRodjenja,
        jmbg: jmbg ?? '',
        lbo: lbo ?? '',
        razlog,
        registarID: register ?? null,
      });
      toast.success(text.taken);
      onTaken(taken.id);
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void take(event)} noValidate className={style.taking} aria-labelledby={id}>
      <h4 id={id}>{text.title}</h4>
      <p>{text.help}</p>
      <Field label={text.reason} required error={error} help={text.reasonHelp}>
        {(control) => <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />}
      </Field>
      <Button type="submit" label={text.take} icon="pi pi-download" loading={busy} />
    </form>
  );
}
