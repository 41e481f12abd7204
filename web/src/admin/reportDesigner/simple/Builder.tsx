// The guided way to a report: data, conditions, what is shown, a chart. Every list offers only what the form gives.
import { Checkbox } from 'primereact/checkbox';
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { MultiSelect } from 'primereact/multiselect';
import { SelectButton } from 'primereact/selectbutton';
import { useEffect, useId, useRef } from 'react';
import type { Reply } from '../../../schema';
import { t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { Loading } from '../../../ui/states';
import { AgeInput } from './AgeInput';
import { Conditions } from './Conditions';
import { IndicatorParts } from './IndicatorParts';
import { Measures } from './Measures';
import { Part } from './Part';
import {
  COLUMNS,
  groupingFields,
  GROUPS,
  MOST_COLUMNS,
  fieldKey,
  namesGone,
  seenIn,
  withForm,
  type ChartKind,
  type SimpleDraft,
  type SimpleProblem,
  type SimpleView,
} from './model';
import style from './simple.module.css';

const text = t.simpleReport;
const SEXES = [
  { value: null, label: text.anySex },
  { value: true, label: t.common.male },
  { value: false, label: t.common.female },
];
const VIEWS = (Object.keys(text.views) as SimpleView[]).map((value) => ({ value, label: text.views[value] }));
const CHARTS = (Object.keys(text.charts) as ChartKind[]).map((value) => ({ value, label: text.charts[value] }));

interface Props {
  report: number;
  draft: SimpleDraft;
  change: (next: Partial<SimpleDraft>) => void;
  registers: readonly Reply<'SimpleReportRegister'>[];
  form: Reply<'SimpleReportForm'> | undefined;
  /** The form of the draft is there no more. */
  formGone: boolean;
  obim: string;
  /** The register to which the report belongs. */
  fixedRegister: number | null;
  problem: SimpleProblem | null;
  /** What the server made of the choice when it was last asked. */
  made: { upit: string; sablon: string } | null;
}

export function Builder({ report, draft, change, registers, form, formGone, obim, fixedRegister, problem, made }: Props) {
  const wrong = (...fields: string[]) => (problem && fields.includes(problem.field) ? problem.message : null);
  const root = useRef<HTMLDivElement>(null);
  // What is wrong may stand far from the button that was pressed.
  useEffect(() => {
    if (problem) root.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [problem]);
  const offered = registers.filter(({ id }) => fixedRegister === null || id === fixedRegister);
  const forms = registers.find(({ id }) => id === draft.registarID)?.formulari ?? [];
  return (
    <div ref={root} className={style.builder}>
      <p className={style.lead}>{text.lead}</p>
      <Part title={text.data} problem={wrong('period')}>
        <div className={style.pair}>
          <Field label={text.register} required error={wrong('registarID')}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.registarID}
                options={offered.map(({ id: value, naziv: label }) => ({ value, label }))}
                placeholder={t.common.choose}
                onChange={({ value }: { value: number }) => change(withForm(draft, value, null))}
              />
            )}
          </Field>
          <Field label={text.form} required error={wrong('tipUnosaID')}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.tipUnosaID}
                options={forms.map(({ id: value, naziv: label }) => ({ value, label }))}
                placeholder={t.common.choose}
                disabled={draft.registarID === null}
                filter={forms.length > 10}
                onChange={({ value }: { value: number }) => change(withForm(draft, draft.registarID, value))}
              />
            )}
          </Field>
        </div>
        {formGone && <Message severity="warn" text={text.formGone} />}
        <p className={style.help}>{text.oneRow}</p>
        {obim === 'sve' ? (
          <p className={style.help}>{text.allHelp}</p>
        ) : (
          <Check
            label={text.own}
            help={text.ownHelp}
            checked={draft.samoMojaUstanova}
            onChange={(samoMojaUstanova) => change({ samoMojaUstanova })}
          />
        )}
        <Check label={text.period} help={text.periodHelp} checked={draft.period} onChange={(period) => change({ period })} />
      </Part>
      {draft.tipUnosaID !== null && !form && !formGone && <Loading lines={4} />}
      {form && (
        <>
          {namesGone(draft, form) && <Message severity="warn" text={text.goneFields} />}
          <Part title={draft.prikaz === 'indikator' ? text.denominator : text.conditions} problem={wrong('filteri')}>
            <div className={style.three}>
              <Field label={text.sex} error={wrong('pol')}>
                {({ id }) => (
                  <Dropdown
                    inputId={id}
                    value={draft.pol}
                    options={SEXES}
                    optionLabel="label"
                    optionValue="value"
                    placeholder={text.anySex}
                    onChange={({ value }: { value: boolean | null }) => change({ pol: value })}
                  />
                )}
              </Field>
              <AgeInput
                label={text.ageFrom}
                error={wrong('starostOd')}
                value={draft.starostOd}
                onChange={(starostOd) => change({ starostOd })}
              />
              <AgeInput
                label={text.ageTo}
                error={wrong('starostDo')}
                value={draft.starostDo}
                onChange={(starostDo) => change({ starostDo })}
              />
            </div>
            <Conditions polja={seenIn(obim, form.polja)} rows={draft.redovi} onChange={(redovi) => change({ redovi })} />
          </Part>
          <Part title={text.show} problem={wrong('prikaz', 'grupe', 'kolone')}>
            <SelectButton
              value={draft.prikaz}
              options={VIEWS.filter(({ value }) => obim !== 'sve' || value !== 'lista' || value === draft.prikaz)}
              allowEmpty={false}
              onChange={({ value }: { value: SimpleView }) => change({ prikaz: value })}
              pt={{ root: { 'aria-label': text.show } }}
            />
            {draft.prikaz === 'grupe' && <Groups draft={draft} change={change} form={form} obim={obim} />}
            {draft.prikaz === 'lista' && <Columns draft={draft} change={change} form={form} obim={obim} />}
            {draft.prikaz === 'indikator' && <p className={style.help}>{text.indicatorHelp}</p>}
          </Part>
          {draft.prikaz === 'indikator' && (
            <IndicatorParts report={report} draft={draft} change={change} form={form} obim={obim} wrong={wrong} />
          )}
          {draft.prikaz === 'grupe' && (
            <Part title={text.measuresTitle} problem={wrong('mere')}>
              <Measures obim={obim} polja={form.polja} rows={draft.mere} onChange={(mere) => change({ mere })} />
            </Part>
          )}
          {draft.prikaz === 'grupe' && (
            <Part title={text.chart} problem={wrong('grafikon')}>
              <Chart draft={draft} change={change} form={form} />
            </Part>
          )}
          {made && (
            <details className={style.made}>
              <summary>{text.made}</summary>
              <pre>{made.upit}</pre>
              <pre>{made.sablon}</pre>
            </details>
          )}
        </>
      )}
    </div>
  );
}

interface CheckProps {
  label: string;
  help: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Check({ label, help, checked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className={style.check}>
      <Checkbox
        inputId={id}
        checked={checked}
        onChange={(e) => onChange(e.checked ?? false)}
        pt={{ input: { 'aria-describedby': `${id}-help` } }}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <small id={`${id}-help`} className={style.help}>
          {help}
        </small>
      </div>
    </div>
  );
}

interface PartProps {
  draft: SimpleDraft;
  change: Props['change'];
  form: Reply<'SimpleReportForm'>;
}

/** A name that is chosen and offered no more is shown as gone. */
const withGone = (options: { value: string; label: string }[], chosen: readonly (string | null)[]) => [
  ...options,
  ...chosen
    .filter((name) => name !== null && !options.some(({ value }) => value === name))
    .map((value) => ({ value: String(value), label: text.gone })),
];

function Groups({ draft, change, form, obim }: PartProps & { obim: string }) {
  const fields = withGone(
    groupingFields(obim, form.polja).map(({ id, naziv }) => ({ value: fieldKey(id), label: naziv })),
    draft.grupe.filter((name) => name !== null && !(GROUPS as readonly string[]).includes(name)),
  );
  const options = [
    { label: text.ofEntry, items: GROUPS.map((value) => ({ value: value, label: text.groups[value] })) },
    { label: text.ofForm, items: fields },
  ];
  const several = form.polja.some(({ id, multiselect }) => multiselect && draft.grupe.includes(fieldKey(id)));
  const choose = (place: 0 | 1, name: string | null) => {
    const [first, second] = draft.grupe;
    if (place === 1) change({ grupe: [first, name] });
    else change({ grupe: name === null ? [second, null] : [name, second === name ? null : second] });
  };
  const labels = [text.groupFirst, text.groupThen] as const;
  return (
    <>
      <div className={style.pair}>
        {([0, 1] as const).map((place) => (
          <Field key={place} label={labels[place]}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.grupe[place]}
                options={options.map(({ label, items }) => ({
                  label,
                  items: items.filter(({ value }) => place === 0 || value !== draft.grupe[0]),
                }))}
                optionGroupLabel="label"
                optionGroupChildren="items"
                placeholder={text.noGroup}
                showClear
                filter={form.polja.length > 10}
                filterMatchMode="contains"
                disabled={place === 1 && draft.grupe[0] === null}
                onChange={(e) => choose(place, (e.value as string | null | undefined) ?? null)}
              />
            )}
          </Field>
        ))}
      </div>
      {several && <p className={style.help}>{text.multiGroup}</p>}
    </>
  );
}

function Columns({ draft, change, form, obim }: PartProps & { obim: string }) {
  const plain = COLUMNS.filter((name) => obim !== 'sve' || name !== 'pacijent').map((value) => ({
    value: value,
    label: text.columnNames[value],
  }));
  const options = withGone(
    [...plain, ...seenIn(obim, form.polja).map(({ id, naziv }) => ({ value: fieldKey(id), label: naziv }))],
    draft.kolone,
  );
  return (
    <Field label={text.columns} required help={text.columnsHelp}>
      {({ id }) => (
        <MultiSelect
          inputId={id}
          value={draft.kolone}
          options={options}
          onChange={(e) => change({ kolone: e.value as string[] })}
          placeholder={t.common.choose}
          filter
          showSelectAll={false}
          selectionLimit={MOST_COLUMNS}
          display="chip"
          className={style.chips}
        />
      )}
    </Field>
  );
}

function Chart({ draft, change, form }: PartProps) {
  if (draft.grupe[0] === null) return <p className={style.help}>{text.chartNeedsGroup}</p>;
  const measures = draft.mere.flatMap(({ key, mera, poljeID }) => {
    if (mera === null) return [];
    const field = form.polja.find(({ id }) => id === poljeID)?.naziv;
    return [{ value: key, label: field ? `${text.measures[mera]}: ${field}` : text.measures[mera] }];
  });
  return (
    <div className={style.pair}>
      <Field label={text.chart}>
        {({ id }) => (
          <Dropdown
            inputId={id}
            value={draft.grafikon}
            options={CHARTS}
            placeholder={text.noChart}
            showClear
            onChange={(e) => change({ grafikon: (e.value as ChartKind | null | undefined) ?? null })}
          />
        )}
      </Field>
      {draft.grafikon && (
        <Field label={text.charted}>
          {({ id }) => (
            <Dropdown
              inputId={id}
              value={measures.some(({ value }) => value === draft.crtaSe) ? draft.crtaSe : (measures[0]?.value ?? null)}
              options={measures}
              placeholder={t.common.choose}
              onChange={(e) => change({ crtaSe: e.value as string })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

/** The switch between the two ways, and the way from a choice to SQL. */
export function Modes({ simple, busy, onChange }: { simple: boolean; busy: boolean; onChange: (simple: boolean) => void }) {
  const options = [
    { value: true, label: text.modes.simple },
    { value: false, label: text.modes.sql },
  ];
  return (
    <SelectButton
      value={simple}
      options={options}
      allowEmpty={false}
      disabled={busy}
      onChange={({ value }: { value: boolean }) => value !== simple && onChange(value)}
      pt={{ root: { 'aria-label': text.mode } }}
    />
  );
}
