// What properties are called on the screens of the administration, whose own names they are.
import { label, labels, type Label } from '../../../messages';
import type { DraftFault } from './model';

const RESOURCE: Record<DraftFault['gde'], string> = {
  formular: 'form',
  polje: 'formField',
  tip: 'attributeType',
  stavka: 'enumItem',
  pravilo: 'formRule',
};

/** None of what is no property of a record. */
export function propertyName(gde: DraftFault['gde'], svojstvo: string): string | null {
  const name = `${RESOURCE[gde]}.${svojstvo}`;
  return name in labels ? label(name as Label) : null;
}
