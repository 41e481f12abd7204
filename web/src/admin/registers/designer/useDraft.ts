// A draft on the screen: its document with its steps back and forth, and what the server said of it at the last save.
import { useEffect, useRef, useState } from 'react';
import { DraftSaver, type SaveState } from './draftSaver';
import { change, redo, undo, type History } from './history';
import type { Change, FormDocument, FormDraft, Standing } from './model';
import { keepSteps, stepsOf, type StepsKey } from './steps';

export interface EditedDraft {
  document: FormDocument;
  change: Change;
  /** None where there is nothing to take back. */
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  standing: Standing;
  state: SaveState;
  saver: DraftSaver;
}

/** `key`: whose draft of which form it is; its steps are kept in this window, so that a reload leaves them. */
export function useDraft(form: number, draft: FormDraft, key: StepsKey): EditedDraft {
  const [history, setHistory] = useState<History<FormDocument>>(() => stepsOf(key, draft.verzija, draft.dokument));
  // The latest one, before it is drawn: two changes of one handler follow each other.
  const latest = useRef(history);
  const [standing, setStanding] = useState<Standing>(draft);
  const [state, setState] = useState<SaveState>('saved');
  const [saver] = useState(
    () =>
      new DraftSaver(form, draft.verzija, draft.dokument, (now, said) => {
        setState(now);
        if (said) setStanding(said);
      }),
  );
  const document = history.present;
  useEffect(() => saver.change(document), [saver, document]);
  const { worker, draft: id } = key;
  useEffect(() => {
    if (saver.isSaved(history.present)) keepSteps({ worker, draft: id }, saver.number(), history);
  }, [state, history, saver, worker, id]);
  useEffect(() => {
    const hidden = () => void saver.flush();
    window.addEventListener('pagehide', hidden);
    return () => {
      window.removeEventListener('pagehide', hidden);
      void saver.flush();
    };
  }, [saver]);
  const go = (step: (before: History<FormDocument>) => History<FormDocument>) => {
    latest.current = step(latest.current);
    setHistory(latest.current);
  };
  return {
    document,
    change: (edit, about) => go((before) => change(before, edit(before.present), about, Date.now())),
    undo: history.past.length > 0 ? () => go(undo) : undefined,
    redo: history.future.length > 0 ? () => go(redo) : undefined,
    standing,
    state,
    saver,
  };
}
