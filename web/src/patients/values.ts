// A saved value as a person reads it.
import { EMPTY, formatDate, formatNumber } from '../format';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';

export const yesNo = (value: boolean | null): string => (value === null ? EMPTY : value ? t.common.yes : t.common.no);

export const sexName = (male: boolean | null): string => (male === null ? EMPTY : male ? t.common.male : t.common.female);

/** What of a field its values are told by. */
export interface Shape {
  tvaNumVrednost: ValueType;
  enumStavkeSve: readonly { id: number; naziv: string }[];
  tipAtributa: { jedinica?: string | null };
}

const withUnit = (shown: string, unit: string | null | undefined): string =>
  shown === EMPTY || !unit?.trim() ? shown : `${shown} ${unit.trim()}`;

/** The same text as `domain/src/shown.rs` gives it on paper. */
export function valueText({ tvaNumVrednost, enumStavkeSve, tipAtributa }: Shape, value: unknown): string {
  switch (tvaNumVrednost) {
    case ValueType.Choice:
      return yesNo(typeof value === 'boolean' ? value : null);
    case ValueType.Number:
      return withUnit(typeof value === 'number' ? formatNumber(value) : EMPTY, tipAtributa.jedinica);
    case ValueType.Set: {
      const chosen = Array.isArray(value) ? (value as unknown[]) : [];
      return (
        enumStavkeSve
          .filter(({ id }) => chosen.includes(id))
          .map(({ naziv }) => naziv)
          .join(', ') || EMPTY
      );
    }
    case ValueType.Date:
      return formatDate(typeof value === 'string' ? value : null);
    default:
      return withUnit(typeof value === 'string' && value.trim() !== '' ? value.trimEnd() : EMPTY, tipAtributa.jedinica);
  }
}
