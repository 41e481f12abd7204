// What properties are called on the screens of the administration, whose own names they are.
import type { Reply } from '../../../schema';
import { label, labels, type Label } from '../../../messages';

const RESOURCE: Record<Reply<'DraftFault'>['gde'], string> = {
  formular: 'form',
  polje: 'formField',
  tip: 'attributeType',
  stavka: 'enumItem',
  pravilo: 'formRule',
};

/** None of what is no property of a record. */
export function propertyName(gde: Reply<'DraftFault'>['gde'], svojstvo: string): string | null {
  const name = `${RESOURCE[gde]}.${svojstvo}`;
  return name in labels ? label(name as Label) : null;
}
