// A number, typed as people here write it: `7,5`, or `7.5`. Text that is no number, or may be two, is the value as it stands, so that nothing
// typed is lost: the form or the server refuses it.
import { InputText } from 'primereact/inputtext';
import { useId } from 'react';
import { decimalsOf, formatNumber } from '../format';
import { t } from '../messages';
import style from './Field.module.css';
import { NumberReadings } from './NumberReadings';
import { useNumberText, type Typed } from './useNumberText';

export interface Limits {
  /** At most as many; none is a whole number. */
  decimals: number;
  min?: number;
  max?: number;
}

interface Props extends Limits {
  id?: string;
  value: Typed;
  onChange: (value: Typed) => void;
  /** Thousands are not parted. */
  year?: boolean;
  disabled?: boolean;
  invalid?: boolean;
  'aria-label'?: string;
  'aria-required'?: boolean;
  'aria-describedby'?: string;
}

/** What is wrong with a typed value, but for one with two readings: that is asked about. */
export function numberFault(value: Typed, { decimals, min, max }: Limits): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return t.common.wrongNumber;
  if (decimalsOf(value) > decimals) return decimals === 0 ? t.common.wholeNumber : t.common.mostDecimals(decimals);
  if (min !== undefined && value < min) return t.common.leastNumber(formatNumber(min));
  if (max !== undefined && value > max) return t.common.mostNumber(formatNumber(max));
  return null;
}

export function DecimalInput({ value, onChange, decimals, min, max, year, invalid, 'aria-describedby': described, ...rest }: Props) {
  const { both, choose, typing, box } = useNumberText(value, onChange, year);
  const note = useId();
  // The form that was told of it says so itself.
  const fault = typing || invalid || both ? null : numberFault(value, { decimals, min, max });

  return (
    <>
      <InputText
        {...rest}
        {...box}
        inputMode="decimal"
        autoComplete="off"
        invalid={Boolean(invalid || fault)}
        aria-invalid={Boolean(invalid || fault || (both && !typing))}
        aria-describedby={fault ? note : described}
      />
      {both && !rest.disabled && <NumberReadings both={both} onChoose={choose} />}
      {fault && (
        <small id={note} className={style.error} role="alert">
          {fault}
        </small>
      )}
    </>
  );
}
