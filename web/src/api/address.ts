// Addresses of calls: the path as the description has it, with its parameters in it. An address is a text, and the key of what was read
// under it.
import type { ListPath, Method, ParametersOf, Path, PathOf, ReplyOf, RowOf } from './description';

declare const path: unique symbol;

/** The text of an address, which knows the path that it was made from. */
export type Address<P extends Path = Path> = string & { readonly [path]: P };

/** A path that needs no parameters is an address by itself. */
type Bare<P extends Path> = P extends Path
  ? object extends ParametersOf<P>
    ? P extends `${string}{${string}`
      ? never
      : P
    : never
  : never;

/** Where calls of these paths go. */
export type AddressTo<P extends Path> = P extends Path ? Bare<P> | Address<P> : never;
export type AddressOf<M extends Method> = AddressTo<PathOf<M>>;

/** The path of an address. */
export type PathIn<A> = A extends Address<infer P> ? P : A extends Path ? A : never;

/** Where records of this kind are listed: what is listed there has all that is asked of it. */
export type ListOf<T> = { [P in ListPath]: RowOf<P> extends T ? AddressTo<P> : never }[ListPath];

/** Where such records are listed, and read each by itself. */
export type FoundOf<T> = { [P in ListPath]: `${P}/{id}` extends Path ? (RowOf<P> extends T ? P : never) : never }[ListPath];

/** Where a reply of this kind comes from. */
export type SourceOf<T> = { [P in PathOf<'get'>]: ReplyOf<P, 'get'> extends T ? AddressTo<P> : never }[PathOf<'get'>];

export type Query = Record<string, string | number | boolean | null | undefined>;

/** `path` with what is asked after a question mark; what has no value is left out. */
export function withQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return pairs.length ? `${path}?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()}` : path;
}

/** The address of the page that begins there. */
export const furtherPage = (address: string, from: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ pre: from }).toString()}`;

/** The address of a call: the parameters that the path names stand in it, the others after it. */
export function at<P extends Path>(path: P, parameters: ParametersOf<P>): Address<P> {
  const values = parameters as Query;
  const named = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    named.add(name);
    return encodeURIComponent(String(values[name]));
  });
  const asked = Object.entries(values).filter(([name]) => !named.has(name));
  return withQuery(filled, Object.fromEntries(asked)) as Address<P>;
}
