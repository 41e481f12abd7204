// Recording that a patient gave or withdrew a consent, with the text of that day and the signed form.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useRef, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, ApiError, messageOf } from '../api/client';
import type { Reply, Schema } from '../schema';
import { bindFields } from '../crud/bindFields';
import { useForm } from '../crud/useForm';
import { t } from '../messages';
import { rememberedRegister } from '../places';
import { today } from '../today';
import { focusFirst, useFaultFocus } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './status.module.css';

const text = t.consents;

interface ConsentForm {
  registarID: number | null;
  svrha: Schema<'Purpose'> | null;
  dat: boolean | null;
  dan: string | null;
  statusPovukao: boolean | null;
  napomena: string | null;
}

const PURPOSES = (Object.keys(text.purposes) as Schema<'Purpose'>[]).map((value) => ({ value, label: text.purposes[value] }));
const DEEDS = [
  { value: true, label: text.given },
  { value: false, label: text.withdrawn },
];
const STATUSES = [
  { value: true, label: text.status.yes },
  { value: false, label: text.status.no },
];

interface Props {
  patient: Schema<'Patient'>;
  registers: Reply<'PatientConsents'>['registri'];
  onClose: () => void;
  onDone: () => void;
}

export function ConsentDialog({ patient, registers, onClose, onDone }: Props) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [file, setFile] = useState<Schema<'EntryFile'> | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const remembered = rememberedRegister();
  const usual = registers.find(({ registarID }) => registarID === remembered) ?? (registers.length === 1 ? registers[0] : undefined);
  const form = useForm<ConsentForm>(
    { registarID: usual?.registarID ?? null, svrha: null, dat: true, dan: today(), statusPovukao: null, napomena: null },
    busy,
  );
  const toast = useToast();
  const id = useId();
  useFaultFocus(id, form.problem);
  const fields = bindFields<ConsentForm, 'consent'>(form, 'consent');
  const { record } = form;
  const leaves = record.svrha === 'registar' && record.dat === false;
  const purpose = registers.find(({ registarID }) => registarID === record.registarID)?.svrhe.find(({ svrha }) => svrha === record.svrha);

  async function attach(chosen: File | undefined) {
    if (!chosen) return;
    setBusy(true);
    setFault(null);
    try {
      setFile(await api.upload(at('/api/consent-files', { pacijentID: patient.id, naziv: chosen.name }), chosen));
    } catch (failure) {
      setFault(messageOf(failure));
    }
    setBusy(false);
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    const asked = ['registarID', 'svrha', 'dat', 'dan', ...(leaves ? (['statusPovukao'] as const) : [])] as const;
    const lacking = asked.find((name) => record[name] === null);
    if (lacking) return form.fail({ field: lacking, message: text.fields[lacking] });
    const { registarID, svrha, dat } = record;
    if (registarID === null || svrha === null || dat === null) return;
    setBusy(true);
    try {
      const body = { ...record, registarID, svrha, dat, tekstID: dat ? (purpose?.tekstID ?? null) : null, fajlID: file?.id ?? null };
      await api.post(at('/api/patients/{id}/consents', { id: patient.id }), body);
      toast.success(text.saved);
      return onDone();
    } catch (failure) {
      const field = failure instanceof ApiError ? failure.field : null;
      if (failure instanceof ApiError && field !== null && field in record)
        form.fail({ field: field as keyof ConsentForm, message: failure.message });
      else toast.failure(text.saveFailed, failure);
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.dialog}
      onHide={onClose}
      draggable={false}
      onShow={() => focusFirst(id)}
      style={{ width: 'min(34rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={t.common.save} loading={busy} />
        </>
      }
    >
      <form id={id} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        {fields.select(
          'registarID',
          registers.map(({ registarID, naziv }) => ({ value: registarID, label: naziv })),
          { required: true },
        )}
        {fields.select('svrha', PURPOSES, { required: true })}
        {fields.select('dat', DEEDS, { required: true })}
        {fields.date('dan', { required: true, max: today() })}
        {record.svrha && record.dat && (
          <details className={style.text}>
            <summary>{purpose?.tekstBroj != null ? `${text.text} (${text.version(purpose.tekstBroj)})` : text.text}</summary>
            <p className={style.note}>{purpose?.tekst ?? text.noText}</p>
          </details>
        )}
        {leaves && <p className={style.help}>{text.withdrawHelp}</p>}
        {leaves && fields.select('statusPovukao', STATUSES, { required: true })}
        {fields.area('napomena', { maxLength: 1000 })}
        <div className={style.actions}>
          <input
            ref={input}
            type="file"
            hidden
            accept=".pdf,.jpg,.jpeg,.png,.txt"
            aria-label={text.attach}
            onChange={({ target }) => void attach(target.files?.[0])}
          />
          {file ? (
            <Button
              type="button"
              label={file.naziv}
              aria-label={`${text.remove}: ${file.naziv}`}
              icon="pi pi-times"
              text
              size="small"
              onClick={() => setFile(null)}
            />
          ) : (
            <Button
              type="button"
              label={text.attach}
              icon="pi pi-paperclip"
              outlined
              size="small"
              disabled={busy}
              onClick={() => input.current?.click()}
            />
          )}
        </div>
        {fault && (
          <p role="alert" className={style.fault}>
            {fault}
          </p>
        )}
      </form>
    </Dialog>
  );
}
