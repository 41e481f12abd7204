// A criterion of which several may be chosen; none is all.
import { MultiSelect } from 'primereact/multiselect';
import { t } from '../messages';
import { Field } from '../ui/Field';

interface Props<V> {
  label: string;
  /** Said while none is chosen. */
  all: string;
  options: readonly { value: V; label: string }[];
  value: V[];
  onChange: (value: V[]) => void;
}

export function Several<V>({ label, all, options, value, onChange }: Props<V>) {
  return (
    <Field label={label}>
      {({ id }) => (
        <MultiSelect
          inputId={id}
          value={value}
          options={[...options]}
          onChange={(e) => onChange(e.value as V[])}
          placeholder={all}
          filter
          maxSelectedLabels={3}
          selectedItemsLabel={t.log.chosen}
          display="comma"
        />
      )}
    </Field>
  );
}
