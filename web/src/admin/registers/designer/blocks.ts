// Blocks of the library in a draft: put in whole, in one step, and taken to another edition on purpose, with what that changes.
import { closerTo } from '../../../api/closer';
import type { Reply, Schema } from '../../../schema';
import { ValueType } from '../../../forms/valueType';
import { naming } from './examples';
import { newId, type DraftField, type FormDocument } from './model';
import { freeCode, ordered, parentOf, put, reading, withInner, type TreeChange } from './tree';

export interface Block {
  blok: Reply<'BlockHeading'>;
  dokument: FormDocument;
}

export const asBlock = closerTo<Block>();

/** The block and its edition that a field was taken from: `nihss@1`. */
export function editionOf({ blok }: Pick<DraftField, 'blok'>): { sifra: string; izdanje: number } | null {
  const [sifra, izdanje] = (blok ?? '').split('@');
  return sifra && izdanje ? { sifra, izdanje: Number(izdanje) } : null;
}

/** Kinds whose types say nothing at all: one of the form serves. */
const BARE: readonly Schema<'ValueType'>[] = [
  ValueType.Choice,
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

/** What stands around the field, from the inside out, itself first. */
function outermostOf(document: FormDocument, id: number): number {
  const byId = new Map(document.polja.map((field) => [field.id, field]));
  let at = id;
  for (let steps = document.polja.length; steps > 0; steps -= 1) {
    const field = byId.get(at);
    const parent = field ? parentOf(field) : null;
    if (parent === null || !byId.has(parent)) break;
    at = parent;
  }
  return at;
}

/** New ids of a part with ids of its own, -1 and so on, beside those that are there. */
const beside =
  (list: readonly { id: number }[]) =>
  (id: number): number =>
    newId(list) + 1 + id;

interface Typed {
  document: FormDocument;
  /** The kind that a new field of the block has in the document, and the item that it begins with. */
  kindOf: (field: DraftField) => Pick<DraftField, 'tipAtributaID' | 'inicijalnaEnumStavkaID'>;
}

/** The types of the block as the document has them, new ones with their items. */
function withTypes(document: FormDocument, { dokument }: Block): Typed {
  const [newType, newItem] = [beside(document.tipovi), beside(document.stavke)];
  const typeOf = new Map(
    dokument.tipovi.map((type) => {
      const known = BARE.includes(type.tipVrednostiAtributa)
        ? document.tipovi.find(({ tipVrednostiAtributa }) => tipVrednostiAtributa === type.tipVrednostiAtributa)
        : undefined;
      return [type.id, known?.id ?? newType(type.id)] as const;
    }),
  );
  const isNew = new Set(dokument.tipovi.filter(({ id }) => typeOf.get(id) === newType(id)).map(({ id }) => id));
  const tipovi = dokument.tipovi.filter(({ id }) => isNew.has(id)).map((type) => ({ ...type, id: newType(type.id) }));
  const stavke = dokument.stavke
    .filter(({ tipAtributaID }) => isNew.has(tipAtributaID))
    .map((item) => ({ ...item, id: newItem(item.id), tipAtributaID: newType(item.tipAtributaID) }));
  return {
    document: { ...document, tipovi: [...document.tipovi, ...tipovi], stavke: [...document.stavke, ...stavke] },
    kindOf: ({ tipAtributaID, inicijalnaEnumStavkaID: first }) => ({
      tipAtributaID: typeOf.get(tipAtributaID) ?? tipAtributaID,
      inicijalnaEnumStavkaID: typeof first === 'number' ? newItem(first) : null,
    }),
  };
}

/** A field of the block with the codes that the form has for it. */
const speaking = (field: DraftField, codeOf: ReadonlyMap<string, string>): DraftField => ({
  ...field,
  sifra: field.sifra === null ? null : (codeOf.get(field.sifra) ?? field.sifra),
  formulaZaRacunanje: reading(field.formulaZaRacunanje, codeOf),
  formulaZaPrikaz: reading(field.formulaZaPrikaz, codeOf),
  obavezanAko: reading(field.obavezanAko, codeOf),
  primeri: field.primeri?.map((example) => naming(example, codeOf)) ?? null,
});

function rulesOf(document: FormDocument, { dokument }: Block, codeOf: ReadonlyMap<string, string>): FormDocument['pravila'] {
  const newRule = beside(document.pravila);
  const rules = dokument.pravila.map((rule) => ({
    ...rule,
    id: newRule(rule.id),
    uslov: reading(rule.uslov, codeOf) ?? rule.uslov,
    polje: typeof rule.polje === 'string' ? (codeOf.get(rule.polje) ?? rule.polje) : null,
  }));
  // One that is there already is not said twice.
  return rules.filter(({ uslov, polje }) => !document.pravila.some((known) => known.uslov === uslov && (known.polje ?? null) === polje));
}

/** The block behind what stands around the field, at the top of the form; codes that are taken get a number. */
export function addBlock(document: FormDocument, after: number | null, block: Block): TreeChange {
  const taken = new Set(document.polja.flatMap(({ sifra }) => (sifra ? [sifra] : [])));
  const codeOf = new Map<string, string>();
  for (const { sifra } of block.dokument.polja) {
    if (!sifra) continue;
    const code = freeCode(taken, sifra);
    taken.add(code);
    codeOf.set(sifra, code);
  }
  const { document: typed, kindOf } = withTypes(document, block);
  const newField = beside(document.polja);
  const added = block.dokument.polja.map((field) => {
    const parent = parentOf(field);
    return {
      ...speaking(field, codeOf),
      id: newField(field.id),
      ...kindOf(field),
      nadredjeniAtributUTipuSkupaID: parent === null ? null : newField(parent),
    };
  });
  const root = added.find((field) => parentOf(field) === null);
  const whole = { ...typed, polja: [...document.polja, ...added], pravila: [...document.pravila, ...rulesOf(document, block, codeOf)] };
  const ids = root ? [root.id] : [];
  const at = after === null ? null : outermostOf(document, after);
  return { document: at === null ? ordered(whole) : put(ordered(whole), ids, { at, where: 'after' }), ids };
}

/** What a hospital decides of a block's fields; an edition leaves it alone. */
const OWN = [
  'id',
  'sifra',
  'tipAtributaID',
  'nadredjeniAtributUTipuSkupaID',
  'inicijalnaEnumStavkaID',
  'relevantni',
  'opcioni',
  'obavezanAko',
  'pretrazujeSe',
  'prikazujeSe',
  'prikaziPrethodnu',
  'napomenaDizajnera',
  'oznakaIzvoza',
] as const satisfies readonly (keyof DraftField)[];

/** The code that the form has for a field of the block: its own, or with a number where that was taken. */
const isOf = (code: string, sifra: string | null): boolean =>
  sifra === code || (sifra !== null && sifra.startsWith(`${code}_`) && /^\d+$/.test(sifra.slice(code.length + 1)));

/** The block under `root` in another edition. Fields that the edition does not have any more stay, for the designer to take out. */
export function updateBlock(document: FormDocument, root: number, block: Block): FormDocument {
  const inside = withInner(document, [root]);
  const there = document.polja.filter(({ id }) => inside.has(id));
  const taken = new Set(document.polja.flatMap(({ sifra }) => (sifra ? [sifra] : [])));
  const [known, codeOf, idOf] = [new Map<number, DraftField>(), new Map<string, string>(), new Map<number, number>()];
  const newField = beside(document.polja);
  for (const field of block.dokument.polja) {
    const same = parentOf(field) === null ? there.find(({ id }) => id === root) : there.find(({ sifra }) => isOf(field.sifra ?? '', sifra));
    if (same) known.set(field.id, same);
    idOf.set(field.id, same?.id ?? newField(field.id));
    if (field.sifra) {
      const code = same?.sifra ?? freeCode(taken, field.sifra);
      taken.add(code);
      codeOf.set(field.sifra, code);
    }
  }
  const { document: typed, kindOf } = withTypes(document, block);
  const made = block.dokument.polja.map((field): DraftField => {
    const now = speaking(field, codeOf);
    const before = known.get(field.id);
    const id = idOf.get(field.id) ?? field.id;
    if (before) return { ...now, ...Object.fromEntries(OWN.map((name) => [name, before[name]])), id };
    const parent = parentOf(field);
    return {
      ...now,
      id,
      ...kindOf(field),
      nadredjeniAtributUTipuSkupaID: parent === null ? null : (idOf.get(parent) ?? null),
    };
  });
  const next = new Map(made.map((field) => [field.id, field]));
  const polja = [
    ...document.polja.map((field) => next.get(field.id) ?? field),
    ...made.filter(({ id }) => !document.polja.some((field) => field.id === id)),
  ];
  // Types of fields that keep their own are not needed a second time.
  const used = new Set([...document.tipovi.map(({ id }) => id), ...polja.map(({ tipAtributaID }) => tipAtributaID)]);
  const all = {
    ...typed,
    tipovi: typed.tipovi.filter(({ id }) => used.has(id)),
    stavke: typed.stavke.filter(({ tipAtributaID }) => used.has(tipAtributaID)),
    polja,
    pravila: [...document.pravila, ...rulesOf(document, block, codeOf)],
  };
  return withTypesOf(ordered(all), block, known);
}

/** What the edition says of types that fields keep: their limits, and items by their codes or names. */
function withTypesOf(document: FormDocument, { dokument }: Block, known: ReadonlyMap<number, DraftField>): FormDocument {
  let [tipovi, stavke] = [document.tipovi, document.stavke];
  const done = new Set<number>();
  for (const [id, field] of known) {
    const wanted = dokument.polja.find((one) => one.id === id)?.tipAtributaID;
    const type = dokument.tipovi.find((one) => one.id === wanted);
    const own = tipovi.find((one) => one.id === field.tipAtributaID);
    if (!type || !own || done.has(own.id) || own.tipVrednostiAtributa !== type.tipVrednostiAtributa) continue;
    done.add(own.id);
    tipovi = tipovi.map((one) => (one.id === own.id ? { ...type, id: own.id, naziv: own.naziv } : one));
    let fresh = newId(stavke);
    for (const item of dokument.stavke.filter(({ tipAtributaID }) => tipAtributaID === type.id)) {
      const same = stavke.find(
        (one) => one.tipAtributaID === own.id && (item.sifraVeza ? one.sifraVeza === item.sifraVeza : one.naziv === item.naziv),
      );
      if (same) stavke = stavke.map((one) => (one === same ? { ...item, id: same.id, tipAtributaID: own.id } : one));
      else stavke = [...stavke, { ...item, id: fresh--, tipAtributaID: own.id }];
    }
  }
  return { ...document, tipovi, stavke };
}

export interface BlockChange {
  id: number;
  naziv: string;
  /** Names of properties that are others now; none: the field is new. */
  svojstva: readonly (keyof DraftField)[];
}

/** What an edition makes of the form's fields. */
export function blockChanges(before: FormDocument, after: FormDocument): BlockChange[] {
  const was = new Map(before.polja.map((field) => [field.id, field]));
  return after.polja.flatMap((field) => {
    const old = was.get(field.id);
    if (!old) return [{ id: field.id, naziv: field.naziv, svojstva: [] }];
    const names = (Object.keys(field) as (keyof DraftField)[]).filter((name) => name !== 'blok');
    const svojstva = names.filter((name) => JSON.stringify(field[name] ?? null) !== JSON.stringify(old[name] ?? null));
    return svojstva.length > 0 ? [{ id: field.id, naziv: field.naziv, svojstva }] : [];
  });
}

/** How many types and items are others. */
export function typeChanges(before: FormDocument, after: FormDocument): number {
  const count = (one: readonly { id: number }[], other: readonly { id: number }[]) => {
    const was = new Map(one.map((known) => [known.id, JSON.stringify(known)]));
    return other.filter((known) => was.has(known.id) && was.get(known.id) !== JSON.stringify(known)).length;
  };
  return count(before.tipovi, after.tipovi) + count(before.stavke, after.stavke);
}
