// Which entry of the patient a visit is.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useFocusReturn } from '../ui/useFocusReturn';
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
  useFocusReturn();
  const { data, error, mutate } = useApi(at('/api/patients/{id}/entries', { id: patient, registarID: register }));
  const [entry, setEntry] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const options = (data?.data ?? [])
    .flatMap(({ naziv, unosi }) =>
      unosi.map(({ id, datumUnosa }) => ({ value: id, day: datumUnosa, label: `${formatDate(datumUnosa)} ${naziv}` })),
    )
    .sort((one, other) => other.day.localeCompare(one.day));

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (entry === null) return setFault(text.linkMissing);
    setBusy(true);
    try {
      await api.post(at('/api/planned-visits/{id}/link', { id: visit }), { unosID: entry });
      return onDone();
    } catch (failure) {
      setFault(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.linkTitle}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      onShow={() => focusFirst(id)}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={text.link} loading={busy} disabled={options.length === 0} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} noValidate>
        {error && !data ? (
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
        )}
      </form>
    </Dialog>
  );
}
