// Which entry of the patient a visit is.
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { DeedDialog } from '../ui/DeedDialog';
import { Field } from '../ui/Field';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './plans.module.css';

const text = t.plans.strip;

interface Props {
  visit: number;
  patient: number;
  register: number;
  onClose: () => void;
  onDone: () => void;
}

export function LinkDialog({ visit, patient, register, onClose, onDone }: Props) {
  const { data, error, mutate } = useApi(at('/api/patients/{id}/entries', { id: patient, registarID: register }));
  const [entry, setEntry] = useState<number | null>(null);
  const options = (data?.data ?? [])
    .flatMap(({ naziv, unosi }) =>
      unosi.map(({ id, datumUnosa }) => ({ value: id, day: datumUnosa, label: `${formatDate(datumUnosa)} ${naziv}` })),
    )
    .sort((one, other) => other.day.localeCompare(one.day));

  return (
    <DeedDialog
      title={text.linkTitle}
      accept={text.link}
      disabled={options.length === 0}
      className={style.dialog}
      missing={() => (entry === null ? text.linkMissing : null)}
      deed={async () => {
        await api.post(at('/api/planned-visits/{id}/link', { id: visit }), { unosID: entry ?? 0 });
        onDone();
      }}
      onClose={onClose}
    >
      {(fault) =>
        error && !data ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={2} />
        ) : options.length === 0 ? (
          <EmptyState title={text.noEntries} />
        ) : (
          <Field label={text.linkChoose} required error={fault}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                value={entry}
                options={options}
                placeholder={t.common.choose}
                onChange={({ value }: { value: number }) => setEntry(value)}
              />
            )}
          </Field>
        )
      }
    </DeedDialog>
  );
}
