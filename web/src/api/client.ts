// The one place that talks to the API: `Authorization: Regix <token>`, JSON, and errors that a screen can show. Each call has an id, under
// which it stands in the logs of the programs; who meets an unexpected failure is told it.
import type { Address, AddressOf, PathIn } from './address';
import { askToConfirm } from './confirmation';
import type { BodyOf, FilePath, Method, Path, RefusalOf, ReplyOf, ResourceOf } from './description';
import type { Schema } from '../schema';
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
    readonly answer: Partial<Schema<'ErrorBody'>> | null = null,
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

interface Call {
  body?: unknown;
  signal?: AbortSignal;
  /** The same call twice is as good as once. */
  repeatable?: boolean;
  /** Sign-in itself: a 401 is its answer, not an expired session. */
  signingIn?: boolean;
}

const CALL = 'X-Request-Id';

async function send(
  method: string,
  path: string,
  { body, signal }: Call,
  authorization: string | undefined,
  id: string,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', [CALL]: id };
  if (authorization) headers.Authorization = authorization;
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
    typeof answer === 'object' ? answer : null,
    // A proxy may have given it another one.
    response.headers.get(CALL) ?? id,
  );
}

/** What a call replied when it refused, known by a field of it; none where it failed otherwise. */
export function refusalOf<P extends Path, M extends Method, S extends number>(
  error: unknown,
  status: S,
  mark: keyof RefusalOf<P, M, S> & string,
): RefusalOf<P, M, S> | null {
  if (!(error instanceof ApiError && error.status === status && error.answer && mark in error.answer)) return null;
  const refusal: unknown = error.answer;
  return refusal as RefusalOf<P, M, S>;
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
    const response = await send(method, path, call, token && `Regix ${token}`, id);
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

async function file(path: Address<FilePath>): Promise<Download> {
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

/** The board that a display on a wall shows: by the display's own token, whoever is signed in in this browser. */
async function wall(token: string): Promise<ReplyOf<'/api/wall', 'post'>> {
  const id = newKey();
  const response = await send('POST', '/api/wall', {}, `Bearer ${token}`, id);
  if (!response.ok) throw await errorOf(response, id);
  return (await response.json()) as ReplyOf<'/api/wall', 'post'>;
}

/** The body of a call that takes one. */
type Body<A, M extends Method> = [BodyOf<PathIn<A>, M>] extends [never] ? [] : [body: BodyOf<PathIn<A>, M>];

export const api = {
  get: <A extends AddressOf<'get'>>(address: A, signal?: AbortSignal) =>
    json<ReplyOf<PathIn<A>, 'get'>>('GET', address, { signal, repeatable: true }),
  /** A POST that only reads. */
  ask: <A extends AddressOf<'post'>>(address: A, ...[body]: Body<A, 'post'>) =>
    json<ReplyOf<PathIn<A>, 'post'>>('POST', address, { body, repeatable: true }),
  post: <A extends AddressOf<'post'>>(address: A, ...[body]: Body<A, 'post'>) =>
    json<ReplyOf<PathIn<A>, 'post'>>('POST', address, { body: body ?? {} }),
  /** The body is the file itself. */
  upload: <A extends AddressOf<'post'>>(address: A, file: Blob, signal?: AbortSignal) =>
    json<ReplyOf<PathIn<A>, 'post'>>('POST', address, { body: file, signal }),
  put: <A extends AddressOf<'put'>>(address: A, ...[body]: Body<A, 'put'>) => json<ReplyOf<PathIn<A>, 'put'>>('PUT', address, { body }),
  patch: <A extends AddressOf<'patch'>>(address: A, ...[body]: Body<A, 'patch'>) =>
    json<ReplyOf<PathIn<A>, 'patch'>>('PATCH', address, { body }),
  delete: <A extends AddressOf<'delete'>>(address: A) => json<ReplyOf<PathIn<A>, 'delete'>>('DELETE', address),
  signIn: (body: Schema<'Credentials'>) => json<ReplyOf<'/api/login', 'post'>>('POST', '/api/login', { body, signingIn: true }),
  signInExternally: (body: Schema<'ExternalSignIn'>) =>
    json<ReplyOf<'/api/oidc/sign-in', 'post'>>('POST', '/api/oidc/sign-in', { body, signingIn: true }),
  wall,
  file,
  download: async (address: Address<FilePath>) => saveFile(await file(address)),
};

/** The calls of the records of one resource. */
export const records = <T extends { id: number }>(path: ResourceOf<T>) => ({
  create: (record: object) => json<T>('POST', path, { body: record }),
  /** One record as it is stored now. */
  read: (id: number) => json<T>('GET', recordAddress(path, id), { repeatable: true }),
  update: (id: number, changes: object) => json<T>('PATCH', recordAddress(path, id), { body: changes }),
  remove: (id: number) => json<undefined>('DELETE', recordAddress(path, id)),
});

/** The address of one record: the key under which it is read. */
export const recordAddress = (path: string, id: number | string): string => `${path}/${String(id)}`;

/** What SWR reads an address by. */
export const read = (address: string): Promise<unknown> => json('GET', address, { repeatable: true });
