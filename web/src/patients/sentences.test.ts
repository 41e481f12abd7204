import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { searchSetup } from '../testing/patients';
import { emptyForm, emptyRow, searchRequest, type CriterionRow, type EntryScope } from './criteria';
import { criterionSentence, searchSentence } from './sentences';
import type { SearchField, SearchSetup } from './types';

const field = (
  id: number,
  naziv: string,
  tipVrednosti: Schema<'ValueType'>,
  tipUnosaID = 1,
  jedinica: string | null = null,
): SearchField => ({
  id,
  naziv,
  tipUnosaID,
  tipVrednosti,
  jedinica,
  stavke: [{ id: 7, naziv: 'Bol' }],
});
const form = (id: number, naziv: string) => ({ id, naziv, mozeSeInstancirati: true, maxInstanci: null });
const setup: SearchSetup = {
  ...searchSetup,
  naziv: 'Reumatologija',
  prikazTekucihUnosaKodPretrage: true,
  tipoviUnosa: [form(1, 'Pregled'), form(2, 'Kontrola')],
  polja: [
    field(1, 'Pušač', 1),
    field(2, 'CRP', 2, 1, 'mg/L'),
    field(3, 'Napomena', 3),
    field(4, 'Tegobe', 4),
    field(5, 'Prijem', 5),
    field(6, 'DAS28', 2, 2),
  ],
};
const row = (poljeID: number, operator: CriterionRow['operator'], vrednost = '', veza: 'i' | 'ili' = 'i'): CriterionRow => ({
  ...emptyRow(),
  veza,
  poljeID,
  operator,
  vrednost,
});
const says = (criterion: CriterionRow, scope: EntryScope) => criterionSentence(setup, criterion, scope);

it.each<[CriterionRow, EntryScope, string]>([
  [row(2, '>', '10'), 'najnovijiUnos', 'U najnovijem unosu „Pregled”: CRP veće od 10 mg/L.'],
  [row(2, '>', '10'), 'istiUnos', 'Bar u jednom unosu „Pregled”: CRP veće od 10 mg/L.'],
  [row(2, '!=', '10'), 'biloKojiUnos', 'Bar u jednom unosu „Pregled”: CRP popunjeno i nije jednako 10 mg/L.'],
  [row(1, 'izabrano', '1'), 'biloKojiUnos', 'Bar u jednom unosu „Pregled”: Pušač izabrano.'],
  [row(1, 'nijeIzabrano', '1'), 'najnovijiUnos', 'U najnovijem unosu „Pregled”: Pušač nije izabrano.'],
  [row(1, 'nijeIzabrano', '1'), 'biloKojiUnos', 'Postoji unos „Pregled”, a ni u jednom nije izabrano: Pušač.'],
  [row(4, 'nijeIzabrano', '7'), 'biloKojiUnos', 'Postoji unos „Pregled”, a ni u jednom nije izabrano: Tegobe „Bol”.'],
  [row(4, 'izabrano', '7'), 'najnovijiUnos', 'U najnovijem unosu „Pregled”: Tegobe izabrano „Bol”.'],
  [row(6, 'nijePopunjeno'), 'biloKojiUnos', 'Postoji unos „Kontrola”, a ni u jednom nije popunjeno: DAS28.'],
  [row(6, 'popunjeno'), 'istiUnos', 'Bar u jednom unosu „Kontrola”: DAS28 popunjeno.'],
  [row(3, 'neSadrzi', 'bol'), 'najnovijiUnos', 'U najnovijem unosu „Pregled”: Napomena popunjeno i ne sadrži „bol”.'],
  [row(5, '>=', '2026-02-01'), 'najnovijiUnos', 'U najnovijem unosu „Pregled”: Prijem veće ili jednako 01.02.2026..'],
])('says what a criterion asks and of which entry', (criterion, scope, sentence) => {
  expect(says(criterion, scope)).toBe(sentence.replace('..', '.'));
});

it('says nothing while a criterion is not whole', () => {
  expect(says(emptyRow(), 'istiUnos')).toBeNull();
  expect(says(row(2, '>', ' '), 'istiUnos')).toBeNull();
});

it('says what was searched: one visit for all criteria of a box, boxes apart', () => {
  const redovi = [row(2, '>', '10'), row(3, 'sadrzi', 'bol'), row(6, '<', '3', 'ili')];
  const searched = (opseg: EntryScope) =>
    searchSentence(setup, searchRequest(7, { ...emptyForm(setup), prezime: 'petro', pol: 0, godinaOd: 1950, opseg, redovi }));
  const fixed = 'Traženo: prezime sadrži „petro”; godina rođenja od 1950.; pol ženski; ';
  expect(searched('istiUnos')).toBe(
    `${fixed}(u jednom istom unosu „Pregled”: CRP veće od 10 mg/L i Napomena sadrži „bol”) ili (bar u jednom unosu „Kontrola”: DAS28 manje od 3).`,
  );
  expect(searched('biloKojiUnos')).toBe(
    `${fixed}(bar u jednom unosu „Pregled”: CRP veće od 10 mg/L i bar u jednom unosu „Pregled”: Napomena sadrži „bol”) ili (bar u jednom unosu „Kontrola”: DAS28 manje od 3).`,
  );
  expect(searched('najnovijiUnos')).toContain('u najnovijem unosu „Pregled”: CRP veće od 10 mg/L i Napomena sadrži „bol”');
});

it('says that everybody was searched, and cuts a long text', () => {
  expect(searchSentence(setup, searchRequest(7, emptyForm(setup)))).toBe('Traženo: svi pacijenti registra.');
  expect(searchSentence(setup, searchRequest(7, { ...emptyForm(setup), ime: 'ž'.repeat(10_000) })).length).toBeLessThan(100);
});

it("says what is asked of an entry of one's own", () => {
  const asked = { ...emptyForm(setup), redovi: [], stanjeUnosa: 'uRadu', otvoreno: 'oba', unosDo: '2026-09-30' } as const;
  expect(searchSentence(setup, searchRequest(7, { ...asked, redovi: [] }))).toBe(
    'Traženo: ima unos vaše ustanove u stanju „u radu”, sa otvorenim: upit i nalaz, do 30.09.2026.',
  );
});
