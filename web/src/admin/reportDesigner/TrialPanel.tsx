// A trial of the version that is written: its parameters, how it goes, its three files, and what the server of the database said.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { useState } from 'react';
import { at } from '../../api/address';
import { api, ApiError, saveFile } from '../../api/client';
import type { Reply, Schema } from '../../schema';
import { useApi, useList } from '../../api/hooks';
import { newKey } from '../../api/key';
import { t } from '../../messages';
import { ParameterInput } from '../../reports/ParameterInput';
import { bodyOf, emptyDraft, errorsOf, isShown, type Errors, type RequestDraft } from '../../reports/request';
import { Kind } from '../../reports/types';
import { Field } from '../../ui/Field';
import { LoadFailed, Loading } from '../../ui/states';
import { useToast } from '../../ui/toast';
import type { Finding } from './types';
import style from './designer.module.css';

const text = t.reportDesigner;

interface Props {
  report: number;
  /** The query asks for a register. */
  asksRegister: boolean;
  /** Saves what is typed, and gives the version's number; null where it could not be saved. */
  save: () => Promise<number | null>;
  /** What a trial does, in words. */
  help?: string;
  goTo: (finding: Finding) => void;
}

export function TrialPanel(props: Props) {
  const { data, error, mutate } = useApi(at('/api/reports/{id}/parameters', { id: props.report }));
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading />;
  // What is saved may ask for more than was asked for before.
  const save = async () => {
    const broj = await props.save();
    if (broj !== null) await mutate();
    return broj;
  };
  return <TrialForm {...props} save={save} form={data} />;
}

function TrialForm({ report, asksRegister, save, help = text.trialHelp, goTo, form }: Props & { form: Schema<'ReportToGenerate'> }) {
  const toast = useToast();
  const [draft, setDraft] = useState<RequestDraft>(() => emptyDraft(form));
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [run, setRun] = useState<string | null>(null);
  const needsRegister = form.izvestaj.registarID === null && (asksRegister || form.izvestaj.traziRegistar);
  const { data: registers } = useList(needsRegister ? '/api/registers' : null);
  const shown = form.parametri.filter(isShown);
  const hasDates = shown.some(({ tip }) => tip.sqlNumVrednost === Kind.Date);
  const { data: days } = useApi(hasDates ? '/api/report-days' : null);
  // The register that was worked in last may be gone meanwhile.
  const register = registers?.data.some(({ id }) => id === draft.register) ? draft.register : null;

  const tryOut = async () => {
    const wished = { ...form, izvestaj: { ...form.izvestaj, traziRegistar: needsRegister } };
    const found = errorsOf(wished, { ...draft, register, formats: ['PDF'] });
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const broj = await save();
      if (broj === null) return;
      const { parametri, registarID } = bodyOf(form, { ...draft, register }, 0, '', null);
      const body = { parametri, registarID, kljuc: newKey() };
      const accepted = await api.post(at('/api/reports/{id}/definitions/{broj}/trial', { id: report, broj }), body);
      setRun(accepted.izvestajID ?? null);
    } catch (error) {
      if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message });
      toast.failure(text.tryFailed, error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className={style.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void tryOut();
      }}
    >
      <p className={style.help}>{help}</p>
      {needsRegister && (
        <Field label={text.register} required error={errors.registarID}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={register}
              options={registers?.data.map(({ id: value, naziv: label }) => ({ value, label })) ?? []}
              onChange={({ value }: { value: number }) => setDraft((known) => ({ ...known, register: value }))}
            />
          )}
        </Field>
      )}
      {shown.map((parameter) => (
        <ParameterInput
          key={parameter.id}
          parameter={parameter}
          value={draft.values[parameter.requestNaziv]}
          error={errors[parameter.requestNaziv]}
          register={form.izvestaj.registarID ?? register}
          schedule={null}
          days={days?.dani ?? []}
          change={(value) => {
            setDraft((known) => ({ ...known, values: { ...known.values, [parameter.requestNaziv]: value } }));
            setErrors({});
          }}
        />
      ))}
      <div className={style.buttons}>
        <Button type="submit" label={text.tryOut} icon="pi pi-play" loading={busy} />
      </div>
      {run && <TrialState key={run} run={run} goTo={goTo} />}
    </form>
  );
}

const isOver = (trial: Reply<'ReportTrialState'> | undefined) =>
  trial !== undefined && trial.status !== 'queued' && trial.status !== 'running';

function TrialState({ run, goTo }: { run: string; goTo: Props['goTo'] }) {
  const toast = useToast();
  const { data: trial, error } = useApi(at('/api/report-trials/{id}', { id: run }), {
    refreshInterval: (latest) => (isOver(latest) ? 0 : 700),
  });
  if (error && !trial) return <Message severity="error" text={error.message} />;
  if (!trial) return <Loading lines={1} />;
  const { greska } = trial;
  return (
    <div className={style.stack} role="status">
      {!isOver(trial) && <Message severity="info" text={text.running(trial.broj)} />}
      {trial.status === 'cancelled' && <Message severity="warn" text={text.cancelled(trial.broj)} />}
      {trial.status === 'succeeded' && <Message severity="success" text={text.succeeded(trial.broj, trial.redova ?? 0, trial.skraceno)} />}
      {trial.status === 'failed' && <Message severity="error" text={text.failed(trial.broj)} />}
      {greska && (
        <ul className={style.findings} data-kind="error">
          <li>
            <button
              type="button"
              onClick={() =>
                goTo({ gde: 'upit', red: greska.red, kolona: greska.kolona, poruka: greska.poruka ?? greska.tekst, savet: greska.savet })
              }
            >
              {greska.red !== null && <span className={style.place}>{text.place('upit', greska.red, greska.kolona)}</span>}
              <span>{greska.poruka ?? greska.tekst}</span>
              {greska.savet && <span className={style.advice}>{greska.savet}</span>}
            </button>
          </li>
        </ul>
      )}
      {trial.formati.length > 0 && (
        <div className={style.buttons}>
          {trial.formati.map((format) => (
            <Button
              key={format}
              type="button"
              label={format}
              icon="pi pi-download"
              outlined
              onClick={() =>
                void api
                  .file(at('/api/report-runs/{id}/download', { id: run, format }))
                  .then(saveFile)
                  .catch((failure: unknown) => toast.failure(t.error.load, failure))
              }
            />
          ))}
        </div>
      )}
    </div>
  );
}
