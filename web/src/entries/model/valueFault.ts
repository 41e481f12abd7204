// What one answer breaks of its field's type, told when the field is left and again at the save (A 5). The server holds the same rules.
import { decimalsOf, formatNumber, fromServer } from '../../format';
import { filesOf, mostFiles } from '../../files/attached';
import type { SectionResults, Stored } from '../../forms/formula';
import { CivilMoment, CivilTime } from '../../forms/formula/clock';
import { isBlankRow, rowsOf } from '../../forms/rows';
import { meantBy, type TypedIn } from '../../forms/units';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { outside, YEARS } from '../../ui/typedDate';
import { choices, readings } from '../../ui/typedNumber';
import { isCalculated, isSection, isTypedIn, type FormField, type TypedRows } from './types';

const text = t.entries;

export const isOutOfYears = (date: string) => outside(YEARS, date) !== null;

function misread(name: string, typed: string): string {
  const both = readings(typed);
  return both ? text.ambiguous(name, both.typed, ...choices(both)) : text.notNumber(name);
}

/** A bound that is missing is the end of the safe integers. */
function boundsOf({ tipAtributa: { donjaGranicaBrojneVrednosti: low, gornjaGranicaBrojneVrednosti: high } }: FormField): [number, number] {
  return [low ?? Number.MIN_SAFE_INTEGER, high ?? Number.MAX_SAFE_INTEGER];
}

/** In which other unit a number that is out of bounds would be inside them, and what it would be then. */
export function meantIn(field: FormField, value: Stored): (TypedIn & { own: number }) | null {
  const [low, high] = boundsOf(field);
  if (typeof value !== 'number' || (value >= low && value <= high)) return null;
  return meantBy(field.tipAtributa, value, (own) => own >= low && own <= high);
}

function numberFault(field: FormField, value: number, isTyped: boolean): string | null {
  const { naziv, tipAtributa } = field;
  const most = tipAtributa.decimaleBrojneVrednosti;
  const [low, high] = boundsOf(field);
  if (value < low || value > high) {
    const outside = text.outOfBounds(naziv, formatNumber(low), formatNumber(high));
    const meant = isTyped ? null : meantIn(field, value);
    if (!meant) return outside;
    const own = `${formatNumber(meant.own)} ${tipAtributa.jedinica?.trim() ?? ''}`;
    return `${outside}. ${text.meant(formatNumber(value), meant.jedinica, own)}`;
  }
  return typeof most === 'number' && decimalsOf(value) > most ? text.tooManyDecimals(naziv, most) : null;
}

type Judge = (field: FormField, value: Stored, row: number) => string | null;

/** The first fault of a section's rows, with the row that it stands in; a cell that does not show, or is computed, has none. */
export function rowsFault(section: FormField, value: Stored, results: SectionResults | undefined, judge: Judge): string | null {
  const rows = rowsOf(value);
  const most = section.najviseRedova ?? 0;
  const filled = rows.filter((row) => !isBlankRow(row));
  if (filled.length > most) return text.tooManyRows(section.naziv, most);
  for (const [at, row] of rows.entries()) {
    if (isBlankRow(row)) continue;
    for (const column of section.kolone ?? []) {
      const isAsked = column.prikazujeSe && !isCalculated(column) && !results?.get(row.id)?.hidden.has(column.id);
      const fault = isAsked ? judge(column, tidyCell(row.v[String(column.id)]), row.id) : null;
      if (fault !== null) return text.inRow(section.naziv, at + 1, fault);
    }
  }
  return null;
}

/** What a row must have. */
export const missingCell: Judge = (column, value) =>
  value === null && !column.opciono && column.tvaNumVrednost !== ValueType.Choice ? text.missing(column.naziv) : null;

export const tidyCell = (value: Stored | undefined): Stored =>
  value === undefined || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0) ? null : value;

/** `typed`: what of it was typed in another unit already. `kept`: what a saved entry holds. */
export function valueFault(
  field: FormField,
  value: Stored,
  typed?: TypedIn | TypedRows,
  kept: Stored = null,
  results?: SectionResults,
): string | null {
  if (value === null) return null;
  if (isSection(field)) {
    const rows = isTypedIn(typed) ? undefined : typed;
    return rowsFault(field, value, results, (column, cell, row) => valueFault(column, cell, rows?.[String(row)]?.[String(column.id)]));
  }
  if (field.tvaNumVrednost === ValueType.Number) {
    if (typeof value === 'number') return numberFault(field, value, typed !== undefined);
    return typeof value === 'string' ? misread(field.naziv, value) : text.notNumber(field.naziv);
  }
  if (field.tvaNumVrednost === ValueType.File) {
    const most = mostFiles(field.tipAtributa.fajlovi);
    // So many files as there were before a narrower limit are no fault of whoever takes one out.
    return filesOf(value).length > Math.max(most, filesOf(kept).length) ? t.files.tooManyIn(field.naziv, most) : null;
  }
  if (typeof value !== 'string') return null;
  if (field.tvaNumVrednost === ValueType.Time) return CivilTime.parse(value) ? null : text.notTime(field.naziv);
  if (field.tvaNumVrednost === ValueType.Moment) {
    const at = CivilMoment.parse(value);
    if (!at) return text.notMoment(field.naziv);
    return isOutOfYears(at.date.toString()) ? text.outOfYears(field.naziv, YEARS.from, YEARS.to) : null;
  }
  if (field.tvaNumVrednost !== ValueType.Date) return null;
  if (!fromServer(value)) return text.notDate(field.naziv);
  return isOutOfYears(value) ? text.outOfYears(field.naziv, YEARS.from, YEARS.to) : null;
}
