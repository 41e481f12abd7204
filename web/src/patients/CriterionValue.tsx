// The value that a criterion compares with, in the widget of the item's type.
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { plainNumber } from '../format';
import { DateInput } from '../ui/DateInput';
import { DecimalInput } from '../ui/DecimalInput';
import { Field } from '../ui/Field';
import { typedNumber } from '../ui/typedNumber';
import type { SearchField } from './types';

const text = t.patients.search;
/** As many as a number of the database has. */
const MOST_DECIMALS = 15;

interface Props {
  field: SearchField | null;
  value: string;
  onChange: (value: string) => void;
}

export function CriterionValue({ field, value, onChange }: Props) {
  const label = field?.jedinica ? text.valueWithUnit(field.jedinica) : text.value;
  return (
    <Field label={label}>
      {({ id }) => {
        switch (field?.tipVrednosti) {
          case ValueType.Set:
            return (
              <Dropdown
                inputId={id}
                value={value}
                options={field.stavke.map((item) => ({ value: String(item.id), label: item.naziv }))}
                placeholder={t.common.choose}
                filter={field.stavke.length > 10}
                filterMatchMode="contains"
                onChange={(e) => onChange(e.value as string)}
              />
            );
          case ValueType.Number:
            return (
              <DecimalInput
                id={id}
                decimals={MOST_DECIMALS}
                value={typedNumber(value)}
                onChange={(number) => onChange(typeof number === 'number' ? plainNumber(number) : (number ?? ''))}
              />
            );
          case ValueType.Date:
            return <DateInput id={id} value={value || null} onChange={(date) => onChange(date ?? '')} />;
          default:
            return <InputText id={id} value={value} disabled={!field} onChange={(e) => onChange(e.target.value)} autoComplete="off" />;
        }
      }}
    </Field>
  );
}
