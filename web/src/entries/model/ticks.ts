// Boxes to tick: a shown one without its tick says No, as the server stores it. A radio is blank until one of its answers is chosen.
import { ValueType } from '../../forms/valueType';
import { isCalculated, type FormField } from './types';

/** A choice that is drawn as one box, and that a person ticks. */
const isBox = (field: FormField): boolean =>
  field.tvaNumVrednost === ValueType.Choice && !isCalculated(field) && (field.imaCekBox || !field.radioButton);

/** Boxes that whoever fills the form sees: what waits behind the plus is not known to have been seen. */
export function tickBoxes(fields: readonly FormField[]): ReadonlySet<number> {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const isSeen = (field: FormField): boolean => {
    let at: FormField | undefined = field;
    for (let steps = fields.length; at && steps >= 0; steps -= 1) {
      if (!at.prikazujeSe) return false;
      at = at.naredjeniAUTS ? byId.get(at.naredjeniAUTS) : undefined;
    }
    return true;
  };
  return new Set(fields.filter((field) => isBox(field) && isSeen(field)).map(({ id }) => id));
}
