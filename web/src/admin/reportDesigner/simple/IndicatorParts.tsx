// What an indicator has beside its conditions: for whom it is so, how it is counted and judged, and of how many it can be told now.
import { Dropdown } from 'primereact/dropdown';
import { t } from '../../../messages';
import type { Reply } from '../../../schema';
import { DecimalInput } from '../../../ui/DecimalInput';
import { Field } from '../../../ui/Field';
import { Conditions } from './Conditions';
import { Feasibility } from './Feasibility';
import { seenIn, type SimpleDraft, type SimpleIndicator } from './model';
import { Part } from './Part';
import style from './simple.module.css';

const text = t.simpleReport;
const optionsOf = <K extends string>(names: Record<K, string>) =>
  (Object.keys(names) as K[]).map((value) => ({ value, label: names[value] }));
const UNITS = optionsOf(text.countedUnits);
const STEPS = optionsOf(text.timeSteps);
const DIRECTIONS = optionsOf(text.directions);

interface Props {
  report: number;
  draft: SimpleDraft;
  change: (next: Partial<SimpleDraft>) => void;
  form: Reply<'SimpleReportForm'>;
  obim: string;
  wrong: (...fields: string[]) => string | null;
}

export function IndicatorParts({ report, draft, change, form, obim, wrong }: Props) {
  return (
    <>
      <Part title={text.numerator} problem={wrong('brojilac', 'bezPodataka')}>
        <p className={style.help}>{text.numeratorHelp}</p>
        <Conditions polja={seenIn(obim, form.polja)} rows={draft.brojilac} onChange={(brojilac) => change({ brojilac })} />
        <Feasibility report={report} draft={draft} form={form} />
      </Part>
      <Part title={text.judged} problem={wrong('indikator')}>
        <div className={style.pair}>
          <Field label={text.counted}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.broji}
                options={UNITS}
                onChange={({ value }: { value: SimpleIndicator['broji'] }) => change({ broji: value })}
              />
            )}
          </Field>
          <Field label={text.timeStep}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.vreme}
                options={STEPS}
                onChange={({ value }: { value: SimpleIndicator['vreme'] }) => change({ vreme: value })}
              />
            )}
          </Field>
          <Field label={text.direction}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={draft.smer}
                options={DIRECTIONS}
                onChange={({ value }: { value: SimpleIndicator['smer'] }) => change({ smer: value })}
              />
            )}
          </Field>
          <Field label={text.target} error={wrong('cilj')}>
            {({ id, invalid }) => (
              <DecimalInput
                id={id}
                invalid={invalid}
                decimals={1}
                min={0}
                max={100}
                value={draft.cilj}
                onChange={(cilj) => change({ cilj })}
              />
            )}
          </Field>
        </div>
      </Part>
    </>
  );
}
