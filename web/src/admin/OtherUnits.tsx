// Other units in which a number may be typed: what each is called, and what makes a number of the own unit of it.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import type { OtherUnit } from '../forms/units';
import { t } from '../messages';
import { DecimalInput } from '../ui/DecimalInput';
import style from './otherUnits.module.css';

const text = t.admin.otherUnits;
const DECIMALS = 12;

interface Props {
  value: readonly OtherUnit[];
  disabled: boolean;
  onChange: (value: OtherUnit[]) => void;
}

export function OtherUnits({ value, disabled, onChange }: Props) {
  /** Texts that are no number yet, by place and property. */
  const [unread, setUnread] = useState<Readonly<Partial<Record<string, string>>>>({});
  const change = (at: number, part: Partial<OtherUnit>) => onChange(value.map((unit, i) => (i === at ? { ...unit, ...part } : unit)));
  const number = (at: number, unit: OtherUnit, name: 'cinilac' | 'pomeraj') => {
    const key = `${String(at)}.${name}`;
    return (
      <DecimalInput
        id={`druga-jedinica-${key}`}
        aria-label={text[name](unit.jedinica)}
        decimals={DECIMALS}
        value={unread[key] ?? unit[name]}
        disabled={disabled}
        onChange={(next) => {
          setUnread((now) => ({ ...now, [key]: typeof next === 'string' ? next : undefined }));
          if (typeof next !== 'string') change(at, { [name]: next ?? 0 });
        }}
      />
    );
  };
  return (
    <div className={style.units}>
      {value.map((unit, at) => (
        <div key={at} className={style.unit} role="group" aria-label={unit.jedinica || text.newUnit}>
          <InputText
            value={unit.jedinica}
            aria-label={text.name}
            placeholder={text.name}
            disabled={disabled}
            autoComplete="off"
            onChange={({ target }) => change(at, { jedinica: target.value })}
          />
          <span aria-hidden>×</span>
          {number(at, unit, 'cinilac')}
          <span aria-hidden>+</span>
          {number(at, unit, 'pomeraj')}
          {!disabled && (
            <Button
              type="button"
              icon="pi pi-times"
              text
              severity="danger"
              aria-label={text.remove(unit.jedinica)}
              onClick={() => {
                setUnread({});
                onChange(value.filter((_, i) => i !== at));
              }}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <Button
          type="button"
          label={text.add}
          icon="pi pi-plus"
          outlined
          size="small"
          onClick={() => onChange([...value, { jedinica: '', cinilac: 1, pomeraj: 0 }])}
        />
      )}
    </div>
  );
}
