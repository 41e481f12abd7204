// The tree of a form: what stands in what and in which order, and what is done to several of its fields at once. Nothing is changed in
// place, so that each step can be taken back.
import type { Schema } from '../../../schema';
import { blankField, blankType, holdsFields, newId, type DraftField, type FormDocument } from './model';
import { ValueType } from '../../../forms/valueType';
import { typeName } from './typeName';
import { naming } from './examples';

type Id = number;

export interface TreeRow {
  field: DraftField;
  /** From 1. */
  level: number;
  /** Place among those beside it, from 1, and how many they are. */
  place: number;
  of: number;
}

export const parentOf = (field: DraftField): Id | null => field.nadredjeniAtributUTipuSkupaID;

function inside(fields: readonly DraftField[]): Map<Id | null, DraftField[]> {
  const known = new Set(fields.map(({ id }) => id));
  const found = new Map<Id | null, DraftField[]>();
  for (const field of fields) {
    const own = parentOf(field);
    const parent = own !== null && known.has(own) ? own : null;
    const beside = found.get(parent);
    if (beside) beside.push(field);
    else found.set(parent, [field]);
  }
  return found;
}

/** Depth first; what stands in a closed one is left out. */
export function rows(document: FormDocument, closed: ReadonlySet<Id> = new Set()): TreeRow[] {
  const of = inside(document.polja);
  const found: TreeRow[] = [];
  const visit = (parent: Id | null, level: number) => {
    const beside = of.get(parent) ?? [];
    beside.forEach((field, index) => {
      found.push({ field, level, place: index + 1, of: beside.length });
      if (!closed.has(field.id)) visit(field.id, level + 1);
    });
  };
  visit(null, 1);
  return found;
}

export const ordered = (document: FormDocument): FormDocument => ({ ...document, polja: rows(document).map(({ field }) => field) });

/** The chosen ones without those that stand in another chosen one, in the order of the tree. */
export function outermost(document: FormDocument, ids: readonly Id[]): DraftField[] {
  const chosen = new Set(ids);
  const byId = new Map(document.polja.map((field) => [field.id, field]));
  const isInside = (field: DraftField): boolean => {
    const outer = byId.get(parentOf(field) ?? NaN);
    return outer !== undefined && (chosen.has(outer.id) || isInside(outer));
  };
  return document.polja.filter((field) => chosen.has(field.id) && !isInside(field));
}

/** The field and all that stands in it. */
export function withInner(document: FormDocument, ids: readonly Id[]): Set<Id> {
  const found = new Set(ids);
  // Each comes after what it stands in.
  for (const field of document.polja) if (found.has(parentOf(field) ?? NaN)) found.add(field.id);
  return found;
}

/** Where moved fields go: beside another one, or to the end of what it holds. */
export interface Place {
  at: Id;
  where: 'before' | 'after' | 'inside';
}

/** Whether the chosen ones may be put there: not into themselves, and only into what holds fields. */
export function fits(document: FormDocument, ids: readonly Id[], { at, where }: Place): boolean {
  const target = document.polja.find(({ id }) => id === at);
  if (!target || withInner(document, ids).has(at)) return false;
  return where !== 'inside' || holdsFields(document, target);
}

export function put(document: FormDocument, ids: readonly Id[], place: Place): FormDocument {
  if (!fits(document, ids, place)) return document;
  const target = document.polja.find(({ id }) => id === place.at);
  if (!target) return document;
  const parent = place.where === 'inside' ? target.id : parentOf(target);
  const moving = outermost(document, ids);
  const chosen = new Set(moving.map(({ id }) => id));
  const moved = moving.map((field) => (parentOf(field) === parent ? field : { ...field, nadredjeniAtributUTipuSkupaID: parent }));
  const left = document.polja.filter(({ id }) => !chosen.has(id));
  const index = left.findIndex(({ id }) => id === target.id);
  const at = place.where === 'before' ? index : place.where === 'after' ? index + 1 : left.length;
  return ordered({ ...document, polja: [...left.slice(0, at), ...moved, ...left.slice(at)] });
}

const besides = (document: FormDocument, field: DraftField): DraftField[] => inside(document.polja).get(parentOf(field)) ?? [];

export type Way = 'up' | 'down' | 'out' | 'in';

/** One step: over a neighbour, out of the panel, or into the one before. The document itself where there is no such step. */
export function step(document: FormDocument, ids: readonly Id[], way: Way): FormDocument {
  const moving = outermost(document, ids);
  const [first, last] = [moving[0], moving.at(-1)];
  if (!first || !last) return document;
  const chosen = new Set(moving.map(({ id }) => id));
  const whole = moving.map(({ id }) => id);
  const beside = besides(document, first);
  const before = beside.slice(0, beside.indexOf(first)).findLast(({ id }) => !chosen.has(id));
  switch (way) {
    case 'up':
      return before ? put(document, whole, { at: before.id, where: 'before' }) : document;
    case 'down': {
      const after = besides(document, last);
      const next = after.slice(after.indexOf(last) + 1).find(({ id }) => !chosen.has(id));
      return next ? put(document, whole, { at: next.id, where: 'after' }) : document;
    }
    case 'out': {
      const outer = parentOf(first);
      return outer === null ? document : put(document, whole, { at: outer, where: 'after' });
    }
    case 'in':
      return before ? put(document, whole, { at: before.id, where: 'inside' }) : document;
  }
}

export const remove = (document: FormDocument, ids: readonly Id[]): FormDocument => {
  const gone = withInner(document, ids);
  return { ...document, polja: document.polja.filter(({ id }) => !gone.has(id)) };
};

/** `sifra`, or `sifra_2` and so on where it is taken. */
export function freeCode(taken: ReadonlySet<string>, code: string): string {
  if (!taken.has(code)) return code;
  const base = code.replace(/_\d+$/, '');
  for (let number = 2; ; number += 1) {
    const next = `${base}_${String(number)}`;
    if (!taken.has(next)) return next;
  }
}

/** A formula that reads the copies where it read what was copied. */
export const reading = (formula: string | null, codes: ReadonlyMap<string, string>): string | null =>
  formula?.replace(/(\$!?\()\s*([A-Za-z_]\w*)\s*\)/g, (whole, open: string, code: string) =>
    codes.has(code) ? `${open}${codes.get(code) ?? code})` : whole,
  ) ?? null;

export interface TreeChange {
  document: FormDocument;
  /** What is chosen then. */
  ids: Id[];
}

/** Copies the chosen ones with all that stands in them, each behind what it was copied from; formulas among them read the copies. */
export function copy(document: FormDocument, ids: readonly Id[]): TreeChange {
  const all = withInner(document, ids);
  const taken = new Set(document.polja.flatMap(({ sifra }) => (sifra ? [sifra] : [])));
  const [idOf, codeOf] = [new Map<Id, Id>(), new Map<string, string>()];
  let fresh = newId(document.polja);
  for (const { id, sifra } of document.polja.filter((field) => all.has(field.id))) {
    idOf.set(id, fresh);
    fresh -= 1;
    if (!sifra) continue;
    const code = freeCode(taken, sifra);
    taken.add(code);
    codeOf.set(sifra, code);
  }
  const outer = outermost(document, ids);
  const copied = document.polja.flatMap((field): DraftField[] => {
    const id = idOf.get(field.id);
    if (id === undefined) return [];
    const parent = parentOf(field);
    return [
      {
        ...field,
        id,
        sifra: field.sifra === null ? null : (codeOf.get(field.sifra) ?? field.sifra),
        nadredjeniAtributUTipuSkupaID: (parent !== null ? idOf.get(parent) : undefined) ?? parent,
        formulaZaRacunanje: reading(field.formulaZaRacunanje, codeOf),
        primeri: field.primeri?.map((example) => naming(example, codeOf)) ?? null,
        formulaZaPrikaz: reading(field.formulaZaPrikaz, codeOf),
        obavezanAko: reading(field.obavezanAko, codeOf),
      },
    ];
  });
  let made: FormDocument = { ...document, polja: [...document.polja, ...copied] };
  const chosen = outer.map(({ id }) => idOf.get(id) ?? id);
  const last = outer.at(-1);
  if (last) made = put(ordered(made), chosen, { at: last.id, where: 'after' });
  return { document: made, ids: chosen };
}

/** Kinds whose types say nothing of a value: one serves all fields. */
const PLAIN: readonly Schema<'ValueType'>[] = [
  ValueType.Choice,
  ValueType.Text,
  ValueType.Date,
  ValueType.Time,
  ValueType.Moment,
  ValueType.Heading,
  ValueType.Separator,
  ValueType.Panel,
  ValueType.Image,
  ValueType.Tab,
  ValueType.Chart,
];

/**
 * A new field behind the chosen one, or in it where it holds fields and the new one shall not stand beside it; of a type of its own where
 * that says something of a value.
 */
export function addField(document: FormDocument, after: Id | null, kind: Schema<'ValueType'>, naziv: string, isBeside = false): TreeChange {
  const known = PLAIN.includes(kind) ? document.tipovi.find(({ tipVrednostiAtributa }) => tipVrednostiAtributa === kind) : undefined;
  const blank = blankType(newId(document.tipovi), kind, '');
  const type = known ?? { ...blank, naziv: typeName(blank) };
  const field = blankField(newId(document.polja), type.id, naziv);
  const made: FormDocument = {
    ...document,
    tipovi: known ? document.tipovi : [...document.tipovi, type],
    polja: [...document.polja, field],
  };
  const target = document.polja.find(({ id }) => id === after);
  const placed = target
    ? put(made, [field.id], { at: target.id, where: holdsFields(document, target) && !isBeside ? 'inside' : 'after' })
    : made;
  return { document: placed, ids: [field.id] };
}
