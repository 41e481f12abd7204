// What a form field holds, as the API numbers it; domain/src/register has the same.
import type { Schema } from '../schema';

export type ValueType = Schema<'ValueType'>;

export const ValueType = {
  Choice: 1,
  Number: 2,
  Text: 3,
  Set: 4,
  Date: 5,
  Heading: 6,
  Separator: 7,
  Panel: 8,
  Image: 9,
  Tab: 11,
  Chart: 12,
  File: 13,
  Time: 14,
  Moment: 15,
} as const satisfies Record<string, Schema<'ValueType'>>;

/** Whether a field of it has a value in an entry; the others arrange the screen. */
export const hasValue = (type: Schema<'ValueType'>): boolean =>
  type === ValueType.Choice ||
  type === ValueType.Number ||
  type === ValueType.Text ||
  type === ValueType.Set ||
  type === ValueType.Date ||
  type === ValueType.File ||
  type === ValueType.Time ||
  type === ValueType.Moment;
