// The first step: a saved cohort, or one that is made or changed here.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { MultiSelect } from 'primereact/multiselect';
import { SelectButton } from 'primereact/selectbutton';
import { useId, useState } from 'react';
import { AgeInput } from '../admin/reportDesigner/simple/AgeInput';
import { Conditions } from '../admin/reportDesigner/simple/Conditions';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { useApi } from '../api/hooks';
import { formatNumber } from '../format';
import { t } from '../messages';
import type { Reply } from '../schema';
import { useConfirm } from '../ui/confirm';
import { DateInput } from '../ui/DateInput';
import { DecimalInput } from '../ui/DecimalInput';
import { Field } from '../ui/Field';
import { Panel } from '../ui/Panel';
import { useToast } from '../ui/toast';
import type { Typed } from '../ui/useNumberText';
import { OpenInSearch } from './OpenInSearch';
import style from './analyses.module.css';
import { cohortChoiceOf, cohortDraftOf, cohortProblemOf, emptyCohort, type Cohort, type CohortDraft, type Problem } from './model';

const text = t.analyses.cohort;
const STATES = (Object.keys(t.dataExport.states) as CohortDraft['stanja'][]).map((value) => ({ value, label: t.dataExport.states[value] }));
const ENTRIES = (Object.keys(text.entryNames) as CohortDraft['unosi'][]).map((value) => ({ value, label: text.entryNames[value] }));
const SEXES = [
  { value: null, label: t.simpleReport.anySex },
  { value: true, label: t.common.male },
  { value: false, label: t.common.female },
];

interface Props {
  cohorts: readonly Cohort[];
  registers: readonly Reply<'SimpleReportRegister'>[];
  chosen: Cohort | null;
  choose: (id: number | null) => void;
  reload: () => Promise<unknown>;
}

export function CohortPanel({ cohorts, registers, chosen, choose, reload }: Props) {
  // Whoever has no cohort begins with a new one.
  const [draft, setDraft] = useState<CohortDraft | null>(() => (cohorts.length === 0 ? newCohort(registers) : null));
  const saved = async (id: number) => {
    await reload();
    choose(id);
    setDraft(null);
  };
  return (
    <Panel
      title={text.title}
      actions={!draft && <Button type="button" label={text.create} icon="pi pi-plus" text onClick={() => setDraft(newCohort(registers))} />}
    >
      <div className={style.step}>
        {!draft && (
          <Field label={text.choose}>
            {({ id }) => (
              <Dropdown
                inputId={id}
                value={chosen?.id ?? null}
                options={cohorts.map((cohort) => ({
                  value: cohort.id,
                  label: cohort.moja ? cohort.naziv : t.analyses.shared(cohort.naziv, cohort.vlasnik),
                }))}
                placeholder={text.none}
                filter={cohorts.length > 10}
                onChange={({ value }: { value: number }) => choose(value)}
              />
            )}
          </Field>
        )}
        {!draft && chosen && (
          <Chosen cohort={chosen} edit={() => setDraft(cohortDraftOf(chosen))} reload={reload} leave={() => choose(null)} />
        )}
        {draft && (
          <CohortForm
            draft={draft}
            frozen={cohorts.some(({ id, zamrznuta }) => id === draft.id && zamrznuta !== null)}
            registers={registers}
            change={(next) => setDraft((now) => now && { ...now, ...next })}
            saved={saved}
            cancel={cohorts.length > 0 ? () => setDraft(null) : null}
          />
        )}
      </div>
    </Panel>
  );
}

/** The only register, and its first form, need no choosing. */
function newCohort(registers: readonly Reply<'SimpleReportRegister'>[]): CohortDraft {
  const [only] = registers.length === 1 ? registers : [];
  return emptyCohort(only?.id ?? null, only?.formulari[0]?.id ?? null);
}

interface ChosenProps {
  cohort: Cohort;
  edit: () => void;
  reload: () => Promise<unknown>;
  leave: () => void;
}

function Chosen({ cohort, edit, reload, leave }: ChosenProps) {
  const toast = useToast();
  const confirm = useConfirm();
  const act = async (work: () => Promise<unknown>, failed: string) => {
    try {
      await work();
    } catch (error) {
      toast.failure(failed, error);
    }
    await reload();
  };
  const remove = async () => {
    if (!(await confirm({ message: text.removeQuestion(cohort.naziv), accept: text.remove, danger: true }))) return;
    await act(async () => {
      await api.delete(at('/api/cohorts/{id}', { id: cohort.id }));
      leave();
    }, text.removeFailed);
  };
  const freezing = at('/api/cohorts/{id}/freeze', { id: cohort.id });
  return (
    <>
      {cohort.zamrznuta && <p className={style.help}>{text.frozen(cohort.zamrznuta, formatNumber(cohort.clanova ?? 0))}</p>}
      <OpenInSearch cohort={cohort} />
      {cohort.izmenjeniFormulari.length > 0 && <Message severity="warn" text={text.changedForms(cohort.izmenjeniFormulari.join(', '))} />}
      {cohort.moja ? (
        <>
          <div className={style.actions}>
            <Button type="button" label={text.edit} icon="pi pi-pencil" outlined onClick={edit} />
            {cohort.zamrznuta ? (
              <Button
                type="button"
                label={text.thaw}
                icon="pi pi-sun"
                outlined
                onClick={() => void act(() => api.delete(freezing), text.thawFailed)}
              />
            ) : (
              <Button
                type="button"
                label={text.freeze}
                icon="pi pi-lock"
                outlined
                onClick={() => void act(() => api.post(freezing), text.frozenFailed)}
              />
            )}
            <Button type="button" label={text.remove} icon="pi pi-trash" text severity="danger" onClick={() => void remove()} />
          </div>
          {!cohort.zamrznuta && <p className={style.help}>{text.freezeHelp}</p>}
        </>
      ) : (
        <p className={style.help}>{text.ofColleague(cohort.vlasnik)}</p>
      )}
    </>
  );
}

interface FormProps {
  draft: CohortDraft;
  frozen: boolean;
  registers: readonly Reply<'SimpleReportRegister'>[];
  change: (next: Partial<CohortDraft>) => void;
  saved: (id: number) => Promise<void>;
  cancel: (() => void) | null;
}

function CohortForm({ draft, frozen, registers, change, saved, cancel }: FormProps) {
  const toast = useToast();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [counted, setCounted] = useState<string | null>(null);
  const { data: form } = useApi(draft.tipUnosaID === null ? null : at('/api/analysis-forms/{id}', { id: draft.tipUnosaID }));
  const polja = form?.polja ?? [];
  const forms = registers.find(({ id }) => id === draft.registarID)?.formulari ?? [];
  const wrong = (...fields: string[]) => (problem && fields.includes(problem.field) ? problem.message : null);
  const touch = (next: Partial<CohortDraft>) => {
    setCounted(null);
    change(next);
  };
  const send = async (work: () => Promise<void>, failed: string) => {
    const found = cohortProblemOf(draft, polja);
    setProblem(found);
    if (found) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.field) setProblem({ field: error.field, message: error.message });
      else toast.failure(failed, error);
    } finally {
      setBusy(false);
    }
  };
  const save = () =>
    send(async () => {
      const body = { naziv: draft.naziv, deljena: draft.deljena, verzija: draft.verzija, izbor: cohortChoiceOf(draft) };
      const { id } = draft;
      if (id === null) {
        const made = await api.post('/api/cohorts', body);
        toast.success(text.saved);
        await saved(made.id);
        return;
      }
      await api.put(at('/api/cohorts/{id}', { id }), body);
      toast.success(text.saved);
      await saved(id);
    }, text.saveFailed);
  const count = () =>
    send(async () => {
      const found = await api.ask('/api/cohort-count', cohortChoiceOf(draft));
      setCounted(text.counted(formatNumber(found.pacijenata), formatNumber(found.unosa)));
    }, text.countFailed);
  const known = [
    'naziv',
    'registarID',
    'tipUnosaID',
    'drugiFormulari',
    'starostOd',
    'starostDo',
    'rodjenjeOd',
    'rodjenjeDo',
    'datumOd',
    'datumDo',
  ];
  return (
    <>
      <Field label={text.name} required error={wrong('naziv')}>
        {({ id, invalid }) => (
          <InputText
            id={id}
            invalid={invalid}
            value={draft.naziv}
            maxLength={200}
            onChange={({ target }) => change({ naziv: target.value })}
          />
        )}
      </Field>
      {!frozen && (
        <>
          <div className={style.pair}>
            <Field label={text.register} required error={wrong('registarID')}>
              {({ id }) => (
                <Dropdown
                  inputId={id}
                  value={draft.registarID}
                  options={registers.map(({ id: value, naziv: label }) => ({ value, label }))}
                  placeholder={t.common.choose}
                  onChange={({ value }: { value: number }) => {
                    const first = registers.find((register) => register.id === value)?.formulari[0]?.id ?? null;
                    touch({ registarID: value, tipUnosaID: first, drugi: [], redovi: [] });
                  }}
                />
              )}
            </Field>
            <Field label={text.form} required help={text.formHelp} error={wrong('tipUnosaID')}>
              {({ id }) => (
                <Dropdown
                  inputId={id}
                  value={draft.tipUnosaID}
                  options={forms.map(({ id: value, naziv: label }) => ({ value, label }))}
                  placeholder={t.common.choose}
                  disabled={draft.registarID === null}
                  onChange={({ value }: { value: number }) =>
                    touch({ tipUnosaID: value, drugi: draft.drugi.filter((id) => id !== value), redovi: [] })
                  }
                />
              )}
            </Field>
          </div>
          <div className={style.pair}>
            <Field
              label={text.entries}
              help={draft.unosi === 'svi' ? text.allHelp : draft.unosi === 'najnoviji' ? text.newestHelp : undefined}
            >
              {() => (
                <SelectButton
                  value={draft.unosi}
                  options={ENTRIES}
                  allowEmpty={false}
                  onChange={({ value }: { value: CohortDraft['unosi'] }) => touch({ unosi: value })}
                  pt={{ root: { 'aria-label': text.entries } }}
                />
              )}
            </Field>
            {forms.length > 1 && (
              <Field label={text.others} error={wrong('drugiFormulari')}>
                {({ id }) => (
                  <MultiSelect
                    inputId={id}
                    value={draft.drugi}
                    options={forms
                      .filter((other) => other.id !== draft.tipUnosaID)
                      .map(({ id: value, naziv: label }) => ({ value, label }))}
                    onChange={(e) => touch({ drugi: e.value as number[] })}
                    placeholder={text.noOthers}
                    showSelectAll={false}
                    selectionLimit={4}
                    display="chip"
                  />
                )}
              </Field>
            )}
          </div>
          <details className={style.more} open={draft.redovi.length > 0 || draft.stanja !== 'svi'}>
            <summary>{text.more}</summary>
            <div className={style.step}>
              <div className={style.pair}>
                <Field label={text.from} error={wrong('datumOd')}>
                  {({ id }) => <DateInput id={id} value={draft.datumOd} onChange={(datumOd) => touch({ datumOd })} />}
                </Field>
                <Field label={text.to} error={wrong('datumDo')}>
                  {({ id }) => <DateInput id={id} value={draft.datumDo} onChange={(datumDo) => touch({ datumDo })} />}
                </Field>
              </div>
              <div className={style.three}>
                <Field label={t.simpleReport.sex}>
                  {({ id }) => (
                    <Dropdown
                      inputId={id}
                      value={draft.pol}
                      options={SEXES}
                      optionLabel="label"
                      optionValue="value"
                      placeholder={t.simpleReport.anySex}
                      onChange={({ value }: { value: boolean | null }) => touch({ pol: value })}
                    />
                  )}
                </Field>
                <AgeInput
                  label={t.simpleReport.ageFrom}
                  error={wrong('starostOd')}
                  value={draft.starostOd}
                  onChange={(starostOd) => touch({ starostOd })}
                />
                <AgeInput
                  label={t.simpleReport.ageTo}
                  error={wrong('starostDo')}
                  value={draft.starostDo}
                  onChange={(starostDo) => touch({ starostDo })}
                />
              </div>
              <div className={style.pair}>
                <YearInput
                  label={text.bornFrom}
                  error={wrong('rodjenjeOd')}
                  value={draft.rodjenjeOd}
                  onChange={(rodjenjeOd) => touch({ rodjenjeOd })}
                />
                <YearInput
                  label={text.bornTo}
                  error={wrong('rodjenjeDo')}
                  value={draft.rodjenjeDo}
                  onChange={(rodjenjeDo) => touch({ rodjenjeDo })}
                />
              </div>
              <Field label={text.states} help={draft.stanja === 'svi' ? undefined : t.dataExport.statesHelp}>
                {() => (
                  <SelectButton
                    value={draft.stanja}
                    options={STATES}
                    allowEmpty={false}
                    onChange={({ value }: { value: CohortDraft['stanja'] }) => touch({ stanja: value })}
                    pt={{ root: { 'aria-label': text.states } }}
                  />
                )}
              </Field>
              <Conditions polja={polja} rows={draft.redovi} onChange={(redovi) => touch({ redovi })} />
              <Check
                label={t.simpleReport.own}
                checked={draft.samoMojaUstanova}
                onChange={(samoMojaUstanova) => touch({ samoMojaUstanova })}
              />
            </div>
          </details>
        </>
      )}
      <Check label={text.share} checked={draft.deljena} onChange={(deljena) => change({ deljena })} />
      {problem && !known.includes(problem.field) && (
        <p role="alert" className={style.problem}>
          {problem.message}
        </p>
      )}
      <div className={style.actions}>
        <Button type="button" label={text.save} icon="pi pi-check" loading={busy} onClick={() => void save()} />
        <Button type="button" label={text.count} icon="pi pi-users" outlined disabled={busy} onClick={() => void count()} />
        {cancel && <Button type="button" label={t.common.cancel} text onClick={cancel} />}
        <span role="status">{counted}</span>
      </div>
    </>
  );
}

function YearInput(props: { label: string; error: string | null; value: Typed; onChange: (value: Typed) => void }) {
  const { label, error, value, onChange } = props;
  return (
    <Field label={label} error={error}>
      {({ id, invalid }) => (
        <DecimalInput id={id} invalid={invalid} decimals={0} min={1850} max={2200} year value={value} onChange={onChange} />
      )}
    </Field>
  );
}

export function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div className={style.check}>
      <Checkbox inputId={id} checked={checked} onChange={(e) => onChange(e.checked ?? false)} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
