// A label, its control, and under it the error or a hint. The control gets its ids from here.
import { useId, type ReactNode } from 'react';
import { t } from '../messages';
import style from './Field.module.css';

export interface Control {
  id: string;
  invalid: boolean;
  'aria-invalid': boolean;
  'aria-required': boolean;
  'aria-describedby': string | undefined;
}

interface Props {
  label: string;
  required?: boolean;
  error?: string | null;
  help?: ReactNode;
  children: (control: Control) => ReactNode;
}

export function Field({ label, required = false, error, help, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className={style.field}>
      <label htmlFor={id}>
        {label}
        {required && (
          <span className={style.required} title={t.common.required} aria-hidden>
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        invalid: Boolean(error),
        'aria-invalid': Boolean(error),
        'aria-required': required,
        'aria-describedby': error || help ? note : undefined,
      })}
      {error ? (
        <small id={note} className={style.error} role="alert">
          {error}
        </small>
      ) : (
        help && (
          <small id={note} className={style.help}>
            {help}
          </small>
        )
      )}
    </div>
  );
}
