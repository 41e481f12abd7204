// Fields of a form by name: the label comes from the catalogue, the value from the record, the error from the form.
import { Dropdown } from 'primereact/dropdown';
import { InputSwitch } from 'primereact/inputswitch';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import type { ReactNode } from 'react';
import { EMPTY, formatDate, formatNumber } from '../format';
import { label, t, type Label } from '../messages';
import { DateInput } from '../ui/DateInput';
import { DecimalInput, numberFault, type Limits } from '../ui/DecimalInput';
import { Field, type Control } from '../ui/Field';
import { FoundDropdown, type Records } from '../ui/FoundDropdown';
import { ImageInput } from '../ui/ImageInput';
import { PasswordInput } from '../ui/PasswordInput';
import { misreading } from '../ui/typedNumber';
import type { Typed } from '../ui/useNumberText';
import { isBlank, sameTyped, type EditedRecord } from './useForm';
import style from './crud.module.css';

export type Resource = Label extends `${infer R}.${string}` ? R : never;

/** Fields of T that the catalogue has a label for and whose values are of kind V. */
type Named<T, R extends Resource, V> = {
  [K in keyof T & string]: `${R}.${K}` extends Label ? (Exclude<T[K], null | undefined> extends V ? K : never) : never;
}[keyof T & string];

interface Options {
  required?: boolean;
  help?: ReactNode;
  readOnly?: boolean;
  /** More characters than the server takes are told as they are typed, and not cut: what was pasted may not end in the middle unseen. */
  maxLength?: number;
}

/** The first and the last day of a date. */
interface Days {
  min?: string;
  max?: string;
}

/** How a value is told where it is not in its control; null where it cannot be. */
type Show = (value: unknown) => string | null;

const quoted: Show = (value) => (isBlank(value) ? EMPTY : `„${String(value)}”`);
const yesOrNo: Show = (value) => (value ? t.common.yes : t.common.no);

export interface Choice<V> {
  label: string;
  value: V;
}

export function bindFields<T extends object, R extends Resource>(form: EditedRecord<T>, resource: R) {
  const text = (name: keyof T) => (form.record[name] as string | null) ?? '';
  const tooLong = (name: keyof T, most: number) => {
    const over = Array.from(text(name).trim()).length - most;
    return over > 0 ? t.crud.tooLong(most, over) : null;
  };
  const problemOf = (name: keyof T & string) =>
    form.problem?.field === name ? form.problem : form.problems.find((problem) => problem.field === name);
  /** What somebody else has made of the field meanwhile. */
  const meanwhile = (name: keyof T, show: Show = () => null) => {
    const change = form.others.find(({ field }) => field === name);
    if (!change) return null;
    const kept = !sameTyped(form.record[name], change.now);
    return <span className={style.meanwhile}>{t.crud.fieldMeanwhile(show(change.before), show(change.now), kept)}</span>;
  };
  const field = (name: keyof T & string, options: Options & { show?: Show }, control: (control: Control) => ReactNode) => {
    const { required, help, maxLength, show } = options;
    return (
      <Field
        key={name}
        label={label(`${resource}.${name}` as Label)}
        required={required}
        help={meanwhile(name, show) ?? help}
        error={problemOf(name)?.message ?? (maxLength === undefined ? null : tooLong(name, maxLength))}
      >
        {control}
      </Field>
    );
  };
  const set = (name: keyof T, value: unknown) => form.set(name, value as T[keyof T]);
  const off = ({ readOnly }: Options) => form.disabled || readOnly === true;

  return {
    text: (name: Named<T, R, string>, options: Options & { inputMode?: 'email' | 'tel' | 'numeric' } = {}) =>
      field(name, { ...options, show: quoted }, (control) => (
        <InputText
          {...control}
          name={name}
          value={text(name)}
          onChange={(e) => set(name, e.target.value)}
          inputMode={options.inputMode}
          disabled={off(options)}
          autoComplete="off"
        />
      )),
    area: (name: Named<T, R, string>, options: Options & { rows?: number } = {}) =>
      field(name, { ...options, show: quoted }, (control) => (
        <InputTextarea
          {...control}
          value={text(name)}
          onChange={(e) => set(name, e.target.value)}
          rows={options.rows ?? 3}
          autoResize
          disabled={off(options)}
        />
      )),
    password: (
      name: Named<T, R, string>,
      options: Options & { autoComplete?: 'new-password' | 'current-password'; autoFocus?: boolean } = {},
    ) =>
      field(name, options, (control) => (
        <PasswordInput
          {...control}
          value={text(name)}
          onChange={(e) => set(name, e.target.value)}
          autoComplete={options.autoComplete ?? 'new-password'}
          autoFocus={options.autoFocus}
          disabled={off(options)}
        />
      )),
    number: (name: Named<T, R, number>, options: Options & Partial<Limits> & { year?: boolean } = {}) => {
      const limits = { decimals: options.decimals ?? 0, min: options.min, max: options.max };
      return field(name, { ...options, show: (value) => formatNumber(value as number | null) }, (control) => (
        <DecimalInput
          {...control}
          {...limits}
          year={options.year}
          value={(form.record[name] as Typed | undefined) ?? null}
          onChange={(value) => {
            set(name, value);
            const of = label(`${resource}.${name}` as Label);
            const fault = numberFault(value, limits);
            form.misreads(name, fault && (typeof value === 'string' ? misreading(of, value) : `${of}: ${fault}`));
          }}
          disabled={off(options)}
        />
      ));
    },
    date: (name: Named<T, R, string>, options: Options & Days = {}) =>
      field(name, { ...options, show: (value) => formatDate(value as string | null) }, (control) => (
        <DateInput
          {...control}
          min={options.min}
          max={options.max}
          value={form.record[name] as string | null}
          onChange={(value) => set(name, value)}
          disabled={off(options)}
        />
      )),
    image: (name: Named<T, R, string>, options: Options = {}) =>
      field(name, { help: form.disabled ? undefined : t.image.help, ...options }, ({ id, invalid, 'aria-describedby': note }) => (
        <ImageInput
          id={id}
          invalid={invalid}
          aria-describedby={note}
          alt={label(`${resource}.${name}` as Label)}
          value={form.record[name] as string | null}
          onChange={(value) => set(name, value)}
          onRefuse={(message) => form.fail({ field: name, message })}
          disabled={off(options)}
        />
      )),
    /** A control of the screen's own, which sets what it is about. */
    custom: (name: keyof T & string, options: Options, control: (control: Control, form: EditedRecord<T>) => ReactNode) =>
      field(name, options, (ids) => control(ids, form)),
    toggle: (name: Named<T, R, boolean>, options: Options = {}) =>
      field(name, { ...options, show: yesOrNo }, ({ id, 'aria-describedby': note }) => (
        <InputSwitch
          inputId={id}
          aria-describedby={note}
          checked={Boolean(form.record[name])}
          onChange={(e) => set(name, e.value)}
          disabled={off(options)}
        />
      )),
    select: <K extends Named<T, R, string | number | boolean>>(
      name: K,
      choices: readonly Choice<Exclude<T[K], null | undefined>>[],
      options: Options & { filter?: boolean; clearable?: boolean; /** What holds where nothing is chosen. */ unchosen?: string } = {},
    ) => {
      const show: Show = (value) =>
        choices.find((choice) => choice.value === value)?.label ?? (isBlank(value) ? (options.unchosen ?? EMPTY) : null);
      return field(name, { ...options, show }, ({ id, invalid, ...aria }) => (
        <Dropdown
          {...aria}
          inputId={id}
          invalid={invalid}
          value={form.record[name]}
          options={[...choices]}
          onChange={(e) => set(name, e.value ?? null)}
          placeholder={options.unchosen ?? t.common.choose}
          showClear={(options.clearable ?? !options.required) && !off(options)}
          filter={options.filter ?? choices.length > 10}
          filterMatchMode="contains"
          disabled={off(options)}
        />
      ));
    },
    /** A record of another list, which the server searches. */
    found: <F extends { id: number }>(name: Named<T, R, number>, records: Records<F>, options: Options = {}) =>
      field(name, { ...options, show: (value) => (isBlank(value) ? EMPTY : null) }, ({ id, invalid, ...aria }) => (
        <FoundDropdown
          {...aria}
          {...records}
          id={id}
          invalid={invalid}
          value={form.record[name] as number | null}
          onChange={(value) => set(name, value)}
          showClear={!options.required && !off(options)}
          disabled={off(options)}
        />
      )),
  };
}

export type Fields<T extends object, R extends Resource> = ReturnType<typeof bindFields<T, R>>;
