// What a refusal of the server says beside its message: everything that is wrong, and what a person must confirm.
import { ApiError } from '../api/client';
import type { Schema } from '../schema';
import type { Problem } from '../crud/useForm';

const bodyOf = (error: unknown) => (error instanceof ApiError ? error.answer : null);

export const confirmationsOf = (error: unknown): Schema<'Confirmation'>[] => bodyOf(error)?.potvrde ?? [];

/** Faults of fields that the record has. */
export function faultsOf<T extends object>(error: unknown, record: T): Problem<T>[] {
  return (bodyOf(error)?.greske ?? [])
    .filter(({ field }) => field in record)
    .map(({ field, message }) => ({ field: field as keyof T & string, message }));
}
