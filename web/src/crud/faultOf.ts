// Why a save failed; and one that came too late, since somebody else has changed the record meanwhile.
import { ApiError, messageOf } from '../api/client';
import { formatDateTime } from '../format';
import { t } from '../messages';
import type { EditedRecord, Problem } from './useForm';

/**
 * What is to be said of the failure, at its field where it has one. Where the save came too late and the record can be read: the form has
 * then what is stored now, and what was typed.
 */
export async function faultOf<T extends object>(error: unknown, form: EditedRecord<T>, read?: () => Promise<T>): Promise<Problem<T>> {
  if (!(error instanceof ApiError)) return { field: null, message: messageOf(error) };
  const change = error.status === 409 ? error.answer?.izmena : null;
  const stored = change && (await read?.().catch(() => null));
  if (stored) {
    form.rebase(stored);
    return { field: null, message: t.crud.changedMeanwhile(change.radnik ?? null, formatDateTime(change.vreme)) };
  }
  const field = error.field && error.field in form.record ? (error.field as keyof T & string) : null;
  return { field, message: error.message };
}
