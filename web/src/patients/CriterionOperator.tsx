// How a criterion compares: the operators of the item's type.
import { Dropdown } from 'primereact/dropdown';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { operatorsOf, type Operator } from './criteria';
import type { SearchField } from './types';

const text = t.patients.search;

interface Props {
  field: SearchField | null;
  value: Operator | null;
  onChange: (operator: Operator | null) => void;
}

export function CriterionOperator({ field, value, onChange }: Props) {
  return (
    <Field label={text.operator}>
      {({ id }) => (
        <Dropdown
          inputId={id}
          value={value}
          options={field ? operatorsOf(field).map((one) => ({ value: one, label: text.operators[one] })) : []}
          placeholder={t.common.choose}
          disabled={!field}
          onChange={(e) => onChange(e.value as Operator | null)}
        />
      )}
    </Field>
  );
}
