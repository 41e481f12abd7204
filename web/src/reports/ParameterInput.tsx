// The widget of a parameter, by its kind.
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { MultiSelect } from 'primereact/multiselect';
import { useState } from 'react';
import { at } from '../api/address';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { formatDate, plainNumber } from '../format';
import { t } from '../messages';
import { DecimalInput } from '../ui/DecimalInput';
import { Field, type Control } from '../ui/Field';
import { typedNumber } from '../ui/typedNumber';
import { DayInput } from './DayInput';
import type { ParameterValue } from './request';
import { Kind } from './types';
import { useSettled } from '../ui/useSettled';

/** As many as a number of the database has. */
const MOST_DECIMALS = 15;

interface Props {
  parameter: Schema<'ReportParameterField'>;
  value: ParameterValue | undefined;
  error: string | undefined;
  /** The register and the schedule whose values are offered. */
  register: number | null;
  schedule: number | null;
  /** What a date may be told by, and means today. */
  days: readonly Schema<'RelativeDate'>[];
  change: (value: ParameterValue) => void;
}

export function ParameterInput({ parameter, value, error, register, schedule, days, change }: Props) {
  const set = parameter.tip.sqlNumVrednost === Kind.Set;
  const [typed, setTyped] = useState('');
  const filter = useSettled(typed, 250);
  const options = useApi(
    set ? at('/api/report-parameters/{id}/options', { id: parameter.id, filter, registarID: register, zakazivanjeID: schedule }) : null,
    { keepPreviousData: true },
  );
  const day = parameter.tip.sqlNumVrednost === Kind.Date ? days.find(({ dan }) => dan === value) : undefined;
  const help = day
    ? t.reports.relative.now(formatDate(day.datum))
    : options.error
      ? t.reports.optionsFailed
      : options.data?.skraceno
        ? t.reports.optionsCut
        : null;
  return (
    <Field label={parameter.naziv} required={!parameter.opcioni} error={error} help={help}>
      {(control) =>
        set ? (
          <SetInput
            {...{ parameter, value, change, control, typed, setTyped, loading: options.isLoading }}
            options={options.data?.data ?? []}
          />
        ) : (
          <PlainInput {...{ parameter, value, days, change, control }} />
        )
      }
    </Field>
  );
}

interface InputProps {
  parameter: Schema<'ReportParameterField'>;
  value: ParameterValue | undefined;
  change: (value: ParameterValue) => void;
  control: Control;
}

function PlainInput({ parameter, value, days, change, control }: InputProps & Pick<Props, 'days'>) {
  const text = typeof value === 'string' ? value : '';
  switch (parameter.tip.sqlNumVrednost) {
    case Kind.Date:
      return <DayInput label={parameter.naziv} value={text} {...{ control, days, change }} />;
    case Kind.Number:
      return (
        <DecimalInput
          {...control}
          decimals={MOST_DECIMALS}
          value={typedNumber(text)}
          onChange={(number) => change(typeof number === 'number' ? plainNumber(number) : (number ?? ''))}
        />
      );
    default:
      return <InputText {...control} value={text} onChange={({ target }) => change(target.value)} />;
  }
}

interface SetProps extends InputProps {
  options: Schema<'ParameterOptions'>['data'];
  typed: string;
  setTyped: (text: string) => void;
  loading: boolean;
}

function SetInput({ parameter, value, change, control, options, typed, setTyped, loading }: SetProps) {
  const { id, ...rest } = control;
  const common = {
    ...rest,
    inputId: id,
    // The server filters, in its folded way; every option it sent must pass the widget's own filter too.
    options: options.map((option) => ({ ...option, matches: `${option.label} ${typed}` })),
    optionLabel: 'label',
    optionValue: 'value',
    filter: true,
    filterBy: 'matches',
    onFilter: ({ filter }: { filter: string }) => setTyped(filter),
    loading,
    showClear: parameter.opcioni,
    emptyMessage: t.reports.optionsEmpty,
    emptyFilterMessage: t.reports.optionsEmpty,
  };
  return parameter.multiSelect ? (
    <MultiSelect
      {...common}
      value={Array.isArray(value) ? value : value ? [value] : []}
      onChange={({ value: chosen }: { value: string[] | null }) => change(chosen ?? [])}
      maxSelectedLabels={3}
      selectedItemsLabel={t.reports.chosen}
    />
  ) : (
    <Dropdown
      {...common}
      value={Array.isArray(value) ? value[0] : value}
      onChange={({ value: chosen }: { value: string | null }) => change(chosen ?? '')}
      virtualScrollerOptions={options.length > 200 ? { itemSize: 38 } : undefined}
    />
  );
}
