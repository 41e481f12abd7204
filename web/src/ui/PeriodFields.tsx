// The first and the last day of a search.
import { t } from '../messages';
import { DateInput } from './DateInput';
import { Field } from './Field';
import type { PeriodFault } from './period';

interface Props {
  from: string | null;
  until: string | null;
  setFrom: (day: string | null) => void;
  setUntil: (day: string | null) => void;
  message: (field: PeriodFault['field']) => string | null;
}

export function PeriodFields({ from, until, setFrom, setUntil, message }: Props) {
  return (
    <>
      <Field label={t.log.from} required error={message('datumOd')}>
        {(control) => <DateInput {...control} value={from} max={until} onChange={setFrom} />}
      </Field>
      <Field label={t.log.until} error={message('datumDo')}>
        {(control) => <DateInput {...control} value={until} min={from} onChange={setUntil} />}
      </Field>
    </>
  );
}
