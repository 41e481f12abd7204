// A criterion of which several may be chosen, searched by the server; none is all.
import { MultiSelect } from 'primereact/multiselect';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { foundProps, useFound, type FoundChoice, type Source } from '../ui/found';

interface Props<A> extends Source<A> {
  label: string;
  /** Said while none is chosen. */
  all: string;
  /** With their names: the next search may not find them. */
  value: readonly FoundChoice[];
  onChange: (chosen: FoundChoice[]) => void;
}

export function SeveralFound<A>({ label, all, value, onChange, ...source }: Props<A>) {
  const found = useFound(source);
  const known = [...value, ...found.choices];
  return (
    <Field label={label} error={found.error ? t.common.choicesFailed : null}>
      {({ id, ...control }) => (
        <MultiSelect
          {...control}
          {...foundProps(found, value)}
          inputId={id}
          value={value.map((one) => one.value)}
          onChange={(e) => onChange(((e.value as number[] | null) ?? []).flatMap((id) => known.find((one) => one.value === id) ?? []))}
          placeholder={all}
          // All of those that are shown are not all that there are.
          showSelectAll={!found.cut}
          maxSelectedLabels={3}
          selectedItemsLabel={t.log.chosen}
          display="comma"
        />
      )}
    </Field>
  );
}
