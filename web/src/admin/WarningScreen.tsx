// The warning over every screen: its text, saved or taken away (B 2.8).
import { Button } from 'primereact/button';
import { InputTextarea } from 'primereact/inputtextarea';
import { Message } from 'primereact/message';
import { useId, useState, type SyntheticEvent } from 'react';
import { api, ApiError, messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { label, t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useUnsaved } from '../ui/useUnsaved';
import style from './admin.module.css';

const text = t.admin.warning;

export default function WarningScreen() {
  const { data, error, mutate } = useApi('/api/warning');
  return (
    <Page title={text.title} lead={text.lead}>
      <Panel>
        {data ? (
          <WarningForm current={data.message} reload={() => mutate()} />
        ) : error ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : (
          <Loading />
        )}
      </Panel>
    </Page>
  );
}

function WarningForm({ current, reload }: { current: string; reload: () => Promise<unknown> }) {
  /** What is typed, over the text that it was begun on; none: the current text stands in the field. */
  const [typed, setTyped] = useState<{ message: string; over: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();
  const message = typed?.message ?? current;
  useUnsaved(message !== current);
  const id = useId();
  useFaultFocus(id, problem);

  async function write(call: () => Promise<void>, done: string, failed: string) {
    setBusy(true);
    toast.clear();
    try {
      await call();
      await reload();
      setTyped(null);
      setProblem(null);
      toast.success(done);
    } catch (error) {
      if (error instanceof ApiError && error.field === 'message') setProblem(messageOf(error));
      toast.failure(failed, error);
    }
    setBusy(false);
  }

  function save(event: SyntheticEvent) {
    event.preventDefault();
    if (message.trim()) return void write(() => api.post('/api/save-warning', { message }), text.saved, text.saveFailed);
    setProblem(text.missing);
    toast.error(text.saveFailed, text.missing);
  }

  async function remove() {
    if (await confirm({ message: text.removeQuestion, accept: t.crud.remove, danger: true }))
      await write(() => api.post('/api/delete-warning'), text.removed, text.removeFailed);
  }

  return (
    <form id={id} onSubmit={save} className={style.warning} noValidate>
      <Field label={label('warning.message')} required error={problem}>
        {(control) => (
          <InputTextarea
            {...control}
            value={message}
            rows={5}
            cols={100}
            disabled={busy}
            onChange={(e) => {
              setTyped({ message: e.target.value, over: typed?.over ?? current });
              setProblem(null);
            }}
          />
        )}
      </Field>
      {typed && typed.over !== current && <Message severity="warn" text={text.changed(current)} />}
      <div className={style.actions}>
        <Button type="submit" label={t.common.save} icon="pi pi-check" loading={busy} />
        <Button
          type="button"
          label={t.crud.remove}
          icon="pi pi-trash"
          severity="danger"
          outlined
          disabled={busy || !current}
          onClick={() => void remove()}
        />
      </div>
    </form>
  );
}
