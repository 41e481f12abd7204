// What each kind of field has (B 3): the dialog shows no more, and no more is saved.
import type { FormFieldRow } from '../../api/types';
import { ValueType } from '../../forms/valueType';
import { NEW_FIELD } from '../../gen/defaults';

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

const OF_VALUES: readonly Name[] = [
  'opcioni',
  'relevantni',
  'pretrazujeSe',
  'vertikalniPrikaz',
  'prikaziPrethodnu',
  'inicijalnoPoslednjaPopunjenaVrednost',
  'upitInicijalnaVrednost',
  'formulaZaRacunanje',
  'primeri',
];
const OF_KIND: Record<ValueType, readonly Name[]> = {
  [ValueType.Choice]: [...OF_VALUES, 'radioButton', 'imaCekBox', 'inicijalnaBooleanVrednost'],
  [ValueType.Number]: [
    ...OF_VALUES,
    'obavezanAko',
    'inicijalnaBrojnaVrednost',
    'donjaReferentnaBrojnaVrednost',
    'gornjaReferentnaBrojnaVrednost',
  ],
  [ValueType.Text]: [...OF_VALUES, 'obavezanAko', 'inicijalnaStringVrednost'],
  [ValueType.Set]: [...OF_VALUES, 'obavezanAko', 'multiselect', 'radioButton', 'imaCekBox', 'inicijalnaEnumStavkaID'],
  [ValueType.Date]: [...OF_VALUES, 'obavezanAko', 'inicijalnaStringVrednost'],
  [ValueType.Heading]: [],
  [ValueType.Separator]: [],
  [ValueType.Panel]: ['ponavljaSe', 'najviseRedova'],
  [ValueType.Image]: ['backgroundImage'],
  [ValueType.Tab]: [],
  [ValueType.Chart]: ['grafik'],
  [ValueType.File]: ['opcioni', 'relevantni', 'pretrazujeSe', 'vertikalniPrikaz', 'obavezanAko'],
};
const OF_DOT: readonly Name[] = ['imageCoordinateX', 'imageCoordinateY', 'inicijalnaBrojnaVrednost'];
const OF_SOME = new Set<Name>([...Object.values(OF_KIND).flat(), ...OF_DOT]);

/** What other fields may stand in. */
export const HOLDERS: readonly ValueType[] = [ValueType.Panel, ValueType.Image, ValueType.Tab];

/** A choice, or an image, on an image is a dot. */
export const isDot = (kind: ValueType, parent: ValueType | undefined): boolean =>
  parent === ValueType.Image && (kind === ValueType.Choice || kind === ValueType.Image);

/** Whether a field of this kind has the property. */
export const has = (name: Name, kind: ValueType, parent: ValueType | undefined): boolean =>
  !OF_SOME.has(name) || OF_KIND[kind].includes(name) || (isDot(kind, parent) && OF_DOT.includes(name));

/** The field without what was filled in for another kind. */
export function fieldOfKind(field: FormFieldRow, kind: ValueType, parent: ValueType | undefined): FormFieldRow {
  const names = Object.keys(field) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, has(name, kind, parent) ? field[name] : EMPTY_FIELD[name]]),
  ) as unknown as FormFieldRow;
}
