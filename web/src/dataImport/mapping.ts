// The mapping of a file as the server keeps it (docs/import.md), and what the screen changes of it. Every change gives another mapping.

export interface SourceTable {
  column?: string;
  constant?: string;
  default?: string;
  translate?: Record<string, string>;
  dates?: string[];
  round?: boolean;
  /** The items of a set by their weights, where a text is no item's code. */
  numbers?: boolean;
  /** A set of which each item has a column of its own: from the column to the item. */
  columns?: Record<string, string>;
  /** The unit in which the numbers are written, where it is not the field's own. */
  unit?: string;
}
export type ColumnSource = string | SourceTable;

export interface EntryMapping {
  form: string;
  key: string | string[];
  existing: 'keep' | 'update';
  hidden: 'refuse' | 'clear';
  date: ColumnSource;
  responsible?: ColumnSource;
  fields: Record<string, ColumnSource>;
  /** Columns of sections that repeat, by the section's code: a line of the file is a row. */
  rows?: Record<string, Record<string, ColumnSource>>;
}

export interface Mapping {
  file: { encoding: string; delimiter: string; decimal?: string; dates: string[]; blank: string[]; items: string };
  patient: {
    key: string | string[];
    existing: 'keep' | 'update';
    shared_lbo: 'refuse' | 'confirm';
    institution: ColumnSource;
    fields: Record<string, ColumnSource>;
  };
  entries: EntryMapping[];
}

/** Where a column goes: a field of the patient, the day of a form's entry, a field of a form or an item of it, or a column of its section. */
export type ColumnTarget =
  | { patient: string }
  | { form: string; date: true }
  | { form: string; section: string; field: string }
  | { form: string; section?: undefined; field: string; item?: string };

export const sourceTable = (source: ColumnSource): SourceTable => (typeof source === 'string' ? { column: source } : source);
export const columnOf = (source: ColumnSource | undefined): string => (source === undefined ? '' : (sourceTable(source).column ?? ''));
export const constantOf = (source: ColumnSource): string | undefined => sourceTable(source).constant;
export const keyColumns = (key: string | string[]): string[] => (typeof key === 'string' ? [key] : key);

/** As a dropdown names it. */
export function targetName(target: ColumnTarget | null): string {
  if (!target) return '';
  if ('patient' in target) return `p:${target.patient}`;
  if ('date' in target) return `d:${target.form}`;
  if (target.section !== undefined) return `r:${target.form}:${target.section}:${target.field}`;
  return target.item === undefined ? `f:${target.form}:${target.field}` : `i:${target.form}:${target.field}:${target.item}`;
}

/** The field of which an item has a column. */
export const wholeField = (target: ColumnTarget): ColumnTarget =>
  'field' in target && target.section === undefined ? { form: target.form, field: target.field } : target;

interface Directed {
  target: ColumnTarget;
  source: ColumnSource;
}

const itemColumns = (source: ColumnSource | undefined): Record<string, string> =>
  source === undefined ? {} : (sourceTable(source).columns ?? {});

/** A field, or each of its items where they have columns of their own. */
function ofField(form: string, field: string, source: ColumnSource): Directed[] {
  const items = Object.entries(itemColumns(source));
  return items.length === 0
    ? [{ target: { form, field }, source }]
    : items.map(([column, item]) => ({ target: { form, field, item }, source: column }));
}

/** Every column that goes somewhere, with its target and what is said of it. */
export function targets(mapping: Mapping): Directed[] {
  const patient = Object.entries(mapping.patient.fields).map(([name, source]) => ({ target: { patient: name }, source }));
  const entries = mapping.entries.flatMap(({ form, date, fields, rows = {} }) => [
    { target: { form, date: true as const }, source: date },
    ...Object.entries(fields).flatMap(([field, source]) => ofField(form, field, source)),
    ...Object.entries(rows).flatMap(([section, columns]) =>
      Object.entries(columns).map(([field, source]) => ({ target: { form, section, field }, source })),
    ),
  ]);
  return [...patient, ...entries];
}

export const columnTarget = (mapping: Mapping, column: string): Directed | null =>
  targets(mapping).find(({ source }) => columnOf(source) === column) ?? null;

const without = (fields: Record<string, ColumnSource>, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

/** Forms of which nothing is filled any more are left out. */
const filled = (mapping: Mapping): Mapping => ({
  ...mapping,
  entries: mapping.entries.filter(({ fields, rows, date }) => Object.keys({ ...fields, ...rows }).length > 0 || date !== ''),
});

function put(mapping: Mapping, target: ColumnTarget, source: ColumnSource): Mapping {
  if ('patient' in target)
    return { ...mapping, patient: { ...mapping.patient, fields: { ...mapping.patient.fields, [target.patient]: source } } };
  const known = mapping.entries.some(({ form }) => form === target.form);
  const fresh: EntryMapping = {
    form: target.form,
    key: keyColumns(mapping.patient.key),
    existing: 'keep',
    hidden: 'refuse',
    date: '',
    fields: {},
  };
  const entries = (known ? mapping.entries : [...mapping.entries, fresh]).map((entry) => {
    if (entry.form !== target.form) return entry;
    if ('date' in target) {
      // An entry is told by its patient and day, unless the key says more.
      const key = keyColumns(entry.key);
      const [old, now] = [columnOf(entry.date), columnOf(source)];
      const told = key.filter((column) => column !== old || keyColumns(mapping.patient.key).includes(column));
      return { ...entry, date: source, key: now && !told.includes(now) ? [...told, now] : told };
    }
    if (target.section !== undefined) {
      return { ...entry, rows: { ...entry.rows, [target.section]: { ...entry.rows?.[target.section], [target.field]: source } } };
    }
    if (target.item !== undefined) {
      const others = withoutItem(itemColumns(entry.fields[target.field]), target.item);
      return { ...entry, fields: { ...entry.fields, [target.field]: { columns: { ...others, [columnOf(source)]: target.item } } } };
    }
    return { ...entry, fields: { ...entry.fields, [target.field]: source } };
  });
  return { ...mapping, entries };
}

const withoutItem = (columns: Record<string, string>, item: string) =>
  Object.fromEntries(Object.entries(columns).filter(([, known]) => known !== item));

function take(mapping: Mapping, target: ColumnTarget): Mapping {
  if ('patient' in target) return { ...mapping, patient: { ...mapping.patient, fields: without(mapping.patient.fields, target.patient) } };
  if ('date' in target) return put(mapping, target, '');
  const entries = mapping.entries.map((entry) => {
    if (entry.form !== target.form) return entry;
    if (target.section !== undefined) return withoutCell(entry, target);
    const columns = target.item === undefined ? {} : withoutItem(itemColumns(entry.fields[target.field]), target.item);
    const fields = without(entry.fields, target.field);
    return { ...entry, fields: Object.keys(columns).length === 0 ? fields : { ...fields, [target.field]: { columns } } };
  });
  return { ...mapping, entries };
}

/** A section of which nothing is filled any more is left out, and so is a list of none. */
function withoutCell(entry: EntryMapping, { section, field }: { section: string; field: string }): EntryMapping {
  const { rows = {}, ...rest } = entry;
  const left = { ...rows, [section]: without(rows[section] ?? {}, field) };
  const kept = Object.entries(left).filter(([, columns]) => Object.keys(columns).length > 0);
  return kept.length > 0 ? { ...rest, rows: Object.fromEntries(kept) } : rest;
}

/** The same value in every line; undefined: no longer. */
export const constant = (mapping: Mapping, target: ColumnTarget, text: string | undefined): Mapping =>
  filled(text === undefined ? take(mapping, target) : put(mapping, target, { constant: text }));

/** The column goes to `target` alone, or nowhere; what went there before goes nowhere. */
export function direct(mapping: Mapping, column: string, target: ColumnTarget | null): Mapping {
  const before = columnTarget(mapping, column);
  if (targetName(before?.target ?? null) === targetName(target)) return mapping;
  const free = before ? take(mapping, before.target) : mapping;
  return filled(target ? put(free, target, column) : free);
}

/** What is said of a column beside its name; nothing of it is written as the name alone. */
export function detail(mapping: Mapping, target: ColumnTarget, said: SourceTable): Mapping {
  const kept = Object.entries(said).filter(
    ([, value]) =>
      value !== undefined && value !== '' && value !== false && (typeof value !== 'object' || Object.keys(value as object).length > 0),
  );
  const source = Object.fromEntries(kept) as SourceTable;
  return put(mapping, target, kept.length === 1 && source.column ? source.column : source);
}

export const changeForm = (mapping: Mapping, form: string, part: Partial<EntryMapping>): Mapping => ({
  ...mapping,
  entries: mapping.entries.map((entry) => (entry.form === form ? { ...entry, ...part } : entry)),
});

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** `1 = M` a line. */
export const translationText = (translate: Record<string, string> = {}): string =>
  Object.entries(translate)
    .map(([from, to]) => `${from} = ${to}`)
    .join('\n');

export function translationOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const place = line.indexOf('=');
      return place < 0 ? [line.trim(), ''] : [line.slice(0, place).trim(), line.slice(place + 1).trim()];
    }),
  );
}
