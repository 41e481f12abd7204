// A field that holds a value: its name with its marks, its input, and what is said under it.
import { memo, type ComponentType } from 'react';
import type { Schema } from '../../schema';
import { formatNumber } from '../../format';
import type { Stored } from '../../forms/formula';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { valueText } from '../../patients/values';
import { afterPress } from '../../ui/press';
import style from './entry.module.css';
import { inputId, labelId, noteId, useFieldState, useOpenEntry } from './form';
import { FileAnswer } from './FileAnswer';
import { InfoButton } from './InfoButton';
import { PanelPart } from './PanelPart';
import { RowsTable } from './RowsTable';
import {
  CalculatedValue,
  ChoiceInput,
  DateAnswer,
  isGroup,
  isWide,
  MomentAnswer,
  NumberInput,
  SetInput,
  TextInput,
  TimeAnswer,
  type InputProps,
} from './inputs';
import { sameStored } from '../model/store';
import { FindingMark } from '../../quality/FindingMark';
import { QuestionFlag } from '../../questions/QuestionFlag';
import { previousId, PreviousNote } from './previous';
import { takenId, TakenMark } from './taken';
import { RuleNote } from './told';
import { isCalculated, isSection, isTypedIn, type FormField } from '../model/types';

const text = t.entries;

interface PartProps {
  field: FormField;
}

/** The name of a field with its marks. */
function Name({ field }: PartProps) {
  const { id, naziv, opciono, relevantno, prikazujeSe, ispisujeSeLabela, tvaNumVrednost } = field;
  const name = (
    <>
      <span className={ispisujeSeLabela ? undefined : 'sr-only'}>{naziv}</span>
      {!opciono && prikazujeSe && tvaNumVrednost !== ValueType.Choice && !isCalculated(field) && (
        <span className={style.required} title={t.common.required} aria-hidden>
          {' *'}
        </span>
      )}
      {relevantno && (
        <span className={style.bell} title={text.relevant}>
          <span className="pi pi-bell" aria-hidden />
          <span className="sr-only">{text.relevant}</span>
        </span>
      )}
    </>
  );
  if (isGroup(field) || isCalculated(field)) return <span id={labelId(id)}>{name}</span>;
  return (
    <label id={labelId(id)} htmlFor={inputId(id)}>
      {name}
    </label>
  );
}

/** What is said under an input: the fault, or what helps to fill it. */
function notes(field: FormField, value: unknown) {
  const { napomena, postavljaStatus, tipAtributa, tvaNumVrednost } = field;
  const { donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high } = field;
  const said: { text: string; outside: boolean }[] = [];
  if (tvaNumVrednost === ValueType.Number) {
    const { donjaGranicaBrojneVrednosti: from, gornjaGranicaBrojneVrednosti: to } = tipAtributa;
    if (typeof low === 'number' || typeof high === 'number') {
      const outside = typeof value === 'number' && (value < (low ?? -Infinity) || value > (high ?? Infinity));
      const range = text.range(typeof low === 'number' ? formatNumber(low) : null, typeof high === 'number' ? formatNumber(high) : null);
      said.push({ text: outside ? text.outsideReference(range) : text.reference(range), outside });
    } else if (typeof from === 'number' || typeof to === 'number') {
      const both = typeof from === 'number' && typeof to === 'number';
      const [least, most] = [typeof from === 'number' ? formatNumber(from) : null, typeof to === 'number' ? formatNumber(to) : null];
      said.push({ text: both ? text.bounds(least ?? '', most ?? '') : text.range(least, most), outside: false });
    }
  }
  if (napomena) said.push({ text: napomena, outside: false });
  if (postavljaStatus) said.push({ text: text.setsStatus(postavljaStatus), outside: false });
  return said;
}

const answering = (Input: ComponentType<InputProps>) =>
  memo(function Answer({ field }: PartProps) {
    const { store, readOnly, formerUnits } = useOpenEntry();
    const {
      value: live,
      error,
      marked,
      because,
      kept,
      untouched,
      taken,
      required,
      told,
      previous,
      typed,
      typedBefore,
    } = useFieldState(store, field.id);
    const value = untouched ? (kept ?? null) : live;
    const asked = required && field.opciono ? { ...field, opciono: false } : field;
    const calculated = isCalculated(field);
    const said = notes(
      calculated
        ? { ...field, tipAtributa: { ...field.tipAtributa, donjaGranicaBrojneVrednosti: null, gornjaGranicaBrojneVrednosti: null } }
        : field,
      value,
    );
    if (!calculated && value === null && field.tvaNumVrednost === ValueType.Choice && !isGroup(field))
      said.unshift({ text: text.blankBox, outside: false });
    if (because !== null) said.unshift({ text: text.notComputed(because), outside: true });
    if (kept !== undefined) {
      const shown = (result: Stored) => valueText(field, result);
      said.unshift({ text: untouched ? text.resultDiffers(shown(live)) : text.resultWas(shown(kept)), outside: true });
    }
    const unit = formerUnits.get(field.id);
    if (unit !== undefined && (calculated || sameStored(live, store.baseValue(field.id))))
      said.unshift({ text: text.formerUnit(unit), outside: true });
    // What the refused save has said is not said twice.
    const rules = told.filter(({ poruka }) => !error?.endsWith(poruka));
    const noted = error !== null || said.length > 0 || rules.length > 0;
    return (
      // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- hears that the focus leaves what lies in it
      <div
        className={style.field}
        data-vertical={field.vertikalniPrikaz}
        data-long={!calculated && isWide(field)}
        data-marked={marked}
        data-taken={taken !== null}
        role={isGroup(field) && !calculated ? 'group' : undefined}
        aria-labelledby={isGroup(field) && !calculated ? labelId(field.id) : undefined}
        aria-describedby={isGroup(field) && !calculated && noted ? noteId(field.id) : undefined}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) afterPress(() => store.leave(field.id));
        }}
      >
        <div className={style.name}>
          <Name field={asked} />
          {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
          <FindingMark field={field.id} name={field.naziv} />
          <QuestionFlag field={field.id} name={field.naziv} />
        </div>
        <div className={style.answer}>
          {calculated ? (
            <CalculatedValue field={field} value={value} />
          ) : (
            <Input
              field={asked}
              value={value}
              invalid={error !== null}
              disabled={readOnly}
              describedBy={
                [noted && noteId(field.id), taken && takenId(field.id), previous && previousId(field.id)].filter(Boolean).join(' ') ||
                undefined
              }
              typed={isTypedIn(typed) ? typed : undefined}
              onChange={(next, as) => store.set(field.id, next, as)}
            />
          )}
          {isTypedIn(typedBefore) && (
            <small className={style.inOwn}>{text.typedAs(`${formatNumber(typedBefore.broj)} ${typedBefore.jedinica}`)}</small>
          )}
          {taken && <TakenMark field={field} taken={taken} />}
          {previous && <PreviousNote id={field.id} previous={previous} value={value} />}
          {noted && (
            <div id={noteId(field.id)} className={style.notes}>
              {error !== null && (
                <small className={style.error} role="alert">
                  {error}
                </small>
              )}
              {rules.length > 0 && (
                <span role="status" className={style.rules}>
                  {rules.map((rule) => (
                    <RuleNote key={rule.id} rule={rule} />
                  ))}
                </span>
              )}
              {said.map((note) => (
                <small key={note.text} data-outside={note.outside}>
                  {note.outside && <span className="pi pi-exclamation-triangle" aria-hidden />}
                  {note.text}
                </small>
              ))}
            </div>
          )}
        </div>
      </div>
    );
  });

const answers: Partial<Record<Schema<'ValueType'>, ComponentType<PartProps>>> = {
  [ValueType.Choice]: answering(ChoiceInput),
  [ValueType.Number]: answering(NumberInput),
  [ValueType.Text]: answering(TextInput),
  [ValueType.Set]: answering(SetInput),
  [ValueType.Date]: answering(DateAnswer),
  [ValueType.File]: answering(FileAnswer),
  [ValueType.Time]: answering(TimeAnswer),
  [ValueType.Moment]: answering(MomentAnswer),
};

export function Answer({ field }: PartProps) {
  if (isSection(field)) {
    return (
      <PanelPart field={field}>
        <RowsTable field={field} />
      </PanelPart>
    );
  }
  const Shown = answers[field.tvaNumVrednost];
  return Shown && <Shown field={field} />;
}
