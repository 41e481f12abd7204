// One entry on the screen: its header, its form, and what can be done with it.
import { Button } from 'primereact/button';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { useApi, useAskedAgain } from '../api/hooks';
import { formatDate, fromServer } from '../format';
import { t } from '../messages';
import { entryPath, rememberRegister } from '../places';
import { today } from '../today';
import { PatientBanner } from '../patients/PatientBanner';
import { newKey } from '../api/key';
import { useConfirm } from '../ui/confirm';
import { useAskedBeforeLeaving } from '../ui/leaving';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/states';
import { FindingsContext, type OpenFindings } from '../quality/context';
import { EntryFindingsButton } from '../quality/EntryFindingsButton';
import { QuestionsContext, type OpenQuestions } from '../questions/context';
import { EntryQuestionsButton } from '../questions/EntryQuestionsButton';
import { useToast } from '../ui/toast';
import { useSaveKey } from '../ui/useSaveKey';
import { ClashDialog, JoinDialog } from './dialogs';
import { discardDraft, draftOf, goneFrom, laidOver, movedTo, visitOf, type Draft, type FoundDraft } from './drafts/draft';
import style from './drawing/entry.module.css';
import { OpenEntryContext, inputId, undrawn, useFieldState, useOpenEntry, useWanted, type OpenEntry } from './drawing/form';
import { Inside } from './drawing/parts';
import { lay, Offer, useDraftKeeper, useOffers } from './EntryDrafts';
import { EntryHeader, Refusal } from './EntryHeader';
import { GoneValues, NewerFormNotice } from './NewerForm';
import { PrintButton } from './PrintButton';
import { DATE, EntryStore } from './model/store';
import { RulesAbove } from './drawing/told';
import { TakenBar, TakenList } from './drawing/taken';
import { displayOf, draftKeyOf, newDisplayOf, newestDisplayOf, readDisplay, type DisplayAddress } from './target';
import { formerUnitsOf, type Display } from './model/types';
import { useFollowDate } from './useFollowDate';
import { EntryStateBar } from './states/EntryStateBar';
import { usePreviousValues } from './usePreviousValues';
import { VisitLine } from './VisitLine';
import { useSave } from './useSave';

const text = t.entries;

/** What was typed by an older version of the form, and goes on by the newest one. */
export interface Carried {
  draft: Draft | null;
  /** The entry's own version, from which it was taken to the newest one; none: it is shown by its own again. */
  from: number | null;
  /** The key of the draft that kept it until now. */
  key: string | null;
}

interface Props {
  display: Display;
  drafts: readonly FoundDraft[];
  /** None: the entry is shown by the version that it keeps. */
  carried: Carried | null;
  onNewest: (display: Display, carried: Carried) => void;
  /** The date of examination that the address of a new entry brought. */
  date: string | null;
  onSaved: (display: Display, id: number) => void;
}

function storeOf(
  { autsiArray, pravila, vrednosti, tsa, pacijent, drugiUnosi, drugiFormulari, preuzeto, prethodne, unetoU, obrazac }: Display,
  date: string | null,
): EntryStore {
  const store = new EntryStore(
    autsiArray,
    vrednosti,
    { datumUnosa: tsa.datumUnosa ?? date, radnikOdgovoran: tsa.radnikOdgovoran ?? null },
    { unosID: tsa.unosID ?? null, verzija: tsa.verzija ?? null, kljuc: newKey() },
    { patient: { ...pacijent, polNaRodjenju: pacijent.polNaRodjenju ?? null }, others: drugiUnosi, otherForms: drugiFormulari },
    preuzeto,
    obrazac.otisak,
    pravila,
  );
  store.tellPrevious(prethodne);
  store.tellTyped(unetoU, undefined);
  return store;
}

/** 'Da li ste sigurni…' before another screen, as long as something is not saved. */
function useLeaveGuard(store: EntryStore) {
  const confirm = useConfirm();
  useAskedBeforeLeaving(() => store.isDirty());
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && store.isDirty());
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({ message: text.leaveQuestion, accept: text.leave }).then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [blocker, confirm]);
}

/** Those about the entry that is shown; a new one has none. */
function useQuestions(entry: number | null): OpenQuestions | null {
  const { data, mutate } = useApi(entry === null ? null : at('/api/entries/{id}/questions', { id: entry }));
  return useMemo(
    () => (entry === null || !data ? null : { entry, questions: data.upiti, mayAsk: data.pravoPitanja, reload: () => void mutate() }),
    [entry, data, mutate],
  );
}

/** What rules have found in the entry as it is stored: each save may find otherwise. */
function useFindings(entry: number | null, version: number | null | undefined): OpenFindings | null {
  const { data, mutate } = useApi(entry === null ? null : at('/api/entries/{id}/findings', { id: entry }));
  useAskedAgain(version, mutate);
  return useMemo(
    () => (entry === null || !data ? null : { findings: data.nalazi, mayConfirm: data.pravoPotvrde, reload: () => void mutate() }),
    [entry, data, mutate],
  );
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

export function EntryForm({ display, drafts, date, carried, onNewest, onSaved }: Props) {
  const { pacijent, registar, tsa, pravoIzmene, pravoBrisanja } = display;
  const unosID = tsa.unosID ?? null;
  const [store] = useState(() => {
    const own = storeOf(display, date);
    if (carried?.draft) lay(carried.draft, own, unosID, date);
    return own;
  });
  const [gone, setGone] = useState<readonly string[]>(() => (carried?.draft ? goneFrom(carried.draft, store) : []));
  // The day of this visit, as it was when it was opened: what is typed of it later is the form's.
  const [atHand] = useState(() => (unosID === null ? date : null) ?? store.baseHead().datumUnosa);
  const { offered, next, none } = useOffers(drafts, store, unosID === null, atHand);
  const [removing, setRemoving] = useState(false);
  /** Whether this screen has saved the entry: then it is of the version that is shown. */
  const [isSavedBy, setSavedBy] = useState(false);
  const keeper = useDraftKeeper(store, draftKeyOf(unosID, pacijent.id, tsa.id), pacijent.id, tsa.naziv, pravoIzmene);
  // Another instance of this screen has what was typed: nothing more is kept here.
  const movedOn = useRef(false);
  useEffect(() => {
    if (!carried?.draft || !keeper.current) return;
    keeper.current.changed();
    keeper.current.flush();
    const { key, draft } = carried;
    if (key !== null && key !== keeper.current.name()) discardDraft({ key, draft, letGo: () => undefined });
  }, [carried, keeper]);
  const { save, saving, clash, join, doctors } = useSave({ display, store, onOtherForm: () => goByNewest() });
  const confirm = useConfirm();
  const toast = useToast();
  const navigate = useNavigate();
  useLeaveGuard(store);
  // The way to the patient leads on in this entry's register.
  useEffect(() => rememberRegister(registar.id), [registar.id]);

  const formerUnits = useMemo(() => formerUnitsOf(display.zastareli), [display.zastareli]);
  const form = useMemo<OpenEntry>(
    () => ({ ...undrawn(store), readOnly: !pravoIzmene, formerUnits, pacijentID: pacijent.id, tsaID: tsa.id, registarID: registar.id }),
    [store, pravoIzmene, formerUnits, pacijent.id, tsa.id, registar.id],
  );
  useEffect(() => store.onAnswer(form.queue.rest), [store, form]);
  const questions = useQuestions(unosID);
  const findings = useFindings(unosID, tsa.verzija);
  const { queryFaults, following, visit } = useFollowDate(display, store, date);
  usePreviousValues(display, store, date, carried?.from != null);
  const toPatient = `/pacijenti/${pacijent.id}`;

  /** Opens the entry anew by the newest version of its form, with what was typed laid over it. */
  async function goByNewest(found?: FoundDraft) {
    const { datumUnosa } = store.head();
    const from = unosID === null ? null : (carried?.from ?? display.obrazac.verzija);
    await goBy(unosID === null ? newDisplayOf(tsa.id, pacijent.id, datumUnosa) : newestDisplayOf(unosID), from, found);
  }

  async function goBy(path: DisplayAddress, from: number | null, found?: FoundDraft) {
    try {
      await keeper.current?.pause();
      const now = await readDisplay(path);
      movedOn.current = true;
      const own = found ?? { draft: draftOf(store, pacijent.id, Date.now()), key: keeper.current?.name() ?? null };
      onNewest(now, { draft: own.draft, key: own.key, from });
    } catch (error) {
      toast.failure(t.versions.goFailed, error);
      keeper.current?.resume();
    }
  }

  function restore(found: FoundDraft) {
    const typedBy = found.draft.obrazac ?? store.obrazac;
    none();
    // It was typed by a newer version of the form than the entry is shown by.
    if (typedBy !== store.obrazac && display.obrazac.novija != null) return void goByNewest(found);
    lay(found.draft, store, unosID, date);
    setGone(goneFrom(found.draft, store));
    keeper.current?.adopt(found);
  }

  /** Puts what was typed for another visit into this one, once somebody has said that this is the one it was meant for. */
  async function move(found: FoundDraft, here: string) {
    const own = visitOf(found.draft, unosID === null);
    const message = text.draftMoveQuestion(own && formatDate(own), formatDate(here));
    if (!(await confirm({ title: text.draftMoveTitle, message, accept: text.draftMoveAccept }))) return;
    restore(unosID === null ? { ...found, draft: movedTo(here, found.draft) } : found);
  }

  async function submit(stay: boolean) {
    const before = async () => {
      await keeper.current?.pause();
      return keeper.current ? [keeper.current.name()] : [];
    };
    const saved = await save({
      clearing: (names) => <Cleared names={names} />,
      confirming: (fields) => <TakenList fields={fields} store={store} />,
      before,
    });
    if (!saved) return movedOn.current ? undefined : keeper.current?.resume();
    const { snimljenUnosID: id, verzija, vrednosti, datumUnosa, radnikOdgovoran = null } = saved;
    const head = { datumUnosa, radnikOdgovoran };
    keeper.current?.done();
    store.forgetTaken();
    store.rebase(vrednosti, head);
    store.replace(vrednosti, head);
    store.build({ unosID: id, verzija, kljuc: newKey() });
    setSavedBy(true);
    setGone([]);
    toast.clear();
    toast.success(text.saved);
    if (!stay) return void navigate(toPatient);
    let next: Display = { ...display, tsa: { ...tsa, unosID: id, verzija, ...head }, vrednosti };
    try {
      next = await readDisplay(displayOf(id));
    } catch (error) {
      toast.failure(text.reloadFailed, error);
    }
    onSaved(next, id);
    if (unosID !== id) void navigate(entryPath(id), { replace: true });
  }

  /** What may be done with the entry is another thing once it is locked, or open again. */
  async function shownAgain() {
    if (unosID === null) return;
    try {
      onSaved(await readDisplay(displayOf(unosID)), unosID);
    } catch (error) {
      toast.failure(text.reloadFailed, error);
    }
  }

  /** Somebody changed what was to be deleted: shows it, and keeps over it what is typed here. */
  async function offerNewer(message: string) {
    if (unosID === null || !(await confirm({ title: text.removeFailed, message, accept: text.loadNewer }))) return;
    try {
      const now = await readDisplay(displayOf(unosID));
      const typed = draftOf(store, pacijent.id, Date.now());
      const { datumUnosa = null, radnikOdgovoran = null, verzija = null } = now.tsa;
      const newer = { values: now.vrednosti, head: { datumUnosa, radnikOdgovoran } };
      store.rebase(newer.values, newer.head);
      const { mine, base } = typed ? laidOver(typed, store) : { mine: newer, base: newer };
      store.rebase(base.values, base.head);
      store.replace(mine.values, mine.head);
      store.build({ ...store.basis(), verzija: typed ? typed.verzija : verzija });
      onSaved(now, unosID);
    } catch (error) {
      toast.failure(text.loadFailed, error);
    }
  }

  async function remove() {
    if (unosID === null || !(await confirm({ message: text.removeQuestion, accept: text.remove, danger: true }))) return;
    setRemoving(true);
    try {
      await keeper.current?.pause();
      await api.post('/api/delete-entry', { id: unosID, verzija: tsa.verzija });
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await offerNewer(error.message);
      else toast.failure(text.removeFailed, error);
      keeper.current?.resume();
      return setRemoving(false);
    }
    keeper.current?.discard();
    store.rebase(store.values(), store.head());
    toast.success(text.removed);
    void navigate(toPatient);
  }

  const busy = saving || removing;
  // Values of another day may be on their way.
  const mayNotSave = busy || following;
  useSaveKey(() => void submit(true), pravoIzmene && !mayNotSave && !offered && !clash && !join);
  return (
    <OpenEntryContext value={form}>
      <FindingsContext value={findings}>
        <QuestionsContext value={questions}>
          <Page
            title={tsa.naziv}
            sticky
            breadcrumb={[{ label: registar.naziv, to: `/registri/${registar.id}` }, { label: tsa.naziv }]}
            about={<About patient={pacijent} store={store} />}
            actions={
              <>
                <Button label={text.patient} icon="pi pi-user" outlined onClick={() => void navigate(toPatient)} />
                {unosID !== null && (
                  <Button label={text.history} icon="pi pi-history" outlined onClick={() => void navigate(`/unosArhiva/${unosID}`)} />
                )}
                <EntryFindingsButton />
                <EntryQuestionsButton />
                {unosID !== null && <PrintButton unosID={unosID} store={store} disabled={busy} />}
                {pravoBrisanja && unosID !== null && (
                  <Button label={text.remove} icon="pi pi-trash" severity="danger" outlined disabled={busy} onClick={() => void remove()} />
                )}
                {pravoIzmene && (
                  <>
                    <Button label={text.saveAndStay} icon="pi pi-save" outlined disabled={mayNotSave} onClick={() => void submit(true)} />
                    <Button
                      label={text.save}
                      icon="pi pi-check"
                      disabled={mayNotSave}
                      loading={saving}
                      onClick={() => void submit(false)}
                    />
                  </>
                )}
              </>
            }
          >
            {unosID !== null && (
              <EntryStateBar key={unosID} entry={unosID} version={tsa.verzija} store={store} busy={busy} onChanged={shownAgain} />
            )}
            {!pravoIzmene && !display.zakljucan && (
              <p className={style.readOnly} role="status">
                <span className="pi pi-lock" aria-hidden /> {text.readOnly}
              </p>
            )}
            <NewerFormNotice
              display={display}
              takenFrom={isSavedBy || unosID === null ? null : (carried?.from ?? null)}
              onBack={() => goBy(displayOf(unosID ?? 0), null)}
              onGo={pravoIzmene ? () => goByNewest() : null}
            />
            <GoneValues values={gone} />
            <div className={style.form} inert={busy}>
              <Panel overflowing>
                <EntryHeader display={display} doctors={doctors} dateGiven={unosID === null && date !== null} />
                {visit && <VisitLine visit={visit} isNew={unosID === null} />}
                <Refusal display={display} />
                {pravoIzmene && <TakenBar queryFaults={queryFaults} />}
                <RulesAbove />
              </Panel>
              <Panel>{display.autsiArray.length === 0 ? <EmptyState title={text.empty} /> : <Inside of={null} />}</Panel>
            </div>
            <FocusMover />
            {offered && <Offer found={offered} display={display} atHand={atHand} next={next} restore={restore} move={move} />}
            {join && <JoinDialog open={join} />}
            {clash && <ClashDialog open={clash} store={store} />}
          </Page>
        </QuestionsContext>
      </FindingsContext>
    </OpenEntryContext>
  );
}

/** The patient, as old as on the day of the visit. */
function About({ patient, store }: { patient: Display['pacijent']; store: EntryStore }) {
  const { value } = useFieldState(store, DATE);
  return <PatientBanner patient={patient} on={typeof value === 'string' && fromServer(value) ? value : today()} linked />;
}

/** Signs of a person who went on by herself: keys meant for one answer must not fall into another. */
const GOING_ON = ['keydown', 'pointerdown', 'input'] as const;

/** Moves the focus once the tabs and panels on the way have opened, unless the person was quicker. */
function FocusMover() {
  const { store } = useOpenEntry();
  const wanted = useWanted(store);
  useEffect(() => {
    if (!wanted) return;
    const gone = new AbortController();
    // A dialog that is just closing gives its focus back first.
    const timer = setTimeout(() => {
      gone.abort();
      const input = document.getElementById(inputId(wanted.id));
      input?.focus();
      input?.scrollIntoView({ block: 'center' });
    }, 250);
    const stop = () => {
      clearTimeout(timer);
      gone.abort();
    };
    for (const sign of GOING_ON) document.addEventListener(sign, stop, { capture: true, signal: gone.signal });
    return stop;
  }, [wanted]);
  return null;
}
