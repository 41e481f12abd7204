// A number with decimals, typed as people here write it: `7,5`, or `7.5`. Text that is no number is the value as it stands, so that nothing
// typed is lost: the form or the server refuses it.
import { InputText } from 'primereact/inputtext';
import { useId, useState } from 'react';
import { t } from '../messages';
import style from './Field.module.css';
import { afterPress } from './press';
import { typedNumber } from './typedNumber';

interface Props {
  id?: string;
  value: number | string | null;
  onChange: (value: number | string | null) => void;
  /** As many are shown. */
  decimals: number;
  disabled?: boolean;
  invalid?: boolean;
  'aria-required'?: boolean;
  'aria-describedby'?: string;
}

export function DecimalInput({ value, onChange, decimals, invalid, 'aria-describedby': described, ...rest }: Props) {
  /** The text as it is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const note = useId();
  // Not grouped: a point would be read as that of the decimals.
  const shown = typeof value === 'number' ? value.toLocaleString('sr-Latn-RS', { useGrouping: false, maximumFractionDigits: decimals }) : (value ?? '');
  // The form that was told of it says so itself.
  const isWrong = typed === null && typeof value === 'string' && !invalid;

  return (
    <>
      <InputText
        {...rest}
        value={typed ?? shown}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(typedNumber(target.value));
        }}
        onBlur={() => afterPress(() => setTyped(null))}
        inputMode="decimal"
        autoComplete="off"
        invalid={invalid || isWrong}
        aria-invalid={invalid || isWrong}
        aria-describedby={isWrong ? note : described}
      />
      {isWrong && (
        <small id={note} className={style.error} role="alert">
          {t.common.wrongNumber}
        </small>
      )}
    </>
  );
}
