// The records of the API's own description by their names there (`npm run gen`).
import type { components } from './gen/api';

/** A record by its name in the description. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A reply has all its fields; one without a value is null. */
export type ReplyFields<T> = T extends readonly (infer I)[]
  ? ReplyFields<I>[]
  : T extends object
    ? string extends keyof T
      ? { [K in keyof T]: ReplyFields<T[K]> }
      : { [K in keyof T]-?: ReplyFields<T[K]> }
    : T;

/** What the description asks of a value: an object of which it says nothing may be anything, and a list one that nobody changes. */
export type BodyFields<T> = T extends readonly (infer I)[]
  ? readonly BodyFields<I>[]
  : T extends object
    ? string extends keyof T
      ? unknown extends T[string & keyof T]
        ? unknown
        : { [K in keyof T]: BodyFields<T[K]> }
      : { [K in keyof T]: BodyFields<T[K]> }
    : T;

/** A record as the API replies it. */
export type Reply<Name extends keyof components['schemas']> = ReplyFields<Schema<Name>>;
