// What properties are called on the screens of the administration, whose own names they are.
import type { Reply } from '../../../schema';
import { label, labels, type Label } from '../../../messages';

type Named = Reply<'DraftFault'>['gde'] | 'praviloKvaliteta';

const RESOURCE: Record<Named, string> = {
  formular: 'form',
  polje: 'formField',
  tip: 'attributeType',
  stavka: 'enumItem',
  pravilo: 'formRule',
  praviloKvaliteta: 'qualityRule',
};

/** None of what is no property of a record. */
export function propertyName(gde: Named, svojstvo: string): string | null {
  const name = `${RESOURCE[gde]}.${svojstvo}`;
  return name in labels ? label(name as Label) : null;
}
