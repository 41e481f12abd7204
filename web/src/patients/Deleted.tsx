// Deleted patients, and a patient's deleted entries, for who may delete them: who did it and when, and the way back.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import { type ListOf } from '../api/address';
import { api } from '../api/client';
import type { Reply, Schema } from '../schema';
import { useListed } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, Right } from '../auth/rights';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import { ALIKE, alikeTo } from './alike';
import { AnonymiseDialog } from './Anonymise';
import { Duplicates } from './Duplicates';
import { useConfirmed } from './useConfirmed';
import style from './deleted.module.css';

const text = t.patients.deleted;

interface Row {
  id: number;
  verzija: number;
  obrisao: string | null;
  vreme: string | null;
}

interface Props<T extends Row> {
  path: ListOf<T>;
  title: string;
  name: (row: T) => string;
  /** None when the person did not mean it. */
  restore: (row: T) => Promise<unknown>;
  onRestored: (row: T) => void;
  /** What else is done with a row. */
  more?: (row: T) => ReactNode;
  onClose: () => void;
}

function DeletedDialog<T extends Row>({ path, title, name, restore, onRestored, more, onClose }: Props<T>) {
  useFocusReturn();
  const { data, error, mutate } = useListed<T>(path, {});
  const [busy, setBusy] = useState<number | null>(null);
  const toast = useToast();

  async function bringBack(row: T) {
    toast.clear();
    setBusy(row.id);
    try {
      if ((await restore(row)) === null) return;
      toast.success(t.crud.restored(name(row)));
      await mutate();
      onRestored(row);
    } catch (failure) {
      toast.failure(t.crud.restoreFailed, failure);
    } finally {
      setBusy(null);
    }
  }

  return (
    <Dialog visible onHide={onClose} header={title} className={style.dialog} draggable={false}>
      {error && !data ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading />
      ) : data.data.length === 0 ? (
        <EmptyState icon="pi-inbox" title={t.common.empty} />
      ) : (
        <ul className={style.list}>
          {data.data.map((row) => (
            <li key={row.id}>
              <span>
                {name(row)}
                <small>{text.by(row.obrisao ?? t.common.none, formatDateTime(row.vreme))}</small>
              </span>
              <span className={style.actions}>
                {more?.(row)}
                <Button
                  label={t.crud.restore}
                  aria-label={text.restore(name(row))}
                  icon="pi pi-undo"
                  outlined
                  size="small"
                  loading={busy === row.id}
                  onClick={() => void bringBack(row)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface AlikeProps {
  candidates: Schema<'Candidates'>;
  restore: () => Promise<void>;
  onClose: () => void;
}

/** Whom a deleted patient is like, shown as a registration shows them, before two records of one person are made. */
function AlikeDialog({ candidates, restore, onClose }: AlikeProps) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const accept = () => {
    setBusy(true);
    void restore().finally(() => setBusy(false));
  };
  return (
    <Dialog
      visible
      onHide={onClose}
      header={text.alike}
      className={style.dialog}
      draggable={false}
      footer={
        <>
          <Button label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button label={text.restoreAnyway} severity="warning" loading={busy} onClick={accept} />
        </>
      }
    >
      <Duplicates candidates={candidates} />
    </Dialog>
  );
}

const DELETED = '/api/deleted-patients';
const named = ({ ime, prezime, datumRodjenja }: Reply<'DeletedPatient'>) => `${ime} ${prezime} (${formatDate(datumRodjenja)})`;

export function DeletedPatients() {
  const { prava } = useWorker();
  const [open, setOpen] = useState(false);
  const [erased, setErased] = useState<Reply<'DeletedPatient'> | null>(null);
  const [alike, setAlike] = useState<{ patient: Reply<'DeletedPatient'>; candidates: Schema<'Candidates'> } | null>(null);
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  const confirmed = useConfirmed();
  const toast = useToast();

  /** None when the person did not mean it, or is shown first whom the patient is like. */
  async function restore(patient: Reply<'DeletedPatient'>, before: readonly string[] = []) {
    const { id, verzija } = patient;
    const send = (potvrde: string[]) => api.patch(at('/api/patients/{id}', { id }), { aktivan: true, verzija, potvrde });
    try {
      return await confirmed(send, before, [ALIKE]);
    } catch (error) {
      const candidates = await alikeTo(error, patient, id);
      // Who is not told whom the server means is asked all the same.
      if (!candidates || candidates.data.length === 0) return confirmed(send, before);
      setAlike({ patient, candidates });
      return null;
    }
  }

  async function restoreAnyway(patient: Reply<'DeletedPatient'>) {
    toast.clear();
    try {
      if ((await restore(patient, [ALIKE])) === null) return;
      toast.success(t.crud.restored(named(patient)));
      void navigate(`/pacijenti/${String(patient.id)}`);
    } catch (failure) {
      toast.failure(t.crud.restoreFailed, failure);
    }
    setAlike(null);
  }

  if (prava.length === 0) return null;
  return (
    <>
      <Button label={text.patients} icon="pi pi-inbox" text severity="secondary" onClick={() => setOpen(true)} />
      {open && (
        <DeletedDialog<Reply<'DeletedPatient'>>
          path={DELETED}
          title={text.patients}
          name={named}
          more={(row) =>
            mayOpen(prava, [Right.Anonymisation]) && (
              <Button
                label={text.anonymise}
                aria-label={text.anonymiseOne(named(row))}
                icon="pi pi-user-minus"
                severity="danger"
                text
                size="small"
                onClick={() => setErased(row)}
              />
            )
          }
          restore={restore}
          onRestored={({ id }) => void navigate(`/pacijenti/${String(id)}`)}
          onClose={() => setOpen(false)}
        />
      )}
      {alike && <AlikeDialog candidates={alike.candidates} restore={() => restoreAnyway(alike.patient)} onClose={() => setAlike(null)} />}
      {erased && (
        <AnonymiseDialog
          patient={erased}
          onClose={() => setErased(null)}
          onDone={() => {
            setErased(null);
            void mutate(DELETED);
          }}
        />
      )}
    </>
  );
}

export function DeletedEntries({ patient }: { patient: number }) {
  const [open, setOpen] = useState(false);
  const { mutate } = useSWRConfig();
  return (
    <>
      <Button label={text.entries} icon="pi pi-inbox" text severity="secondary" onClick={() => setOpen(true)} />
      {open && (
        <DeletedDialog<Reply<'DeletedEntry'>>
          path={at('/api/patients/{id}/deleted-entries', { id: patient })}
          title={text.entries}
          name={({ naziv, datumUnosa }) => `${naziv} ${formatDate(datumUnosa)}`}
          restore={({ id, verzija }) => api.post('/api/restore-entry', { id, verzija })}
          onRestored={() => void mutate((key) => typeof key === 'string' && key.startsWith(`/api/patients/${String(patient)}`))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
