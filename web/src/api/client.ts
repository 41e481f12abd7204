// The one place that talks to the API: `Authorization: Regix <token>`, JSON, and errors that a screen can show. Each call has an id, under
// which it stands in the logs of the programs; who meets an unexpected failure is told it.
import { askToConfirm } from './confirmation';
import { newKey } from './key';
import { askForPassword } from './reauthentication';
import { session } from './session';
import { isUntouched } from './touch';
import { t } from '../messages';

/** `status` is 0 when no answer came. `field` names the input the message is about; `answer` is the whole of what was answered; `call` is
 *  the id by which the server's log knows the call. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    message: string,
    readonly field: string | null = null,
    readonly answer: unknown = null,
    readonly call: string | null = null,
  ) {
    super(message);
  }

  /** Nothing that the worker did, and nothing that the server has words for: somebody has to look into its log. */
  get isUnexpected(): boolean {
    return this.status >= 500 && this.status !== 503;
  }
}

/** The text for a person, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t.error.server;
  return error.isUnexpected && error.call ? t.error.withCall(error.message, error.call) : error.message;
}

/** A call was refused: the worker's rights may have changed. */
export const REFUSED = 'regix.refused';

export type Query = Record<string, string | number | boolean | null | undefined>;

export function withQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return pairs.length ? `${path}?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()}` : path;
}

interface Call {
  body?: unknown;
  signal?: AbortSignal;
  /** The same call twice is as good as once. */
  repeatable?: boolean;
  /** Sign-in itself: a 401 is its answer, not an expired session. */
  signingIn?: boolean;
}

const CALL = 'X-Request-Id';

async function send(method: string, path: string, { body, signal }: Call, token: string | undefined, id: string): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', [CALL]: id };
  if (token) headers.Authorization = `Regix ${token}`;
  if (body !== undefined) headers['Content-Type'] = body instanceof Blob ? 'application/octet-stream' : 'application/json';
  const sent = body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body);
  // What the page asks by itself keeps no session alive.
  if (isUntouched()) headers['X-Untouched'] = '1';
  try {
    return await fetch(path, { method, headers, body: sent, signal: signal ?? null });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, t.error.network);
  }
}

async function errorOf(response: Response, id: string): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => null);
  const { message, field } = (answer ?? {}) as { message?: unknown; field?: unknown };
  return new ApiError(
    response.status,
    typeof message === 'string' ? message : t.error.server,
    typeof field === 'string' ? field : null,
    answer,
    // A proxy may have given it another one.
    response.headers.get(CALL) ?? id,
  );
}

/** A busy server is asked again by itself, so often, when it says; nobody waits longer for one answer of it. */
const REPEATS = 2;
const LONGEST_PAUSE = 5;

/** Milliseconds after which it is worth asking again who was busy; none where it does not say. */
function pauseOf({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return status === 503 && seconds >= 0 ? Math.min(seconds, LONGEST_PAUSE) * 1000 : null;
}

async function request(method: string, path: string, call: Call): Promise<Response> {
  const worker = session.current()?.id;
  for (let repeated = 0; ;) {
    const token = session.current()?.token;
    const id = newKey();
    const response = await send(method, path, call, token, id);
    if (response.ok) return response;
    const pause = call.repeatable && repeated < REPEATS ? pauseOf(response) : null;
    if (pause !== null) {
      repeated += 1;
      await new Promise((resume) => setTimeout(resume, pause));
      continue;
    }
    if (response.status === 428) {
      if (await askToConfirm((await errorOf(response, id)).message)) continue;
      throw new ApiError(428, session.current()?.spoljna ? t.externalSignIn.cancelled : t.confirmPassword.cancelled);
    }
    if (response.status === 403) window.dispatchEvent(new Event(REFUSED));
    if (response.status !== 401 || call.signingIn || !token) throw await errorOf(response, id);
    // Another call, or another tab, may have signed in again meanwhile.
    if (session.current()?.token === token) await askForPassword();
    // Somebody else who signed in meanwhile does not carry on with this worker's call.
    if (session.current()?.id !== worker) throw await errorOf(response, id);
  }
}

async function json<T>(method: string, path: string, call: Call = {}): Promise<T> {
  const response = await request(method, path, call);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export interface Download {
  /** The name that the server gave it. */
  name: string;
  content: Blob;
}

async function file(path: string): Promise<Download> {
  const response = await request('GET', path, { repeatable: true });
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  return { name: encoded ? decodeURIComponent(encoded) : (plain ?? ''), content: await response.blob() };
}

/** Hands a file to the browser to be kept. */
export function saveFile({ name, content }: Download): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const api = {
  get: <T>(path: string, signal?: AbortSignal) => json<T>('GET', path, { signal, repeatable: true }),
  /** A POST that only reads. */
  ask: <T>(path: string, body: unknown) => json<T>('POST', path, { body, repeatable: true }),
  post: <T = void>(path: string, body: unknown = {}) => json<T>('POST', path, { body }),
  /** The body is the file itself. */
  upload: <T>(path: string, file: Blob, signal?: AbortSignal) => json<T>('POST', path, { body: file, signal }),
  put: <T = void>(path: string, body: unknown) => json<T>('PUT', path, { body }),
  patch: <T = void>(path: string, body: unknown) => json<T>('PATCH', path, { body }),
  delete: <T = void>(path: string) => json<T>('DELETE', path),
  signIn: <T>(body: { username: string; password: string; kod?: string }) => json<T>('POST', '/api/login', { body, signingIn: true }),
  signInExternally: <T>(body: { spoljniKod: string; kod?: string; radnikID?: number }) =>
    json<T>('POST', '/api/oidc/sign-in', { body, signingIn: true }),
  file,
  download: async (path: string) => saveFile(await file(path)),
};
