// What each kind of field has (B 3): the dialog shows no more, and no more is saved.
import type { Schema } from '../../schema';
import type { FormFieldRow } from '../../api/types';
import { ValueType } from '../../forms/valueType';
import { NEW_FIELD, TYPES_WITH } from '../../gen/fields';

export const EMPTY_FIELD: FormFieldRow = {
  ...NEW_FIELD,
  id: 0,
  tipAtributaID: null,
  redosled: null,
  tipSkupaAtributaID: null,
  nadredjeniAtributUTipuSkupaID: null,
  inicijalnaEnumStavkaID: null,
};

type Name = keyof FormFieldRow;

const TYPES: Partial<Record<Name, readonly Schema<'ValueType'>[]>> = TYPES_WITH;
const PLACE: readonly Name[] = ['imageCoordinateX', 'imageCoordinateY'];
const OF_DOT: readonly Name[] = [...PLACE, 'inicijalnaBrojnaVrednost'];

/** What other fields may stand in. */
export const HOLDERS: readonly Schema<'ValueType'>[] = [ValueType.Panel, ValueType.Image, ValueType.Tab];

/** A choice, or an image, on an image is a dot. */
export const isDot = (kind: Schema<'ValueType'>, parent: Schema<'ValueType'> | undefined): boolean =>
  parent === ValueType.Image && (kind === ValueType.Choice || kind === ValueType.Image);

/** Whether a field of this kind has the property. */
export const has = (name: Name, kind: Schema<'ValueType'>, parent: Schema<'ValueType'> | undefined): boolean =>
  (isDot(kind, parent) && OF_DOT.includes(name)) || (!PLACE.includes(name) && (TYPES[name]?.includes(kind) ?? true));

/** The field without what was filled in for another kind. */
export function fieldOfKind(field: FormFieldRow, kind: Schema<'ValueType'>, parent: Schema<'ValueType'> | undefined): FormFieldRow {
  const names = Object.keys(field) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, has(name, kind, parent) ? field[name] : EMPTY_FIELD[name]]),
  ) as unknown as FormFieldRow;
}
