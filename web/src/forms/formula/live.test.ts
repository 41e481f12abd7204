// A form that evaluates only what depends on a change must always equal the same form evaluated anew.
import { expect, test } from 'vitest';

import type { Schema } from '../../schema';
import { stored } from '../rows';
import { hasValue, ValueType } from '../valueType';
import { type Evaluation, type FormulaField, LiveForm, type Stored, evaluateForm } from './form';
import type { Expr, Formula, FunctionName } from './tree';

const SEQUENCES = 3000;
const EDITS = 12;

/** A small generator of random numbers that can be told its seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Below = ReturnType<typeof random>;

const OF_TWO: readonly FunctionName[] = [
  'add',
  'sub',
  'mul',
  'div',
  'lt',
  'ge',
  'eq',
  'ne',
  'and',
  'or',
  'min',
  'max',
  'sum',
  'avg',
  'count',
  'days_between',
  'age',
  'median',
  'sd',
  'countif',
  'anyof',
  'concat',
  'join',
  'add_days',
];
const OF_ONE: readonly FunctionName[] = [
  'neg',
  'not',
  'sqrt',
  'ln',
  'isblank',
  'abs',
  'round',
  'first_row',
  'last_row',
  'any_row',
  'every_row',
];
const ASKED: readonly FunctionName[] = ['today', 'examined', 'patient_sex', 'patient_born', 'previous_date'];
const ITEMS = [1, 2, 3].map((id) => ({ id, numVrednost: id === 3 ? null : id * 2, naziv: `Stavka ${id}` }));

function expression(below: Below, codes: readonly string[], depth: number): Expr {
  const inner = () => expression(below, codes, depth - 1);
  const code = codes[below(codes.length)];
  if (depth === 0 || below(5) === 0) {
    if (code !== undefined && below(5) > 0) return { t: below(4) === 0 ? 'item' : 'field', code };
    if (code !== undefined && below(3) === 0) return { t: 'call', f: 'previous', args: [{ t: 'field', code }] };
    const asked = ASKED[below(3 * ASKED.length)];
    return asked ? { t: 'call', f: asked, args: [] } : { t: 'number', v: below(9) };
  }
  const kind = below(6);
  if (kind === 0) return { t: 'call', f: 'if', args: [inner(), inner(), inner()] };
  if (kind === 5) return { t: 'call', f: 'lookup', args: [inner(), { t: 'call', f: 'le', args: [inner()] }, inner(), inner()] };
  if (kind === 1) return { t: 'call', f: OF_ONE[below(OF_ONE.length)] ?? 'not', args: [inner()] };
  return { t: 'call', f: OF_TWO[below(OF_TWO.length)] ?? 'add', args: [inner(), inner()] };
}

const codesIn = (expr: Expr): string[] =>
  expr.t === 'call'
    ? expr.f === 'previous'
      ? []
      : expr.args.flatMap(codesIn)
    : expr.t === 'field' || expr.t === 'item'
      ? [expr.code]
      : [];
const formula = (expr: Expr): Formula => ({ v: 1, deps: [...new Set(codesIn(expr))], expr });

/** Fields that read and lie in others without a circle, listed in any order. */
function someForm(below: Below): FormulaField[] {
  const fields: FormulaField[] = [];
  for (let id = 1; id <= 8 + below(24); id++) {
    const isGroup = below(6) === 0;
    const codes = fields.flatMap(({ sifra, tip }) => (sifra !== null && hasValue(tip) ? [sifra] : []));
    const groups = fields.filter(({ tip }) => tip === ValueType.Panel);
    fields.push({
      id,
      sifra: below(10) === 0 ? null : `f${id}`,
      parent: below(2) === 0 ? (groups[below(groups.length || 1)]?.id ?? null) : null,
      tip: isGroup ? ValueType.Panel : ((1 + below(5)) as Schema<'ValueType'>),
      items: ITEMS,
      racunanje: !isGroup && below(3) === 0 ? formula(expression(below, codes, 3)) : null,
      prikaz: below(3) === 0 ? formula(expression(below, codes, 2)) : null,
    });
  }
  // Some panels repeat: what stands in them is a column, with formulas of its own.
  const sections = new Set(fields.flatMap(({ id, tip }) => (tip === ValueType.Panel && below(4) === 0 ? [id] : [])));
  const inSection = (field: FormulaField): FormulaField =>
    field.parent !== null && sections.has(field.parent) && hasValue(field.tip) ? { ...field, sekcija: field.parent } : field;
  return fields
    .map(inSection)
    .map((field) => [below(1000), field] as const)
    .sort(([a], [b]) => a - b)
    .map(([, field]) => field);
}

function someAnswer(below: Below, tip: number): Stored {
  if (below(4) === 0) return null;
  switch (tip) {
    case 1:
      return below(2) === 0;
    case 2:
      return [below(7), below(100) / 10, 'pet'][below(12) === 0 ? 2 : below(2)] ?? null;
    case 3:
      return ['a', '3', '2026-02-28', ' '][below(4)] ?? null;
    case 4:
      return ITEMS.filter(() => below(2) === 0).map(({ id }) => id);
    default:
      return `2026-0${1 + below(9)}-1${below(10)}`;
  }
}

/** What may be told of a form, as a text that differs where anything does; `-0` is not `0`. */
function described({ values, hidden, rowsOf }: Evaluation, fields: readonly FormulaField[]): string[] {
  const exact = (stored: Stored) => (Object.is(stored, -0) ? '-0' : JSON.stringify(stored));
  const cells = ({ id, sekcija }: FormulaField) =>
    [...((sekcija && rowsOf(sekcija)) || [])].map(
      ([row, made]) => `${row}: ${made.hidden.has(id) ? 'hidden' : exact(made.values[id] ?? null)}`,
    );
  return fields.map((field) => {
    const { id } = field;
    return `${id} ${hidden.has(id) ? 'hidden' : 'shown'} ${exact(values.get(id) ?? null)} ${cells(field).join(' ')}`;
  });
}

test(`${SEQUENCES} random sequences of edits end where a whole evaluation does, after each edit`, () => {
  let differences = 0;
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const below = random(seed);
    const fields = someForm(below);
    const columnsOf = (section: number) => fields.filter(({ sekcija }) => sekcija === section);
    const answerable = fields.filter(
      ({ id, tip, racunanje, sekcija }) => !sekcija && racunanje === null && (tip <= 5 || columnsOf(id).length > 0),
    );
    const answer = ({ id, tip }: FormulaField): Stored => {
      const cells = () => Object.fromEntries(columnsOf(id).map((column) => [column.id, someAnswer(below, column.tip)]));
      return tip <= 5 ? someAnswer(below, tip) : stored(Array.from({ length: below(4) }, (_, i) => ({ id: i + 1, v: cells() })));
    };
    const entered = new Map<number, Stored>();
    let days = { today: '2026-11-20', examined: '2026-11-01' };
    const others = ['2025-01-01', '2026-11-05'].map((datumUnosa) => ({
      datumUnosa,
      vrednosti: Object.fromEntries(answerable.map((field) => [field.id, answer(field)])),
    }));
    const subject = { patient: { datumRodjenja: '1961-03-02', polTrenutni: true, polNaRodjenju: null }, others };
    const live = new LiveForm(fields, subject);
    let before = described(live.all(entered, days), fields);
    for (let edit = 0; edit < EDITS; edit++) {
      const field = answerable[below(answerable.length)];
      if (!field) break;
      entered.set(field.id, answer(field));
      if (below(20) === 0) days = { ...days, today: `2026-11-${21 + below(9)}` };
      if (below(10) === 0) days = { ...days, examined: ['', '2024-01-01', '2026-11-05', '2026-11-06'][below(4)] ?? '' };
      const told = new Set(live.after(field.id, entered, days));
      const whole = described(evaluateForm(fields, entered, days, subject), fields);
      if (whole.join() !== described(live, fields).join()) expect(described(live, fields), `form ${seed}, edit ${edit}`).toEqual(whole);
      const different = fields.filter((_, i) => before[i] !== whole[i]).map(({ id }) => id);
      if (!different.every((id) => told.has(id))) expect([...told], `form ${seed}, edit ${edit}`).toEqual(different);
      differences += different.length;
      before = whole;
    }
  }
  expect(differences).toBeGreaterThan(SEQUENCES / 2);
});
