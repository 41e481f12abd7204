// A draft on the screen: its document with its steps back and forth, and what the server said of it at the last save.
import { useEffect, useState } from 'react';
import { DraftSaver, type SaveState } from './draftSaver';
import { begin, change, redo, undo } from './history';
import type { FormDocument, FormDraft, Standing } from './model';

export interface EditedDraft {
  document: FormDocument;
  /** `about`: what is being typed, whose keys are one step; null: a step of its own. */
  change: (next: FormDocument, about: string | null) => void;
  /** None where there is nothing to take back. */
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  standing: Standing;
  state: SaveState;
  saver: DraftSaver;
}

export function useDraft(path: string, draft: FormDraft): EditedDraft {
  const [history, setHistory] = useState(() => begin(draft.dokument));
  const [standing, setStanding] = useState<Standing>(draft);
  const [state, setState] = useState<SaveState>('saved');
  const [saver] = useState(
    () =>
      new DraftSaver(path, draft.verzija, draft.dokument, (now, said) => {
        setState(now);
        if (said) setStanding(said);
      }),
  );
  const document = history.present;
  useEffect(() => saver.change(document), [saver, document]);
  useEffect(() => {
    const hidden = () => void saver.flush();
    window.addEventListener('pagehide', hidden);
    return () => {
      window.removeEventListener('pagehide', hidden);
      void saver.flush();
    };
  }, [saver]);
  return {
    document,
    change: (next, about) => setHistory((before) => change(before, next, about, Date.now())),
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
    standing,
    state,
    saver,
  };
}
