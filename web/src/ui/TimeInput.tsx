// A time of day, typed as people type it and put in order (`08:05`) once the field is left. Text that is no time is the value as it stands,
// so that nothing typed is lost: the form or the server refuses it.
import { InputText } from 'primereact/inputtext';
import { useId, useState } from 'react';
import { t } from '../messages';
import style from './Field.module.css';
import { afterPress } from './press';
import { typedTime } from './typedTime';

interface Props {
  id?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  invalid?: boolean;
  disabled?: boolean;
  'aria-label'?: string;
  'aria-required'?: boolean;
  'aria-describedby'?: string;
}

export function TimeInput({ value, onChange, invalid, 'aria-describedby': described, ...rest }: Props) {
  /** The text as it is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const note = useId();
  // The form that was told of it says so itself.
  const isWrong = typed === null && value !== null && typedTime(value) === null && !invalid;

  return (
    <>
      <InputText
        {...rest}
        value={typed ?? value ?? ''}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(target.value.trim() === '' ? null : (typedTime(target.value) ?? target.value));
        }}
        onBlur={() => afterPress(() => setTyped(null))}
        placeholder={t.common.timePattern}
        inputMode="numeric"
        autoComplete="off"
        invalid={invalid || isWrong}
        aria-invalid={invalid || isWrong}
        aria-describedby={isWrong ? note : described}
      />
      {isWrong && (
        <small id={note} className={style.error} role="alert">
          {t.common.wrongTime}
        </small>
      )}
    </>
  );
}
