// A field of a form as the server describes one, for tests.
import type { Schema } from '../schema';
import type { FormField } from '../entries/model/types';

export const formField = (id: number, kind: Schema<'ValueType'>, more: Partial<FormField> = {}): FormField => ({
  prikaziPrethodnu: false,
  id,
  sifra: `f${id}`,
  naziv: `Polje ${id}`,
  redosled: id,
  tvaNumVrednost: kind,
  naredjeniAUTS: null,
  formulaZaPrikaz: null,
  formulaZaRacunanje: null,
  obavezanAko: null,
  opciono: true,
  relevantno: false,
  prikazujeSe: true,
  imaCekBox: false,
  radioButton: false,
  multiselect: false,
  vertikalniPrikaz: false,
  ispisujeSeLabela: true,
  enumStavkeSve: [],
  grafik: null,
  tipAtributa: {},
  ...more,
});
