// The form of one record on a page of its own: its fields and what can be done with it, in the four modes of the dialog.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useSWRConfig } from 'swr';
import { recordAddress, records } from '../../api/client';
import type { ResourceOf } from '../../api/description';
import { isEditable, WORDS, type Mode } from '../../crud/CrudDialog';
import { faultOf } from '../../crud/faultOf';
import { payload, type EditedRecord, type Problem } from '../../crud/useForm';
import { t } from '../../messages';
import { useFaultFocus } from '../../ui/formFocus';
import { useToast } from '../../ui/toast';
import { useUnsaved } from '../../ui/useUnsaved';
import style from './registers.module.css';

interface Props<T extends { id: number; naziv: string }> {
  mode: Mode;
  /** `/api/registers` */
  path: ResourceOf<T>;
  form: EditedRecord<T>;
  validate: (record: T) => Problem<T> | null;
  /** The record is made or deleted, or the worker has had enough of it. */
  onLeave: () => void;
  children: ReactNode;
}

export function RecordForm<T extends { id: number; naziv: string }>({ mode, path, form, validate, onLeave, children }: Props<T>) {
  const calls = records<T>(path);
  const [busy, setBusy] = useState(false);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const settle = useUnsaved(isEditable(mode) && form.changed);
  const id = useId();
  const words = WORDS[mode];

  useFaultFocus(id, form.problem);

  async function write({ id, ...rest }: T) {
    if (mode === 'create') await calls.create(payload(rest));
    else if (mode === 'update') await mutate(recordAddress(path, id), await calls.update(id, payload(rest)), { revalidate: false });
    else await calls.remove(id);
    await mutate((key) => typeof key === 'string' && (key === path || key.startsWith(`${path}?`)));
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    toast.clear();
    const problem = isEditable(mode) ? (validate(form.record) ?? form.misread) : null;
    form.fail(problem);
    if (problem) return toast.error(words.failed, problem.message);
    setBusy(true);
    try {
      await write(form.record);
      toast.success(words.done(form.record.naziv));
      if (mode === 'update') return;
      settle();
      onLeave();
    } catch (error) {
      const stored = () => calls.read(form.record.id);
      const fault = await faultOf(error, form, mode === 'update' ? stored : undefined);
      form.fail(fault);
      toast.error(words.failed, fault.message);
      setBusy(false);
    }
  }

  return (
    <form id={id} onSubmit={(event) => void submit(event)} className={style.form} noValidate>
      {mode === 'delete' && <p className={style.question}>{t.crud.removeQuestion(form.record.naziv)}</p>}
      {children}
      {form.problem?.field === null && <Message severity="error" text={form.problem.message} />}
      <div className={style.actions}>
        {mode !== 'read' && (
          <Button type="submit" label={words.action} severity={mode === 'delete' ? 'danger' : undefined} loading={busy} />
        )}
        <Button
          type="button"
          label={mode === 'read' ? t.common.close : t.common.cancel}
          severity="secondary"
          outlined
          disabled={busy}
          onClick={() => {
            toast.clear();
            onLeave();
          }}
        />
      </div>
    </form>
  );
}

/** Fields that belong together, under their heading; formulas and the like have more room. */
export function Group({ title, roomy = false, children }: { title: string; roomy?: boolean; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={style.group}>
      <h2 id={heading}>{title}</h2>
      <div className={style.fields} data-roomy={roomy}>
        {children}
      </div>
    </section>
  );
}
