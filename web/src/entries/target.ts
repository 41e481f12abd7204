// What an address of the entry screen shows, and the call that brings it: already on its way while the screen's code is.
import { api, withQuery } from '../api/client';
import type { Display } from './types';

export interface Target {
  /** None of a new entry. */
  unosID: number | null;
  pacijentID: number;
  tsaID: number;
  /** Where the entry's data come from. */
  path: string;
  /** The date of examination that the address brought. */
  date: string | null;
}

export const displayOf = (unosID: number): string => withQuery('/api/entry-display', { haID: unosID });

type Address = Pick<Location, 'pathname' | 'search'>;

export function targetOf({ pathname, search }: Address): Target | null {
  const which = /^\/unosi2?\/(\d+|novi)\/?$/.exec(pathname)?.[1];
  if (which === undefined) return null;
  if (which !== 'novi') return { unosID: Number(which), pacijentID: 0, tsaID: 0, path: displayOf(Number(which)), date: null };
  const query = new URLSearchParams(search);
  const [tsaID, pacijentID, date] = [query.get('tsaID') ?? '', query.get('pacijentID') ?? '', query.get('datumUnosa') ?? ''];
  if (!/^\d+$/.test(tsaID) || !/^\d+$/.test(pacijentID)) return null;
  return {
    unosID: null,
    pacijentID: Number(pacijentID),
    tsaID: Number(tsaID),
    path: withQuery('/api/entry-display', { tsaID, pacijentID }),
    date: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null,
  };
}

let ahead: { path: string; answer: Promise<Display> } | null = null;

/** Asks for what the address shows before the screen is there to ask. */
export function askAhead(address: Address): void {
  const target = targetOf(address);
  if (!target) return;
  ahead = { path: target.path, answer: api.get<Display>(target.path) };
  ahead.answer.catch(() => undefined);
}

/** What is to be shown: the answer asked for ahead, once, or one of its own. */
export function loadDisplay(path: string, signal: AbortSignal): Promise<Display> {
  const answer = ahead?.path === path ? ahead.answer : null;
  ahead = null;
  return answer ?? api.get<Display>(path, signal);
}
