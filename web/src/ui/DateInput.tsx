// A calendar date as the server writes it (`2026-03-05`), shown and typed as DD.MM.YYYY.
import { Calendar } from 'primereact/calendar';
import { fromServer, toServerDate } from '../format';
import { t } from '../messages';

interface Props {
  id?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  disabled?: boolean;
  invalid?: boolean;
  min?: string;
  max?: string;
  'aria-describedby'?: string;
  'aria-label'?: string;
}

export function DateInput({ id, value, onChange, disabled, invalid, min, max, ...aria }: Props) {
  return (
    <Calendar
      inputId={id}
      value={fromServer(value)}
      // While a date is being typed the calendar reports the unfinished text; only a whole date counts.
      onChange={(event) => (event.value instanceof Date || event.value === null ? onChange(toServerDate(event.value)) : undefined)}
      dateFormat="dd.mm.yy."
      locale="sr-Latn"
      placeholder={t.common.datePattern}
      showIcon
      showButtonBar
      yearNavigator
      monthNavigator
      yearRange="1920:2030"
      minDate={fromServer(min) ?? undefined}
      maxDate={fromServer(max) ?? undefined}
      disabled={disabled}
      invalid={invalid}
      pt={{ input: { root: aria } }}
    />
  );
}
