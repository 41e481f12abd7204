// The third step: the view, and what it needs beside its variables.
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { MultiSelect } from 'primereact/multiselect';
import { t } from '../messages';
import { ValueType } from '../forms/valueType';
import { DateInput } from '../ui/DateInput';
import { MethodHelp, type Method } from '../reports/MethodHelp';
import { Field } from '../ui/Field';
import { Panel } from '../ui/Panel';
import { Check } from './CohortPanel';
import { Classes, DropZone } from './VariablePanel';
import style from './analyses.module.css';
import {
  DATES,
  emptyVariable,
  eventOptions,
  fieldOptions,
  isNumber,
  needsOf,
  productKeysOf,
  productOptions,
  variableOptions,
  VIEWS,
  type AnalysisDraft,
  type AnalysisField,
  type Option,
  type Problem,
  type VariableDraft,
  type View,
} from './model';

const text = t.analyses.view;
const UNITS = (Object.keys(text.units) as AnalysisDraft['jedinica'][]).map((value) => ({ value, label: text.units[value] }));
const MODELS = (Object.keys(text.models) as AnalysisDraft['model'][]).map((value) => ({ value, label: text.models[value] }));

/** The methods of a view. */
const METHODS: Record<View, readonly Method[]> = {
  tabela1: ['tabela1', 'poredjenje'],
  poredjenje: ['poredjenje', 'dvaPoDva'],
  prezivljavanje: ['prezivljavanje', 'konkurentni'],
  povezanost: ['povezanost'],
  tacnost: ['tacnost', 'dvaPoDva'],
  stope: ['stope'],
  raspodela: ['tabela1'],
};

interface Props {
  draft: AnalysisDraft;
  change: (next: Partial<AnalysisDraft>) => void;
  polja: readonly AnalysisField[];
  problem: Problem | null;
}

export function ViewPanel({ draft, change, polja, problem }: Props) {
  const wrong = (field: string) => (problem?.field === field ? problem.message : null);
  const needs = needsOf(draft);
  const variables = variableOptions(polja);
  const numbers = variables.filter(({ value }) => isNumber(value, polja));
  const pick = (
    label: string,
    value: string | null,
    options: Option[],
    choose: (value: string | null) => void,
    field: string,
    more: { placeholder?: string; help?: string } = {},
  ) => (
    <Field label={label} error={wrong(field)} help={more.help}>
      {({ id }) => (
        <Dropdown
          inputId={id}
          value={value}
          options={options}
          placeholder={more.placeholder ?? t.common.choose}
          showClear
          filter={options.length > 10}
          filterMatchMode="contains"
          onChange={(e) => choose((e.value as string | null | undefined) ?? null)}
        />
      )}
    </Field>
  );
  const group = (key: string | null) => change({ po: key === null ? null : key === draft.po?.key ? draft.po : emptyVariable(key) });
  const stratify = (key: string | null) =>
    change({ slojevi: key === null ? null : key === draft.slojevi?.key ? draft.slojevi : emptyVariable(key) });
  const nameOf = (variable: VariableDraft) =>
    variable.naziv.trim() || (variables.find(({ value }) => value === variable.key)?.label ?? t.simpleReport.gone);
  return (
    <Panel title={text.title} actions={<MethodHelp name={text.names[draft.prikaz]} methods={METHODS[draft.prikaz]} />}>
      <div className={style.step}>
        <div role="radiogroup" aria-label={text.choose} className={style.views}>
          {VIEWS.map((view) => (
            <label key={view} className={style.view} data-chosen={draft.prikaz === view}>
              <input
                type="radio"
                name="prikaz"
                className="sr-only"
                checked={draft.prikaz === view}
                onChange={() => change({ prikaz: view })}
              />
              <strong>{text.names[view]}</strong>
              <small>{text.told[view]}</small>
            </label>
          ))}
        </div>
        {wrong('prikaz') && (
          <p role="alert" className={style.problem}>
            {wrong('prikaz')}
          </p>
        )}
        {needs.model && (
          <Field label={text.model} error={wrong('model')}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.model}
                options={MODELS}
                onChange={({ value }: { value: AnalysisDraft['model'] }) => change({ model: value })}
              />
            )}
          </Field>
        )}
        {needs.model && (
          <div className={style.pair}>
            <Field label={text.products} help={text.productsHelp} error={wrong('proizvodi')}>
              {({ id }) => (
                <MultiSelect
                  inputId={id}
                  value={productKeysOf(draft)}
                  options={productOptions(draft.promenljive, nameOf)}
                  onChange={(e) => change({ proizvodi: e.value as string[] })}
                  placeholder={text.noProducts}
                  showSelectAll={false}
                  selectionLimit={10}
                  disabled={draft.promenljive.length < 2}
                  display="chip"
                />
              )}
            </Field>
            {needs.strata && (
              <DropZone label={text.strata} drop={stratify}>
                {pick(text.strata, draft.slojevi?.key ?? null, variables, stratify, 'slojevi', {
                  placeholder: text.noStrata,
                  help: text.strataHelp,
                })}
                {draft.slojevi && isNumber(draft.slojevi.key, polja) && (
                  <Classes
                    variable={draft.slojevi}
                    change={(next) => change({ slojevi: draft.slojevi && { ...draft.slojevi, ...next } })}
                    label={text.strataCuts}
                  />
                )}
              </DropZone>
            )}
          </div>
        )}
        <div className={style.pair}>
          {needs.groups && (
            <DropZone label={text.by} drop={group}>
              {pick(text.by, draft.po?.key ?? null, variables, group, 'po', { placeholder: text.noGroups })}
              {draft.po && isNumber(draft.po.key, polja) && (
                <Classes variable={draft.po} change={(next) => change({ po: draft.po && { ...draft.po, ...next } })} label={text.byCuts} />
              )}
            </DropZone>
          )}
          {needs.second && pick(text.second, draft.sa, numbers, (sa) => change({ sa }), 'sa', { placeholder: text.noSecond })}
          {needs.outcome && pick(text.outcome, draft.ishod, numbers, (ishod) => change({ ishod }), 'ishod')}
        </div>
        {(needs.event || needs.time) && (
          <div className={style.pair}>
            {needs.event &&
              pick(text.event, draft.dogadjaj, eventOptions(polja, needs.dates), (dogadjaj) => change({ dogadjaj }), 'dogadjaj', {
                help: text.eventHelp,
              })}
            {needs.time &&
              pick(
                text.time,
                draft.vreme,
                [...fieldOptions(polja, ValueType.Number), { value: DATES, label: text.toDate }],
                (vreme) => change((vreme === DATES) === (draft.vreme === DATES) ? { vreme } : { vreme, dogadjaj: null, konkurentni: null }),
                'vreme',
                { help: text.timeHelp },
              )}
          </div>
        )}
        {needs.competing && (
          <div className={style.pair}>
            {pick(
              text.competing,
              draft.konkurentni,
              eventOptions(polja, needs.dates).filter(({ value }) => value !== draft.dogadjaj),
              (konkurentni) => change({ konkurentni }),
              'konkurentni',
              { placeholder: text.noCompeting, help: text.competingHelp },
            )}
            <Field label={text.until} help={text.untilHelp} error={wrong('doVremena')}>
              {({ id }) => (
                <InputText
                  id={id}
                  inputMode="decimal"
                  value={draft.doVremena}
                  onChange={({ target }) => change({ doVremena: target.value })}
                />
              )}
            </Field>
          </div>
        )}
        {needs.cuts && (
          <Field label={text.cuts} help={text.cutsHelp} error={wrong('granice')}>
            {({ id }) => <InputText id={id} value={draft.granice} onChange={({ target }) => change({ granice: target.value })} />}
          </Field>
        )}
        {needs.time && (
          <div className={style.pair}>
            {needs.dates &&
              pick(text.from, draft.od, fieldOptions(polja, ValueType.Date), (od) => change({ od }), 'od', { placeholder: text.entryDay })}
            <Field label={text.unit}>
              {({ id }) => (
                <Dropdown
                  inputId={id}
                  value={draft.jedinica}
                  options={UNITS}
                  onChange={({ value }: { value: AnalysisDraft['jedinica'] }) => change({ jedinica: value })}
                />
              )}
            </Field>
            <Field label={text.censored} help={needs.dates ? text.censoredHelp : undefined}>
              {({ id }) => <DateInput id={id} value={draft.cenzura} onChange={(cenzura) => change({ cenzura })} />}
            </Field>
            {needs.times && (
              <Field label={text.at} help={text.atHelp} error={wrong('vremena')}>
                {({ id }) => <InputText id={id} value={draft.vremena} onChange={({ target }) => change({ vremena: target.value })} />}
              </Field>
            )}
            {needs.per && (
              <Field label={text.per} error={wrong('na')}>
                {({ id }) => (
                  <InputText id={id} inputMode="decimal" value={draft.na} onChange={({ target }) => change({ na: target.value })} />
                )}
              </Field>
            )}
          </div>
        )}
        {needs.smd && draft.po && <Check label={text.smd} checked={draft.smd} onChange={(smd) => change({ smd })} />}
      </div>
    </Panel>
  );
}
