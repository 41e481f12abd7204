// A save that came too late: somebody else has changed the record since it was loaded.
import { ApiError } from '../api/client';
import type { components } from '../gen/api';
import { formatDateTime } from '../format';
import { t } from '../messages';
import type { Form, Problem } from './useForm';

type Answer = Partial<components['schemas']['ErrorBody']> | null;

/**
 * Where that is why it failed: loads the record as it is now and keeps in it what was typed. Gives what is to be said of it, or null where
 * the save failed otherwise.
 */
export async function catchUp<T extends object>(error: unknown, form: Form<T>, read: () => Promise<T>): Promise<Problem<T> | null> {
  const change = error instanceof ApiError && error.status === 409 ? (error.answer as Answer)?.izmena : null;
  if (!change) return null;
  form.rebase(await read());
  return { field: null, message: t.crud.changedMeanwhile(change.radnik ?? null, formatDateTime(change.vreme)) };
}
