import { ValueType } from '../valueType';
import { describe, expect, test } from 'vitest';

import type { Schema } from '../../schema';
import { cases, plainField, subjectOf, tree } from './cases';
import { withResults } from '../rows';
import { type FormulaField, type Stored, evaluateForm } from './form';

function kindOf(stored: Stored): Schema<'ValueType'> {
  if (typeof stored === 'boolean') return ValueType.Choice;
  return typeof stored === 'string' ? ValueType.Text : ValueType.Number;
}

function byId(values: Record<string, Stored>): Map<number, Stored> {
  return new Map(Object.entries(values).map(([id, stored]) => [Number(id), stored]));
}

describe('every case of the table evaluates as on the server', () => {
  test.each(cases.evaluate.map((given) => [`${given.name}: ${given.formula}`, given] as const))('%s', (_, given) => {
    const entries = Object.entries(given.values ?? {});
    const fields: FormulaField[] = entries.map(([sifra, stored], i) => {
      const spec = given.fields?.[sifra];
      return { ...plainField, id: i + 1, sifra, tip: spec?.tip ?? kindOf(stored), items: spec?.items ?? [] };
    });
    fields.push({ ...plainField, tip: given.tip ?? ValueType.Number, items: given.items ?? [], racunanje: tree(given.formula) });
    const entered = new Map(entries.map(([, stored], i) => [i + 1, stored]));
    expect(evaluateForm(fields, entered, cases, subjectOf(cases)).values.get(0)).toStrictEqual(given.result);
  });
});

describe('every form of the table calculates and hides as on the server', () => {
  test.each(cases.forms.map((form) => [form.name, form] as const))('%s', (_, form) => {
    const fields: FormulaField[] = form.fields.map((field) => ({
      ...plainField,
      id: field.id,
      sifra: field.sifra ?? null,
      parent: field.parent ?? null,
      sekcija: field.sekcija ?? null,
      tip: field.tip,
      items: field.items ?? [],
      racunanje: field.racunanje === undefined ? null : tree(field.racunanje),
      prikaz: field.prikaz === undefined ? null : tree(field.prikaz),
    }));
    for (const step of form.steps) {
      const { examined, ...subject } = step.around ?? { examined: null, patient: null, previous: null };
      const done = evaluateForm(fields, byId(step.entered), { today: cases.today, examined }, subjectOf(subject));
      const sections = new Set(fields.flatMap(({ sekcija, racunanje, prikaz }) => (sekcija && (racunanje ?? prikaz) ? [sekcija] : [])));
      const rows = [...sections].map((id) => [id, withResults(step.entered[id] ?? null, done.rowsOf(id))] as const);
      expect(new Map([...done.values, ...rows])).toStrictEqual(byId(step.values));
      expect([...done.hidden].sort((a, b) => a - b)).toStrictEqual(step.hidden);
    }
  });
});
