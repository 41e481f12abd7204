// The value that a criterion compares with, in the widget of the item's type.
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import { inOwn, type OtherUnit } from '../forms/units';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { plainNumber } from '../format';
import { DateInput } from '../ui/DateInput';
import { DecimalInput } from '../ui/DecimalInput';
import { Field } from '../ui/Field';
import { MomentInput } from '../ui/MomentInput';
import { TimeInput } from '../ui/TimeInput';
import { typedNumber } from '../ui/typedNumber';
import { withUnit } from '../ui/typedUnit';
import style from './search.module.css';
import type { SearchField } from './types';

const text = t.patients.search;
/** As many as a number of the database has. */
const MOST_DECIMALS = 15;

interface Props {
  field: SearchField | null;
  value: string;
  onChange: (value: string) => void;
}

/** A number in the field's unit. One that was typed in another of its units becomes one of it: by the unit behind it, or by a click. */
function NumberValue({ id, field, value, onChange }: { id: string; field: SearchField; value: string; onChange: Props['onChange'] }) {
  const [from, setFrom] = useState<string | null>(null);
  const { jedinica, decimale, drugeJedinice = [] } = field;
  const number = typedNumber(value);
  const take = (typed: number, unit: OtherUnit) => {
    const own = plainNumber(inOwn(unit, typed, decimale));
    setFrom(text.convertedFrom(plainNumber(typed), unit.jedinica, `${own} ${jedinica ?? ''}`.trim()));
    onChange(own);
  };
  const readUnit = () => {
    const typed = typeof number === 'string' ? withUnit(number, [jedinica ?? '', ...drugeJedinice.map((unit) => unit.jedinica)]) : null;
    const unit = drugeJedinice.find((one) => one.jedinica === typed?.jedinica);
    if (typed && unit) take(typed.broj, unit);
    else if (typed) onChange(plainNumber(typed.broj));
  };
  return (
    <div className={style.inUnits} onBlur={drugeJedinice.length > 0 ? readUnit : undefined}>
      <DecimalInput
        id={id}
        decimals={MOST_DECIMALS}
        value={number}
        onChange={(next) => {
          setFrom(null);
          onChange(typeof next === 'number' ? plainNumber(next) : (next ?? ''));
        }}
      />
      {from !== null && <small role="status">{from}</small>}
      {from === null &&
        typeof number === 'number' &&
        drugeJedinice.map((unit) => (
          <button key={unit.jedinica} type="button" onClick={() => take(number, unit)}>
            {text.typedIn(unit.jedinica)}
          </button>
        ))}
    </div>
  );
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
            return <NumberValue id={id} field={field} value={value} onChange={onChange} />;
          case ValueType.Date:
            return <DateInput id={id} value={value || null} onChange={(date) => onChange(date ?? '')} />;
          case ValueType.Time:
            return <TimeInput id={id} value={value || null} onChange={(time) => onChange(time ?? '')} />;
          case ValueType.Moment:
            return <MomentInput id={id} timeLabel={text.timeOfValue} value={value || null} onChange={(at) => onChange(at ?? '')} />;
          default:
            return <InputText id={id} value={value} disabled={!field} onChange={(e) => onChange(e.target.value)} autoComplete="off" />;
        }
      }}
    </Field>
  );
}
