// The inputs of the value types that hold an answer: choice, number, text, set, date, time, moment.
import { MultiSelect } from 'primereact/multiselect';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '../../format';
import type { Stored } from '../../forms/formula';
import { inOwn, type TypedIn } from '../../forms/units';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { valueText } from '../../patients/values';
import { MomentInput } from '../../ui/MomentInput';
import { NumberReadings } from '../../ui/NumberReadings';
import { TimeInput } from '../../ui/TimeInput';
import { withUnit } from '../../ui/typedUnit';
import { useNumberText, type Typed } from '../../ui/useNumberText';
import { EntryDate } from './EntryDate';
import style from './entry.module.css';
import { inputId, labelId } from './form';
import { isCalculated, type FormField } from '../model/types';
import { meantIn } from '../model/valueFault';

export interface InputProps {
  field: FormField;
  value: Stored;
  invalid: boolean;
  disabled: boolean;
  describedBy: string | undefined;
  /** As it was typed in another unit. */
  typed?: TypedIn | undefined;
  onChange: (value: Stored, typed?: TypedIn) => void;
}

const text = t.entries;
const required = ({ opciono, prikazujeSe }: FormField) => !opciono && prikazujeSe;

/** Whether its answer is one of several controls: these are named by a legend, not by a label. */
export const isGroup = ({ tvaNumVrednost, radioButton, imaCekBox, multiselect }: FormField): boolean =>
  tvaNumVrednost === ValueType.File ||
  (tvaNumVrednost === ValueType.Choice
    ? radioButton && !imaCekBox
    : tvaNumVrednost === ValueType.Set && (radioButton || (imaCekBox && multiselect)));

/** Answers beside or under each other; an answer that was given can be taken back. */
function Options({
  field,
  blank,
  disabled,
  onBlank,
  children,
}: {
  field: FormField;
  blank: boolean;
  disabled: boolean;
  onBlank: () => void;
  children: ReactNode;
}) {
  return (
    <div className={style.options} data-vertical={field.vertikalniPrikaz}>
      {children}
      {!blank && !disabled && (
        <button
          type="button"
          className={style.blank}
          onClick={onBlank}
          aria-label={text.blankAnswerOf(field.naziv)}
          title={text.blankAnswer}
        >
          <span className="pi pi-times" aria-hidden />
        </button>
      )}
    </div>
  );
}

interface OptionProps {
  type: 'radio' | 'checkbox';
  field: FormField;
  index: number;
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

const Option = ({ type, field, index, label, checked, disabled, onChange }: OptionProps) => (
  <label className={style.option}>
    <input
      type={type}
      id={index === 0 ? inputId(field.id) : undefined}
      name={inputId(field.id)}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{label}</span>
  </label>
);

/** A box that nobody has answered looks neither ticked nor unticked. */
export function drawBlank(box: HTMLInputElement | null, value: Stored): void {
  if (box) box.indeterminate = value === null;
}

export function ChoiceInput({ field, value, disabled, describedBy, onChange }: InputProps) {
  if (isGroup(field)) {
    return (
      <Options field={field} blank={value === null} disabled={disabled} onBlank={() => onChange(null)}>
        {[true, false].map((answer, index) => (
          <Option
            key={index}
            type="radio"
            field={field}
            index={index}
            label={answer ? t.common.yes : t.common.no}
            checked={value === answer}
            disabled={disabled}
            onChange={() => onChange(answer)}
          />
        ))}
      </Options>
    );
  }
  return (
    <input
      type="checkbox"
      ref={(box) => drawBlank(box, value)}
      className={style.check}
      id={inputId(field.id)}
      checked={value === true}
      disabled={disabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

const typedOf = (value: Stored): Typed => (typeof value === 'number' || typeof value === 'string' ? value : null);

export function NumberInput({ field, value, invalid, disabled, describedBy, typed, onChange }: InputProps) {
  const { jedinica, drugeJedinice = [], decimaleBrojneVrednosti: decimals } = field.tipAtributa;
  const units = [jedinica ?? '', ...drugeJedinice.map((unit) => unit.jedinica)];
  const [wanted, setWanted] = useState<string | null>(null);
  const other = drugeJedinice.find((unit) => unit.jedinica === (typed ? typed.jedinica : typeof value === 'number' ? null : wanted));
  const take = (next: Typed, unit = other) => {
    if (typeof next !== 'number' || !unit) return onChange(next);
    onChange(inOwn(unit, next, decimals), { broj: next, jedinica: unit.jedinica });
  };
  const { both, choose, box } = useNumberText(typed ? typed.broj : typedOf(value), (next) => take(next));
  /** The unit that was typed behind the number. */
  const readUnit = () => {
    const read = typeof value === 'string' ? withUnit(value, units) : null;
    if (!read) return;
    const unit = drugeJedinice.find((one) => one.jedinica === read.jedinica);
    if (unit) take(read.broj, unit);
    else onChange(read.broj);
  };
  const inUnit = (name: string) => {
    setWanted(name);
    const number = typed ? typed.broj : value;
    if (typeof number !== 'number') return;
    const unit = drugeJedinice.find((one) => one.jedinica === name);
    if (unit) take(number, unit);
    else onChange(number);
  };
  const meant = invalid && !typed && !disabled ? meantIn(field, value) : null;
  const shownTyped = typed && typeof value === 'number' && `${formatNumber(value)} ${jedinica ?? ''}`;
  return (
    <>
      <span className={style.measure}>
        <input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          className="p-inputtext p-component"
          id={inputId(field.id)}
          disabled={disabled}
          aria-invalid={invalid}
          aria-required={required(field)}
          aria-describedby={describedBy}
          {...box}
          onBlur={() => {
            readUnit();
            box.onBlur();
          }}
          title={drugeJedinice.length > 0 ? text.unitsHint(units.slice(1).join(', ')) : undefined}
        />
        {drugeJedinice.length > 0 && !disabled ? (
          <select
            className={style.unitChoice}
            aria-label={text.unitOf(field.naziv)}
            value={other?.jedinica ?? jedinica ?? ''}
            onChange={({ target }) => inUnit(target.value)}
          >
            {units.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          jedinica && <span className={style.unit}>{jedinica}</span>
        )}
      </span>
      {shownTyped && (
        <output className={style.inOwn} htmlFor={inputId(field.id)}>
          {text.isInOwn(shownTyped)}
        </output>
      )}
      {meant && (
        <button type="button" className={style.confirm} onClick={() => inUnit(meant.jedinica)}>
          {text.enterIn(formatNumber(meant.broj), meant.jedinica)}
        </button>
      )}
      {both && !disabled && <NumberReadings both={both} onChoose={choose} />}
    </>
  );
}

/** A box of several lines. */
export const isMultiLine = ({ tvaNumVrednost, tipAtributa: { visina } }: FormField): boolean =>
  tvaNumVrednost === ValueType.Text && (visina ?? 0) > 1;

/** Takes the whole width of the form. */
export const isWide = (field: FormField): boolean => isMultiLine(field) || field.tvaNumVrednost === ValueType.File;

export function TextInput({ field, value, invalid, disabled, describedBy, onChange }: InputProps) {
  const { visina, sirina, jedinica } = field.tipAtributa;
  const props = {
    id: inputId(field.id),
    className: 'p-inputtext p-component',
    value: typeof value === 'string' ? value : '',
    disabled,
    'aria-invalid': invalid,
    'aria-required': required(field),
    'aria-describedby': describedBy,
    style: sirina ? { maxWidth: `max(10rem, ${sirina}ch)` } : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  const input = isMultiLine(field) ? (
    <textarea {...props} rows={Math.min(visina ?? 1, 20)} />
  ) : (
    <input type="text" autoComplete="off" {...props} />
  );
  if (!jedinica) return input;
  return (
    <span className={style.measure}>
      {input}
      <span className={style.unit}>{jedinica}</span>
    </span>
  );
}

export function SetInput({ field, value, invalid, disabled, describedBy, onChange }: InputProps) {
  const chosen = Array.isArray(value) ? value : [];
  const items = field.enumStavkeSve.filter(({ id, aktivan }) => aktivan || chosen.includes(id));
  const name = ({ naziv, aktivan }: FormField['enumStavkeSve'][number]) => (aktivan ? naziv : text.retired(naziv));
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  if (isGroup(field)) {
    const many = field.multiselect;
    return (
      <Options field={field} blank={many || chosen.length === 0} disabled={disabled} onBlank={() => onChange(null)}>
        {items.map((item, index) => (
          <Option
            key={item.id}
            type={many ? 'checkbox' : 'radio'}
            field={field}
            index={index}
            label={name(item)}
            checked={chosen.includes(item.id)}
            disabled={disabled}
            onChange={(on) => (many ? toggle(item.id, on) : onChange([item.id]))}
          />
        ))}
      </Options>
    );
  }
  if (!field.multiselect) {
    return (
      <select
        className={`p-inputtext p-component ${style.select ?? ''}`}
        id={inputId(field.id)}
        value={chosen[0] ?? ''}
        disabled={disabled}
        aria-invalid={invalid}
        aria-required={required(field)}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value === '' ? null : [Number(event.target.value)])}
      >
        <option value="">{t.common.none}</option>
        {items.map((item) => (
          <option key={item.id} value={item.id}>
            {name(item)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <MultiSelect
      inputId={inputId(field.id)}
      invalid={invalid}
      disabled={disabled}
      value={chosen}
      options={items.map((item) => ({ value: item.id, label: name(item) }))}
      onChange={(event) => onChange(event.value as number[])}
      placeholder={t.common.choose}
      maxSelectedLabels={3}
      selectedItemsLabel={text.itemsChosen}
      selectAllLabel={text.allItems}
      aria-labelledby={labelId(field.id)}
    />
  );
}

export const DateAnswer = ({ field, value, invalid, disabled, describedBy, onChange }: InputProps) => (
  <EntryDate
    id={inputId(field.id)}
    value={typeof value === 'string' ? value : null}
    invalid={invalid}
    disabled={disabled}
    aria-describedby={describedBy}
    aria-required={required(field)}
    onChange={onChange}
  />
);

export const TimeAnswer = ({ field, value, invalid, disabled, describedBy, onChange }: InputProps) => (
  <span className={style.time}>
    <TimeInput
      id={inputId(field.id)}
      value={typeof value === 'string' ? value : null}
      invalid={invalid}
      disabled={disabled}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      aria-required={required(field)}
      onChange={onChange}
    />
  </span>
);

export const MomentAnswer = ({ field, value, invalid, disabled, describedBy, onChange }: InputProps) => (
  <MomentInput
    id={inputId(field.id)}
    timeLabel={text.timeOf(field.naziv)}
    value={typeof value === 'string' ? value : null}
    invalid={invalid}
    disabled={disabled}
    aria-describedby={describedBy}
    aria-required={required(field)}
    Day={EntryDate}
    onChange={onChange}
  />
);

/** A calculated value, as it will be saved. */
export function CalculatedValue({ field, value }: { field: FormField; value: Stored }) {
  return (
    <output
      className={style.calculated}
      id={inputId(field.id)}
      aria-labelledby={labelId(field.id)}
      title={isCalculated(field) ? text.calculated : undefined}
    >
      {valueText({ ...field, tipAtributa: {} }, value)}
      {field.tipAtributa.jedinica && value !== null && <span className={style.unit}> {field.tipAtributa.jedinica}</span>}
    </output>
  );
}
