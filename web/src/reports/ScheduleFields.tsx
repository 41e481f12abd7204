// When a report runs: once or repeated, by day, week or month, and the next five moments as the server counts them.
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { SelectButton } from 'primereact/selectbutton';
import type { ReactNode } from 'react';
import useSWR from 'swr';
import { api, messageOf } from '../api/client';
import type { BodyOf } from '../api/description';
import type { Schema } from '../schema';
import { useWorker } from '../api/session';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { TimeInput } from '../ui/TimeInput';
import style from './reports.module.css';
import { bodyOf, fixedDates, isScheduleComplete, type RequestDraft, type Errors } from './request';
import { useSettled } from '../ui/useSettled';

interface Props {
  form: Schema<'ReportToGenerate'>;
  draft: RequestDraft;
  change: (part: Partial<RequestDraft>) => void;
  errors: Errors;
  editing: number | null;
}

const REPEAT = [
  { value: false, label: t.reports.once },
  { value: true, label: t.reports.repeated },
];
const PERIODS = [
  { value: 0, label: t.reports.day },
  { value: 1, label: t.reports.week },
  { value: 2, label: t.reports.month },
];
/** Monday first on the screen; 1 is Sunday in the data. */
const WEEKDAYS = ['ponedeljak', 'utorak', 'sreda', 'četvrtak', 'petak', 'subota', 'nedelja'].map((name, i) => ({
  value: i === 6 ? 1 : i + 2,
  label: name.slice(0, 3),
  name,
}));
const MONTHDAYS = Array.from({ length: 31 }, (_, i) => ({ value: i + 1, label: String(i + 1) }));
const POLICIES = [
  { value: 'skip', label: t.reports.skip },
  { value: 'last_day', label: t.reports.lastDay },
];
/** Nothing is made by a preview, so no key has to keep it single. */
const NO_KEY = '00000000-0000-4000-8000-000000000000';
const ZONES = Intl.supportedValuesOf('timeZone');

export function ScheduleFields({ form, draft, change, errors, editing }: Props) {
  const fixed = fixedDates(form, draft);
  return (
    <>
      <div className={style.fields}>
        <Choice legend={t.reports.repeat} options={REPEAT} value={draft.repeated} choose={(repeated: boolean) => change({ repeated })} />
        {draft.repeated ? (
          <Choice
            legend={t.reports.period}
            options={PERIODS}
            value={draft.period}
            choose={(period: RequestDraft['period']) => change({ period })}
          />
        ) : (
          <>
            <Day label={t.reports.dayOfRun} required error={errors.datumVreme} value={draft.day} change={(day) => change({ day })} />
            <TimeOfDay {...{ draft, change, errors }} />
          </>
        )}
      </div>
      {draft.repeated && <Repetition {...{ draft, change, errors }} />}
      {draft.repeated && fixed.length > 0 && <Message severity="warn" text={t.reports.relative.fixed(fixed)} />}
      <div className={style.fields}>
        <Field label={t.reports.zone}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={draft.zone}
              options={ZONES.includes(draft.zone) ? ZONES : [draft.zone, ...ZONES]}
              filter
              virtualScrollerOptions={{ itemSize: 38 }}
              onChange={({ value }: { value: string }) => change({ zone: value })}
            />
          )}
        </Field>
      </div>
      <NextMoments {...{ form, draft, editing }} />
    </>
  );
}

type Changing = Pick<Props, 'draft' | 'change' | 'errors'>;

function Repetition({ draft, change, errors }: Changing) {
  return (
    <>
      {draft.period === 1 && (
        <Choice
          legend={t.reports.weekdays}
          error={errors.danNedelja}
          options={WEEKDAYS}
          value={draft.weekdays}
          multiple
          className={`button-grid ${style.weekdays ?? ''}`}
          choose={(weekdays: number[]) => change({ weekdays })}
        />
      )}
      {draft.period === 2 && (
        <Choice
          legend={t.reports.monthdays}
          error={errors.danMesec}
          options={MONTHDAYS}
          value={draft.monthdays}
          multiple
          className={`button-grid ${style.monthdays ?? ''}`}
          choose={(monthdays: number[]) => change({ monthdays: [...monthdays].sort((a, b) => a - b) })}
        />
      )}
      {draft.period === 2 && draft.monthdays.some((day) => day > 28) && (
        <Choice
          legend={t.reports.shortMonths}
          options={POLICIES}
          value={draft.policy}
          choose={(policy: RequestDraft['policy']) => change({ policy })}
        />
      )}
      <div className={style.fields}>
        <TimeOfDay {...{ draft, change, errors }} />
        <Day label={t.reports.validFrom} error={errors.periodOd} value={draft.from} max={draft.to} change={(from) => change({ from })} />
        <Day label={t.reports.validTo} error={errors.periodDo} value={draft.to} min={draft.from} change={(to) => change({ to })} />
      </div>
    </>
  );
}

interface DayProps {
  label: string;
  required?: boolean;
  error: string | undefined;
  value: string | null;
  min?: string | null;
  max?: string | null;
  change: (value: string | null) => void;
}

function Day({ label, required, error, value, min, max, change }: DayProps) {
  return (
    <Field label={label} required={required} error={error}>
      {(control) => <DateInput {...control} value={value} min={min} max={max} onChange={change} />}
    </Field>
  );
}

function TimeOfDay({ draft, change, errors }: Changing) {
  return (
    <Field label={t.reports.timeOfDay} required error={errors.vreme}>
      {(control) => <TimeInput {...control} value={draft.time} onChange={(time) => change({ time })} />}
    </Field>
  );
}

interface ChoiceProps<T> {
  legend: string;
  options: { value: unknown; label: string; name?: string }[];
  value: T;
  choose: (value: T) => void;
  multiple?: boolean;
  error?: string;
  className?: string;
}

function Choice<T>({ legend, options, value, choose, multiple = false, error, className }: ChoiceProps<T>): ReactNode {
  return (
    <fieldset className={style.group} data-invalid={Boolean(error)}>
      <legend>{legend}</legend>
      <SelectButton
        value={value}
        options={options}
        // The label is also what a screen reader says, so it is the whole word where the button shows a short one.
        optionLabel={options.some(({ name }) => name) ? 'name' : 'label'}
        optionValue="value"
        multiple={multiple}
        allowEmpty={multiple}
        className={className}
        // Drawn by the stylesheet, a short word is no second name beside the whole one.
        itemTemplate={({ name, label }: (typeof options)[number]) => (name ? <span className={style.short} data-short={label} /> : label)}
        onChange={({ value: chosen }: { value: T | null }) => choose(chosen ?? ([] as unknown as T))}
      />
      {error && (
        <small className={style.error} role="alert">
          {error}
        </small>
      )}
    </fieldset>
  );
}

function NextMoments({ form, draft, editing }: Pick<Props, 'form' | 'draft' | 'editing'>) {
  const { id } = useWorker();
  const complete = isScheduleComplete(draft);
  // Parameters and recipients do not move the moments; leaving them out spares a question at each keystroke.
  const body = JSON.stringify(bodyOf(form, { ...draft, values: {}, recipients: [] }, id, NO_KEY, editing));
  const asked = useSettled(complete ? body : null, 300);
  const { data, error, isLoading } = useSWR<Schema<'SchedulePreview'>, Error>(asked && ['preview', asked], () =>
    api.post('/api/report-schedules/preview', JSON.parse(asked ?? '{}') as BodyOf<'/api/report-schedules/preview', 'post'>),
  );
  return (
    <div className={style.next} aria-live="polite">
      <h3>{t.reports.next}</h3>
      {!complete ? (
        <p className={style.muted}>{t.reports.nextIncomplete}</p>
      ) : error ? (
        <Message severity="error" text={messageOf(error)} />
      ) : isLoading || !data ? (
        <p className={style.muted}>{t.common.loading}</p>
      ) : (
        <>
          <ol>
            {data.sledeca.map((at) => (
              <li key={at}>{formatDateTime(at)}</li>
            ))}
          </ol>
          <small className={style.muted}>{t.reports.nextZone(data.zona)}</small>
          {data.upozorenje && <Message severity="warn" text={data.upozorenje} />}
        </>
      )}
    </div>
  );
}
