// One of the records of a path, which the server searches. The chosen one is read by itself where the found ones do not hold it.
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import type { Query } from '../api/client';
import { useApi } from '../api/hooks';
import type { ListPage } from '../api/types';
import { t } from '../messages';
import { foundProps, useFound, type FoundChoice } from './found';

/** The records that may be chosen, and how one is called. */
export interface Records<T> {
  path: string;
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
  const found = useFound<ListPage<T>>({ path, query, read: ({ data, total }) => ({ choices: data.map(choice), total }) });
  const [picked, setPicked] = useState<FoundChoice | null>(null);
  const known = [...found.choices, ...(picked ? [picked] : [])].find((one) => one.value === value);
  const { data: stored } = useApi<T>(value === null || known || found.loading ? null : `${path}/${String(value)}`);
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
