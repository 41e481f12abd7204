// What rules have found in the entry that is open: marks beside its fields and the dialog read it from here.
import { createContext } from 'react';
import { t } from '../messages';
import type { Reply } from '../schema';

export type EntryFinding = Reply<'EntryFinding'>;

export interface OpenFindings {
  findings: readonly EntryFinding[];
  mayConfirm: boolean;
  reload: () => void;
}

/** None where a form is only tried, or the entry is not saved yet. */
export const FindingsContext = createContext<OpenFindings | null>(null);

export const isOpen = ({ potvrda }: EntryFinding): boolean => !potvrda;

/** The rule's own words, else its kind's. */
export const wordsOf = ({ poruka, vrsta }: Pick<EntryFinding, 'poruka' | 'vrsta'>): string => poruka ?? t.quality.kinds[vrsta];
