// A day and its time, beside each other. Either may come first; the value is whole once both are there.
import type { ComponentType } from 'react';
import { DateInput } from './DateInput';
import style from './MomentInput.module.css';
import { TimeInput } from './TimeInput';
import { joinMoment, splitMoment } from './typedMoment';

interface DayProps {
  id: string;
  value: string | null;
  disabled: boolean;
  invalid: boolean;
  'aria-describedby': string | undefined;
  'aria-required': boolean;
  onChange: (value: string | null) => void;
}

interface Props extends Omit<DayProps, 'disabled' | 'invalid' | 'aria-describedby' | 'aria-required'> {
  /** What the input of the time is called; that of the day has the label of the whole. */
  timeLabel: string;
  disabled?: boolean;
  invalid?: boolean;
  'aria-describedby'?: string | undefined;
  'aria-required'?: boolean;
  /** Another input of the day than the usual one. */
  Day?: ComponentType<DayProps>;
}

const UsualDay = ({ 'aria-describedby': described, ...props }: DayProps) => (
  <DateInput {...props} {...(described !== undefined && { 'aria-describedby': described })} />
);

export function MomentInput({
  timeLabel,
  value,
  disabled = false,
  invalid = false,
  'aria-describedby': described,
  'aria-required': required = false,
  Day = UsualDay,
  id,
  onChange,
}: Props) {
  const [day, time] = splitMoment(value);
  return (
    <span className={style.moment}>
      <Day
        id={id}
        value={day}
        disabled={disabled}
        invalid={invalid}
        aria-describedby={described}
        aria-required={required}
        onChange={(next) => onChange(joinMoment(next, time))}
      />
      <span className={style.time}>
        <TimeInput
          value={time}
          disabled={disabled}
          invalid={invalid}
          aria-label={timeLabel}
          aria-required={required}
          {...(described !== undefined && { 'aria-describedby': described })}
          onChange={(next) => onChange(joinMoment(day, next))}
        />
      </span>
    </span>
  );
}
