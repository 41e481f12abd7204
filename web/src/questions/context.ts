// The questions about the entry that is open: flags beside its fields and the dialog read them from here.
import { createContext } from 'react';
import type { Reply } from '../schema';

export type EntryQuestion = Reply<'EntryQuestion'>;

export interface OpenQuestions {
  entry: number;
  questions: readonly EntryQuestion[];
  mayAsk: boolean;
  reload: () => void;
}

/** None where a form is only tried, or the entry is not saved yet. */
export const QuestionsContext = createContext<OpenQuestions | null>(null);

export const isOpen = ({ stanje }: EntryQuestion): boolean => stanje !== 'zatvoren';
