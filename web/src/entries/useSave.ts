// Saving an entry: check, ask, send, settle what two people wrote; whatever fails, what was typed stays.
import { useState, type ReactNode } from 'react';
import { api, ApiError } from '../api/client';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { sendable } from './draft';
import { blankRelevant, faults, toBeCleared } from './rules';
import { DATE, DOCTOR, same, type Basis, type EntryStore } from './store';
import { isEntered, type Clash, type Display, type Saved, type Values } from './types';

const text = t.entries;

export interface OpenClash {
  clash: Clash;
  settle: (choice: ReadonlySet<number> | null) => void;
}

const clashOf = (error: unknown): Clash | null => {
  const answer = error instanceof ApiError && error.status === 409 ? error.answer : null;
  return typeof answer === 'object' && answer !== null && 'sukobi' in answer ? (answer as Clash) : null;
};

interface Props {
  display: Display;
  store: EntryStore;
}

export function useSave({ display, store }: Props) {
  const [saving, setSaving] = useState(false);
  const [clash, setClash] = useState<OpenClash | null>(null);
  const confirm = useConfirm();
  const toast = useToast();
  const doctorRequired = display.radniciOdgovorni.length > 0;

  function refuse(errors: ReadonlyMap<number, string>): void {
    store.fail(errors);
    const [first] = errors;
    if (!first) return;
    toast.clear();
    toast.error(first[1]);
    store.reveal(first[0]);
  }

  /** Whether it may be sent: rules kept, blank relevant fields and clearing agreed to. */
  async function agreed(clearing: ReactNode): Promise<boolean> {
    const found = faults(store, doctorRequired);
    if (found.size > 0) {
      refuse(found);
      return false;
    }
    store.fail(found);
    const blank = blankRelevant(store).map(({ id }) => id);
    if (blank.length > 0 && !(await confirm({ message: text.blankRelevant }))) {
      store.mark(blank);
      const [first] = blank;
      if (first !== undefined) store.reveal(first);
      return false;
    }
    store.mark([]);
    return clearing === null || confirm({ message: clearing, accept: text.continue, reject: t.common.cancel });
  }

  const send = (at: Basis, osnova: Values): Promise<Saved> =>
    api.post<Saved>('/api/entry-values', {
      unosID: at.unosID,
      tsaID: display.tsa.id,
      registarID: display.registar.id,
      pacijentID: display.pacijent.id,
      vrednosti: sendable(store.fields, store.values()),
      osnova,
      verzija: at.verzija,
      kljuc: at.unosID === null ? at.kljuc : null,
      ...store.head(),
    });

  /** Takes theirs where I changed nothing, and where I chose so; what is stored now is the new basis. */
  function take({ vrednosti: theirs, sukobi }: Clash, chosen: ReadonlySet<number>): void {
    const mine = store.values();
    const clashing = new Set(sukobi.map(({ polje }) => polje));
    for (const { id } of store.fields.filter(isEntered)) {
      const untouched = same(mine[id], store.baseValue(id));
      if (clashing.has(id) ? chosen.has(id) : untouched) store.set(id, theirs[id] ?? null);
    }
    store.rebase(theirs, store.baseHead());
  }

  async function sendUntilSettled(): Promise<Saved | null> {
    let at = store.basis();
    for (;;) {
      try {
        const saved = await send(at, store.baseValues());
        if (at.unosID !== null || !at.uncertain) return saved;
        // The entry may be the one of the earlier attempt: what was typed since goes into it as a change.
        at = { ...at, unosID: saved.snimljenUnosID, verzija: saved.verzija, uncertain: false };
        store.build(at);
        store.rebase(saved.vrednosti, store.baseHead());
      } catch (error) {
        const answer = clashOf(error);
        if (!answer) {
          const lost = error instanceof ApiError && (error.status === 0 || error.status >= 500);
          if (at.unosID === null && lost) store.build({ ...at, uncertain: true });
          throw error;
        }
        const chosen = await new Promise<ReadonlySet<number> | null>((settle) => setClash({ clash: answer, settle }));
        setClash(null);
        if (!chosen) return null;
        take(answer, chosen);
        at = { ...at, verzija: answer.verzija };
        store.build(at);
      }
    }
  }

  /** The server's word at its field, or what went wrong and that nothing is lost. */
  function explain(error: unknown): void {
    const { field, message, status } = error instanceof ApiError ? error : { field: null, message: t.error.server, status: 500 };
    const id = field === 'datumUnosa' ? DATE : field === 'radnikOdgovoran' ? DOCTOR : Number(field);
    toast.clear();
    if (status === 422 && field !== null && (id < 0 || store.byId.has(id))) {
      store.fail(new Map([[id, message]]));
      store.reveal(id);
    }
    toast.error(text.saveFailed, `${message} ${text.nothingLost}`);
  }

  /** Saves; null when it was not saved. */
  async function save(clearing: (names: string[]) => ReactNode, before: () => Promise<void>): Promise<Saved | null> {
    if (saving) return null;
    const cleared = toBeCleared(store, store.basis().unosID === null).map(({ naziv }) => naziv);
    if (!(await agreed(cleared.length > 0 ? clearing(cleared) : null))) return null;
    setSaving(true);
    try {
      await before();
      return await sendUntilSettled();
    } catch (error) {
      explain(error);
      return null;
    } finally {
      setSaving(false);
    }
  }

  return { save, saving, clash };
}
