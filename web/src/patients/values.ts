// A saved value as a person reads it.
import type { Schema } from '../schema';
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { filesOf, fileText } from '../files/attached';
import { areRows, isBlankRow, rowsOf, type Row } from '../forms/rows';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';

export const yesNoOrNone = (value: boolean | null): string => (value === null ? EMPTY : value ? t.common.yes : t.common.no);

export const sexName = (male: boolean | null): string => (male === null ? EMPTY : male ? t.common.male : t.common.female);

/** What of a field its values are told by. */
export interface Shape {
  tvaNumVrednost: Schema<'ValueType'>;
  enumStavkeSve: readonly { id: number; naziv: string }[];
  tipAtributa: { jedinica?: string | null };
  /** Of a section that repeats. */
  kolone?: readonly (Shape & { id: number; naziv: string })[] | undefined;
}

const withUnit = (shown: string, unit: string | null | undefined): string =>
  shown === EMPTY || !unit?.trim() ? shown : `${shown} ${unit.trim()}`;

/** A row of a section: what is filled, by the names of the columns. */
const rowText = (kolone: NonNullable<Shape['kolone']>, row: Row): string =>
  kolone
    .map((column) => [column.naziv, valueText(column, row.v[String(column.id)])])
    .filter(([, shown]) => shown !== EMPTY)
    .map(([naziv, shown]) => `${naziv ?? ''}: ${shown ?? ''}`)
    .join(', ');

/** The same text as `domain/src/shown.rs` gives it on paper. */
export function valueText({ tvaNumVrednost, enumStavkeSve, tipAtributa, kolone }: Shape, value: unknown): string {
  if (kolone && areRows(value)) {
    const told = rowsOf(value).map((row, at) => (isBlankRow(row) ? null : `${String(at + 1)}) ${rowText(kolone, row)}`));
    return told.filter((one) => one !== null).join('; ') || EMPTY;
  }
  switch (tvaNumVrednost) {
    case ValueType.Choice:
      return yesNoOrNone(typeof value === 'boolean' ? value : null);
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
    case ValueType.File:
      return filesOf(value).map(fileText).join(', ') || EMPTY;
    case ValueType.Date:
      return formatDate(typeof value === 'string' ? value : null);
    case ValueType.Time:
      return typeof value === 'string' && value !== '' ? value : EMPTY;
    case ValueType.Moment:
      return formatDateTime(typeof value === 'string' ? value : null);
    default:
      return withUnit(typeof value === 'string' && value.trim() !== '' ? value.trimEnd() : EMPTY, tipAtributa.jedinica);
  }
}
