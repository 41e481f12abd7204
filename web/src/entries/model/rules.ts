// The rules of a save (A 5), the same as the server's and in its order: required items, bounds, years, date, doctor.
import { formatDate, fromServer } from '../../format';
import type { SectionResults, Stored } from '../../forms/formula';
import { rowsOf } from '../../forms/rows';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { YEARS } from '../../ui/typedDate';
import { today } from '../../today';
import { ABOVE, DATE, DOCTOR, sameStored, type EntryStore } from './store';
import { isCalculated, isEntered, isSection, holdsValue, type Display, type FormField } from './types';
import { isOutOfYears, missingCell, rowsFault, tidyCell } from './valueFault';

const text = t.entries;

/** What lies in a panel or picture that is not shown is not shown either; a tab that is not shown waits behind the plus. */
function isInWhatIsShown(store: EntryStore, { naredjeniAUTS }: FormField): boolean {
  for (let id = naredjeniAUTS, steps = store.fields.length; id && steps > 0; steps -= 1) {
    const outer = store.byId.get(id);
    if (outer && !outer.prikazujeSe && outer.tvaNumVrednost !== ValueType.Tab) return false;
    id = outer?.naredjeniAUTS;
  }
  return true;
}

/** Fields that the worker sees and may fill. */
const shown = (store: EntryStore): FormField[] =>
  store.fields.filter((field) => field.prikazujeSe && holdsValue(field) && !store.isHidden(field.id) && isInWhatIsShown(store, field));

/** The days on which the patient may have been examined. */
export interface DateRange {
  from: string;
  to: string;
}

/** Up to today by the server's clock, or by this one's when a day has passed since the form was opened. */
export function dateRangeOf({ pacijent, danas }: Pick<Display, 'pacijent' | 'danas'>): DateRange {
  const now = today();
  return { from: pacijent.datumRodjenja, to: now > danas ? now : danas };
}

/** What is wrong with a day of examination; one that an entry has had before is not asked about again. */
export function dateFault(date: string | null, { from, to }: DateRange, kept: string | null): string | null {
  if (!date) return text.missingDate;
  if (!fromServer(date)) return text.dateWrong;
  if (date === kept) return null;
  if (isOutOfYears(date)) return text.dateOutOfYears(YEARS.from, YEARS.to);
  if (date > to) return text.dateAhead(formatDate(to));
  return date < from ? text.dateBeforeBirth(formatDate(from)) : null;
}

/** Of the entry on the screen; null while no day is given. */
export function examinedFault(store: EntryStore, days: DateRange): string | null {
  const { datumUnosa } = store.head();
  return datumUnosa ? dateFault(datumUnosa, days, store.basis().unosID === null ? null : store.baseHead().datumUnosa) : null;
}

/** A message by field, first fault first. A choice is never required: unchecked is an answer. */
export function faults(store: EntryStore, doctorRequired: boolean, days: DateRange): Map<number, string> {
  const found = new Map<number, string>();
  const fields = shown(store).filter((field) => !isCalculated(field));
  for (const field of fields) {
    if (store.isRequired(field.id) && field.tvaNumVrednost !== ValueType.Choice && store.value(field.id) === null)
      found.set(field.id, text.missing(field.naziv));
  }
  for (const { id } of fields) {
    const waits = store.uploads.holds(id);
    if (waits !== null) found.set(id, waits);
  }
  for (const kind of [ValueType.Number, ValueType.Date, ValueType.Time, ValueType.Moment, ValueType.File]) {
    for (const { id } of fields.filter(({ tvaNumVrednost }) => tvaNumVrednost === kind)) {
      const fault = store.faultOf(id);
      if (fault !== null) found.set(id, fault);
    }
  }
  for (const section of fields.filter(isSection)) {
    const value = store.value(section.id);
    const asked =
      sameStored(value, store.baseValue(section.id)) && store.basis().unosID !== null
        ? null
        : rowsFault(section, value, store.rowResults(section.id), missingCell);
    const fault = store.faultOf(section.id) ?? asked;
    if (fault !== null) found.set(section.id, fault);
  }
  for (const { rule, field } of store.brokenRules()) {
    const id = field?.id ?? ABOVE;
    if (!found.has(id)) found.set(id, field ? text.rule(field.naziv, rule.poruka) : rule.poruka);
  }
  const { datumUnosa, radnikOdgovoran } = store.head();
  const wrong = datumUnosa ? examinedFault(store, days) : text.missingDate;
  if (wrong) found.set(DATE, wrong);
  if (doctorRequired && radnikOdgovoran === null) found.set(DOCTOR, text.missingDoctor);
  return found;
}

export const blankRelevant = (store: EntryStore): FormField[] =>
  shown(store).filter((field) => field.relevantno && field.tvaNumVrednost !== ValueType.Choice && store.value(field.id) === null);

/** Whether a condition hides what somebody filled in a row. */
const losesACell = ({ kolone = [] }: FormField, value: Stored, results: SectionResults | undefined): boolean =>
  rowsOf(value).some(({ id, v }) =>
    kolone.some((column) => results?.get(id)?.hidden.has(column.id) && tidyCell(v[String(column.id)]) !== null),
  );

/**
 * What the save will clear because it is hidden. An untouched initial value of a new entry was never anybody's answer, and a box without
 * its tick says nothing that could be lost.
 */
export const toBeCleared = (store: EntryStore, isNew: boolean): FormField[] =>
  store.fields.filter((field) => {
    const value = store.value(field.id);
    if (!store.isHidden(field.id) && isSection(field)) return losesACell(field, value, store.rowResults(field.id));
    if (value === false && store.boxes.has(field.id)) return false;
    return store.isHidden(field.id) && value !== null && isEntered(field) && !(isNew && sameStored(value, store.baseValue(field.id)));
  });
