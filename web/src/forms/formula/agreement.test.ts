/** Sums of results over random inputs: the server's tests computed the same ones. Equal sums, equal doubles. */
import { describe, expect, test } from 'vitest';

import { cases, generated, plainField, subjectOf, tree } from './cases';
import { type FormulaField, type Stored, evaluateForm } from './form';
import { exp, ln, log10, pow } from './ieee';
import { halfAway } from './round';

const BLOCKS = 20;
const BLOCK = 500;

const view = new DataView(new ArrayBuffer(8));

/** mulberry32. */
class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** From -1 to 1. */
  signed(): number {
    return (this.next() - 2147483648) / 2147483648;
  }

  /** Any double at all. */
  bits(): number {
    view.setUint32(0, this.next());
    view.setUint32(4, this.next());
    return view.getFloat64(0);
  }
}

/** FNV-1a over the two halves of a double; a blank and what is not a number are all ones. */
function mixed(sum: number, number: number | null): number {
  let halves = [0xffffffff, 0xffffffff];
  if (number !== null && !Number.isNaN(number)) {
    view.setFloat64(0, number);
    halves = [view.getUint32(0), view.getUint32(4)];
  }
  return halves.reduce((mixing, half) => Math.imul(mixing ^ half, 0x01000193) >>> 0, sum);
}

function sums(seed: number, result: (random: Random) => number | null): number[] {
  const random = new Random(seed);
  return Array.from({ length: BLOCKS }, () => {
    let sum = 0x811c9dc5;
    for (let i = 0; i < BLOCK; i++) sum = mixed(sum, result(random));
    return sum;
  });
}

describe('ten thousand random inputs give what they give on the server', () => {
  test.each(cases.random.map((given, i) => [given.name, given, i + 1] as const))('%s', (name, given, seed) => {
    const fields: FormulaField[] = given.inputs.map(({ code }, i) => ({ ...plainField, id: i + 1, sifra: code }));
    fields.push({ ...plainField, racunanje: tree(given.formula) });
    // The table's previous entry holds its numbers under these codes.
    const before = fields.map(({ id, sifra }) => [id, cases.previous.values['abcd'.indexOf(sifra ?? '?') + 1] ?? null]);
    const subject = {
      ...subjectOf(cases),
      others: [{ datumUnosa: cases.previous.examined, vrednosti: Object.fromEntries(before) as Record<string, Stored> }],
    };
    const drawn = sums(seed, (random) => {
      const entered = new Map<number, Stored>();
      for (const [i, input] of given.inputs.entries()) {
        const blank = random.next() % 1000 < input.blank;
        const scale = 10 ** input.decimals;
        const value = (input.low * scale + (random.next() % ((input.high - input.low) * scale + 1))) / scale;
        entered.set(i + 1, blank ? null : value);
      }
      return evaluateForm(fields, entered, cases, subject).values.get(0) as number | null;
    });
    expect(drawn).toStrictEqual(generated.sums[name]);
  });
});

describe('our functions give the same doubles as the server', () => {
  const functions: [string, (random: Random) => number][] = [
    ['exp', (random) => exp(random.signed() * 750)],
    ['exp of any', (random) => exp(random.bits())],
    ['ln', (random) => ln(Math.abs(random.signed()) * 1000)],
    ['ln of any', (random) => ln(Math.abs(random.bits()))],
    ['log10 of any', (random) => log10(Math.abs(random.bits()))],
    ['pow', (random) => pow(Math.abs(random.signed()) * 200, random.signed() * 12)],
    ['pow of any', (random) => pow(random.bits(), random.bits())],
    ['round of thousandths', (random) => halfAway(Math.trunc(random.signed()) + (random.next() % 2000001) / 1000, 2)],
    ['round of any', (random) => halfAway(random.bits(), 2)],
  ];
  test.each(functions.map(([name, apply], i) => [name, apply, 1001 + i] as const))('%s', (name, apply, seed) => {
    expect(sums(seed, apply)).toStrictEqual(generated.sums[name]);
  });

  test('every sum of the server is computed here', () => {
    const names = [...cases.random.map((given) => given.name), ...functions.map(([name]) => name)];
    expect(Object.keys(generated.sums).sort()).toStrictEqual(names.sort());
  });
});
