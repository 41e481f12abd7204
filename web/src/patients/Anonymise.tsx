// Making a patient anonymous: what will go and what will stay, a reason, and a number that is typed so that nobody does it by a slip.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { Message } from 'primereact/message';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import type { Reply, Schema } from '../schema';
import { useApi } from '../api/hooks';
import { formatNumber } from '../format';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './anonymise.module.css';

const text = t.patients.anonymise;

interface Props {
  patient: Pick<Schema<'Patient'>, 'id'>;
  onClose: () => void;
  onDone: () => void;
}

export function AnonymiseDialog({ patient, onClose, onDone }: Props) {
  useFocusReturn();
  const { data, error, mutate } = useApi(at('/api/patients/{id}/anonymisation', { id: patient.id }), { revalidateOnFocus: false });
  const [busy, setBusy] = useState(false);
  const id = useId();
  return (
    <Dialog
      visible
      header={text.title}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          {data && !data.prepreka && (
            <Button type="submit" form={id} label={text.act} icon="pi pi-user-minus" severity="danger" loading={busy} />
          )}
        </>
      }
    >
      {error && !data ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={8} />
      ) : (
        <>
          <Message severity="warn" className={style.warning} text={text.forGood} />
          <Counted title={text.goes} rows={GOES.map(([field, name]) => [name, data[field]])} also={text.identity} />
          <Counted title={text.stays} rows={STAYS.map(([field, name]) => [name, data[field]])} also={text.born} />
          <p className={style.backups}>{text.backups}</p>
          {data.prepreka ? (
            <Message severity="error" className={style.warning} text={data.prepreka} />
          ) : (
            <Act id={id} patient={patient.id} asked={data.potvrda} setBusy={setBusy} onDone={onDone} />
          )}
        </>
      )}
    </Dialog>
  );
}

type Count = Exclude<keyof Reply<'AnonymisationPreview'>, 'potvrda' | 'prepreka'>;

const GOES: readonly (readonly [Count, string])[] = [
  ['tekstova', text.texts],
  ['ranijihStanja', text.earlierStates],
  ['ranijihTekstova', text.earlierTexts],
  ['nacrta', text.drafts],
  ['fajlova', text.files],
  ['isporuka', text.mails],
];
const STAYS: readonly (readonly [Count, string])[] = [
  ['unosa', text.entries],
  ['podataka', text.values],
  ['zapisaDnevnika', text.log],
];

function Counted({ title, rows, also }: { title: string; rows: readonly (readonly [string, number])[]; also: string }) {
  return (
    <section className={style.counted}>
      <h3>{title}</h3>
      <p>{also}</p>
      <dl>
        {rows.map(([name, n]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(n)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ActProps {
  id: string;
  patient: number;
  asked: string;
  setBusy: (busy: boolean) => void;
  onDone: () => void;
}

function Act({ id, patient, asked, setBusy, onDone }: ActProps) {
  const [record, setRecord] = useState({ razlog: '', potvrda: '' });
  const [fault, setFault] = useState<ApiError | null>(null);
  const toast = useToast();
  useFaultFocus(id, fault);
  const faultOf = (field: string) => (fault?.field === field ? fault.message : null);

  async function act(event: SyntheticEvent) {
    event.preventDefault();
    setFault(null);
    setBusy(true);
    try {
      await api.post(at('/api/patients/{id}/anonymisation', { id: patient }), record);
      toast.success(text.done);
      return onDone();
    } catch (failure) {
      if (failure instanceof ApiError && failure.field) setFault(failure);
      else toast.failure(text.failed, failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form id={id} className={style.form} onSubmit={(event) => void act(event)} noValidate>
      <Field label={text.reason} required error={faultOf('razlog')} help={text.reasonHelp}>
        {(control) => (
          <InputTextarea
            {...control}
            value={record.razlog}
            rows={2}
            autoResize
            onChange={({ target }) => setRecord({ ...record, razlog: target.value })}
          />
        )}
      </Field>
      <Field label={asked === 'lbo' ? text.typeLbo : text.typeCard} required error={faultOf('potvrda')} help={text.typeHelp}>
        {(control) => (
          <InputText
            {...control}
            value={record.potvrda}
            autoComplete="off"
            onChange={({ target }) => setRecord({ ...record, potvrda: target.value })}
          />
        )}
      </Field>
    </form>
  );
}
