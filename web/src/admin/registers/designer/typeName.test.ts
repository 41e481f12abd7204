import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { blankItem, blankType, type FormDocument } from './model';
import { renamed, typeName } from './typeName';

const number = { ...blankType(-1, ValueType.Number, ''), jedinica: 'mmHg' };

it('a type is called by what it is', () => {
  expect(typeName({ ...number, donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 300 })).toBe('Broj 0–300 mmHg');
  expect(typeName({ ...number, donjaGranicaBrojneVrednosti: 0.5 })).toBe('Broj od 0,5 mmHg');
  expect(typeName(blankType(-1, ValueType.Number, ''))).toBe('Broj');
  expect(typeName(blankType(-1, ValueType.Text, ''))).toBe('Tekst');
  const set = blankType(-1, ValueType.Set, '');
  const items = (...names: string[]) => names.map((naziv) => ({ naziv }));
  expect(typeName(set, items('Da', 'Ne', 'Nepoznato'))).toBe('Izbor: Da / Ne / Nepoznato');
  expect(typeName(set, items('1', '2', '3', '4', '5', '6'))).toBe('Izbor: 1 / 2 / 3 / 4 / još 2');
  expect(typeName(set, items('', ' '))).toBe('Izbor');
  expect(typeName(set, items('a'.repeat(200)))).toHaveLength(80);
});

it('a new type follows its items until somebody calls it otherwise', () => {
  const document = (naziv: string, ...items: string[]): FormDocument => ({
    naziv: 'Pregled',
    polja: [],
    tipovi: [blankType(-1, ValueType.Set, naziv)],
    stavke: items.map((item, at) => blankItem(-1 - at, -1, item, at)),
    pravila: [],
  });
  const name = (before: FormDocument, after: FormDocument) => renamed(before, after, -1).tipovi[0]?.naziv;
  expect(name(document('Izbor'), document('Izbor', 'Da'))).toBe('Izbor: Da');
  expect(name(document('Bol'), document('Bol', 'Da'))).toBe('Bol');
  expect(name(document('Izbor'), document('Bol', 'Da'))).toBe('Bol');
});
