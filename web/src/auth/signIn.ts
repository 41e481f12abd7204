// Signing in, where it leads, and signing out.
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import type { Reply } from '../schema';
import { t } from '../messages';
import { session } from '../api/session';
import { chosenHome } from '../places';
import { askNextOne } from './externalSignIn';
import { mayOpen, REPORT_RIGHTS } from './rights';

/** Asks the server and stores the login record. An answer without a worker counts as a wrong password. */
export async function signIn(username: string, password: string, code = ''): Promise<void> {
  const answer: Partial<Reply<'SignedIn'>> = await api.signIn({ username, password, ...(code && { kod: code }) });
  const { ulogovaniRadnik } = answer;
  if (!ulogovaniRadnik?.token) throw new ApiError(404, t.signIn.wrong);
  session.start(ulogovaniRadnik);
}

/** The password was right, and the worker has a second step. */
export const asksForCode = (error: unknown): boolean => error instanceof ApiError && error.status === 401 && error.field === 'kod';

/** Whether the worker has chosen *Moj dan*; where that is not known, the specification's own way holds. */
const beginsWithDay = (): Promise<boolean> =>
  api.get('/api/worker-start').then(
    ({ pocetna }) => pocetna === 'mojDan',
    () => false,
  );

/** The board that was chosen on this device; *Moj dan* for those who have chosen it; else the only active register, or the list of them (A 2.3);
 *  the list for those to whom no register opens. */
export async function home(): Promise<string> {
  const worker = session.current();
  const chosen = worker && mayOpen(worker.prava, REPORT_RIGHTS) ? chosenHome(worker.id) : null;
  if (chosen) return chosen;
  if (worker?.pacijenti === 'ne') return '/registri';
  if (await beginsWithDay()) return '/mojDan';
  try {
    const { data } = await api.get(at('/api/registers', { aktivan: true, size: 2 }));
    const [only] = data;
    return only && data.length === 1 ? `/registri/${only.id}` : '/registri';
  } catch {
    return '/registri';
  }
}

const LANDINGS = ['/', '/login', '/autologin'];

/** Loads the page anew, so that nothing of an earlier worker stays in memory. A linked page is kept. */
export async function enter(): Promise<void> {
  const { pathname } = window.location;
  if (LANDINGS.includes(pathname)) window.location.replace(await home());
  else window.location.reload();
}

let handOver = (): Promise<unknown> => Promise.resolve();

/** Who keeps what is typed says here how it is brought to the server before the session ends. */
export const handOverWith = (bring: () => Promise<unknown>): void => {
  handOver = bring;
};

/** A session that the server no longer knows is over anyway. One that begins meanwhile is another and goes on. */
async function endOnServer(): Promise<void> {
  const token = session.current()?.token ?? '';
  await handOver().catch(() => undefined);
  await fetch('/api/logout', { method: 'POST', headers: { Authorization: `Regix ${token}` } }).catch(() => null);
}

/** The page stays as it is behind a question for the password; on the server the session is over. */
export async function lock(): Promise<void> {
  if (session.current()?.zakljucano) return;
  session.update({ zakljucano: true });
  await endOnServer();
}

/** What is typed and not saved goes to the server first; no patient's data stays on the device. */
export async function signOut(): Promise<void> {
  if (session.current()?.spoljna) askNextOne();
  await endOnServer();
  session.end();
  window.location.replace('/');
}
