// What several chosen fields say of themselves: one property of all of them is set in one step, which is taken back as one.
import { Dropdown } from 'primereact/dropdown';
import { useMemo } from 'react';
import type { FormFieldRow } from '../../../api/types';
import { label, t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { has } from '../fieldKinds';
import { FormulaInput } from '../formula/FormulaInput';
import style from './designer.module.css';
import { holdsFields, kindOf, rowOf, type Change, type DraftField, type FormDocument } from './model';
import { fits, ordered, outermost, parentOf, put } from './tree';

const text = t.formDesigner;

const SWITCHES = [
  'opcioni',
  'pretrazujeSe',
  'relevantni',
  'prikazujeSe',
  'ispisujeSeLabela',
  'vertikalniPrikaz',
  'prikaziPrethodnu',
  'radioButton',
  'inicijalnoPoslednjaPopunjenaVrednost',
] as const satisfies readonly (keyof FormFieldRow)[];
const FORMULAS = ['formulaZaPrikaz', 'obavezanAko'] as const satisfies readonly (keyof FormFieldRow)[];
export type SharedProperty = (typeof SWITCHES)[number] | (typeof FORMULAS)[number] | 'oznakaIzvoza';

const YES_NO = [
  { value: true, label: t.common.yes },
  { value: false, label: t.common.no },
];
const MARKS = Object.entries(t.registerForms.exportMarks).map(([value, label]) => ({ value, label }));
/** In no other field. */
const OUTSIDE = 0;

interface Props {
  document: FormDocument;
  ids: readonly number[];
  onChange: Change;
}

/** Those of the chosen fields that have the property. */
function having(document: FormDocument, ids: readonly number[], name: SharedProperty): DraftField[] {
  const chosen = new Set(ids);
  return document.polja.filter((field) => {
    if (!chosen.has(field.id)) return false;
    const parent = document.polja.find(({ id }) => id === parentOf(field));
    // A column of a section takes neither a condition nor what is told of earlier entries.
    if (parent?.ponavljaSe && (name === 'prikaziPrethodnu' || name === 'obavezanAko' || name === 'formulaZaPrikaz')) return false;
    return has(name, kindOf(document, field), parent && kindOf(document, parent));
  });
}

/** The property is this of each chosen field that has it. */
export function withShared(
  document: FormDocument,
  ids: readonly number[],
  name: SharedProperty,
  value: boolean | string | null,
): FormDocument {
  const own = new Set(having(document, ids, name).map(({ id }) => id));
  return { ...document, polja: document.polja.map((field) => (own.has(field.id) ? { ...field, [name]: value } : field)) };
}

/** They stand in this one; outside of all others where it is none. */
export function heldBy(document: FormDocument, ids: readonly number[], holder: number | null): FormDocument {
  if (holder !== null) return put(document, ids, { at: holder, where: 'inside' });
  const moving = new Set(outermost(document, ids).map(({ id }) => id));
  const free = (field: DraftField) => (moving.has(field.id) ? { ...field, nadredjeniAtributUTipuSkupaID: null } : field);
  return ordered({ ...document, polja: document.polja.map(free) });
}

/** What all of them have; undefined where they differ. */
function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

export function SeveralPane({ document, ids, onChange }: Props) {
  const rows = useMemo(() => document.polja.map((field) => rowOf(document, field)), [document]);
  const chosen = document.polja.filter(({ id }) => ids.includes(id));
  const holders = document.polja.filter((field) => holdsFields(document, field) && fits(document, ids, { at: field.id, where: 'inside' }));
  const held = common(chosen.map((field) => parentOf(field) ?? OUTSIDE));
  const key = ids.join(',');
  const about = (count: number) => (count < ids.length ? text.sharedBy(count, ids.length) : undefined);
  return (
    <div className={style.properties}>
      <p className={style.help}>{text.chosenMany(ids.length)}</p>
      <Field label={text.heldBy}>
        {({ id, invalid, ...aria }) => (
          <Dropdown
            {...aria}
            inputId={id}
            invalid={invalid}
            value={held ?? null}
            placeholder={text.different}
            options={[
              { value: OUTSIDE, label: text.heldByNone },
              ...holders.map((field) => ({ value: field.id, label: field.naziv || text.unnamed })),
            ]}
            onChange={({ value }: { value: number }) => onChange((latest) => heldBy(latest, ids, value === OUTSIDE ? null : value), null)}
          />
        )}
      </Field>
      {([...SWITCHES, 'oznakaIzvoza'] as const).map((name) => {
        const own = having(document, ids, name);
        if (own.length === 0) return null;
        const value = common(own.map((field) => field[name]));
        return (
          <Field key={name} label={label(`formField.${name}`)} help={about(own.length)}>
            {({ id, invalid, ...aria }) => (
              <Dropdown
                {...aria}
                inputId={id}
                invalid={invalid}
                value={value ?? null}
                placeholder={value === undefined ? text.different : undefined}
                options={name === 'oznakaIzvoza' ? MARKS : YES_NO}
                showClear={name === 'oznakaIzvoza'}
                onChange={({ value }: { value: boolean | string | null }) =>
                  onChange((latest) => withShared(latest, ids, name, value ?? null), null)
                }
              />
            )}
          </Field>
        );
      })}
      {FORMULAS.map((name) => {
        const own = having(document, ids, name);
        if (own.length === 0) return null;
        const value = common(own.map((field) => field[name] ?? ''));
        const help = [value === undefined ? text.differentFormulas : null, about(own.length)].filter(Boolean).join(' ');
        return (
          <Field key={name} label={label(`formField.${name}`)} help={help || undefined}>
            {(control) => (
              <FormulaInput
                {...control}
                name={name}
                value={value ?? ''}
                fields={rows}
                onChange={(typed) => onChange((latest) => withShared(latest, ids, name, typed), `${key}.${name}`)}
              />
            )}
          </Field>
        );
      })}
    </div>
  );
}
