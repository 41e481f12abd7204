// The patient's data, and what may be done with the record.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, Right } from '../auth/rights';
import { label, t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { FoldingPanel } from '../ui/FoldingPanel';
import { useToast } from '../ui/toast';
import { useStillHere } from '../ui/useStillHere';
import { AnonymiseDialog } from './Anonymise';
import { OfferDialog } from './merging/OfferDialog';
import { fieldText, shownPatientFields, type PatientField } from './patientColumns';
import { PatientDialog } from './PatientDialog';
import style from './page.module.css';
import { ToolButton } from './ToolButton';

const text = t.patients.page;
const WIDE: readonly PatientField[] = ['medicinskaNapomena', 'administrativnaNapomena'];

export function PatientData({ patient, register, reload }: { patient: Schema<'Patient'>; register: number | null; reload: () => void }) {
  const [editing, setEditing] = useState(false);
  const [anonymising, setAnonymising] = useState(false);
  const [offering, setOffering] = useState(false);
  const { prava } = useWorker();
  const { data: flags } = useApi('/api/parameter/pacijent');
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const confirm = useConfirm();
  const toast = useToast();

  async function remove() {
    const name = `${patient.ime ?? ''} ${patient.prezime ?? ''}`;
    const entries = patient.registri.reduce((sum, { brojUnosa }) => sum + brojUnosa, 0);
    if (!(await confirm({ message: text.removeQuestion(name, entries), accept: t.crud.remove, danger: true }))) return;
    try {
      await api.patch(at('/api/patients/{id}', { id: patient.id }), { aktivan: false, verzija: patient.verzija });
      toast.success(text.removed);
      if (stillHere()) void navigate(register ? `/registri/${register}` : '/registri');
    } catch (error) {
      toast.failure(text.removeFailed, error);
      // Somebody may have changed or deleted the record: the next attempt is about what is there now.
      reload();
    }
  }

  return (
    <FoldingPanel
      title={text.data}
      actions={
        <div className={style.tools}>
          {patient.pravoIzmene && <ToolButton icon="pi-pencil" does={text.edit} onClick={() => setEditing(true)} />}
          <ToolButton icon="pi-history" does={text.archive} onClick={() => void navigate(`/pacijentArhiva/${patient.id}`)} />
          {patient.pravoIzmene && mayOpen(prava, [Right.Merging]) && (
            <ToolButton icon="pi-clone" does={t.merging.start} onClick={() => void navigate(`/spajanjePacijenata/${String(patient.id)}`)} />
          )}
          {patient.pravoIzmene && mayOpen(prava, [Right.Transfer]) && (
            <ToolButton icon="pi-send" does={t.merging.transfer.offer} onClick={() => setOffering(true)} />
          )}
          {patient.pravoAnonimizacije && (
            <ToolButton icon="pi-user-minus" does={text.anonymise} severity="danger" onClick={() => setAnonymising(true)} />
          )}
          {patient.pravoBrisanja && (
            <ToolButton icon="pi-trash" does={text.remove} severity="danger" side="left" onClick={() => void remove()} />
          )}
        </div>
      }
    >
      <dl className={style.data}>
        {shownPatientFields(flags).map((field) => (
          <div key={field} className={WIDE.includes(field) ? style.wide : undefined}>
            <dt>{label(`patient.${field}`)}</dt>
            <dd>{fieldText(patient, field)}</dd>
          </div>
        ))}
      </dl>
      {offering && <OfferDialog patient={patient.id} onClose={() => setOffering(false)} />}
      {anonymising && (
        <AnonymiseDialog
          patient={patient}
          onClose={() => setAnonymising(false)}
          onDone={() => {
            setAnonymising(false);
            reload();
          }}
        />
      )}
      {editing && (
        <PatientDialog
          patient={patient}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            reload();
          }}
        />
      )}
    </FoldingPanel>
  );
}
