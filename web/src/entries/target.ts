// What an address of the entry screen shows, and the calls that bring it: already on their way while the screen's code is.
import { at, type Address as ApiAddress } from '../api/address';
import { api } from '../api/client';
import { session } from '../api/session';
import { keptOf, type Draft } from '../drafts/draftStorage';
import { asDisplay, type Display } from './model/types';

export type DisplayAddress = ApiAddress<'/api/entry-display'>;

export interface EntryTarget {
  /** None of a new entry. */
  unosID: number | null;
  pacijentID: number;
  tsaID: number;
  /** Where the entry's data come from. */
  path: DisplayAddress;
  /** Names its drafts; each window on it adds its own name after a dot, so that two windows keep a draft each. */
  draftKey: string;
  /** The date of examination that the address brought. */
  date: string | null;
}

export const draftKeyOf = (unosID: number | null, pacijentID: number, tsaID: number): string =>
  unosID === null ? `novi-${pacijentID}-${tsaID}` : `unos-${unosID}`;

export const displayOf = (unosID: number) => at('/api/entry-display', { haID: unosID });

/** An existing entry as the newest version of its form shows it. */
export const newestDisplayOf = (unosID: number) => at('/api/entry-display', { haID: unosID, najnoviji: true });

/** Of a new entry of that day: its first values come from before. */
export const newDisplayOf = (tsaID: number, pacijentID: number, datumUnosa: string | null) =>
  at('/api/entry-display', { tsaID, pacijentID, datumUnosa });

type Address = Pick<Location, 'pathname' | 'search'>;

export function entryTarget({ pathname, search }: Address): EntryTarget | null {
  const which = /^\/unosi2?\/(\d+|novi)\/?$/.exec(pathname)?.[1];
  if (which === undefined) return null;
  if (which !== 'novi') {
    const unosID = Number(which);
    return { unosID, pacijentID: 0, tsaID: 0, path: displayOf(unosID), draftKey: draftKeyOf(unosID, 0, 0), date: null };
  }
  const query = new URLSearchParams(search);
  const [form, patient, date] = [query.get('tsaID') ?? '', query.get('pacijentID') ?? '', query.get('datumUnosa') ?? ''];
  if (!/^\d+$/.test(form) || !/^\d+$/.test(patient)) return null;
  const [tsaID, pacijentID] = [Number(form), Number(patient)];
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null;
  return {
    unosID: null,
    pacijentID,
    tsaID,
    path: newDisplayOf(tsaID, pacijentID, day),
    draftKey: draftKeyOf(null, pacijentID, tsaID),
    date: day,
  };
}

/** Drafts as the server keeps them. */
export interface KeptDrafts {
  data: { kljuc: string; sadrzaj: unknown }[];
}

export interface Answers {
  display: Promise<Display>;
  /** The worker's drafts of the entry: on the server, and on this device by key. */
  drafts: Promise<KeptDrafts>;
  here: Promise<ReadonlyMap<string, Draft>>;
}

export const readDisplay = async (path: DisplayAddress, signal?: AbortSignal): Promise<Display> => asDisplay(await api.get(path, signal));

function ask({ path, draftKey }: EntryTarget, signal?: AbortSignal): Answers {
  const worker = session.current()?.id;
  const answers = {
    display: readDisplay(path, signal),
    drafts: api.get(at('/api/entry-drafts', { kljuc: draftKey }), signal),
    here: worker === undefined ? Promise.resolve(new Map<string, Draft>()) : keptOf(worker, draftKey),
  };
  // Whoever waits for them hears of it; nobody may.
  for (const answer of Object.values(answers)) answer.catch(() => undefined);
  return answers;
}

/** What was asked for ahead; `arrived` when all is there and nobody has a draft of it. */
let ahead: ({ path: DisplayAddress; arrived: Display | null; settled: Promise<unknown> } & Answers) | null = null;
/** So long a screen that could be drawn already waits for what was asked for ahead: longer, and it says that it waits. */
const PATIENCE = 400;

/** Asks for the entry that the address shows before the screen is there to ask; whether it shows one. */
export function askAhead(address: Address): boolean {
  const target = entryTarget(address);
  if (!target) return false;
  const answers = ask(target);
  const settled = Promise.all([answers.display, answers.drafts, answers.here]).then(
    ([display, { data }, here]) => {
      if (data.length === 0 && here.size === 0) asked.arrived = display;
    },
    () => undefined,
  );
  const asked = { path: target.path, arrived: null as Display | null, settled, ...answers };
  ahead = asked;
  return true;
}

/** Until what was asked for ahead is there, or has kept somebody waiting. */
export const awaited = (): Promise<unknown> => Promise.race([ahead?.settled, new Promise((goOn) => setTimeout(goOn, PATIENCE))]);

/** An entry asked for ahead that can be drawn at once; `shown` then says that it was. */
export const arrived = (target: EntryTarget | null): Display | null => (ahead && ahead.path === target?.path ? ahead.arrived : null);

export function shown(): void {
  ahead = null;
}

/** What is to be shown: the answers asked for ahead, once, or ones of their own. */
export function load(target: EntryTarget, signal: AbortSignal): Answers {
  const answers = ahead?.path === target.path ? ahead : null;
  ahead = null;
  return answers ?? ask(target, signal);
}
