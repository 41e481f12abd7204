// A date of a form: a plain input that looks like one with a calendar, until somebody comes to it. A calendar takes longer to draw than
// ten other inputs, and a long form has a hundred dates.
import { CalendarIcon } from 'primereact/icons/calendar';
import { useEffect, useState } from 'react';
import { formatDate, fromServer } from '../../format';
import { t } from '../../messages';
import { DateInput } from '../../ui/DateInput';
import style from './entry.module.css';

interface Props {
  id: string;
  value: string | null;
  disabled: boolean;
  invalid: boolean;
  min?: string;
  max?: string;
  'aria-describedby': string | undefined;
  'aria-required': boolean;
  onChange: (value: string | null) => void;
}

export function EntryDate(props: Props) {
  const { id, value, disabled, invalid } = props;
  const [entered, setEntered] = useState<'field' | 'calendar' | null>(null);
  // The focus came to the plain input; the one with the calendar takes it over.
  useEffect(() => {
    if (entered === 'field') document.getElementById(id)?.focus();
  }, [entered, id]);
  if (entered || (value !== null && !fromServer(value))) return <DateInput {...props} open={entered === 'calendar'} />;
  return (
    <span
      className={`${style.date ?? ''} p-calendar p-component p-inputwrapper p-calendar-w-btn p-calendar-w-btn-right${invalid ? ' p-invalid' : ''}`}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded={false}
        aria-haspopup="dialog"
        aria-autocomplete="none"
        aria-controls={`${id}-kalendar`}
        aria-describedby={props['aria-describedby']}
        aria-invalid={invalid}
        aria-required={props['aria-required']}
        autoComplete="off"
        inputMode="numeric"
        className="p-inputtext p-component"
        id={id}
        placeholder={t.common.datePattern}
        value={value === null ? '' : formatDate(value)}
        readOnly
        disabled={disabled}
        onFocus={() => setEntered('field')}
      />
      <button
        type="button"
        className="p-datepicker-trigger p-button p-component p-button-icon-only"
        tabIndex={-1}
        aria-label={t.common.chooseDate}
        disabled={disabled}
        onClick={() => setEntered('calendar')}
      >
        <CalendarIcon className="p-icon" />
        <span className="p-button-label p-c">&nbsp;</span>
      </button>
    </span>
  );
}
