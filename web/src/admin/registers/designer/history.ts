// What was done to a document, step by step, so that each step can be taken back and done again. Keys typed into one property are one step.

/** Keys that come later than this after the one before begin a step of their own. */
const TOGETHER = 1500;

export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What the last step was about; the next of the same joins it. */
  about: string | null;
  at: number;
}

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [], about: null, at: 0 });

export function change<T>(history: History<T>, next: T, about: string | null, at: number): History<T> {
  if (next === history.present) return history;
  const joins = about !== null && about === history.about && at - history.at < TOGETHER;
  return { past: joins ? history.past : [...history.past, history.present], present: next, future: [], about, at };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], about: null, at: 0 };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, about: null, at: 0 };
}
