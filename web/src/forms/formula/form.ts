/** A form as formulas see it: which fields show, and what the calculated ones hold. The server does the same on save. */
import { type Context, evaluate } from './evaluate';
import { PLACES, decimalText, halfAway } from './round';
import type { Formula, Item } from './tree';
import { CivilDate, type Value, asDate, asNumber, asText, asTruth, isItems, numberIn, numberValue, textValue } from './value';

/** A value as an entry stores it: true or false, a number, a text, a list of item ids, `YYYY-MM-DD`; null is blank. */
export type Stored = boolean | number | string | number[] | null;

export interface FormulaField {
  id: number;
  sifra: string | null;
  /** The tab or panel that the field lies in. */
  parent: number | null;
  /** The specification's value type: 1 choice, 2 number, 3 text, 4 set, 5 date; others hold no value. */
  tip: number;
  /** Of a set, in the order in which it lists them. */
  items: readonly Item[];
  racunanje: Formula | null;
  prikaz: Formula | null;
}

export interface Evaluation {
  /** The value of each calculated field by id; null where it is blank or the field is hidden. */
  values: Map<number, Stored>;
  /** Fields that a display formula hides: their own, or that of a tab or panel around them. */
  hidden: Set<number>;
}

/**
 * Evaluates all formulas of a form, each field after those it depends on. A hidden field is blank to all others, since
 * saving clears it; a display formula that is blank hides; a calculated field is seen as it is shown: rounded.
 * `today` is `YYYY-MM-DD` by the clock of Belgrade.
 */
export function evaluateForm(fields: readonly FormulaField[], entered: ReadonlyMap<number, Stored>, today: string): Evaluation {
  const done: Evaluation = { values: new Map(), hidden: new Set() };
  const values = new Map<string, Value>();
  const context: Context = { values, today };
  for (const field of inOrder(fields)) {
    const shown = field.prikaz === null || asTruth(evaluate(field.prikaz.expr, context)) === true;
    const hidden = (field.parent !== null && done.hidden.has(field.parent)) || !shown;
    let stored: Stored = null;
    if (!hidden) {
      stored = field.racunanje ? result(field, evaluate(field.racunanje.expr, context)) : (entered.get(field.id) ?? null);
    }
    if (field.sifra !== null) values.set(field.sifra, valueOf(field, stored));
    if (hidden) done.hidden.add(field.id);
    if (field.racunanje) done.values.set(field.id, stored);
  }
  return done;
}

/** A stored value as formulas see it; one that does not fit the field's type is blank. */
function valueOf({ tip, items }: FormulaField, stored: Stored): Value {
  if (tip === 1 && typeof stored === 'boolean') return Number(stored);
  if (tip === 2 && typeof stored === 'number') return numberValue(stored);
  if (tip === 2 && typeof stored === 'string') return numberValue(numberIn(stored));
  if (tip === 3 && typeof stored === 'string') return textValue(stored);
  if (tip === 4 && Array.isArray(stored)) {
    const chosen = items.filter((item) => stored.includes(item.id));
    return chosen.length > 0 ? chosen : null;
  }
  if (tip === 5 && typeof stored === 'string') return CivilDate.parse(stored);
  return null;
}

/** A result as the field stores it; one that does not fit the field's type is null. */
function result({ tip, items }: FormulaField, value: Value): Stored {
  switch (tip) {
    case 1:
      return asTruth(value);
    case 2: {
      const number = asNumber(value);
      return Number.isNaN(number) ? null : shownNumber(number);
    }
    case 3:
      if (typeof value === 'number') return decimalText(shownNumber(value), PLACES);
      return value instanceof CivilDate ? value.toString() : asText(value);
    case 4: {
      if (isItems(value)) return value.filter((item) => items.some((own) => own.id === item.id)).map((item) => item.id);
      const fits = (item: Item) => (typeof value === 'number' ? item.numVrednost === shownNumber(value) : item.naziv === value);
      const item = items.find(fits);
      return item ? [item.id] : null;
    }
    case 5:
      return asDate(value)?.toString() ?? null;
    default:
      return null;
  }
}

/** Two decimals; infinity is 0, as the specification has it. */
function shownNumber(number: number): number {
  return Number.isFinite(number) ? halfAway(number, PLACES) : 0;
}

/** Each field after those it waits for: the fields its formulas read, and the tab or panel around it. */
function inOrder(fields: readonly FormulaField[]): FormulaField[] {
  const byCode = new Map(fields.flatMap((field) => (field.sifra === null ? [] : [[field.sifra, field] as const])));
  const byId = new Map(fields.map((field) => [field.id, field]));
  const met = new Set<FormulaField>();
  const order: FormulaField[] = [];
  const visit = (field: FormulaField | undefined) => {
    if (!field || met.has(field)) return;
    met.add(field);
    if (field.parent !== null) visit(byId.get(field.parent));
    for (const formula of [field.racunanje, field.prikaz]) {
      for (const code of formula?.deps ?? []) visit(byCode.get(code));
    }
    order.push(field);
  };
  for (const field of fields) visit(field);
  return order;
}
