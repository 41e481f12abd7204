// Where the clinician works: the register that was chosen last, and the ways to the entry screen where it is installed.
import { screens } from '../screens';
import { withQuery } from '../api/client';

const KEY = 'regix.registar';

export const rememberRegister = (id: number): void => localStorage.setItem(KEY, String(id));
export const rememberedRegister = (): number | null => Number(localStorage.getItem(KEY)) || null;

/** The entry screen may not be installed; nothing then leads to it. */
export const hasEntryScreen = (): boolean => screens.some(({ path }) => path.startsWith('/unosi/'));

export const entryPath = (id: number): string => `/unosi/${id}`;

export const newEntryPath = (tsaID: number, pacijentID: number, datumUnosa?: string | null): string =>
  withQuery('/unosi/novi', { tsaID, pacijentID, datumUnosa });
