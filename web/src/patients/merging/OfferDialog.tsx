// Offers a patient to another institution, with a reason.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState, type SyntheticEvent } from 'react';
import { api, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import { t } from '../../messages';
import { Field } from '../../ui/Field';
import { useToast } from '../../ui/toast';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './merging.module.css';
import { SHORTEST_REASON } from './ReasonDialog';

const text = t.merging;

export function OfferDialog({ patient, onClose }: { patient: number; onClose: () => void }) {
  useFocusReturn();
  const { data } = useApi('/api/patient-transfers/institutions');
  const [ustanovaID, setInstitution] = useState<number | null>(null);
  const [razlog, setRazlog] = useState('');
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const id = useId();
  const isShort = razlog.trim().length < SHORTEST_REASON;

  async function offer(event: SyntheticEvent) {
    event.preventDefault();
    setAsked(true);
    if (ustanovaID === null || isShort) return;
    setBusy(true);
    try {
      await api.post('/api/patient-transfers', { pacijentID: patient, ustanovaID, razlog });
      toast.success(text.transfer.offered);
      return onClose();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.transfer.offerTitle}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={text.transfer.offer} loading={busy} />
        </>
      }
    >
      <form id={id} className={style.form} onSubmit={(event) => void offer(event)} noValidate>
        <Field label={text.transfer.institution} required error={asked && ustanovaID === null ? text.transfer.institutionMissing : null}>
          {({ id: inputId, invalid, ...aria }) => (
            <Dropdown
              inputId={inputId}
              invalid={invalid}
              {...aria}
              value={ustanovaID}
              options={data?.data ?? []}
              optionLabel="naziv"
              optionValue="id"
              filter
              placeholder={text.transfer.choose}
              onChange={({ value }) => setInstitution(value as number)}
            />
          )}
        </Field>
        <Field label={text.reason} required error={asked && isShort ? text.reasonMissing : error} help={text.reasonHelp}>
          {(control) => (
            <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
