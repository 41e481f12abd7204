// One patient of the reader's institutions, found by the beginning of the surname or by the JMBG. Each search is a row of the log, so
// nothing is asked for before three letters stand there and the hand rests.
import { AutoComplete } from 'primereact/autocomplete';
import { useState } from 'react';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import type { Reply } from '../schema';
import { formatDate } from '../format';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { useToast } from '../ui/toast';

const text = t.looks;
const FEWEST_LETTERS = 3;

interface Props {
  value: Reply<'PatientOption'> | null;
  onChange: (patient: Reply<'PatientOption'> | null) => void;
  required?: boolean;
  error?: string | null;
}

export const patientWithBirth = ({ imePrezime, datumRodjenja }: Reply<'PatientOption'>) =>
  text.patientOf(imePrezime, formatDate(datumRodjenja));

export function PatientPicker({ value, onChange, required = false, error = null }: Props) {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Reply<'PatientOption'>[]>([]);
  const toast = useToast();

  async function find(filter: string) {
    try {
      setFound((await api.get(at('/api/looks/patients', { filter }))).data);
    } catch (failure) {
      setFound([]);
      toast.error(text.failed, messageOf(failure));
    }
  }

  return (
    <Field label={text.patient} required={required} error={error} help={text.patientHelp}>
      {({ id, invalid, 'aria-describedby': note }) => (
        <AutoComplete
          inputId={id}
          value={value ? patientWithBirth(value) : typed}
          suggestions={found}
          completeMethod={({ query }) => void find(query)}
          itemTemplate={patientWithBirth}
          selectedItemTemplate={(one: Reply<'PatientOption'> | string) => (typeof one === 'string' ? one : patientWithBirth(one))}
          onChange={({ value: entered }: { value: Reply<'PatientOption'> | string | null }) => {
            if (entered !== null && typeof entered === 'object') {
              onChange(entered);
            } else {
              setTyped(entered ?? '');
              if (value) onChange(null);
            }
          }}
          minLength={FEWEST_LETTERS}
          delay={400}
          showEmptyMessage
          emptyMessage={text.noPatients}
          invalid={invalid}
          aria-describedby={note}
        />
      )}
    </Field>
  );
}
