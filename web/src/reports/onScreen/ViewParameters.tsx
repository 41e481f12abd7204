// The parameters of a report where it is read: changed in place, and run again.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../../api/address';
import { api, ApiError } from '../../api/client';
import { useApi, useList } from '../../api/hooks';
import { newKey } from '../../api/key';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { Field } from '../../ui/Field';
import { useToast } from '../../ui/toast';
import { ParameterInput } from '../ParameterInput';
import { bodyOf, errorsOf, isShown, type Errors, type RequestDraft } from '../request';
import { Kind } from '../types';
import style from './onScreen.module.css';

interface Props {
  form: Schema<'ReportToGenerate'>;
  /** What is asked for at first. */
  begin: RequestDraft;
  /** It was ordered: the run, and what was asked of it. */
  ordered: (run: string, draft: RequestDraft) => void;
  /** What is asked for changes under the reader's hands. */
  changed?: (draft: RequestDraft) => void;
}

export function ViewParameters({ form, begin, ordered, changed }: Props) {
  const { id: worker } = useWorker();
  const toast = useToast();
  const [draft, setDraft] = useState(begin);
  const [errors, setErrors] = useState<Errors>({});
  const [sending, setSending] = useState(false);
  const [key, setKey] = useState(newKey);
  const shown = form.parametri.filter(isShown);
  const { data: registers } = useList(form.izvestaj.registarID === null && form.izvestaj.traziRegistar ? '/api/registers' : null);
  const hasDates = shown.some(({ tip }) => tip.sqlNumVrednost === Kind.Date);
  const { data: relative } = useApi(hasDates ? at('/api/report-days', {}) : null);

  const change = (part: Partial<RequestDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setErrors({});
    setKey(newKey());
    changed?.(next);
  };
  const send = async () => {
    const found = errorsOf(form, draft);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      const made = await api.post('/api/report-queue', bodyOf(form, draft, worker, key, null));
      setKey(newKey());
      if (made.izvestajID) ordered(made.izvestajID, draft);
    } catch (error) {
      if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message });
      toast.failure(t.reports.submitFailed, error);
    } finally {
      setSending(false);
    }
  };

  return (
    <form
      className={style.parameters}
      noValidate
      aria-label={t.reportView.parameters}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {form.izvestaj.traziRegistar && (
        <Field label={t.reports.register} required error={errors.registarID}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              options={registers?.data ?? []}
              optionLabel="naziv"
              optionValue="id"
              value={draft.register}
              onChange={({ value }: { value: number }) => change({ register: value })}
              emptyMessage={t.reports.optionsEmpty}
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
          register={form.izvestaj.registarID ?? draft.register}
          schedule={null}
          days={relative?.dani ?? []}
          change={(value) => change({ values: { ...draft.values, [parameter.requestNaziv]: value } })}
        />
      ))}
      <Button type="submit" icon="pi pi-play" label={t.reportView.show} loading={sending} />
    </form>
  );
}
