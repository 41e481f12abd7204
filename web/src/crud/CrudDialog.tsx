// The dialog of one record in its four modes. Further tabs hold what saves itself (transfer lists, own tables), or a form
// of their own, which the same button saves.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { TabPanel, TabView } from 'primereact/tabview';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { focusFirst, useFaultFocus } from '../ui/formFocus';
import { useToast, type Toasts } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import { faultOf } from './faultOf';
import type { EditedRecord, Problem } from './useForm';
import style from './crud.module.css';

export type Mode = 'create' | 'update' | 'read' | 'delete';

export const isEditable = (mode: Mode) => mode === 'create' || mode === 'update';

export const WORDS = {
  create: { title: t.crud.createTitle, action: t.crud.create, done: t.crud.created, failed: t.crud.createFailed },
  update: { title: t.crud.updateTitle, action: t.crud.update, done: t.crud.updated, failed: t.crud.updateFailed },
  read: { title: t.crud.readTitle, action: '', done: () => '', failed: '' },
  delete: { title: t.crud.removeTitle, action: t.crud.remove, done: t.crud.removed, failed: t.crud.removeFailed },
} as const;

interface Saving<T extends object> {
  form: EditedRecord<T>;
  validate: (record: T) => Problem<T> | null;
  act: (record: T) => Promise<unknown>;
  /** The record as it is stored, for who finds it changed by somebody else. */
  read?: () => Promise<T>;
  done: string;
  failed: string;
}

/** A form that the footer's button saves, of whatever record. */
export interface SavedForm {
  changed: boolean;
  problem: { field: string | null; message: string } | null;
  /** Whether it was saved; where not, the form and a message say why. */
  save: (toast: Toasts) => Promise<boolean>;
}

export const savedForm = <T extends object>({ form, validate, act, read, done, failed }: Saving<T>): SavedForm => ({
  changed: form.changed,
  problem: form.problem,
  save: async (toast) => {
    const problem = validate(form.record) ?? form.misread;
    form.fail(problem);
    if (problem) {
      toast.error(failed, problem.message);
      return false;
    }
    try {
      await act(form.record);
      toast.success(done);
      return true;
    } catch (error) {
      const fault = await faultOf(error, form, read);
      form.fail(fault);
      toast.error(failed, fault.message);
      return false;
    }
  },
});

export interface ExtraTab {
  title: string;
  disabled?: boolean;
  content: ReactNode;
  /** Without it the content saves itself, and the footer has no button for it. */
  form?: SavedForm;
}

interface Props<T extends object> {
  mode: Mode;
  /** What kind of record: the head of the title. */
  what: string;
  name: (record: T) => string;
  form: EditedRecord<T>;
  validate: (record: T) => Problem<T> | null;
  /** Carries out the mode's write. */
  act: (record: T) => Promise<unknown>;
  read?: () => Promise<T>;
  onClose: () => void;
  tabs?: readonly ExtraTab[];
  /** Opens over the whole window. */
  maximized?: boolean;
  children: ReactNode;
}

export function CrudDialog<T extends object>(props: Props<T>) {
  const { mode, what, name, form, validate, act, read, onClose, tabs = [], maximized, children } = props;
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [tab, setTab] = useState(0);
  const confirm = useConfirm();
  const toast = useToast();
  const id = useId();
  const words = WORDS[mode];
  // As it was opened: the further tabs do not show whose they are.
  const [title] = useState(() => [words.title(what), mode === 'create' ? '' : name(form.record)].filter(Boolean).join(' – '));

  const own = savedForm({
    form,
    validate: isEditable(mode) ? validate : () => null,
    act,
    read,
    done: words.done(name(form.record)),
    failed: words.failed,
  });
  const forms = [own, ...tabs.map(({ form }) => form)];
  const open = mode === 'read' ? undefined : forms[tab];
  const problem = forms[tab]?.problem ?? null;

  useFaultFocus(id, problem);

  async function close() {
    if (busy) return;
    if (
      isEditable(mode) &&
      forms.some((form) => form?.changed) &&
      !(await confirm({ message: t.crud.discardQuestion, accept: t.crud.discard, danger: true }))
    )
      return;
    // What was said of a try that is given up.
    if (mode !== 'read') toast.clear();
    onClose();
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    event.stopPropagation();
    // What was said of an earlier try has been read, and would pile up over the dialog.
    toast.clear();
    const others = isEditable(mode) && forms.some((form) => form !== open && form?.changed);
    if (others && !(await confirm({ message: t.crud.otherTabQuestion, accept: t.crud.discard, danger: true }))) return;
    setBusy(true);
    if (await open?.save(toast)) onClose();
    else setBusy(false);
  }

  const inForm = (content: ReactNode) => (
    <form id={id} onSubmit={(event) => void submit(event)} className={style.fields} noValidate>
      {content}
      {problem?.field === null && <Message severity="error" text={problem.message} className={style.wide} />}
    </form>
  );
  const fields = inForm(
    <>
      {mode === 'delete' && <p className={style.wide}>{t.crud.removeQuestion(name(form.record))}</p>}
      {children}
    </>,
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
          <Button
            type="button"
            label={open ? t.common.cancel : t.common.close}
            severity="secondary"
            outlined
            disabled={busy}
            onClick={() => void close()}
          />
          {open && (
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
            ...tabs.map(({ title, disabled, content, form }) => (
              <TabPanel key={title} header={title} disabled={disabled}>
                {form ? inForm(content) : content}
              </TabPanel>
            )),
          ]}
        </TabView>
      )}
    </Dialog>
  );
}
