// The steps of a draft, kept in this window: a reload leaves what was done to be taken back. Kept is what each step changed, and the draft
// and its number that they lead to: where another window has saved the draft since, they are none of what is there.
import { begin, type History } from './history';
import type { FormDocument } from './model';

export interface StepsKey {
  worker: number;
  draft: number;
}

/** So many steps, and so many characters of them; older ones are left. */
const MOST_STEPS = 200;
const LONGEST = 1_000_000;

const LISTS = ['polja', 'tipovi', 'stavke', 'pravila'] as const;
type List = (typeof LISTS)[number];
interface Row {
  id: number;
}

/** What makes one list of another. */
interface ListPatch {
  removed: number[];
  /** Of a row that is there only what is another; a new one whole, in its order at the end. */
  put: (Row & Record<string, unknown>)[];
  /** Where the order is another. */
  order?: number[];
}

export interface Patch extends Partial<Record<List, ListPatch>> {
  naziv?: string;
}

interface KeptSteps extends StepsKey {
  verzija: number;
  /** What leads back, the last step first. */
  past: Patch[];
  /** What was taken back, the next one first. */
  future: Patch[];
}

/** A worker who signs in after another in the same tab finds nothing of theirs. */
const keyOf = ({ worker, draft }: StepsKey) => `regix.koraci.${String(worker)}.${String(draft)}`;

/** Without types of no field, which no save keeps. */
function tidy(document: FormDocument): FormDocument {
  const used = new Set(document.polja.map(({ tipAtributaID }) => tipAtributaID));
  return {
    ...document,
    tipovi: document.tipovi.filter(({ id }) => used.has(id)),
    stavke: document.stavke.filter(({ tipAtributaID }) => used.has(tipAtributaID)),
  };
}

function listPatch(from: readonly Row[], to: readonly Row[]): ListPatch | undefined {
  const was = new Map(from.map((row) => [row.id, row]));
  const now = new Set(to.map(({ id }) => id));
  const put = to.flatMap((row) => {
    const old = was.get(row.id);
    if (old === row) return [];
    const other = Object.entries(row).filter(([name, value]) => !old || old[name as keyof Row] !== value);
    return other.length > 0 ? [{ ...Object.fromEntries(other), id: row.id }] : [];
  });
  const removed = from.filter(({ id }) => !now.has(id)).map(({ id }) => id);
  const added = to.filter(({ id }) => !was.has(id));
  const order = to.map(({ id }) => id);
  const kept = [...from.filter(({ id }) => now.has(id)), ...added];
  const isMoved = kept.some(({ id }, at) => id !== order[at]);
  if (put.length === 0 && removed.length === 0 && !isMoved) return undefined;
  return isMoved ? { removed, put, order } : { removed, put };
}

/** What makes `to` of `from`. */
export function patchOf(from: FormDocument, to: FormDocument): Patch {
  const patch: Patch = from.naziv === to.naziv ? {} : { naziv: to.naziv };
  const [was, now] = [tidy(from), tidy(to)];
  for (const name of LISTS) {
    const list = from[name] === to[name] && was[name].length === now[name].length ? undefined : listPatch(was[name], now[name]);
    if (list) patch[name] = list;
  }
  return patch;
}

function patchedList(list: readonly Row[], { removed, put, order }: ListPatch): Row[] {
  const gone = new Set(removed);
  const changes = new Map(put.map((row) => [row.id, row]));
  const left = list
    .filter(({ id }) => !gone.has(id))
    .map((row) => {
      const change = changes.get(row.id);
      changes.delete(row.id);
      return change ? { ...row, ...change } : row;
    });
  const all = [...left, ...changes.values()];
  if (!order) return all;
  const place = new Map(order.map((id, at) => [id, at]));
  return all.sort((one, other) => (place.get(one.id) ?? Infinity) - (place.get(other.id) ?? Infinity));
}

export function patched(document: FormDocument, patch: Patch): FormDocument {
  const lists = LISTS.flatMap((name) => (patch[name] ? [[name, patchedList(document[name], patch[name])] as const] : []));
  return { ...document, ...(patch.naziv === undefined ? {} : { naziv: patch.naziv }), ...Object.fromEntries(lists) };
}

/** Patches along the documents, as many as are kept. */
function patchesAlong(documents: readonly FormDocument[], left: number): { patches: Patch[]; left: number } {
  const patches: Patch[] = [];
  for (const [at, to] of documents.slice(1, MOST_STEPS + 1).entries()) {
    const patch = patchOf(documents[at] ?? to, to);
    left -= JSON.stringify(patch).length;
    if (left < 0) break;
    patches.push(patch);
  }
  return { patches, left };
}

/** Keeps the steps that lead to the document that was saved with this number. */
export function keepSteps(key: StepsKey, verzija: number, { past, present, future }: History<FormDocument>): void {
  const back = patchesAlong([present, ...past.toReversed()], LONGEST);
  const again = patchesAlong([present, ...future], back.left);
  const kept: KeptSteps = { ...key, verzija, past: back.patches, future: again.patches };
  try {
    sessionStorage.setItem(keyOf(key), JSON.stringify(kept));
  } catch {
    // The browser has no room: there is nothing to take back after a reload.
    sessionStorage.removeItem(keyOf(key));
  }
}

function read(key: StepsKey): KeptSteps | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(key)) ?? 'null') as KeptSteps | null;
  } catch {
    // Something else's text under our name is as good as none.
    return null;
  }
}

/** The draft with the steps that led to it in this window. */
export function stepsOf(key: StepsKey, verzija: number, present: FormDocument): History<FormDocument> {
  const kept = read(key);
  if (kept?.verzija !== verzija) return begin(present);
  const along = (patches: readonly Patch[]) => {
    let document = present;
    return patches.map((patch) => (document = patched(document, patch)));
  };
  return { ...begin(present), past: along(kept.past).toReversed(), future: along(kept.future) };
}
