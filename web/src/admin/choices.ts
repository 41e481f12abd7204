// Records as the choices of a list.
import type { Choice } from '../crud/bindFields';

export const named = (rows: readonly { id: number; naziv: string }[] = []) => rows.map(({ id, naziv }) => ({ value: id, label: naziv }));

/** The choices, and with them the one that the record holds though it can be chosen no more: it stays where it was. */
export function withCurrent<V>(choices: readonly Choice<V>[], value: V | null, label = ''): readonly Choice<V>[] {
  const missing = value !== null && label !== '' && !choices.some((choice) => choice.value === value);
  return missing ? [...choices, { value, label }] : choices;
}
