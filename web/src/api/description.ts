// The API's own description (`npm run gen`) as types: what each call takes and what it replies. A wrong path, parameter, body or reply does
// not compile; `typedClient.test-d.ts` holds that.
import type { components, paths } from '../gen/api';
import type { BodyFields, ReplyFields } from '../schema';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Path = keyof paths;

/** The paths that can be called so. */
export type PathOf<M extends Method> = { [P in Path]: paths[P][M] extends object ? P : never }[Path];

type JsonOf<R> = R extends { content: { 'application/json': infer J } } ? ReplyFields<J> : undefined;
type Successes = 200 | 201 | 202 | 204;

/** What a call replies; nothing where it replies no JSON. */
export type ReplyOf<P extends Path, M extends Method> = paths[P][M] extends { responses: infer R }
  ? { [S in keyof R]: S extends Successes ? JsonOf<R[S]> : never }[keyof R]
  : never;

/** What a call replies when it refuses in a way of its own. */
export type RefusalOf<P extends Path, M extends Method, S extends number> = paths[P][M] extends { responses: Record<S, infer R> }
  ? WithoutPlain<JsonOf<R>>
  : never;

/** All but the body of any refusal; one that has its fields and more stays. */
type WithoutPlain<J> = J extends unknown ? (ReplyFields<components['schemas']['ErrorBody']> extends J ? never : J) : never;

/** What a call takes. A change names what changes. */
export type BodyOf<P extends Path, M extends Method> = paths[P][M] extends { requestBody: { content: { 'application/json': infer B } } }
  ? M extends 'patch'
    ? Partial<BodyFields<B>>
    : BodyFields<B>
  : never;

type Parameters<P extends Path, In extends 'path' | 'query'> = {
  [M in Method]: paths[P][M] extends { parameters: { [K in In]?: infer V } } ? Extract<V, object> : never;
}[Method];

/** One that may be left out may also be null. */
type Nullable<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | null : T[K] };
type Taken<T> = [T] extends [never] ? unknown : Nullable<T>;

/** What follows the question mark. */
export type QueryOf<P extends Path> = Taken<Parameters<P, 'query'>>;

/** The parameters of a path and of its query, by their names. */
export type ParametersOf<P extends Path> = Taken<Parameters<P, 'path'>> & QueryOf<P>;

/** The paths that replies lists. */
export type ListPath = { [P in PathOf<'get'>]: ReplyOf<P, 'get'> extends { data: unknown[]; total: number } ? P : never }[PathOf<'get'>];

/** A record of the list at a path. */
export type RowOf<P extends Path> = ReplyOf<P, 'get'> extends { data: (infer Row)[] } ? Row : never;

/** The paths whose lists are read a page after another. */
export type PagedPath = {
  [P in PathOf<'get'>]: ReplyOf<P, 'get'> extends { data: unknown[]; sledeci: string | null; uArhiviPre: string | null } ? P : never;
}[PathOf<'get'>];

/** The paths that reply a file. */
export type FilePath = { [P in PathOf<'get'>]: ReplyOf<P, 'get'> extends undefined ? P : never }[PathOf<'get'>];

/** The paths under which records are listed, made, changed and removed. */
export type ResourcePath = {
  [P in ListPath & PathOf<'post'>]: `${P}/{id}` extends PathOf<'patch'> & PathOf<'delete'> ? P : never;
}[ListPath & PathOf<'post'>];

/** No part of the record: what a worker was told of, and the server wants to hear back; and whose it is, which the list is narrowed to. */
type Beside = 'potvrdjenoRezultata' | 'potvrdjenoZakazivanja' | 'izvestajID';

type InputOf<P extends ResourcePath> = paths[P]['post'] extends { requestBody: { content: { 'application/json': infer B } } }
  ? ReplyFields<B>
  : never;

/** A record on an administration screen: what may be written, under its id, and what the list says beside it. */
export type RecordOf<P extends ResourcePath> = Omit<InputOf<P>, Beside> & Partial<Omit<RowOf<P>, keyof InputOf<P> | 'id'>> & { id: number };

/** The path of such records. */
export type ResourceOf<T> = {
  [P in ResourcePath]: [T, RecordOf<P>] extends [RecordOf<P>, T] ? P : never;
}[ResourcePath];
