// A saved value as a person reads it.
import { EMPTY, formatDate, formatNumber } from '../format';
import { t } from '../messages';
import type { EntryField } from './types';

export const yesNo = (value: boolean | null): string => (value === null ? EMPTY : value ? t.common.yes : t.common.no);

export const sexName = (male: boolean | null): string => (male === null ? EMPTY : male ? t.common.male : t.common.female);

export function valueText({ tvaNumVrednost, enumStavkeSve, tipAtributa }: EntryField, value: unknown): string {
  switch (tvaNumVrednost) {
    case 1:
      return yesNo(typeof value === 'boolean' ? value : null);
    case 2: {
      // Not every number has as many decimals as its type allows: 7 stays 7.
      const shown = typeof value === 'number' ? formatNumber(Number(value.toFixed(tipAtributa.decimaleBrojneVrednosti ?? 2))) : EMPTY;
      return shown === EMPTY || !tipAtributa.jedinica ? shown : `${shown} ${tipAtributa.jedinica}`;
    }
    case 4: {
      const chosen = Array.isArray(value) ? (value as unknown[]) : [];
      return enumStavkeSve.filter(({ id }) => chosen.includes(id)).map(({ naziv }) => naziv).join(', ') || EMPTY;
    }
    case 5:
      return formatDate(typeof value === 'string' ? value : null);
    default:
      return typeof value === 'string' && value !== '' ? value : EMPTY;
  }
}
