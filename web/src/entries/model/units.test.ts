import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { valueFault } from './valueFault';
import { formField } from '../../testing/formField';
import { withUnit } from '../../ui/typedUnit';
import { inOwn } from '../../forms/units';
import { stored } from '../../forms/rows';
import { ValueType } from '../../forms/valueType';

interface Cases {
  converted: [typed: number, cinilac: number, pomeraj: number, decimals: number | null, own: number][];
  offers: {
    naziv: string;
    jedinica: string;
    granice: [number, number];
    decimale: number;
    druge: [string, number, number][];
    broj: number;
    poruka: string | null;
  }[];
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../domain/unit-cases.json'), 'utf8')) as Cases;

describe('other units', () => {
  it('give the numbers that the server gives', () => {
    for (const [typed, cinilac, pomeraj, decimals, own] of cases.converted) {
      expect(inOwn({ jedinica: 'u', cinilac, pomeraj }, typed, decimals), JSON.stringify([typed, cinilac, pomeraj, decimals])).toBe(own);
    }
  });

  it('are offered where a number would fit in one, in the words of the server', () => {
    for (const { naziv, jedinica, granice, decimale, druge, broj, poruka } of cases.offers) {
      const tipAtributa = {
        jedinica,
        donjaGranicaBrojneVrednosti: granice[0],
        gornjaGranicaBrojneVrednosti: granice[1],
        decimaleBrojneVrednosti: decimale,
        drugeJedinice: druge.map(([name, cinilac, pomeraj]) => ({ jedinica: name, cinilac, pomeraj })),
      };
      expect(valueFault(formField(1, ValueType.Number, { naziv, tipAtributa }), broj)).toBe(poruka);
    }
  });

  it('are not offered for what was typed in one already, in a row either', () => {
    const tipAtributa = {
      jedinica: 'mmol/L',
      gornjaGranicaBrojneVrednosti: 20,
      drugeJedinice: [{ jedinica: 'mg/dL', cinilac: 0.02586, pomeraj: 0 }],
    };
    const ldl = formField(2, ValueType.Number, { naziv: 'LDL', tipAtributa });
    const typed = { broj: 1000, jedinica: 'mg/dL' };
    expect(valueFault(ldl, 25.86)).toContain('Ako je');
    expect(valueFault(ldl, 25.86, typed)).not.toContain('Ako je');
    const section = formField(1, ValueType.Panel, { najviseRedova: 5, kolone: [ldl] });
    const rows = stored([{ id: 7, v: { 2: 25.86 } }]);
    expect(valueFault(section, rows)).toContain('Ako je');
    expect(valueFault(section, rows, { 7: { 2: typed } })).not.toContain('Ako je');
  });

  it('may be typed with the number', () => {
    const read = (text: string) => {
      const typed = withUnit(text, ['mg/dL', 'L', 'mg/L', 'g/L']);
      return typed && [typed.broj, typed.jedinica];
    };
    expect(read('130 mg/dL')).toEqual([130, 'mg/dL']);
    expect(read(' 1,5mg/dl ')).toEqual([1.5, 'mg/dL']);
    expect(read('5 mg/L')).toEqual([5, 'mg/L']);
    expect(read('5 g/L')).toEqual([5, 'g/L']);
    expect(read('5 L')).toEqual([5, 'L']);
    for (const text of ['130', '2.108 mg/dL', 'mg/dL', '5 kg', 'pet mg/dL']) expect(read(text)).toBeNull();
  });
});
