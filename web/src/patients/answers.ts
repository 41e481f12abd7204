// What a refusal of the server says beside its message: everything that is wrong, and what a person must confirm.
import { ApiError } from '../api/client';
import type { Problem } from '../crud/useForm';
import type { components } from '../gen/api';

type ErrorBody = components['schemas']['ErrorBody'];
export type Confirmation = components['schemas']['Confirmation'];

const bodyOf = (error: unknown) => (error instanceof ApiError ? error.answer : null) as Partial<ErrorBody> | null;

export const confirmationsOf = (error: unknown): Confirmation[] => bodyOf(error)?.potvrde ?? [];

/** Faults of fields that the record has. */
export function faultsOf<T extends object>(error: unknown, record: T): Problem<T>[] {
  return (bodyOf(error)?.greske ?? [])
    .filter(({ field }) => field in record)
    .map(({ field, message }) => ({ field: field as keyof T & string, message }));
}
