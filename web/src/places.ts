import { withQuery } from './api/address';
// Where the clinician works: the register that was chosen last, and the ways to the entry screen.

const KEY = 'regix.registar';

export const rememberRegister = (id: number): void => localStorage.setItem(KEY, String(id));
export const rememberedRegister = (): number | null => Number(localStorage.getItem(KEY)) || null;

/** The institution's board on a wall: outside every session. */
export const WALL = '/zid';

const HOME = 'regix.pocetna.';

/** The board that a worker comes to on this device, instead of the registers; none where she has chosen none. */
export const chosenHome = (worker: number): string | null => localStorage.getItem(HOME + String(worker));

export function chooseHome(worker: number, path: string | null): void {
  if (path === null) localStorage.removeItem(HOME + String(worker));
  else localStorage.setItem(HOME + String(worker), path);
}

export const entryPath = (id: number): string => `/unosi/${id}`;

export const newEntryPath = (tsaID: number, pacijentID: number, datumUnosa?: string | null): string =>
  withQuery('/unosi/novi', { tsaID, pacijentID, datumUnosa });
