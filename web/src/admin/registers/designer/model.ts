// A form's draft as the designer holds it: the API's document, and what the server says of it.
import type { FormFieldRow } from '../../../api/types';
import type { FormRule } from '../../../entries/model/types';
import type { ChartLine } from '../../../charts/plot';
import type { Formula } from '../../../forms/formula';
import { ValueType } from '../../../forms/valueType';
import { closerTo } from '../../../api/closer';
import type { Reply, Schema } from '../../../schema';
import type { Example } from './examples';
import { EMPTY_FIELD, HOLDERS } from '../fieldKinds';

export interface DraftField extends Omit<Reply<'DraftField'>, 'grafik' | 'primeri'> {
  grafik: ChartLine[] | null;
  primeri: Example[] | null;
}

export interface FormDocument {
  naziv: string;
  /** In the order of the tree: each before those that stand in it. */
  polja: readonly DraftField[];
  tipovi: readonly Reply<'DraftType'>[];
  stavke: readonly Reply<'DraftItem'>[];
  /** In the order in which they are told. */
  pravila: readonly Reply<'DraftRule'>[];
}

/** A step: what the document becomes. It is made of the latest one, so that two of one handler do not lose each other. */
export type Edit = (latest: FormDocument) => FormDocument;
/** `about`: what is being typed, whose keys are one step; null: a step of its own. */
export type Change = (edit: Edit, about: string | null) => void;

export interface Standing {
  greske: readonly Reply<'DraftFault'>[];
  upozorenja: readonly Reply<'DraftFault'>[];
  formule: Readonly<Record<string, { prikaz: Formula | null; racunanje: Formula | null; obavezan: Formula | null }>>;
  /** Those whose conditions can be read. */
  pravila: readonly FormRule[];
  /** Types that are not the draft's to change. */
  zajednicki: readonly Reply<'SharedType'>[];
  izmenjeno: boolean;
}

export interface FormDraft extends Standing {
  id: number;
  verzija: number;
  odVerzije: number | null;
  izvor: Reply<'DraftSource'> | null;
  dokument: FormDocument;
  napomene: readonly string[];
}

export type OtherDrafts = Reply<'FormDesign'>['drugi'];

export const asDraft = closerTo<FormDraft>();
export const asStanding = closerTo<Standing>();

export const typeOf = (document: FormDocument, field: DraftField): Reply<'DraftType'> | undefined =>
  document.tipovi.find(({ id }) => id === field.tipAtributaID);

export const kindOf = (document: FormDocument, field: DraftField): Schema<'ValueType'> =>
  typeOf(document, field)?.tipVrednostiAtributa ?? ValueType.Choice;

export const holdsFields = (document: FormDocument, field: DraftField): boolean => HOLDERS.includes(kindOf(document, field));

/** The field as the administration's own dialog knows it. */
export const rowOf = (document: FormDocument, field: DraftField): FormFieldRow => ({
  ...EMPTY_FIELD,
  ...field,
  // What an example leaves out is blank.
  primeri: field.primeri as FormFieldRow['primeri'],
  redosled: 0,
  tipVrednostiAtributaNumVrednost: kindOf(document, field),
  tipAtributaNaziv: typeOf(document, field)?.naziv ?? '',
});

/** What is new has a negative id until it is published. */
export const newId = (list: readonly { id: number }[]): number => Math.min(0, ...list.map(({ id }) => id)) - 1;

/** The record without what these names say. */
export function without<T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Omit<T, K> {
  const left = { ...record };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}

const BLANK = without(EMPTY_FIELD, 'tipSkupaAtributaID', 'redosled');

export const blankField = (id: number, type: number, naziv: string): DraftField => ({
  ...(BLANK as unknown as DraftField),
  id,
  tipAtributaID: type,
  naziv,
});

export const blankType = (id: number, kind: Schema<'ValueType'>, naziv: string): Reply<'DraftType'> => ({
  id,
  tipVrednostiAtributa: kind,
  naziv,
  napomena: null,
  decimaleBrojneVrednosti: null,
  donjaGranicaBrojneVrednosti: null,
  gornjaGranicaBrojneVrednosti: null,
  sirina: null,
  visina: null,
  jedinica: null,
  vrsteFajlova: null,
  najviseFajlova: null,
  najviseMegabajta: null,
  drugeJedinice: [],
});

export const blankRule = (id: number): Reply<'DraftRule'> => ({ id, uslov: '', poruka: '', vrsta: 'greska', polje: null });

export const blankItem = (id: number, type: number, naziv: string, numVrednost: number | null): Reply<'DraftItem'> => ({
  id,
  tipAtributaID: type,
  naziv,
  numVrednost,
  bezTezine: false,
  opis: null,
  opcioni: true,
  sifraVeza: null,
  mozeSeIzabrati: true,
});
