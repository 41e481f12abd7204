// One entry on the screen: its header, its form, and what can be done with it.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Link, useBlocker, useNavigate } from 'react-router';
import { api } from '../api/client';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { entryPath, rememberRegister } from '../patients/places';
import { newKey } from '../reports/request';
import { useConfirm } from '../ui/confirm';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/states';
import { useToast } from '../ui/toast';
import { useSaveKey } from '../ui/useSaveKey';
import { ClashDialog, DraftDialog } from './dialogs';
import { differs, discardDraft, DraftKeeper, type Draft } from './draft';
import { EntryDate } from './EntryDate';
import style from './entry.module.css';
import { arrange, displayOf, FormContext, inputId, noteId, rowsOf, useFieldState, useForm, useWanted, type Form } from './form';
import { DrawingQueue } from './later';
import { Inside } from './parts';
import { PrintButton } from './PrintButton';
import { DATE, DOCTOR, EntryStore } from './store';
import type { Display } from './types';
import { useSave } from './useSave';

const text = t.entries;

interface Props {
  display: Display;
  draft: Draft | null;
  /** The date of examination that the address of a new entry brought. */
  date: string | null;
  onSaved: (display: Display, id: number) => void;
}

const storeOf = ({ autsiArray, vrednosti, tsa }: Display, date: string | null): EntryStore =>
  new EntryStore(
    autsiArray,
    vrednosti,
    { datumUnosa: tsa.datumUnosa ?? date, radnikOdgovoran: tsa.radnikOdgovoran ?? null },
    { unosID: tsa.unosID ?? null, verzija: tsa.verzija ?? null, kljuc: tsa.unosID ? null : newKey(), uncertain: false },
  );

const draftOf = (store: EntryStore): Draft | null =>
  store.isDirty()
    ? { vreme: Date.now(), vrednosti: store.values(), osnova: store.baseValues(), verzija: store.basis().verzija, kljuc: store.basis().kljuc, ...store.head() }
    : null;

/** Keeps drafts while the entry is open, and warns before the window closes over unsaved answers. */
function useDraftKeeper(store: EntryStore, key: string, pacijentID: number, mayKeep: boolean) {
  const keeper = useRef<DraftKeeper | null>(null);
  useEffect(() => {
    if (!mayKeep) return;
    const own = new DraftKeeper(key, pacijentID, () => draftOf(store));
    keeper.current = own;
    const end = store.onAnswer(own.changed);
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!store.isDirty()) return;
      own.flush();
      event.preventDefault();
    };
    window.addEventListener('beforeunload', beforeUnload);
    window.addEventListener('pagehide', own.flush);
    return () => {
      window.removeEventListener('beforeunload', beforeUnload);
      window.removeEventListener('pagehide', own.flush);
      end();
      own.close();
    };
  }, [store, key, pacijentID, mayKeep]);
  return keeper;
}

/** 'Da li ste sigurni…' before another screen, as long as something is not saved. */
function useLeaveGuard(store: EntryStore) {
  const confirm = useConfirm();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && store.isDirty());
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({ message: text.leaveQuestion }).then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [blocker, confirm]);
}

const Cleared = ({ names }: { names: string[] }) => (
  <>
    <p>{text.cleared}</p>
    <ul>
      {names.map((name, i) => (
        <li key={i}>{name}</li>
      ))}
    </ul>
  </>
);

export function EntryForm({ display, draft, date, onSaved }: Props) {
  const { pacijent, registar, tsa, pravoIzmene, pravoBrisanja } = display;
  const unosID = tsa.unosID ?? null;
  const [store] = useState(() => storeOf(display, date));
  const [offered, setOffered] = useState(() => (draft && differs(draft, store) ? draft : null));
  const [removing, setRemoving] = useState(false);
  const draftKey = unosID === null ? `novi-${pacijent.id}-${tsa.id}` : `unos-${unosID}`;
  const keeper = useDraftKeeper(store, draftKey, pacijent.id, pravoIzmene);
  const { save, saving, clash } = useSave({ display, store });
  const confirm = useConfirm();
  const toast = useToast();
  const navigate = useNavigate();
  useLeaveGuard(store);
  // The way to the patient leads on in this entry's register.
  useEffect(() => rememberRegister(registar.id), [registar.id]);

  const form = useMemo<Form>(
    () => {
      const inside = arrange(store.fields);
      return { store, inside, rows: rowsOf(inside), queue: new DrawingQueue(), readOnly: !pravoIzmene, pacijentID: pacijent.id, registarID: registar.id };
    },
    [store, pravoIzmene, pacijent.id, registar.id],
  );
  useEffect(() => store.onAnswer(form.queue.rest), [store, form]);
  const toPatient = `/pacijenti/${pacijent.id}`;

  function restore(found: Draft) {
    const isNew = store.basis().unosID === null;
    store.rebase(found.osnova, store.baseHead());
    store.replace(found.vrednosti, { datumUnosa: date ?? found.datumUnosa, radnikOdgovoran: found.radnikOdgovoran });
    // The save of a new entry may have arrived before the page was lost.
    store.build({ ...store.basis(), verzija: found.verzija, kljuc: isNew ? (found.kljuc ?? store.basis().kljuc) : null, uncertain: isNew });
    setOffered(null);
  }

  async function submit(stay: boolean) {
    const saved = await save((names) => <Cleared names={names} />, async () => keeper.current?.pause());
    if (!saved) return keeper.current?.resume();
    const id = saved.snimljenUnosID;
    const head = store.head();
    keeper.current?.done();
    store.rebase(saved.vrednosti, head);
    store.replace(saved.vrednosti, head);
    store.build({ unosID: id, verzija: saved.verzija, kljuc: null, uncertain: false });
    toast.clear();
    toast.success(text.saved);
    if (!stay) return void navigate(toPatient);
    let next: Display = { ...display, tsa: { ...tsa, unosID: id, verzija: saved.verzija, ...head }, vrednosti: saved.vrednosti };
    try {
      next = await api.get<Display>(displayOf(id));
    } catch (error) {
      toast.failure(text.reloadFailed, error);
    }
    onSaved(next, id);
    if (unosID === null) void navigate(entryPath(id), { replace: true });
  }

  async function remove() {
    if (!(await confirm({ message: text.removeQuestion, accept: text.remove, reject: t.common.cancel, danger: true }))) return;
    setRemoving(true);
    try {
      await keeper.current?.pause();
      await api.post('/api/delete-entry', { id: unosID });
    } catch (error) {
      keeper.current?.resume();
      toast.failure(text.removeFailed, error);
      return setRemoving(false);
    }
    keeper.current?.done();
    discardDraft(draftKey);
    store.rebase(store.values(), store.head());
    toast.success(text.removed);
    void navigate(toPatient);
  }

  const busy = saving || removing;
  useSaveKey(() => void submit(true), pravoIzmene && !busy && !offered && !clash);
  return (
    <FormContext value={form}>
      <Page
        title={tsa.naziv}
        sticky
        breadcrumb={[{ label: registar.naziv, to: `/registri/${registar.id}` }, { label: tsa.naziv }]}
        lead={
          <Link to={toPatient}>
            {pacijent.ime} {pacijent.prezime}
          </Link>
        }
        actions={
          <>
            <Button label={text.patient} icon="pi pi-user" outlined onClick={() => void navigate(toPatient)} />
            {unosID !== null && <Button label={text.history} icon="pi pi-history" outlined onClick={() => void navigate(`/unosArhiva/${unosID}`)} />}
            {unosID !== null && <PrintButton unosID={unosID} store={store} disabled={busy} />}
            {pravoBrisanja && unosID !== null && <Button label={text.remove} icon="pi pi-trash" severity="danger" outlined disabled={busy} onClick={() => void remove()} />}
            {pravoIzmene && (
              <>
                <Button label={text.saveAndStay} icon="pi pi-save" outlined disabled={busy} onClick={() => void submit(true)} />
                <Button label={text.save} icon="pi pi-check" disabled={busy} loading={saving} onClick={() => void submit(false)} />
              </>
            )}
          </>
        }
      >
        {!pravoIzmene && (
          <p className={style.readOnly} role="status">
            <span className="pi pi-lock" aria-hidden /> {text.readOnly}
          </p>
        )}
        <div className={style.form} inert={busy}>
          <Panel>
            <Header display={display} dateGiven={unosID === null && date !== null} />
          </Panel>
          <Panel>{display.autsiArray.length === 0 ? <EmptyState title={text.empty} /> : <Inside of={null} />}</Panel>
        </div>
        <FocusMover />
        {offered && (
          <DraftDialog
            draft={offered}
            onRestore={() => restore(offered)}
            onDiscard={() => {
              discardDraft(draftKey);
              setOffered(null);
            }}
          />
        )}
        {clash && <ClashDialog open={clash} store={store} />}
      </Page>
    </FormContext>
  );
}

/** Moves the focus once the tabs and panels on the way have opened. */
function FocusMover() {
  const { store } = useForm();
  const wanted = useWanted(store);
  useEffect(() => {
    if (!wanted) return;
    // A dialog that is just closing gives its focus back first.
    const timer = setTimeout(() => {
      const input = document.getElementById(inputId(wanted.id));
      input?.focus();
      input?.scrollIntoView({ block: 'center' });
    }, 250);
    return () => clearTimeout(timer);
  }, [wanted]);
  return null;
}

function Header({ display: { tsa, radniciOdgovorni }, dateGiven }: { display: Display; dateGiven: boolean }) {
  const { store, readOnly } = useForm();
  const date = useFieldState(store, DATE);
  const doctor = useFieldState(store, DOCTOR);
  return (
    <div className={style.head}>
      <HeadField id={DATE} label={text.date} error={date.error}>
        <EntryDate
          id={inputId(DATE)}
          value={typeof date.value === 'string' ? date.value : null}
          onChange={(value) => store.set(DATE, value)}
          disabled={readOnly || dateGiven}
          invalid={date.error !== null}
          aria-describedby={date.error ? noteId(DATE) : undefined}
        />
      </HeadField>
      {radniciOdgovorni.length > 0 && (
        <HeadField id={DOCTOR} label={text.doctor} error={doctor.error}>
          <Dropdown
            inputId={inputId(DOCTOR)}
            value={doctor.value}
            options={radniciOdgovorni.map(({ id, imePrezime }) => ({ value: id, label: imePrezime }))}
            onChange={(event) => store.set(DOCTOR, event.value as number | null)}
            filter
            emptyFilterMessage={text.noDoctor}
            placeholder={t.common.choose}
            disabled={readOnly}
            invalid={doctor.error !== null}
            aria-describedby={doctor.error ? noteId(DOCTOR) : undefined}
          />
        </HeadField>
      )}
      {tsa.doktorKreirao && <Deed label={text.created} who={tsa.doktorKreirao} when={tsa.datumKreiranja} />}
      {tsa.doktorIzmenio && <Deed label={text.changed} who={tsa.doktorIzmenio} when={tsa.datumIzmene} />}
    </div>
  );
}

function HeadField({ id, label, error, children }: { id: number; label: string; error: string | null; children: ReactNode }) {
  return (
    <div className={style.headField}>
      <label htmlFor={inputId(id)}>
        {label}
        <span className={style.required} title={t.common.required} aria-hidden>
          {' *'}
        </span>
      </label>
      {children}
      {error && (
        <small id={noteId(id)} className={style.error} role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

const Deed = ({ label, who, when }: { label: string; who: string; when: string | null | undefined }) => (
  <dl className={style.deed}>
    <dt>{label}</dt>
    <dd>
      {who}
      <small>{formatDateTime(when)}</small>
    </dd>
  </dl>
);
