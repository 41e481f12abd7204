import { withQuery } from './api/address';
// Where the clinician works: the register that was chosen last, and the ways to the entry screen.

const KEY = 'regix.registar';

export const rememberRegister = (id: number): void => localStorage.setItem(KEY, String(id));
export const rememberedRegister = (): number | null => Number(localStorage.getItem(KEY)) || null;

export const entryPath = (id: number): string => `/unosi/${id}`;

export const newEntryPath = (tsaID: number, pacijentID: number, datumUnosa?: string | null): string =>
  withQuery('/unosi/novi', { tsaID, pacijentID, datumUnosa });
