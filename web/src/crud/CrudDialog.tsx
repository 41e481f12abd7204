// The dialog of one record in its four modes. Further tabs hold what saves itself (transfer lists, own tables).
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { TabPanel, TabView } from 'primereact/tabview';
import { useEffect, useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { ApiError, messageOf } from '../api/client';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { focusFirst } from '../ui/focusFirst';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import type { Form, Problem } from './useForm';
import style from './crud.module.css';

export type Mode = 'create' | 'update' | 'read' | 'delete';

export const isEditable = (mode: Mode) => mode === 'create' || mode === 'update';

export const WORDS = {
  create: { title: t.crud.createTitle, action: t.crud.create, done: t.crud.created, failed: t.crud.createFailed },
  update: { title: t.crud.updateTitle, action: t.crud.update, done: t.crud.updated, failed: t.crud.updateFailed },
  read: { title: t.crud.readTitle, action: '', done: () => '', failed: '' },
  delete: { title: t.crud.removeTitle, action: t.crud.remove, done: t.crud.removed, failed: t.crud.removeFailed },
} as const;

export interface ExtraTab {
  title: string;
  disabled?: boolean;
  content: ReactNode;
}

interface Props<T extends object> {
  mode: Mode;
  /** What kind of record: the head of the title. */
  what: string;
  name: (record: T) => string;
  form: Form<T>;
  validate: (record: T) => Problem<T> | null;
  /** Carries out the mode's write. */
  act: (record: T) => Promise<unknown>;
  onClose: () => void;
  tabs?: readonly ExtraTab[];
  /** Opens over the whole window. */
  maximized?: boolean;
  children: ReactNode;
}

export function CrudDialog<T extends object>({ mode, what, name, form, validate, act, onClose, tabs = [], maximized, children }: Props<T>) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [tab, setTab] = useState(0);
  const confirm = useConfirm();
  const toast = useToast();
  const id = useId();
  const words = WORDS[mode];
  // As it was opened: the further tabs do not show whose they are.
  const [title] = useState(() => [words.title(what), mode === 'create' ? '' : name(form.record)].filter(Boolean).join(' – '));

  useEffect(() => {
    if (form.problem?.field) document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form.problem, id]);

  async function close() {
    if (busy) return;
    if (isEditable(mode) && form.changed && !(await confirm({ message: t.crud.discardQuestion, danger: true }))) return;
    // What was said of a try that is given up.
    if (mode !== 'read') toast.clear();
    onClose();
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    // What was said of an earlier try has been read, and would pile up over the dialog.
    toast.clear();
    const problem = isEditable(mode) ? validate(form.record) : null;
    form.fail(problem);
    if (problem) return toast.error(words.failed, problem.message);
    setBusy(true);
    try {
      await act(form.record);
      toast.success(words.done(name(form.record)));
      onClose();
    } catch (error) {
      const field = error instanceof ApiError && error.field && error.field in form.record ? (error.field as keyof T & string) : null;
      form.fail({ field, message: messageOf(error) });
      toast.failure(words.failed, error);
      setBusy(false);
    }
  }

  const fields = (
    <form id={id} onSubmit={(event) => void submit(event)} className={style.fields} noValidate>
      {mode === 'delete' && <p className={style.wide}>{t.crud.removeQuestion(name(form.record))}</p>}
      {children}
      {form.problem?.field === null && <Message severity="error" text={form.problem.message} className={style.wide} />}
    </form>
  );
  return (
    <Dialog
      visible
      onHide={() => void close()}
      onShow={() => focusFirst(id)}
      header={title}
      className={style.dialog}
      draggable={false}
      maximizable
      maximized={maximized}
      // Nothing in a locked form takes the focus, and who has no mouse wants to scroll it too.
      pt={{ content: { tabIndex: isEditable(mode) ? undefined : 0 } }}
      footer={
        <>
          <Button type="button" label={mode !== 'read' && tab === 0 ? t.common.cancel : t.common.close} severity="secondary" outlined disabled={busy} onClick={() => void close()} />
          {mode !== 'read' && tab === 0 && (
            <Button type="submit" form={id} label={words.action} severity={mode === 'delete' ? 'danger' : undefined} loading={busy} />
          )}
        </>
      }
    >
      {tabs.length === 0 ? (
        fields
      ) : (
        <TabView activeIndex={tab} scrollable onTabChange={({ index }) => setTab(index)}>
          {[
            <TabPanel key={what} header={what}>
              {fields}
            </TabPanel>,
            ...tabs.map(({ title, disabled, content }) => (
              <TabPanel key={title} header={title} disabled={disabled}>
                {content}
              </TabPanel>
            )),
          ]}
        </TabView>
      )}
    </Dialog>
  );
}
