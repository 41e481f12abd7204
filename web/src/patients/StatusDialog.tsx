// Recording what became of a patient, correcting what was recorded, or taking it back.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import type { Reply, Schema } from '../schema';
import { bindFields } from '../crud/bindFields';
import { useForm } from '../crud/useForm';
import { formatDate } from '../format';
import { t } from '../messages';
import { rememberedRegister } from '../places';
import { today } from '../today';
import { focusFirst, useFaultFocus } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import type { StatusRow } from './PatientStatus';
import style from './status.module.css';
import { useConfirmed } from './useConfirmed';

const text = t.patientStatus;

interface StatusForm {
  status: Schema<'PatientStatus'> | null;
  registarID: number | null;
  dan: string | null;
  uzrok: string | null;
  izvor: string | null;
  napomena: string | null;
}

const choicesOf = <V extends string>(names: Readonly<Record<V, string>>) =>
  (Object.keys(names) as V[]).map((value) => ({ value, label: names[value] }));
const STATUSES = choicesOf(text.statuses);
const SOURCES: { value: string; label: string }[] = choicesOf(text.sources);

interface Props {
  patient: Schema<'Patient'>;
  registers: Reply<'Statuses'>['registri'];
  /** None: a new one. */
  corrected: StatusRow | null;
  undo: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** What is missing, in the order of the form. */
function missing(
  record: StatusForm,
  asked: { register: boolean; cause: boolean; note: boolean },
): (keyof StatusForm & keyof typeof text.missing) | null {
  if (!record.status) return 'status';
  if (asked.register && record.registarID === null) return 'registarID';
  if (!record.dan) return 'dan';
  if (asked.cause && !record.uzrok) return 'uzrok';
  if (!record.izvor) return 'izvor';
  return asked.note && !record.napomena?.trim() ? 'napomena' : null;
}

export function StatusDialog({ patient, registers, corrected, undo, onClose, onDone }: Props) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const remembered = rememberedRegister();
  const usual = registers.find(({ registarID }) => registarID === remembered) ?? (registers.length === 1 ? registers[0] : undefined);
  const form = useForm<StatusForm>(
    {
      status: corrected?.status ?? null,
      registarID: corrected ? (corrected.registarID ?? usual?.registarID ?? null) : (usual?.registarID ?? null),
      dan: corrected?.dan ?? today(),
      uzrok: corrected?.uzrokSifra ?? null,
      izvor: corrected?.izvor ?? null,
      napomena: null,
    },
    busy,
  );
  const confirmed = useConfirmed();
  const toast = useToast();
  const id = useId();
  useFaultFocus(id, form.problem);
  const fields = bindFields<StatusForm, 'patientStatus'>(form, 'patientStatus');
  const { record } = form;
  const isDeath = record.status === 'preminuo';
  const causes =
    registers.find(({ registarID }) => registarID === record.registarID)?.uzroci.filter(({ status }) => status === record.status) ?? [];

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    const lacking = undo
      ? record.napomena?.trim()
        ? null
        : ('napomena' as const)
      : missing(record, { register: !isDeath, cause: causes.length > 0, note: corrected !== null });
    if (lacking) return form.fail({ field: lacking, message: text.missing[lacking] });
    if (!record.status) return;
    const body = {
      ...record,
      status: record.status,
      uzrok: causes.length > 0 ? record.uzrok : null,
      ispravljaID: corrected?.id ?? null,
      ponisten: undo,
    };
    setBusy(true);
    try {
      const saved = await confirmed((potvrde) => api.post(at('/api/patients/{id}/statuses', { id: patient.id }), { ...body, potvrde }));
      if (saved) {
        toast.success(text.saved);
        return onDone();
      }
    } catch (failure) {
      const field = failure instanceof ApiError ? failure.field : null;
      if (failure instanceof ApiError && field !== null && field in record)
        form.fail({ field: field as keyof StatusForm, message: failure.message });
      else toast.failure(text.saveFailed, failure);
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={undo ? text.undoTitle : corrected ? text.correctTitle : text.newTitle}
      onHide={onClose}
      draggable={false}
      onShow={() => focusFirst(id)}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={undo ? text.undo : t.common.save} severity={undo ? 'danger' : undefined} loading={busy} />
        </>
      }
    >
      <form id={id} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        {undo && corrected ? (
          <p className={style.help}>{text.undoHelp(`${text.statuses[corrected.status]}, ${formatDate(corrected.dan)}`)}</p>
        ) : (
          <>
            {fields.select('status', STATUSES, { required: true, readOnly: corrected !== null })}
            {isDeath && <p className={style.help}>{text.deathHelp}</p>}
            {(!isDeath || registers.some(({ uzroci }) => uzroci.some(({ status }) => status === 'preminuo'))) &&
              fields.select(
                'registarID',
                registers.map(({ registarID, naziv }) => ({ value: registarID, label: naziv })),
                { required: !isDeath, readOnly: corrected !== null && !isDeath },
              )}
            {fields.date('dan', { required: true, max: today() })}
            {causes.length > 0 &&
              fields.select(
                'uzrok',
                causes.map(({ sifra, naziv }) => ({ value: sifra, label: `${naziv} (${sifra})` })),
                { required: true },
              )}
            {fields.select('izvor', SOURCES, { required: true })}
          </>
        )}
        {fields.area('napomena', { required: corrected !== null, maxLength: 1000, help: corrected ? text.reasonHelp : text.noteHelp })}
      </form>
    </Dialog>
  );
}
