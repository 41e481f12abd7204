// The criteria of a search kept as a cohort, which an analysis takes.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { useId, useState, type SyntheticEvent } from 'react';
import { useNavigate } from 'react-router';
import { api, ApiError, messageOf } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { useFocusReturn } from '../ui/useFocusReturn';
import { cohortOfSearch } from './cohortOfSearch';
import type { SearchCriteria } from './criteria';
import style from './search.module.css';
import type { SearchSetup } from './types';

const text = t.patients.cohort;

interface Props {
  setup: SearchSetup;
  criteria: SearchCriteria;
}

export function SaveCohort({ setup, criteria }: Props) {
  const [saving, setSaving] = useState(false);
  return (
    <>
      <Button type="button" label={text.save} icon="pi pi-users" text severity="secondary" onClick={() => setSaving(true)} />
      {saving && <SaveDialog setup={setup} criteria={criteria} onClose={() => setSaving(false)} />}
    </>
  );
}

function SaveDialog({ setup, criteria, onClose }: Props & { onClose: () => void }) {
  useFocusReturn();
  const id = useId();
  const navigate = useNavigate();
  const made = cohortOfSearch(criteria, setup);
  const [naziv, setNaziv] = useState('');
  const [form, setForm] = useState(setup.tipoviUnosa[0]?.id ?? null);
  const [deljena, setDeljena] = useState(false);
  const [problem, setProblem] = useState<{ field: string; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const refused = typeof made === 'string' ? text.refused[made] : null;

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    const tipUnosaID = typeof made === 'string' ? null : (made.izbor.tipUnosaID ?? form);
    if (typeof made === 'string' || tipUnosaID === null) return;
    if (naziv.trim() === '') return setProblem({ field: 'naziv', message: text.missingName });
    setBusy(true);
    try {
      const saved = await api.post('/api/cohorts', { naziv, deljena, izbor: { ...made.izbor, tipUnosaID } });
      await navigate(`/analiza?kohorta=${String(saved.id)}`);
    } catch (error) {
      setProblem({ field: (error instanceof ApiError && error.field) || '', message: messageOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog
      visible
      header={text.save}
      onHide={onClose}
      draggable={false}
      onShow={() => focusFirst(id)}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={onClose} />
          {refused === null && <Button type="submit" form={id} label={text.confirm} loading={busy} />}
        </>
      }
    >
      {typeof made === 'string' ? (
        <p>{refused}</p>
      ) : (
        <form id={id} onSubmit={(event) => void submit(event)} className={style.dialog} noValidate>
          <Field label={text.name} required error={problem?.field === 'naziv' ? problem.message : null}>
            {({ invalid, ...control }) => (
              <InputText
                {...control}
                className={invalid ? 'p-invalid' : undefined}
                value={naziv}
                maxLength={200}
                onChange={({ target }) => setNaziv(target.value)}
              />
            )}
          </Field>
          {made.izbor.tipUnosaID === null && (
            <Field label={text.form} required help={text.formHelp}>
              {(control) => (
                <Dropdown
                  inputId={control.id}
                  value={form}
                  options={setup.tipoviUnosa.map(({ id: value, naziv: label }) => ({ value, label }))}
                  onChange={({ value }: { value: number }) => setForm(value)}
                />
              )}
            </Field>
          )}
          <span className={style.share}>
            <Checkbox inputId={`${id}-deljena`} checked={deljena} onChange={({ checked }) => setDeljena(checked ?? false)} />
            <label htmlFor={`${id}-deljena`}>{text.share}</label>
          </span>
          {made.leftOut.map((part) => (
            <p key={part}>{text.leftOut[part]}</p>
          ))}
          <p>{text.known}</p>
          {problem && problem.field !== 'naziv' && <p role="alert">{problem.message}</p>}
        </form>
      )}
    </Dialog>
  );
}
