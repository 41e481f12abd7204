// Examples beside the formula of a field: what is entered, what must come of it, and what comes of it now.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { MultiSelect } from 'primereact/multiselect';
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { FormField } from '../../../entries/model/types';
import type { Stored } from '../../../forms/formula';
import { ValueType } from '../../../forms/valueType';
import { formatDate, formatDateTime, formatNumber } from '../../../format';
import { t } from '../../../messages';
import { DateInput } from '../../../ui/DateInput';
import { DecimalInput } from '../../../ui/DecimalInput';
import { MomentInput } from '../../../ui/MomentInput';
import { TimeInput } from '../../../ui/TimeInput';
import style from './examples.module.css';
import {
  askedBy,
  comesOut,
  outcomeOf,
  type AskedOfExample,
  type Circumstances,
  type Example,
  type Given,
  type ExampleOutcome,
} from './examples';

const text = t.formExamples;
const MOST_DECIMALS = 10;
const YES_NO = [
  { value: true, label: t.common.yes },
  { value: false, label: t.common.no },
];
const SEXES = [
  { value: true, label: t.formDesigner.male },
  { value: false, label: t.formDesigner.female },
];

interface Props {
  /** All of the form, as the preview draws them. */
  fields: readonly FormField[];
  /** The one with the formula. */
  own: FormField;
  examples: readonly Example[];
  /** What the server has against them. */
  error: string | null;
  /** The values that the preview has now. */
  onTake: (asked: AskedOfExample) => Example | null;
  onChange: (edit: (latest: readonly Example[]) => Example[] | null, about: string | null) => void;
}

export function ExamplesEditor({ fields, own, examples, error, onTake, onChange }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  const asked = useMemo(() => askedBy(fields, own), [fields, own]);
  const put = (edit: (latest: readonly Example[]) => Example[], about: string | null) =>
    onChange((latest) => {
      const next = edit(latest);
      return next.length > 0 ? next : null;
    }, about);
  const append = (example: Example) => {
    put((latest) => [...latest, example], null);
    setOpen(examples.length);
  };
  return (
    <section className={style.examples} aria-label={text.title}>
      <h3>{text.title}</h3>
      <p className={style.help}>{text.help}</p>
      {examples.map((example, at) => (
        <Row
          key={at}
          at={at}
          example={example}
          fields={fields}
          own={own}
          asked={asked}
          isOpen={open === at}
          onOpen={() => setOpen(open === at ? null : at)}
          onChange={(part, what) =>
            put(
              (latest) => latest.map((one, i) => (i === at ? { ...one, ...part } : one)),
              `${String(own.id)}.primeri.${String(at)}.${what}`,
            )
          }
          onRemove={() => {
            setOpen(null);
            put((latest) => latest.filter((_, i) => i !== at), null);
          }}
        />
      ))}
      {error && <small className={style.wrong}>{error}</small>}
      <div className={style.buttons}>
        <Button
          type="button"
          label={text.take}
          icon="pi pi-download"
          size="small"
          outlined
          onClick={() => {
            const taken = onTake(asked);
            if (taken) append(taken);
          }}
        />
        <Button
          type="button"
          label={text.add}
          icon="pi pi-plus"
          size="small"
          outlined
          onClick={() => append({ ulazi: {}, rezultat: null })}
        />
      </div>
    </section>
  );
}

/** A stored value of the field in words. */
function said(field: FormField, value: Stored): string {
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string' && field.tvaNumVrednost === ValueType.Moment) return formatDateTime(value);
  if (typeof value === 'string') return field.tvaNumVrednost === ValueType.Date ? formatDate(value) : value;
  if (!Array.isArray(value) || value.length === 0) return text.blank;
  return field.enumStavkeSve
    .filter(({ id }) => value.includes(id))
    .map(({ naziv }) => naziv)
    .join(', ');
}

function told(own: FormField, outcome: ExampleOutcome): string {
  const { expected, actual, problem } = outcome;
  if (problem !== null) return problem;
  if (comesOut(outcome)) return text.right(said(own, actual));
  const apart = typeof expected === 'number' && typeof actual === 'number' ? actual - expected : null;
  return text.wrong(said(own, expected), said(own, actual), apart === null ? null : formatNumber(Math.round(apart * 100) / 100));
}

interface RowProps {
  at: number;
  example: Example;
  fields: readonly FormField[];
  own: FormField;
  asked: AskedOfExample;
  isOpen: boolean;
  onOpen: () => void;
  onChange: (part: Partial<Example>, what: string) => void;
  onRemove: () => void;
}

function Row({ at, example, fields, own, asked, isOpen, onOpen, onChange, onRemove }: RowProps) {
  const outcome = useMemo(() => outcomeOf(fields, own, example), [fields, own, example]);
  const right = comesOut(outcome);
  const name = example.naziv?.trim() ? example.naziv : text.numbered(at + 1);
  const id = useId();
  return (
    <div className={style.example} data-right={right} role="group" aria-label={name}>
      <div className={style.head}>
        <button type="button" className={style.open} aria-expanded={isOpen} aria-controls={id} onClick={onOpen}>
          <i className={`pi ${right ? 'pi-check-circle' : 'pi-times-circle'}`} aria-hidden="true" />
          <span className={style.name}>{name}</span>
          <span className={style.outcome}>{told(own, outcome)}</span>
        </button>
        <Button type="button" icon="pi pi-trash" text severity="danger" size="small" aria-label={text.remove(name)} onClick={onRemove} />
      </div>
      {isOpen && (
        <div id={id} className={style.body}>
          <Labelled label={text.name}>
            {(control) => (
              <InputText
                id={control}
                value={example.naziv ?? ''}
                autoComplete="off"
                onChange={({ target }) => onChange({ naziv: target.value }, 'naziv')}
              />
            )}
          </Labelled>
          <Fields fields={asked.fields} given={example.ulazi ?? {}} onChange={(ulazi, what) => onChange({ ulazi }, what)} />
          {asked.sections.map(({ section, columns }) => (
            <Rows
              key={section.id}
              naziv={section.naziv}
              columns={columns}
              rows={example.redovi ?? []}
              onChange={(redovi, what) => onChange({ redovi }, what)}
            />
          ))}
          <Surroundings
            asked={asked.circumstances}
            known={example.okolnosti ?? {}}
            onChange={(okolnosti, what) => onChange({ okolnosti }, what)}
          />
          {asked.before.length > 0 && (
            <fieldset className={style.part}>
              <legend>{text.before}</legend>
              <Fields
                fields={asked.before}
                given={example.prethodno ?? {}}
                onChange={(prethodno, what) => onChange({ prethodno }, `prethodno.${what}`)}
              />
            </fieldset>
          )}
          <Labelled label={text.expected} strong>
            {(control) => (
              <Value id={control} field={own} value={example.rezultat} onChange={(rezultat) => onChange({ rezultat }, 'rezultat')} />
            )}
          </Labelled>
        </div>
      )}
    </div>
  );
}

function Labelled({ label, strong, children }: { label: string; strong?: boolean; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={style.field} data-strong={strong}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface FieldsProps {
  fields: readonly FormField[];
  given: Given;
  onChange: (next: Given, what: string) => void;
}

function Fields({ fields, given, onChange }: FieldsProps) {
  // What is named and no formula reads stays to be seen, and can be taken away.
  const strange = Object.keys(given).filter((code) => !fields.some(({ sifra }) => sifra === code));
  return (
    <>
      {fields.map((field) => {
        const code = field.sifra ?? '';
        return (
          <Labelled key={field.id} label={field.formulaZaRacunanje ? text.calculated(field.naziv) : field.naziv}>
            {(id) => <Value id={id} field={field} value={given[code]} onChange={(value) => onChange({ ...given, [code]: value }, code)} />}
          </Labelled>
        );
      })}
      {strange.map((code) => (
        <div key={code} className={style.strange}>
          <span>{text.unread(code)}</span>
          <Button
            type="button"
            icon="pi pi-times"
            text
            size="small"
            aria-label={text.forget(code)}
            onClick={() => onChange(Object.fromEntries(Object.entries(given).filter(([one]) => one !== code)), code)}
          />
        </div>
      ))}
    </>
  );
}

interface RowsProps {
  naziv: string;
  columns: readonly FormField[];
  /** Of all sections: a row is of the section whose columns it names. */
  rows: readonly Given[];
  onChange: (next: readonly Given[], what: string) => void;
}

function Rows({ naziv, columns, rows, onChange }: RowsProps) {
  const codes = new Set(columns.map(({ sifra }) => sifra));
  const own = rows.map((row, at) => ({ row, at })).filter(({ row }) => Object.keys(row).some((code) => codes.has(code)));
  const blank = Object.fromEntries(columns.map(({ sifra }) => [sifra ?? '', null]));
  return (
    <fieldset className={style.part}>
      <legend>{naziv}</legend>
      {own.map(({ row, at }, number) => (
        <div key={at} className={style.row} role="group" aria-label={text.row(naziv, number + 1)}>
          {columns.map((column) => {
            const code = column.sifra ?? '';
            return (
              <Labelled key={column.id} label={column.naziv}>
                {(id) => (
                  <Value
                    id={id}
                    field={column}
                    value={row[code]}
                    onChange={(value) => {
                      onChange(
                        rows.map((one, i) => (i === at ? { ...one, [code]: value } : one)),
                        `redovi.${String(at)}.${code}`,
                      );
                    }}
                  />
                )}
              </Labelled>
            );
          })}
          <Button
            type="button"
            icon="pi pi-trash"
            text
            severity="danger"
            size="small"
            aria-label={text.removeRow(number + 1)}
            onClick={() => {
              onChange(
                rows.filter((_, i) => i !== at),
                'redovi',
              );
            }}
          />
        </div>
      ))}
      <div>
        <Button
          type="button"
          label={text.addRow}
          icon="pi pi-plus"
          text
          size="small"
          onClick={() => onChange([...rows, blank], 'redovi')}
        />
      </div>
    </fieldset>
  );
}

interface SurroundingsProps {
  asked: AskedOfExample['circumstances'];
  known: Circumstances;
  onChange: (next: Circumstances, what: string) => void;
}

const DAYS = ['danas', 'datumPregleda', 'datumRodjenja', 'prethodniDatum'] as const;
const SEX = ['pol', 'polNaRodjenju'] as const;

function Surroundings({ asked, known, onChange }: SurroundingsProps) {
  return (
    <>
      {DAYS.filter((name) => asked.has(name)).map((name) => (
        <Labelled key={name} label={text.circumstances[name]}>
          {(id) => (
            <DateInput
              id={id}
              invalid={false}
              value={known[name] ?? null}
              onChange={(value) => onChange({ ...known, [name]: value }, name)}
            />
          )}
        </Labelled>
      ))}
      {SEX.filter((name) => asked.has(name)).map((name) => (
        <Labelled key={name} label={text.circumstances[name]}>
          {(id) => (
            <Dropdown
              inputId={id}
              value={known[name] ?? null}
              options={SEXES}
              showClear
              placeholder={text.blank}
              onChange={({ value }: { value: boolean | undefined }) => onChange({ ...known, [name]: value ?? null }, name)}
            />
          )}
        </Labelled>
      ))}
    </>
  );
}

interface ValueProps {
  id: string;
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** One value of the field's kind; blank is blank. */
function Value({ id, field, value, onChange }: ValueProps) {
  const [unread, setUnread] = useState<string | null>(null);
  switch (field.tvaNumVrednost) {
    case ValueType.Number:
      return (
        <DecimalInput
          id={id}
          decimals={MOST_DECIMALS}
          value={unread ?? (typeof value === 'number' ? value : null)}
          invalid={unread !== null}
          onChange={(next) => {
            setUnread(typeof next === 'string' ? next : null);
            if (typeof next !== 'string') onChange(next);
          }}
        />
      );
    case ValueType.Choice:
      return (
        <Dropdown
          inputId={id}
          value={value ?? null}
          options={YES_NO}
          showClear
          placeholder={text.blank}
          onChange={(event) => onChange((event.value as boolean | undefined) ?? null)}
        />
      );
    case ValueType.Date:
      return <DateInput id={id} invalid={false} value={typeof value === 'string' ? value : null} onChange={onChange} />;
    case ValueType.Time:
      return <TimeInput id={id} value={typeof value === 'string' ? value : null} onChange={onChange} />;
    case ValueType.Moment:
      return (
        <MomentInput
          id={id}
          timeLabel={t.entries.timeOf(field.naziv)}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      );
    case ValueType.Set: {
      const options = field.enumStavkeSve.map(({ naziv }) => ({ value: naziv, label: naziv }));
      const chosen = (Array.isArray(value) ? (value as unknown[]) : value === null || value === undefined ? [] : [value]).map((item) =>
        typeof item === 'number'
          ? (field.enumStavkeSve.find(({ numVrednost }) => numVrednost === item)?.naziv ?? String(item))
          : String(item),
      );
      // An item that is not there any more stays named until somebody chooses another.
      const all = [
        ...options,
        ...chosen.filter((one) => !options.some((known) => known.value === one)).map((one) => ({ value: one, label: one })),
      ];
      return field.multiselect ? (
        <MultiSelect
          inputId={id}
          value={chosen}
          options={all}
          placeholder={text.blank}
          onChange={({ value: next }: { value: string[] }) => onChange(next.length > 0 ? next : null)}
        />
      ) : (
        <Dropdown
          inputId={id}
          value={chosen[0] ?? null}
          options={all}
          showClear
          filter
          placeholder={text.blank}
          onChange={({ value: next }: { value: string | undefined }) => onChange(next ?? null)}
        />
      );
    }
    default:
      return (
        <InputText
          id={id}
          value={typeof value === 'string' ? value : ''}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        />
      );
  }
}
