// The values of the newest entry as its form groups them: tabs fold, panels are headings, joints marked on a picture are one line.
import { useState } from 'react';
import { hasValue, ValueType } from '../forms/valueType';
import { t } from '../messages';
import type { Mark } from '../marks';
import style from './page.module.css';
import { StaleMark } from './StaleMark';
import type { EntryField } from './types';
import { valueText } from './values';

const text = t.patients.page;

export type LatestField = EntryField & {
  naredjeniAUTS?: number | null | undefined;
  redosled?: number;
  imageCoordinateX?: number | null | undefined;
};
type Values = Record<string, unknown>;

/** Values under one heading. */
export interface ValueGroup {
  id: number | null;
  /** Of the tabs and panels around them, outermost first. */
  names: string[];
  rows: { id: number; name: string; shown: string }[];
}

/** More values than these are folded by tab, all but the first one. */
const MANY = 24;
/** A longer text is folded. */
const LONG = 240;

const isDot = (field: LatestField, parent: LatestField | undefined) =>
  parent?.tvaNumVrednost === ValueType.Image && field.tvaNumVrednost === ValueType.Choice && typeof field.imageCoordinateX === 'number';

/** By tab and panel, in the form's order; fields come before tabs, as on the form. */
export function groupsOf(fields: readonly LatestField[], values: Values): ValueGroup[] {
  const known = new Map(fields.map((field) => [field.id, field]));
  const inside = new Map<number | null, LatestField[]>();
  for (const field of [...fields].sort((a, b) => (a.redosled ?? 0) - (b.redosled ?? 0) || a.id - b.id)) {
    const parent = field.naredjeniAUTS && known.has(field.naredjeniAUTS) ? field.naredjeniAUTS : null;
    inside.set(parent, [...(inside.get(parent) ?? []), field]);
  }
  const groups: ValueGroup[] = [];
  const visit = (of: number | null, names: string[]) => {
    const children = inside.get(of) ?? [];
    const parent = of === null ? undefined : known.get(of);
    const rows = children
      .filter((field) => (hasValue(field.tvaNumVrednost) || field.kolone !== undefined) && !isDot(field, parent))
      .map((field) => ({ id: field.id, name: field.naziv, shown: valueText(field, values[String(field.id)]) }));
    const dots = children.filter((field) => isDot(field, parent));
    if (dots.length > 0 && parent) {
      const marked = dots.filter(({ id }) => values[String(id)] === true).map(({ naziv }) => naziv.replace(` (${parent.naziv})`, ''));
      if (marked.length > 0) rows.unshift({ id: parent.id, name: parent.naziv, shown: marked.join(', ') });
    }
    if (rows.length > 0) groups.push({ id: of, names: parent?.tvaNumVrednost === ValueType.Image ? names.slice(0, -1) : names, rows });
    for (const field of [
      ...children.filter(({ tvaNumVrednost: kind, kolone }) => (kind === ValueType.Panel && !kolone) || kind === ValueType.Image),
      ...children.filter(({ tvaNumVrednost: kind }) => kind === ValueType.Tab),
    ]) {
      visit(field.id, [...names, field.naziv]);
    }
  };
  visit(null, []);
  return groups;
}

interface Props {
  fields: readonly LatestField[];
  values: Values;
  marks?: readonly Mark[];
}

export function LatestValues({ fields, values, marks = [] }: Props) {
  const groups = groupsOf(fields, values);
  const many = groups.reduce((sum, { rows }) => sum + rows.length, 0) > MANY;
  const tabs = [...new Set(groups.map(({ names }) => names[0] ?? ''))];
  return tabs.map((tab, i) => {
    const own = groups.filter(({ names }) => (names[0] ?? '') === tab);
    const body = own.map(({ id, names, rows }) => (
      <div key={id ?? 0} role="group" aria-label={names.join(', ') || undefined}>
        {names.length > 1 && <h3 className={style.groupName}>{names.slice(1).join(' · ')}</h3>}
        <dl className={style.values}>
          {rows.map(({ id, name, shown }) => (
            <div key={id} data-long={shown.length > 40}>
              <dt>{name}</dt>
              <dd>
                <LongText text={shown} />
                <StaleMark mark={marks.find(({ polje }) => polje === id)} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    ));
    if (tab === '') return <div key={tab}>{body}</div>;
    return (
      <details key={tab} className={style.group} open={!many || i === 0}>
        <summary>
          {tab} <span className={style.count}>{own.reduce((sum, { rows }) => sum + rows.length, 0)}</span>
        </summary>
        {body}
      </details>
    );
  });
}

export function LongText({ text: whole }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (whole.length <= LONG) return whole;
  return (
    <>
      {open ? whole : `${whole.slice(0, LONG - 40).trimEnd()}… `}
      <button type="button" className={style.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? text.less : text.more}
      </button>
    </>
  );
}
