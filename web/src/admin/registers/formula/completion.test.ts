import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../schema';
import { generated } from '../../../forms/formula/cases';
import { ValueType } from '../../../forms/valueType';
import { t } from '../../../messages';
import { around, completed, suggestions, typingAt, type Nameable } from './completion';

const field = (sifra: string | null, naziv: string, kind: Schema<'ValueType'> = ValueType.Number, ponavljaSe = false): Nameable => ({
  sifra,
  naziv,
  ponavljaSe,
  tipVrednostiAtributaNumVrednost: kind,
});
const FIELDS = [
  field('se', 'Sedimentacija'),
  field('tjc28', 'Broj bolnih zglobova'),
  field('lek', 'Lekovi', ValueType.Set),
  field('terapija', 'Terapija', ValueType.Panel, true),
  field('okvir', 'Okvir', ValueType.Panel),
  field(null, 'Bez šifre'),
];

/** Of another form. */
const FAR = field('haq.haqdi', 'HAQ-DI (Upitnik)');

/** What is offered at the end of the text. */
const offered = (text: string, asked = false) => {
  const typing = typingAt(text, text.length, asked);
  return typing ? suggestions(typing, FIELDS).map(({ label }) => label) : null;
};

/** The formula after the first that is offered where `|` stands. */
function taken(text: string): string {
  const caret = text.indexOf('|');
  const formula = text.replace('|', '');
  const typing = typingAt(formula, caret);
  const [first] = typing ? suggestions(typing, FIELDS) : [];
  if (!typing || !first) throw new Error(`nothing is offered in ${text}`);
  const next = completed(formula, typing, first);
  return `${next.formula.slice(0, next.caret)}|${next.formula.slice(next.caret)}`;
}

describe('what a formula may go on with', () => {
  it('is a field by its code or by a word of its name, whatever the letters', () => {
    expect(offered('1 + $(')).toEqual(['$(se)', '$(tjc28)', '$(lek)', '$(terapija)']);
    expect(offered('1 + $(t')).toEqual(['$(tjc28)', '$(terapija)', '$(se)']);
    expect(offered('$(bolnih zgl')).toEqual(['$(tjc28)']);
    expect(offered('2 * SEDI')).toEqual(['$(se)']);
    expect(offered('$!(')).toEqual(['$!(lek)']);
  });

  it('is a field of another form, by its code or by words of its name', () => {
    const far = (text: string) => {
      const typing = typingAt(text, text.length);
      return typing ? suggestions(typing, [...FIELDS, FAR]).map(({ label }) => label) : null;
    };
    expect(far('1 + $(haq.')).toEqual(['$(haq.haqdi)']);
    expect(far('prethodno($(upitn')).toEqual(['$(haq.haqdi)']);
    expect(
      completed(
        '$(haq.ha) + 1',
        { from: 0, to: 9, of: 'field', typed: 'haq.ha' },
        { insert: '$(haq.haqdi)', caret: 12, label: '', told: '' },
      ),
    ).toEqual({
      formula: '$(haq.haqdi) + 1',
      caret: 12,
    });
  });

  it('is a function by the beginning of its name or of a part of it, before fields', () => {
    expect(offered('count')).toEqual(['count(a, b, …)', 'countif(>= 2, a, b, …)']);
    expect(offered('$(a) + pol')?.slice(0, 1)).toEqual(['pacijent.pol']);
    expect(offered('se')?.[0]).toBe('$(se)');
    expect(offered('ter')).toEqual(['$(terapija)']);
  });

  it('is nothing inside a text, after one letter, a number or a word that is complete; and all where it is asked for', () => {
    for (const text of ['"se', "selected($(lek), 'met", 's', '12', 'a1 and', '$(se) ili', '$(se) i ne', 'true', 'xyz'])
      expect(offered(text) ?? []).toEqual([]);
    expect(offered('"a" + sed')).toEqual(['$(se)']);
    expect(offered('1 + ', true)?.length).toBe(4 + t.formulaHelp.functions.length);
  });

  it('takes the place of what was typed, and the caret goes where one types on', () => {
    expect(taken('1 + $(sed|')).toBe('1 + $(se)|');
    expect(taken('1 + $(sed|imentacija) * 2')).toBe('1 + $(se)| * 2');
    expect(taken('$|')).toBe('$(se)|');
    expect(taken('pow($(sed|)')).toBe('pow($(se)|)');
    expect(taken('coun| + 1')).toBe('count(|) + 1');
    expect(taken('coun|($(a))')).toBe('count(|$(a))');
    expect(taken('tod|')).toBe('today()|');
    expect(taken('datumpr|')).toBe('datumPregleda|');
  });

  it('is every function that the server knows', () => {
    expect(t.formulaHelp.functions.map(({ name }) => name.toLowerCase()).sort()).toEqual([...generated.functions].sort());
  });
});

it('a fault is shown by its place in characters, at the end too', () => {
  expect(around('1 + * 2', 5)).toEqual({ before: '1 + ', at: '*', after: ' 2' });
  expect(around('1 +', 4)).toEqual({ before: '1 +', at: ' ', after: '' });
  expect(around('𝒙 + * 2', 5, 2)).toEqual({ before: '…+ ', at: '*', after: ' 2' });
});
