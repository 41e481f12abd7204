// The table of values that the server's tests read too: what is typed, and how what is stored is shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema';
import { EMPTY, formatNumber } from '../format';
import { readings, typedNumber } from '../ui/typedNumber';
import { valueText } from './values';

interface Cases {
  /** What is typed, and what it means: a number, null for a blank, two readings, or the text where it is no number. */
  typed: [string, number | string | null | [number, number]][];
  numbers: [number, string][];
  values: { tip: Schema<'ValueType'>; jedinica?: string; stavke?: string[]; vrednost: unknown; tekst: string | null }[];
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../../../domain/value-cases.json'), 'utf8')) as Cases;

describe('a typed number', () => {
  it.each(cases.typed)('%j means %j', (typed, meant) => {
    const both = readings(typed);
    expect(both ? [both.grouped, both.decimal] : typedNumber(typed)).toEqual(meant);
    if (both) expect(typedNumber(typed)).toBe(typed);
  });
});

describe('a stored number', () => {
  it.each(cases.numbers)('%d is shown as %s, and typed so it is the same or asked about', (stored, text) => {
    expect(formatNumber(stored)).toBe(text);
    expect(readings(text)?.grouped ?? typedNumber(text)).toBe(stored);
  });
});

it.each(cases.values)('a stored value of type $tip is shown as $tekst', ({ tip, jedinica, stavke = [], vrednost, tekst }) => {
  const field = { tvaNumVrednost: tip, tipAtributa: { jedinica }, enumStavkeSve: stavke.map((naziv, i) => ({ id: i + 1, naziv })) };
  expect(valueText(field, vrednost)).toBe(tekst ?? EMPTY);
});
