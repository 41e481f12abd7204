// Marks on stored values that today's configuration would give or read otherwise, and the search's matches with theirs.
import { api } from '../api/client';
import { t } from '../messages';
import type { SearchAnswer, StaleResults } from './types';

const text = t.patients.stale;

/** Of the field whose value it is. */
export interface Mark {
  polje: number;
  razlog: string;
  jedinica?: string | null;
}

/** The same words as `domain/src/entry/stale.rs` prints. */
export function markText({ razlog, jedinica }: Omit<Mark, 'polje'>): string {
  if (razlog === 'jedinica') return text.unit(jedinica?.trim() ? jedinica.trim() : null);
  return razlog === 'neprovereno' ? text.unchecked : text.formula;
}

/** Entries that the server is asked about at once. */
const AT_ONCE = 10_000;

/** The answer with the marks of the values that matched: without them it is no answer. */
export async function withMarks(answer: SearchAnswer): Promise<SearchAnswer> {
  const entries = [...new Set(answer.unosi.flatMap(({ pogodak }) => pogodak.flatMap(({ unosID }) => unosID ?? [])))];
  const marks = new Map<string, Mark>();
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const { data } = await api.ask<StaleResults>('/api/stale-results', { unosi: entries.slice(from, from + AT_ONCE) });
    for (const { unosID, ...mark } of data) marks.set(`${unosID} ${mark.polje}`, mark);
  }
  if (marks.size === 0) return answer;
  const unosi = answer.unosi.map((row) => ({
    ...row,
    pogodak: row.pogodak.map((match) => {
      const zastareo = marks.get(`${match.unosID} ${match.poljeID}`);
      return zastareo ? { ...match, zastareo } : match;
    }),
  }));
  return { ...answer, unosi };
}
