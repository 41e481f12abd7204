// Parameters, formats, recipients and scheduling of one report, and the button that sends them.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dropdown } from 'primereact/dropdown';
import { InputSwitch } from 'primereact/inputswitch';
import { Message } from 'primereact/message';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import type { Schema } from '../schema';
import { newKey } from '../api/key';
import { api, ApiError } from '../api/client';
import { useApi, useList } from '../api/hooks';
import { useWorker } from '../api/session';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Field } from '../ui/Field';
import { focusFault } from '../ui/formFocus';
import { useToast } from '../ui/toast';
import { ParameterInput } from './ParameterInput';
import { RecipientsInput } from './RecipientsInput';
import style from './reports.module.css';
import { bodyOf, draftOfSchedule, emptyDraft, errorsOf, isShown, type RequestDraft, type Errors } from './request';
import { ScheduleFields } from './ScheduleFields';
import { Kind, type Schedule } from './types';

/** What the server asks about before a link goes where nobody is known to have an account. */
const STRANGERS = 'bezNaloga';

interface Props {
  form: Schema<'ReportToGenerate'>;
  editing: Schedule | null;
  /** What is typed and not sent, by report and schedule: it is there again when somebody has looked at another report. */
  drafts: Map<string, RequestDraft>;
  stopEditing: () => void;
  done: (scheduled: boolean) => void;
}

export function ParametersTab({ form, editing, drafts, stopEditing, done }: Props) {
  const { id: radnikID } = useWorker();
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const place = `${String(form.izvestaj.id)} ${String(editing?.zakazivanjeID)}`;
  const [draft, setDraft] = useState<RequestDraft>(
    () => drafts.get(place) ?? (editing ? draftOfSchedule(form, editing) : emptyDraft(form)),
  );
  useEffect(() => {
    drafts.set(place, draft);
  }, [drafts, place, draft]);
  const [errors, setErrors] = useState<Errors>({});
  const [sending, setSending] = useState(false);
  // The same request sent twice, by a double click or after a lost answer, is one run.
  const [key, setKey] = useState(newKey);
  const switchId = useId();
  const body = useRef<HTMLFormElement>(null);
  // On a narrow screen what is refused may be far above the button.
  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFault(body.current);
  }, [errors]);
  const shown = form.parametri.filter(isShown);
  const { data: registers } = useList(form.izvestaj.registarID === null ? '/api/registers' : null);
  const dates = shown.filter(({ tip }) => tip.sqlNumVrednost === Kind.Date).map(({ requestNaziv }) => requestNaziv);
  const { data: relative } = useApi(dates.length > 0 ? at('/api/report-days', draft.scheduling ? { zona: draft.zone } : {}) : null);
  const hasPeriod = dates.includes('od') && dates.includes('do');
  // The register that was worked in last may be gone meanwhile.
  const register = registers?.data.some(({ id }) => id === draft.register) ? draft.register : null;
  const order = { ...draft, register };

  const change = (part: Partial<RequestDraft>) => {
    setDraft((known) => ({ ...known, ...part }));
    setErrors({});
    setKey(newKey());
  };

  /** `reads`: the worker goes to the report at once, where its first rows come while the rest is made. */
  const send = async (reads: boolean, asked = false) => {
    const found = errorsOf(form, order);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    toast.clear();
    try {
      const made = await api.post('/api/report-queue', bodyOf(form, order, radnikID, key, editing?.zakazivanjeID ?? null, asked));
      toast.success(editing ? t.reports.scheduleChanged : draft.scheduling ? t.reports.scheduled : t.reports.accepted, form.izvestaj.naziv);
      setKey(newKey());
      void mutate((path) => typeof path === 'string' && path.startsWith('/api/report-'));
      drafts.delete(place);
      if (reads && made.izvestajID) void navigate(`/izvestaji/${made.izvestajID}/prikaz`);
      else done(draft.scheduling);
    } catch (error) {
      if (error instanceof ApiError && error.field === STRANGERS) {
        const { title, question, send: accept } = t.reports.recipients.strangers;
        if (await confirm({ title, message: `${error.message} ${question}`, accept })) await send(reads, true);
        return;
      }
      if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message });
      toast.failure(draft.scheduling ? t.reports.scheduleFailed : t.reports.submitFailed, error);
    } finally {
      setSending(false);
    }
  };

  return (
    <form
      ref={body}
      className={style.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(false);
      }}
    >
      {editing && (
        <div className={style.editing}>
          <Message severity="info" text={t.reports.editing(editing.ustanova)} />
          {editing.pauziranoOd && <Message severity="warn" text={t.reports.editingPaused} />}
          <Button
            type="button"
            label={t.reports.stopEditing}
            text
            onClick={() => {
              drafts.delete(place);
              stopEditing();
            }}
          />
        </div>
      )}
      {form.izvestaj.traziRegistar && (
        <div className={style.fields}>
          <Field label={t.reports.register} required error={errors.registarID}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                options={registers?.data ?? []}
                optionLabel="naziv"
                optionValue="id"
                value={register}
                onChange={({ value }: { value: number }) => change({ register: value })}
                emptyMessage={t.reports.optionsEmpty}
              />
            )}
          </Field>
        </div>
      )}
      {shown.length === 0 ? (
        <p className={style.muted}>{t.reports.noParameters}</p>
      ) : (
        <div className={style.fields}>
          {hasPeriod && relative && (
            <Period
              periods={relative.periodi}
              values={draft.values}
              change={(period) => change({ values: { ...draft.values, ...period } })}
            />
          )}
          {shown.map((parameter) => (
            <ParameterInput
              key={parameter.id}
              parameter={parameter}
              value={draft.values[parameter.requestNaziv]}
              error={errors[parameter.requestNaziv]}
              register={form.izvestaj.registarID ?? register}
              schedule={editing?.zakazivanjeID ?? null}
              days={relative?.dani ?? []}
              change={(value) => change({ values: { ...draft.values, [parameter.requestNaziv]: value } })}
            />
          ))}
        </div>
      )}
      {form.izvestaj.tabla && <Message severity="info" text={t.board.mailing} />}
      <fieldset className={style.group} data-invalid={Boolean(errors.formati)}>
        <legend>{t.reports.formats}</legend>
        <div className={style.choices}>
          {form.formati.map(({ naziv, nazivKratki }) => (
            <label key={nazivKratki} className={style.choice}>
              <Checkbox
                checked={draft.formats.includes(nazivKratki)}
                onChange={({ checked }) =>
                  change({ formats: checked ? [...draft.formats, nazivKratki] : draft.formats.filter((format) => format !== nazivKratki) })
                }
                aria-label={naziv}
              />
              {naziv}
            </label>
          ))}
        </div>
        {errors.formati && (
          <small className={style.error} role="alert">
            {errors.formati}
          </small>
        )}
      </fieldset>
      <Field
        label={t.reports.emails}
        error={errors.emails}
        help={form.izvestaj.prilogUMejlu ? t.reports.emailsAttached : t.reports.emailsHelp}
      >
        {(control) => (
          <RecipientsInput
            control={control}
            from="/api/report-recipients"
            value={draft.recipients}
            change={(recipients) => change({ recipients })}
            typing={(recipientTyped) => change({ recipientTyped })}
          />
        )}
      </Field>
      <section className={style.scheduling} aria-label={t.reports.scheduling}>
        {!editing && (
          <div className={style.switch}>
            <InputSwitch inputId={switchId} checked={draft.scheduling} onChange={({ value }) => change({ scheduling: value })} />
            <label htmlFor={switchId}>{t.reports.schedulingOn}</label>
          </div>
        )}
        {draft.scheduling && (
          <ScheduleFields form={form} draft={draft} change={change} errors={errors} editing={editing?.zakazivanjeID ?? null} />
        )}
      </section>
      <div className={style.submit}>
        {!editing && !draft.scheduling && !form.izvestaj.tabla && (
          <Button
            type="button"
            label={t.reports.generateAndRead}
            icon="pi pi-desktop"
            outlined
            disabled={sending}
            onClick={() => void send(true)}
          />
        )}
        <Button
          type="submit"
          label={editing ? t.reports.saveSchedule : draft.scheduling ? t.reports.schedule : t.reports.generate}
          icon={draft.scheduling ? 'pi pi-calendar-plus' : 'pi pi-play'}
          loading={sending}
        />
      </div>
    </form>
  );
}

interface PeriodProps {
  periods: Schema<'RelativeDays'>['periodi'];
  values: RequestDraft['values'];
  change: (period: { od: string; do: string }) => void;
}

/** Both ends of a period at once. */
function Period({ periods, values, change }: PeriodProps) {
  const chosen = periods.findIndex((period) => period.od === values.od && period.do === values.do);
  return (
    <Field label={t.reports.relative.period} help={t.reports.relative.periodHelp}>
      {({ id, ...control }) => (
        <Dropdown
          {...control}
          inputId={id}
          options={periods.map(({ naziv }, value) => ({ value, label: naziv }))}
          value={chosen < 0 ? null : chosen}
          placeholder={t.reports.relative.byDates}
          showClear
          onChange={({ value }: { value: number | null }) => {
            const period = value === null ? undefined : periods[value];
            change(period ? { od: period.od, do: period.do } : { od: '', do: '' });
          }}
        />
      )}
    </Field>
  );
}
