// Drafts of an open entry: kept while it is typed, offered when it is opened, laid over what is loaded.
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { newEntryPath } from '../places';
import { DraftDialog } from './dialogs';
import {
  differs,
  discardDraft,
  DraftKeeper,
  draftOf,
  isOfAnotherVisit,
  isTyped,
  laidOver,
  visitOf,
  type Draft,
  type FoundDraft,
} from './drafts/draft';
import type { EntryStore } from './model/store';
import type { Display } from './model/types';

/** Lays a draft over what is loaded. */
export function lay(draft: Draft, store: EntryStore, unosID: number | null, date: string | null): void {
  const { mine, base } = laidOver(draft, store);
  store.rebase(base.values, base.head);
  store.replace(mine.values, { ...mine.head, datumUnosa: (unosID === null ? date : null) ?? mine.head.datumUnosa });
  store.build({ unosID, verzija: draft.verzija, kljuc: draft.kljuc ?? store.basis().kljuc });
  store.tellTyped(undefined, draft.unetoU);
  store.confirm(draft.potvrdjeno ?? []);
}

/** Keeps drafts while the entry is open, and warns before the window closes over unsaved answers. */
export function useDraftKeeper(store: EntryStore, key: string, pacijentID: number, naziv: string, mayKeep: boolean) {
  const keeper = useRef<DraftKeeper | null>(null);
  useEffect(() => {
    if (!mayKeep) return;
    const own = new DraftKeeper(key, pacijentID, (vreme) => {
      const draft = draftOf(store, pacijentID, vreme);
      return draft && { ...draft, naziv };
    });
    keeper.current = own;
    const end = store.onAnswer(own.changed);
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!store.isDirty() || !own.isOwn()) return;
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
  }, [store, key, pacijentID, naziv, mayKeep]);
  return keeper;
}

/**
 * The draft to offer next; those that say nothing new are thrown away without a question. One of another visit is held against nothing
 * here: its words are new wherever it goes. `atHand`: the day of this visit.
 */
export function useOffers(drafts: readonly FoundDraft[], store: EntryStore, isNew: boolean, atHand: string | null) {
  const [{ waiting, spent }, setOffers] = useState(() => {
    const isNews = ({ draft }: FoundDraft) => (isOfAnotherVisit(draft, isNew, atHand) ? isTyped(draft, store) : differs(draft, store));
    return { waiting: drafts.filter(isNews), spent: drafts.filter((draft) => !isNews(draft)) };
  });
  useEffect(() => spent.forEach(discardDraft), [spent]);
  useEffect(() => () => drafts.forEach(({ letGo }) => letGo()), [drafts]);
  return {
    offered: waiting[0],
    next: () => setOffers({ waiting: waiting.slice(1), spent }),
    none: () => setOffers({ waiting: [], spent }),
  };
}

interface OfferProps {
  found: FoundDraft;
  display: Display;
  atHand: string | null;
  next: () => void;
  restore: (found: FoundDraft) => void;
  move: (found: FoundDraft, here: string) => Promise<void>;
}

/** What was typed and not saved, with the visit that it is of. */
export function Offer({ found, display: { pacijent, tsa }, atHand, next, restore, move }: OfferProps) {
  const navigate = useNavigate();
  const isNew = (tsa.unosID ?? null) === null;
  const visit = visitOf(found.draft, isNew);
  const other = atHand !== null && isOfAnotherVisit(found.draft, isNew, atHand) ? atHand : null;
  return (
    <DraftDialog
      draft={found.draft}
      patient={`${pacijent.prezime} ${pacijent.ime}`}
      form={tsa.naziv}
      visit={visit}
      other={other}
      onRestore={() => restore(found)}
      onDiscard={() => {
        discardDraft(found);
        next();
      }}
      onLeave={next}
      onOpenOwn={isNew && visit !== null ? () => void navigate(newEntryPath(tsa.id, pacijent.id, visit)) : null}
      onMove={() => other !== null && void move(found, other)}
    />
  );
}
