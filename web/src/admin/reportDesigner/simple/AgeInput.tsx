import { DecimalInput } from '../../../ui/DecimalInput';
import { Field } from '../../../ui/Field';
import type { Typed } from '../../../ui/useNumberText';

const OLDEST = 150;

interface Props {
  label: string;
  error: string | null;
  value: Typed;
  onChange: (value: Typed) => void;
}

/** Whole years. */
export function AgeInput({ label, error, value, onChange }: Props) {
  return (
    <Field label={label} error={error}>
      {({ id, invalid }) => <DecimalInput id={id} invalid={invalid} decimals={0} min={0} max={OLDEST} value={value} onChange={onChange} />}
    </Field>
  );
}
