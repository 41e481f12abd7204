// One of the records of a path, which the server searches. The chosen one is read by itself where the found ones do not hold it.
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import type { FoundOf, Query } from '../api/address';
import { useRecord } from '../api/hooks';
import { t } from '../messages';
import { foundProps, useFoundRecords, type FoundChoice } from './found';

/** The records that may be chosen, and how one is called. */
export interface Records<T> {
  path: FoundOf<T>;
  query?: Query;
  name: (record: T) => string;
}

interface Props<T> extends Records<T> {
  id: string;
  value: number | null;
  onChange: (value: number | null) => void;
  invalid?: boolean;
  showClear?: boolean;
  disabled?: boolean;
  'aria-describedby'?: string | undefined;
}

export function FoundDropdown<T extends { id: number }>(props: Props<T>) {
  const { path, query, name, id, value, onChange, invalid, showClear, disabled, ...aria } = props;
  const choice = (record: T): FoundChoice => ({ value: record.id, label: name(record) });
  const found = useFoundRecords<T>(path, query, choice);
  const [picked, setPicked] = useState<FoundChoice | null>(null);
  const known = [...found.choices, ...(picked ? [picked] : [])].find((one) => one.value === value);
  const { data: stored } = useRecord<T>(path, known || found.loading ? null : value);
  const chosen = known ?? (stored?.id === value ? choice(stored) : undefined);
  return (
    <Dropdown
      {...aria}
      {...foundProps(found, chosen ? [chosen] : [])}
      inputId={id}
      invalid={invalid}
      value={value}
      onChange={(e) => {
        const next = (e.value as number | undefined) ?? null;
        setPicked(found.choices.find((one) => one.value === next) ?? null);
        onChange(next);
      }}
      placeholder={t.common.choose}
      showClear={showClear}
      disabled={disabled}
    />
  );
}
