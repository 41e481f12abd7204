// The rules of a save (A 5), the same as the server's and in its order: required items, bounds, years, date, doctor.
import { fromServer } from '../format';
import { t } from '../messages';
import { YEARS } from '../ui/typedDate';
import { DATE, DOCTOR, same, type EntryStore } from './store';
import { isCalculated, isEntered, holdsValue, Kind, type Field } from './types';

const text = t.entries;

const isOutOfYears = (date: string) => Number(date.slice(0, 4)) < YEARS.from || Number(date.slice(0, 4)) > YEARS.to;

/** What lies in a panel or picture that is not shown is not shown either; a tab that is not shown waits behind the plus. */
function isInWhatIsShown(store: EntryStore, { naredjeniAUTS }: Field): boolean {
  for (let id = naredjeniAUTS, steps = store.fields.length; id && steps > 0; steps -= 1) {
    const outer = store.byId.get(id);
    if (outer && !outer.prikazujeSe && outer.tvaNumVrednost !== Kind.Tab) return false;
    id = outer?.naredjeniAUTS;
  }
  return true;
}

/** Fields that the worker sees and may fill. */
const shown = (store: EntryStore): Field[] =>
  store.fields.filter((field) => field.prikazujeSe && holdsValue(field) && !store.isHidden(field.id) && isInWhatIsShown(store, field));

/** A message by field, first fault first. A choice is never required: unchecked is an answer. */
export function faults(store: EntryStore, doctorRequired: boolean): Map<number, string> {
  const found = new Map<number, string>();
  const fields = shown(store).filter((field) => !isCalculated(field));
  for (const field of fields) {
    if (!field.opciono && field.tvaNumVrednost !== Kind.Choice && store.value(field.id) === null) found.set(field.id, text.missing(field.naziv));
  }
  for (const field of fields.filter(({ tvaNumVrednost }) => tvaNumVrednost === Kind.Number)) {
    const value = store.value(field.id);
    if (value === null) continue;
    if (typeof value !== 'number') {
      found.set(field.id, text.notNumber(field.naziv));
      continue;
    }
    const { low, high } = bounds(field);
    if (value < low || value > high) found.set(field.id, text.outOfBounds(field.naziv, low, high));
  }
  for (const field of fields.filter(({ tvaNumVrednost }) => tvaNumVrednost === Kind.Date)) {
    const value = store.value(field.id);
    if (typeof value !== 'string') continue;
    if (!fromServer(value)) found.set(field.id, text.notDate(field.naziv));
    else if (isOutOfYears(value)) found.set(field.id, text.outOfYears(field.naziv, YEARS.from, YEARS.to));
  }
  const { datumUnosa, radnikOdgovoran } = store.head();
  if (!datumUnosa) found.set(DATE, text.missingDate);
  else if (!fromServer(datumUnosa)) found.set(DATE, text.dateWrong);
  else if (isOutOfYears(datumUnosa)) found.set(DATE, text.dateOutOfYears(YEARS.from, YEARS.to));
  if (doctorRequired && radnikOdgovoran === null) found.set(DOCTOR, text.missingDoctor);
  return found;
}

/** Both bounds hold together or not at all; without them the safe integers are the range. */
function bounds({ tipAtributa: { donjaGranicaBrojneVrednosti: low, gornjaGranicaBrojneVrednosti: high } }: Field) {
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : { low: Number.MIN_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER };
}

export const blankRelevant = (store: EntryStore): Field[] =>
  shown(store).filter((field) => field.relevantno && field.tvaNumVrednost !== Kind.Choice && store.value(field.id) === null);

/** What the save will clear because it is hidden. An untouched initial value of a new entry was never anybody's answer. */
export const toBeCleared = (store: EntryStore, isNew: boolean): Field[] =>
  store.fields.filter((field) => {
    const value = store.value(field.id);
    return store.isHidden(field.id) && value !== null && isEntered(field) && !(isNew && same(value, store.baseValue(field.id)));
  });
