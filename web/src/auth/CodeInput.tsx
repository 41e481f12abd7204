// The code of the second step: six digits of the telephone, or one of those on paper.
import { InputText } from 'primereact/inputtext';
import { t } from '../messages';
import { Field } from '../ui/Field';

interface Props {
  value: string;
  onChange: (value: string) => void;
  error: string | null;
  lead?: string;
}

export function CodeInput({ value, onChange, error, lead = t.account.codeLead }: Props) {
  return (
    <Field label={t.account.code} required error={error} help={lead}>
      {(control) => (
        <InputText
          {...control}
          value={value}
          onChange={(e) => onChange(e.target.value)}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
        />
      )}
    </Field>
  );
}
