// A draft as the entry screen's own components draw it, with values that its designer tries.
import { EntryStore } from '../../../entries/model/store';
import type { FormField, FormRule, Values } from '../../../entries/model/types';
import type { Formula } from '../../../forms/formula';
import { rowsOf } from '../../../forms/rows';
import { ValueType } from '../../../forms/valueType';
import { today } from '../../../today';
import { typedOf, type AskedOfExample, type Circumstances, type Example } from './examples';
import { kindOf, type DraftField, type FormDocument, type Standing } from './model';

/** As the server has it where the section does not say. */
const MOST_ROWS = 50;

/** Ids of what is new are negative, which the entry screen keeps for its header. */
const NEW = 1_000_000_000_000;
export const shownId = (id: number): number => (id < 0 ? NEW - id : id);

/** Always blank: a formula that has a fault, or that the server has not read yet. */
const BLANK: Formula = { v: 1, deps: [], expr: { t: 'text', v: '' } };

export function shownFormFields(document: FormDocument, formulas: Standing['formule']): FormField[] {
  const types = new Map(document.tipovi.map((type) => [type.id, type]));
  const items = new Map<number, FormField['enumStavkeSve']>();
  for (const { id, tipAtributaID, naziv, numVrednost, sifraVeza, mozeSeIzabrati } of document.stavke) {
    const item = { id: shownId(id), naziv, numVrednost, sifra: sifraVeza, aktivan: mozeSeIzabrati };
    items.set(tipAtributaID, [...(items.get(tipAtributaID) ?? []), item]);
  }
  const parsed = (text: string | null, of: DraftField, name: 'prikaz' | 'racunanje' | 'obavezan') =>
    text === null || text.trim() === '' ? null : (formulas[of.id]?.[name] ?? (name === 'racunanje' ? BLANK : null));
  const all: FormField[] = document.polja.map((field, redosled) => {
    const type = types.get(field.tipAtributaID);
    const { nadredjeniAtributUTipuSkupaID: parent, opcioni, relevantni } = field;
    return {
      ...field,
      id: shownId(field.id),
      redosled,
      tvaNumVrednost: kindOf(document, field),
      naredjeniAUTS: parent === null ? null : shownId(parent),
      opciono: opcioni,
      relevantno: relevantni,
      inicijalnaBrojnaVrednost: field.imageCoordinateX === null ? null : field.inicijalnaBrojnaVrednost,
      enumStavkeSve: items.get(field.tipAtributaID) ?? [],
      formulaZaPrikaz: parsed(field.formulaZaPrikaz, field, 'prikaz'),
      formulaZaRacunanje: parsed(field.formulaZaRacunanje, field, 'racunanje'),
      obavezanAko: parsed(field.obavezanAko, field, 'obavezan'),
      tipAtributa: {
        donjaGranicaBrojneVrednosti: type?.donjaGranicaBrojneVrednosti ?? null,
        gornjaGranicaBrojneVrednosti: type?.gornjaGranicaBrojneVrednosti ?? null,
        decimaleBrojneVrednosti: type?.decimaleBrojneVrednosti ?? null,
        jedinica: type?.jedinica ?? null,
        drugeJedinice: type?.drugeJedinice ?? [],
        sirina: type?.sirina ?? null,
        visina: type?.visina ?? null,
        ...(type?.tipVrednostiAtributa === ValueType.File && {
          fajlovi: { vrsteFajlova: type.vrsteFajlova, najviseFajlova: type.najviseFajlova, najviseMegabajta: type.najviseMegabajta },
        }),
      },
      najviseRedova: field.ponavljaSe ? (field.najviseRedova ?? MOST_ROWS) : null,
    };
  });
  return intoSections(all);
}

/** The fields of sections that repeat stand in their sections, as the server describes them. */
function intoSections(fields: readonly FormField[]): FormField[] {
  const sections = new Set(fields.filter(({ najviseRedova }) => typeof najviseRedova === 'number').map(({ id }) => id));
  const isIn = ({ naredjeniAUTS }: FormField, id: number) => naredjeniAUTS === id;
  const own = fields.filter(({ naredjeniAUTS }) => !naredjeniAUTS || !sections.has(naredjeniAUTS));
  return own.map((field) => (sections.has(field.id) ? { ...field, kolone: fields.filter((one) => isIn(one, field.id)) } : field));
}

/** What is tried in the preview now. */
export interface Tried {
  store: EntryStore;
  trial: FormTrial;
}

/** Of a column, what came of it in the last row. */
function lastResult(store: EntryStore, section: FormField, own: FormField): unknown {
  const last = rowsOf(store.value(section.id)).at(-1);
  return last ? (store.rowResults(section.id)?.get(last.id)?.values[String(own.id)] ?? null) : null;
}

/** The values that are tried, as an example of a field: what its formula asks for, and what came of it. */
export function exampleOf({ store, trial }: Tried, own: FormField, { fields, sections, circumstances }: AskedOfExample): Example {
  const given = (some: readonly FormField[], value: (field: FormField) => unknown) =>
    Object.fromEntries(
      some.flatMap((field) => {
        const typed = typedOf(field, value(field));
        return typed === null || typed === undefined ? [] : [[field.sifra ?? '', typed]];
      }),
    );
  const mySection = store.fields.find(({ kolone = [] }) => kolone.some(({ id }) => id === own.id));
  const known: Circumstances = {
    danas: today(),
    datumPregleda: trial.datumUnosa,
    datumRodjenja: trial.datumRodjenja,
    pol: trial.muski,
    polNaRodjenju: trial.muski,
  };
  return {
    ulazi: given(
      fields.filter((field) => !field.formulaZaRacunanje && !store.isHidden(field.id)),
      ({ id }) => store.value(id),
    ),
    redovi: sections.flatMap(({ section, columns }) => {
      const typed = columns.filter((column) => !column.formulaZaRacunanje);
      return rowsOf(store.value(section.id)).map(({ v }) => given(typed, ({ id }) => v[id]));
    }),
    okolnosti: Object.fromEntries(Object.entries(known).filter(([name]) => circumstances.has(name as keyof Circumstances))),
    rezultat: typedOf(own, mySection ? lastResult(store, mySection, own) : store.value(own.id)),
  };
}

/** Whose entry is tried. */
export interface FormTrial {
  datumUnosa: string | null;
  datumRodjenja: string;
  muski: boolean;
}

export function trialStore(
  fields: readonly FormField[],
  rules: readonly FormRule[],
  values: Values,
  { datumUnosa, datumRodjenja, muski }: FormTrial,
): EntryStore {
  const known = new Set(fields.map(({ id }) => id));
  const kept = Object.fromEntries(Object.entries(values).filter(([id]) => known.has(Number(id))));
  return new EntryStore(
    fields,
    kept,
    { datumUnosa, radnikOdgovoran: null },
    { unosID: null, verzija: null, kljuc: '' },
    { patient: { datumRodjenja, polTrenutni: muski, polNaRodjenju: muski } },
    [],
    '',
    rules,
  );
}
