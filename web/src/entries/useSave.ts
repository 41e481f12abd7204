// Saving an entry: check, ask, send, settle what two people wrote; whatever fails, what was typed stays.
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { api, ApiError, refusalOf } from '../api/client';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { sendable, sharedStart } from './drafts/draft';
import { valueText } from '../patients/values';
import type { Stored } from '../forms/formula';
import { blankRelevant, dateRangeOf, faults, toBeCleared } from './model/rules';
import type { Schema } from '../schema';
import { newKey } from '../api/key';
import { DATE, DOCTOR, type Basis, type EntryStore } from './model/store';
import {
  asClash,
  asRewritten,
  asSaved,
  isEntered,
  type Clash,
  type Display,
  type FormField,
  type Rewritten,
  type SavedEntry,
} from './model/types';

const text = t.entries;

/** Entries that somebody else began, and the way on: the one to join, or none. */
export interface OpenJoin {
  entries: readonly Schema<'ExistingEntry'>[];
  settle: (choice: number | null) => void;
}

export interface OpenClash {
  clash: Clash;
  settle: (choice: ReadonlySet<number> | null) => void;
}

type Save = '/api/entry-values';

const clashOf = (error: unknown): Clash | null => {
  const refusal = refusalOf<Save, 'post', 409>(error, 409, 'sukobi');
  return refusal && asClash(refusal);
};

/** 422: others have begun the visit; those of them that this worker may go on with. */
const begunOf = (error: unknown): readonly Schema<'ExistingEntry'>[] =>
  refusalOf<Save, 'post', 422>(error, 422, 'postojeci')?.postojeci.filter(({ pravoIzmene }) => pravoIzmene) ?? [];

/** The header's answers have names, fields have ids. */
export const partId = (name: string | null): number => (name === 'datumUnosa' ? DATE : name === 'radnikOdgovoran' ? DOCTOR : Number(name));

const rewrittenOf = (error: unknown): Rewritten | null => {
  const answer = error instanceof ApiError && error.status === 409 ? error.answer : null;
  return answer && 'rezultati' in answer ? asRewritten<unknown>(answer) : null;
};

/** 409: the entry is signed, and whoever saves has not said that the signature may end. */
const isSigned = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && error.field === 'potvrdjenKrajPotpisa';

/** 409: the values were typed by a form that is another now. */
const isOtherForm = (error: unknown): error is ApiError => {
  const answer = error instanceof ApiError && error.status === 409 ? error.answer : null;
  return answer !== null && 'noviObrazac' in answer;
};

interface Props {
  display: Display;
  store: EntryStore;
  /** Goes on with the newest form, what was typed kept. */
  onOtherForm: () => Promise<void>;
}

/** What whoever saves was told of, and agreed to. */
interface SaveAgreement {
  /** Results that become others. */
  results: boolean;
  /** A signature that ends. */
  signature: boolean;
}

interface Around {
  /** What the worker is shown before hidden values are cleared. */
  clearing: (names: string[]) => ReactNode;
  /** What the worker is shown before values that were taken from elsewhere are saved. */
  confirming: (fields: readonly FormField[]) => ReactNode;
  /** Just before the save is sent; gives the keys of the drafts that it fulfils. */
  before: () => Promise<string[]>;
}

export function useSave({ display, store, onOtherForm }: Props) {
  const [saving, setSaving] = useState(false);
  const [clash, setClash] = useState<OpenClash | null>(null);
  const [join, setJoin] = useState<OpenJoin | null>(null);
  const confirm = useConfirm();
  const toast = useToast();
  // A clash may name a doctor whom the loaded entry did not know.
  const [newer, setNewer] = useState<{ than: Display; doctors: readonly Schema<'ResponsibleOption'>[] } | null>(null);
  const doctors: readonly Schema<'ResponsibleOption'>[] = newer?.than === display ? newer.doctors : display.radniciOdgovorni;
  const doctorRequired = doctors.length > 0;
  // A message about an answer goes when that answer becomes another, and when the form is left.
  const told = useRef<number | null>(null);
  const hush = useEffectEvent(() => {
    if (told.current !== null) toast.clear();
    told.current = null;
  });
  useEffect(() => {
    const end = store.onAnswer(() => {
      if (told.current !== null && store.state(told.current).error === null) hush();
    });
    return () => {
      end();
      hush();
    };
  }, [store]);

  function refuse(errors: ReadonlyMap<number, string>): void {
    store.fail(errors);
    const [first] = errors;
    if (!first) return;
    toast.clear();
    toast.error(first[1]);
    told.current = first[0];
    store.reveal(first[0]);
  }

  /** Whether it may be sent: rules kept, blank relevant fields and clearing agreed to. */
  async function agreed(clearing: ReactNode, confirming: Around['confirming']): Promise<boolean> {
    const found = faults(store, doctorRequired, dateRangeOf(display));
    if (found.size > 0) {
      refuse(found);
      return false;
    }
    store.fail(found);
    const waiting = store.awaiting();
    const [unconfirmed] = waiting;
    if (unconfirmed) {
      if (!(await confirm({ title: text.takenTitle, message: confirming(waiting), accept: text.confirmAndSave }))) {
        store.reveal(unconfirmed.id);
        return false;
      }
      store.confirm(waiting.map(({ id }) => id));
    }
    const blank = blankRelevant(store).map(({ id }) => id);
    if (blank.length > 0 && !(await confirm({ message: text.blankRelevant, accept: text.continue }))) {
      store.mark(blank);
      const [first] = blank;
      if (first !== undefined) store.reveal(first);
      return false;
    }
    store.mark([]);
    return clearing === null || confirm({ message: clearing, accept: text.continue });
  }

  /** Whether the visit's other forms go along to another day or doctor; null: nothing is saved. */
  async function ofWholeVisit(): Promise<boolean | null> {
    const [now, before] = [store.head(), store.baseHead()];
    const others = display.poseta?.obrasci ?? [];
    const isMoved = now.datumUnosa !== before.datumUnosa || now.radnikOdgovoran !== before.radnikOdgovoran;
    if (store.basis().unosID === null || others.length === 0 || !isMoved) return false;
    const chosen = { isAlone: false };
    const accepted = await confirm({
      title: text.wholeVisitTitle,
      message: text.wholeVisitQuestion(others.map(({ naziv }) => naziv).join(', ')),
      accept: text.wholeVisit,
      instead: { verb: text.onlyThisForm, act: () => (chosen.isAlone = true) },
    });
    return accepted || (chosen.isAlone ? false : null);
  }

  async function send(at: Basis, nacrti: string[], told: SaveAgreement, celaPoseta: boolean): Promise<SavedEntry> {
    const { datumUnosa, radnikOdgovoran } = store.baseHead();
    const saved = await api.post('/api/entry-values', {
      unosID: at.unosID,
      tsaID: display.tsa.id,
      registarID: display.registar.id,
      pacijentID: display.pacijent.id,
      vrednosti: sendable(store.fields, store.values()),
      unetoU: store.typedUnits(),
      ...store.head(),
      osnova: store.baseValues(),
      osnovaDatumUnosa: datumUnosa,
      osnovaRadnikOdgovoran: radnikOdgovoran,
      verzija: at.verzija,
      kljuc: at.kljuc,
      nacrti,
      obrazac: store.obrazac,
      potvrdjeniRezultati: told.results,
      potvrdjenKrajPotpisa: told.signature,
      celaPoseta,
      nepotvrdjeno: store.awaiting().map(({ id }) => id),
    });
    return asSaved(saved);
  }

  /** Takes what the server joined, and of each clash what was chosen; what is stored now is the new basis. */
  function take({ vrednosti, datumUnosa, radnikOdgovoran, radniciOdgovorni, spojeno, sukobi }: Clash, chosen: ReadonlySet<number>): void {
    const clashes = new Map(sukobi.map((clash) => [partId(clash.polje), clash]));
    const settled = (id: number, name: string) => {
      const clash = clashes.get(id);
      return (clash ? (chosen.has(id) ? clash.njihovo : clash.moje) : spojeno[name]) ?? null;
    };
    setNewer({ than: display, doctors: radniciOdgovorni });
    store.rebase(vrednosti, { datumUnosa, radnikOdgovoran: radnikOdgovoran ?? null });
    store.set(DATE, settled(DATE, 'datumUnosa'));
    store.set(DOCTOR, settled(DOCTOR, 'radnikOdgovoran'));
    for (const { id } of store.fields.filter(isEntered)) store.set(id, settled(id, String(id)));
  }

  /** Which results a save makes others because the form is another than when they were stored. */
  function rewriting({ message, rezultati }: Rewritten): string {
    const said = rezultati.map(({ polje, naziv, sacuvano, danas }) => {
      const field = store.byId.get(polje);
      const shown = (value: Stored) => (field ? valueText(field, value) : String(value));
      return text.rewritten(naziv, shown(sacuvano), shown(danas));
    });
    return `${message} ${said.join('; ')}.`;
  }

  /** The visit that somebody else began meanwhile, with what is typed here; null where the worker does not join it. */
  async function joined(entries: readonly Schema<'ExistingEntry'>[]): Promise<Basis | null> {
    const chosen = await new Promise<number | null>((settle) => setJoin({ entries, settle }));
    setJoin(null);
    if (chosen === null) return null;
    const { values, head } = sharedStart(store);
    store.rebase(values, head);
    return { unosID: chosen, verzija: null, kljuc: newKey() };
  }

  /** What to build on after a refusal; null where the worker leaves it there. */
  async function afterwards(error: unknown): Promise<Basis | null> {
    const answer = clashOf(error);
    if (answer) {
      const chosen = await new Promise<ReadonlySet<number> | null>((settle) => setClash({ clash: answer, settle }));
      setClash(null);
      if (!chosen) return null;
      take(answer, chosen);
      return { ...store.basis(), verzija: answer.verzija };
    }
    const begun = store.basis().unosID === null ? begunOf(error) : [];
    if (begun.length > 0) {
      const basis = await joined(begun);
      if (basis) return basis;
    }
    // The entry was deleted meanwhile: what was typed may become another.
    if (!(error instanceof ApiError) || error.status !== 410) throw error;
    if (!(await confirm({ message: text.deletedMeanwhile, accept: text.saveAsNew }))) throw error;
    return { unosID: null, verzija: null, kljuc: newKey() };
  }

  async function sendUntilSettled(drafts: string[], celaPoseta: boolean): Promise<SavedEntry | null> {
    const told: SaveAgreement = { results: false, signature: false };
    for (;;) {
      try {
        return await send(store.basis(), drafts, told, celaPoseta);
      } catch (error) {
        if (isOtherForm(error)) {
          const { changedTitle, goOn } = t.versions;
          if (await confirm({ title: changedTitle, message: error.message, accept: goOn })) await onOtherForm();
          return null;
        }
        const rewritten = rewrittenOf(error);
        if (rewritten) {
          if (!(await confirm({ title: text.rewrittenTitle, message: rewriting(rewritten), accept: text.continue }))) return null;
          told.results = true;
          continue;
        }
        if (isSigned(error)) {
          const { endTitle, endAndSave } = t.entryStates;
          if (!(await confirm({ title: endTitle, message: error.message, accept: endAndSave, danger: true }))) return null;
          told.signature = true;
          continue;
        }
        const next = await afterwards(error);
        if (!next) return null;
        store.build(next);
      }
    }
  }

  /** The server's word at its field, or what went wrong and that nothing is lost. */
  function explain(error: unknown): void {
    const { field, message, status } = error instanceof ApiError ? error : { field: null, message: t.error.server, status: 500 };
    const id = partId(field);
    toast.clear();
    told.current = null;
    if (status === 422 && field !== null && (id < 0 || store.byId.has(id))) {
      store.fail(new Map([[id, message]]));
      store.reveal(id);
      told.current = id;
    }
    toast.error(text.saveFailed, `${message} ${text.nothingLost}`);
  }

  /** Saves; null when it was not saved. */
  async function save({ clearing, confirming, before }: Around): Promise<SavedEntry | null> {
    if (saving) return null;
    const cleared = toBeCleared(store, store.basis().unosID === null).map(({ naziv }) => naziv);
    if (!(await agreed(cleared.length > 0 ? clearing(cleared) : null, confirming))) return null;
    const celaPoseta = await ofWholeVisit();
    if (celaPoseta === null) return null;
    setSaving(true);
    try {
      const saved = await sendUntilSettled(await before(), celaPoseta);
      if (saved) told.current = null;
      return saved;
    } catch (error) {
      explain(error);
      return null;
    } finally {
      setSaving(false);
    }
  }

  return { save, saving, clash, join, doctors };
}
