// The criteria of a search kept as a cohort, which an analysis takes.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { useFocusReturn } from '../ui/useFocusReturn';
import { cohortOfSearch } from './cohortOfSearch';
import type { SearchCriteria } from './criteria';
import { KeepDialog } from './KeepDialog';
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
  const navigate = useNavigate();
  const made = cohortOfSearch(criteria, setup);
  const [form, setForm] = useState(setup.tipoviUnosa[0]?.id ?? null);
  if (typeof made === 'string') return <Refused why={text.refused[made]} onClose={onClose} />;

  async function keep(naziv: string, deljena: boolean) {
    if (typeof made === 'string') return;
    const tipUnosaID = made.izbor.tipUnosaID ?? form;
    if (tipUnosaID === null) return;
    const saved = await api.post('/api/cohorts', { naziv, deljena, izbor: { ...made.izbor, tipUnosaID } });
    await navigate(`/analiza?kohorta=${String(saved.id)}`);
  }

  return (
    <KeepDialog
      title={text.save}
      accept={text.confirm}
      name={text.name}
      missingName={text.missingName}
      longest={200}
      share={text.share}
      keep={keep}
      onClose={onClose}
      notes={
        <>
          {made.leftOut.map((part) => (
            <p key={part}>{text.leftOut[part]}</p>
          ))}
          <p>{text.known}</p>
        </>
      }
    >
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
    </KeepDialog>
  );
}

function Refused({ why, onClose }: { why: string; onClose: () => void }) {
  useFocusReturn();
  return (
    <Dialog
      visible
      header={text.save}
      onHide={onClose}
      draggable={false}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={<Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={onClose} />}
    >
      <p>{why}</p>
    </Dialog>
  );
}
