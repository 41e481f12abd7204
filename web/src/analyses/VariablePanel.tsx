// The second step: variables by a click or by dragging them to where they belong. Everything that dragging does, a button does too.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { useState, type DragEvent, type ReactNode } from 'react';
import { fold } from '../fold';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { Panel } from '../ui/Panel';
import { Check } from './CohortPanel';
import style from './analyses.module.css';
import {
  emptyVariable,
  fieldOf,
  isNumber,
  isReferenceGone,
  levelsOf,
  needsOf,
  variableOptions,
  type AnalysisDraft,
  type AnalysisField,
  type Problem,
  type VariableDraft,
} from './model';

const text = t.analyses.variables;
const TYPE = 'application/x-regix-promenljiva';
type Shows = NonNullable<VariableDraft['prikaz']>;
const SHOWS = (Object.keys(text.shows) as Shows[]).map((value) => ({ value, label: text.shows[value] }));
const MOMENTS = (Object.keys(text.moments) as VariableDraft['trenutak'][]).map((value) => ({ value, label: text.moments[value] }));

interface Props {
  draft: AnalysisDraft;
  change: (next: Partial<AnalysisDraft>) => void;
  polja: readonly AnalysisField[];
  /** Fields of the form whose entries are the rows. */
  own: readonly AnalysisField[];
  problem: Problem | null;
}

export function VariablePanel({ draft, change, polja, own, problem }: Props) {
  const [filter, setFilter] = useState('');
  const options = variableOptions(polja);
  const isChosen = (key: string) => draft.promenljive.some((variable) => variable.key === key);
  const add = (key: string) => {
    if (!isChosen(key)) change({ promenljive: [...draft.promenljive, emptyVariable(key)] });
  };
  const shown = options.filter(({ label }) => fold(label).includes(fold(filter.trim())));
  const needs = needsOf(draft);
  const role = draft.prikaz === 'povezanost' ? 'predictors' : draft.prikaz === 'tacnost' ? 'scores' : 'rows';
  return (
    <Panel title={text.title}>
      <p className={style.help}>{text.help}</p>
      <div className={style.columns}>
        <section className={style.list} aria-label={text.available}>
          <InputText value={filter} placeholder={text.filter} aria-label={text.filter} onChange={({ target }) => setFilter(target.value)} />
          <ul>
            {shown.map(({ value, label }) => (
              <li key={value}>
                <button
                  type="button"
                  draggable
                  className={style.variable}
                  disabled={isChosen(value)}
                  aria-label={text.add(label)}
                  onClick={() => add(value)}
                  onDragStart={({ dataTransfer }) => {
                    dataTransfer.setData(TYPE, value);
                    dataTransfer.effectAllowed = 'copy';
                  }}
                >
                  <i className="pi pi-plus" aria-hidden /> {label}
                </button>
              </li>
            ))}
          </ul>
        </section>
        <DropZone label={text.chosen} drop={add}>
          <h3>{text.chosenHelp[role]}</h3>
          {draft.promenljive.length === 0 ? (
            <p className={style.help}>{text.emptyChosen}</p>
          ) : (
            <ol>
              {draft.promenljive.map((variable, place) => (
                <ChosenVariable
                  key={variable.key}
                  variable={variable}
                  name={options.find(({ value }) => value === variable.key)?.label ?? t.simpleReport.gone}
                  number={isNumber(variable.key, polja)}
                  levels={needs.model ? levelsOf(variable, polja, draft.jezik) : []}
                  moments={own.some(({ id }) => id === fieldOf(variable.key)) && isNumber(variable.key, polja)}
                  change={(next) =>
                    change({ promenljive: draft.promenljive.map((one) => (one.key === variable.key ? { ...one, ...next } : one)) })
                  }
                  remove={() => change({ promenljive: draft.promenljive.filter(({ key }) => key !== variable.key) })}
                  up={place === 0 ? null : () => change({ promenljive: moved(draft.promenljive, place) })}
                />
              ))}
            </ol>
          )}
          {!needs.variables && draft.promenljive.length > 0 && <p className={style.help}>{text.notUsed}</p>}
          {problem?.field === 'promenljive' && (
            <p role="alert" className={style.problem}>
              {problem.message}
            </p>
          )}
        </DropZone>
      </div>
    </Panel>
  );
}

function moved(variables: readonly VariableDraft[], place: number): VariableDraft[] {
  const next = [...variables];
  const [one] = next.splice(place, 1);
  if (one) next.splice(place - 1, 0, one);
  return next;
}

/** A place that variables are dragged to. */
export function DropZone({ label, drop, children }: { label: string; drop: (key: string) => void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  const offered = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(TYPE);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons and lists do what dragging does
    <div
      role="group"
      className={style.zone}
      data-over={over}
      aria-label={label}
      onDragOver={(event) => {
        if (!offered(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!offered(event)) return;
        event.preventDefault();
        drop(event.dataTransfer.getData(TYPE));
      }}
    >
      {children}
    </div>
  );
}

interface ChosenProps {
  variable: VariableDraft;
  name: string;
  number: boolean;
  /** The categories one of which a model compares others with. */
  levels: readonly string[];
  moments: boolean;
  change: (next: Partial<VariableDraft>) => void;
  remove: () => void;
  up: (() => void) | null;
}

function ChosenVariable({ variable, name, number, levels, moments, change, remove, up }: ChosenProps) {
  return (
    <li>
      <div className={style.chosen}>
        <span>{variable.naziv.trim() || name}</span>
        {up && <Button type="button" icon="pi pi-arrow-up" text rounded aria-label={text.up(name)} onClick={up} />}
        <Button type="button" icon="pi pi-times" text rounded aria-label={text.remove(name)} onClick={remove} />
      </div>
      {isReferenceGone(variable, levels) && (
        <p role="alert" className={style.problem}>
          {text.referenceGone(name, variable.referenca ?? '')}
        </p>
      )}
      <details className={style.more}>
        <summary aria-label={text.settings(name)}>{text.show}</summary>
        <div className={style.step}>
          <Field label={text.label}>
            {({ id }) => (
              <InputText
                id={id}
                value={variable.naziv}
                placeholder={name}
                maxLength={100}
                onChange={({ target }) => change({ naziv: target.value })}
              />
            )}
          </Field>
          {number && (
            <>
              <Field label={text.show}>
                {({ id }) => (
                  <Dropdown
                    inputId={id}
                    value={variable.prikaz}
                    options={SHOWS}
                    placeholder={text.usualShow}
                    showClear
                    onChange={(e) => change({ prikaz: (e.value as Shows | null | undefined) ?? null })}
                  />
                )}
              </Field>
              {moments && (
                <Field label={text.moment}>
                  {({ id }) => (
                    <Dropdown
                      inputId={id}
                      value={variable.trenutak}
                      options={MOMENTS}
                      onChange={({ value }: { value: VariableDraft['trenutak'] }) => change({ trenutak: value })}
                    />
                  )}
                </Field>
              )}
              <Classes variable={variable} change={change} label={text.cuts} />
            </>
          )}
          {levels.length > 1 && (
            <Field label={text.reference} help={text.referenceHelp}>
              {({ id }) => (
                <Dropdown
                  inputId={id}
                  value={variable.referenca}
                  options={levels.map((value) => ({ value, label: value }))}
                  placeholder={text.firstLevel}
                  showClear
                  onChange={(e) => change({ referenca: (e.value as string | null | undefined) ?? null })}
                />
              )}
            </Field>
          )}
        </div>
      </details>
    </li>
  );
}

/** Where a number is cut into groups. */
export function Classes({
  variable,
  change,
  label,
}: {
  variable: VariableDraft;
  change: (next: Partial<VariableDraft>) => void;
  label: string;
}) {
  return (
    <>
      {!variable.kvartili && (
        <Field label={label} help={text.cutsHelp}>
          {({ id }) => (
            <InputText id={id} value={variable.rezovi} onChange={({ target }) => change({ rezovi: target.value, referenca: null })} />
          )}
        </Field>
      )}
      <Check label={text.quartiles} checked={variable.kvartili} onChange={(kvartili) => change({ kvartili, referenca: null })} />
    </>
  );
}
