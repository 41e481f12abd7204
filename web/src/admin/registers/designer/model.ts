// A form's draft as the designer holds it: the API's document, and what the server says of it.
import type { Sent } from '../../../api/types';
import type { FormFieldRow } from '../../../api/types';
import type { FormRule } from '../../../entries/model/types';
import type { ChartLine } from '../../../charts/plot';
import type { Formula } from '../../../forms/formula';
import { ValueType } from '../../../forms/valueType';
import type { components } from '../../../gen/api';
import type { Example } from './examples';
import { EMPTY_FIELD, HOLDERS } from '../fieldKinds';

type Schema = components['schemas'];

export interface DraftField extends Omit<Sent<Schema['DraftField']>, 'grafik' | 'primeri'> {
  grafik: ChartLine[] | null;
  primeri: Example[] | null;
}
export type DraftType = Sent<Schema['DraftType']>;
export type DraftRule = Sent<Schema['DraftRule']>;
export type DraftItem = Sent<Schema['DraftItem']>;

export interface FormDocument {
  naziv: string;
  /** In the order of the tree: each before those that stand in it. */
  polja: readonly DraftField[];
  tipovi: readonly DraftType[];
  stavke: readonly DraftItem[];
  /** In the order in which they are told. */
  pravila: readonly DraftRule[];
}

/** A step: what the document becomes. It is made of the latest one, so that two of one handler do not lose each other. */
export type Edit = (latest: FormDocument) => FormDocument;
/** `about`: what is being typed, whose keys are one step; null: a step of its own. */
export type Change = (edit: Edit, about: string | null) => void;

export type DraftFault = Sent<Schema['DraftFault']>;
export type DraftChange = Sent<Schema['DraftChange']>;
export type SharedType = Sent<Schema['SharedType']>;

export interface Standing {
  greske: readonly DraftFault[];
  upozorenja: readonly DraftFault[];
  formule: Readonly<Record<string, { prikaz: Formula | null; racunanje: Formula | null; obavezan: Formula | null }>>;
  /** Those whose conditions can be read. */
  pravila: readonly FormRule[];
  /** Types that are not the draft's to change. */
  zajednicki: readonly SharedType[];
  izmenjeno: boolean;
}

export interface FormDraft extends Standing {
  id: number;
  verzija: number;
  odVerzije: number | null;
  izvor: Sent<Schema['DraftSource']> | null;
  dokument: FormDocument;
  napomene: readonly string[];
}

export interface FormDesign {
  nacrt: FormDraft | null;
  drugi: readonly { radnik: string; vreme: string }[];
}

export const typeOf = (document: FormDocument, field: DraftField): DraftType | undefined =>
  document.tipovi.find(({ id }) => id === field.tipAtributaID);

export const kindOf = (document: FormDocument, field: DraftField): ValueType =>
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

export const blankType = (id: number, kind: ValueType, naziv: string): DraftType => ({
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

export const blankRule = (id: number): DraftRule => ({ id, uslov: '', poruka: '', vrsta: 'greska', polje: null });

export const blankItem = (id: number, type: number, naziv: string, numVrednost: number | null): DraftItem => ({
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
