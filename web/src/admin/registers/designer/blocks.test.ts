import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { addBlock, blockChanges, editionOf, updateBlock, type Block } from './blocks';
import { blankField, blankItem, blankType, type DraftField, type FormDocument } from './model';

const field = (id: number, sifra: string, type: number, parent: number | null, more: Partial<DraftField> = {}): DraftField => ({
  ...blankField(id, type, sifra),
  sifra,
  nadredjeniAtributUTipuSkupaID: parent,
  ...more,
});

/** A panel with a set of two items and a score of it. */
const block = (izdanje: number, formula = '$!(stepen) * 2'): Block => ({
  blok: { sifra: 'proba', naziv: 'Proba', izdanje, oblast: 'x', opis: 'x', izvor: 'x', licenca: 'x', nedostaje: null },
  dokument: {
    naziv: 'Proba',
    polja: [
      field(-1, 'probaBlok', -1, null, { blok: `proba@${String(izdanje)}` }),
      field(-2, 'stepen', -2, -1, { inicijalnaEnumStavkaID: -2 }),
      field(-3, 'skor', -3, -1, {
        formulaZaRacunanje: formula,
        primeri: [{ ulazi: { stepen: 1 }, rezultat: 2 }],
        htmlInfo: `izdanje ${String(izdanje)}`,
      }),
    ],
    tipovi: [blankType(-1, ValueType.Panel, 'Panel'), blankType(-2, ValueType.Set, 'Stepen'), blankType(-3, ValueType.Number, 'Skor')],
    stavke: [
      { ...blankItem(-1, -2, 'Bez', 0), sifraVeza: '0' },
      { ...blankItem(-2, -2, `Lako ${String(izdanje)}`, 1), sifraVeza: '1' },
    ],
    pravila: [{ id: -1, uslov: '$(skor) > 1', poruka: 'Proverite.', vrsta: 'upozorenje', polje: 'skor' }],
  },
});

const FORM: FormDocument = {
  naziv: 'Pregled',
  polja: [field(7, 'okvir', 1, null), field(8, 'skor', 2, 7), field(9, 'kraj', 2, null)],
  tipovi: [blankType(1, ValueType.Panel, 'Panel'), blankType(2, ValueType.Number, 'Broj')],
  stavke: [],
  pravila: [],
};

const codes = (document: FormDocument) => document.polja.map(({ sifra }) => sifra);
const of = (document: FormDocument, sifra: string): DraftField => {
  const found = document.polja.find((one) => one.sifra === sifra);
  if (!found) throw new Error(sifra);
  return found;
};

it('a block stands whole behind what holds the chosen field, and reads its own fields where codes were taken', () => {
  const { document, ids } = addBlock(FORM, 8, block(1));
  expect(codes(document)).toEqual(['okvir', 'skor', 'probaBlok', 'stepen', 'skor_2', 'kraj']);
  expect(ids).toEqual([of(document, 'probaBlok').id]);
  expect(of(document, 'skor_2').formulaZaRacunanje).toBe('$!(stepen) * 2');
  expect(document.pravila).toMatchObject([{ uslov: '$(skor_2) > 1', polje: 'skor_2' }]);
  expect(of(document, 'probaBlok').tipAtributaID).toBe(1);
  expect(document.tipovi.map(({ naziv }) => naziv)).toEqual(['Panel', 'Broj', 'Stepen', 'Skor']);
  expect(document.stavke.map(({ tipAtributaID }) => tipAtributaID)).toEqual([
    of(document, 'stepen').tipAtributaID,
    of(document, 'stepen').tipAtributaID,
  ]);
  expect(new Set(document.polja.map(({ id }) => id)).size).toBe(document.polja.length);
});

it('a set of a block begins with its own item, beside items that the form has', () => {
  const stavke = [blankItem(-1, 3, 'Ne', 0), blankItem(-2, 3, 'Da', 1)];
  const form = { ...FORM, tipovi: [...FORM.tipovi, blankType(3, ValueType.Set, 'Skup')], stavke };
  const { document } = addBlock(form, null, block(1));
  const first = document.stavke.find(({ id }) => id === of(document, 'stepen').inicijalnaEnumStavkaID);
  expect(first).toMatchObject({ naziv: 'Lako 1', tipAtributaID: of(document, 'stepen').tipAtributaID });
});

it('a block stands in an empty form, and twice in one', () => {
  const empty: FormDocument = { naziv: 'Novi', polja: [], tipovi: [], stavke: [], pravila: [] };
  const once = addBlock(empty, null, block(1)).document;
  const twice = addBlock(once, null, block(1)).document;
  expect(codes(twice)).toEqual(['probaBlok', 'stepen', 'skor', 'probaBlok_2', 'stepen_2', 'skor_2']);
  expect(of(twice, 'skor_2').formulaZaRacunanje).toBe('$!(stepen_2) * 2');
  expect(of(twice, 'skor_2').primeri).toEqual([{ ulazi: { stepen_2: 1 }, rezultat: 2 }]);
});

it('another edition changes what the block says and leaves what the hospital decided', () => {
  const { document } = addBlock(FORM, null, block(1));
  const decided = {
    ...document,
    polja: document.polja.map((one) => (one.sifra === 'skor_2' ? { ...one, pretrazujeSe: true, napomenaDizajnera: 'naše' } : one)),
  };
  const root = of(decided, 'probaBlok');
  const next = updateBlock(decided, root.id, block(2, '$!(stepen) * 3'));
  expect(codes(next)).toEqual(codes(decided));
  expect(of(next, 'skor_2')).toMatchObject({
    formulaZaRacunanje: '$!(stepen) * 3',
    pretrazujeSe: true,
    napomenaDizajnera: 'naše',
    htmlInfo: 'izdanje 2',
    id: of(decided, 'skor_2').id,
  });
  expect(editionOf(of(next, 'probaBlok'))).toEqual({ sifra: 'proba', izdanje: 2 });
  expect(next.stavke.map(({ naziv }) => naziv)).toEqual(['Bez', 'Lako 2']);
  expect(next.stavke.map(({ id }) => id)).toEqual(decided.stavke.map(({ id }) => id));
  expect(next.pravila).toHaveLength(1);
  expect(blockChanges(decided, next)).toMatchObject([{ naziv: 'skor', svojstva: ['formulaZaRacunanje', 'htmlInfo'] }]);
});

it('the same edition again changes nothing', () => {
  const { document } = addBlock(FORM, null, block(1));
  const next = updateBlock(document, of(document, 'probaBlok').id, block(1));
  expect(blockChanges(document, next)).toEqual([]);
  expect(next.polja).toEqual(document.polja);
});

it('a field that the edition has more is new in its place', () => {
  const { document } = addBlock(FORM, null, block(1));
  const wider = block(2);
  const more = { ...wider, dokument: { ...wider.dokument, polja: [...wider.dokument.polja, field(-4, 'napomena', -3, -1)] } };
  const next = updateBlock(document, of(document, 'probaBlok').id, more);
  expect(of(next, 'napomena').nadredjeniAtributUTipuSkupaID).toBe(of(next, 'probaBlok').id);
  expect(blockChanges(document, next)).toContainEqual({ id: of(next, 'napomena').id, naziv: 'napomena', svojstva: [] });
});
