// One question for the password before a dangerous change, however many calls wait for it. The dialog itself is ConfirmPassword.
import { useSyncExternalStore } from 'react';

interface Question {
  /** What is to be changed, in the server's words. */
  message: string;
  answer: Promise<boolean>;
  give: (confirmed: boolean) => void;
}

let asked: Question | null = null;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Whether the worker has confirmed, or has gone back to what was being changed. */
export function askToConfirm(message: string): Promise<boolean> {
  if (!asked) {
    let give: (confirmed: boolean) => void = () => {};
    const answer = new Promise<boolean>((resolve) => (give = resolve));
    asked = { message, answer, give };
    tell();
  }
  return asked.answer;
}

export function answerConfirmation(confirmed: boolean): void {
  const { give } = asked ?? {};
  asked = null;
  tell();
  give?.(confirmed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConfirmation = (): string | null => useSyncExternalStore(subscribe, () => asked?.message ?? null);
