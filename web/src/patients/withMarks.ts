// The matches of a search with the marks of their values.
import { api } from '../api/client';
import type { Mark } from '../marks';
import type { SearchAnswer } from './types';

/** Entries that the server is asked about at once. */
const AT_ONCE = 10_000;

/** The answer with the marks of the values that matched: without them it is no answer. */
export async function withMarks(answer: SearchAnswer): Promise<SearchAnswer> {
  const entries = [...new Set(answer.unosi.flatMap(({ pogodak }) => pogodak.flatMap(({ unosID }) => unosID ?? [])))];
  const marks = new Map<string, Mark>();
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const { data } = await api.ask('/api/stale-results', { unosi: entries.slice(from, from + AT_ONCE) });
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
