// Keeps something of the search under a name, for oneself or for the institution: what the server refuses is told at its field.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { ApiError, messageOf } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './search.module.css';

interface Props {
  title: string;
  accept: string;
  name: string;
  missingName: string;
  longest: number;
  share: string;
  keep: (naziv: string, deljena: boolean) => Promise<void>;
  onClose: () => void;
  /** Between the name and who sees it. */
  children?: ReactNode;
  /** What whoever keeps it should know. */
  notes: ReactNode;
}

export function KeepDialog({ title, accept, name, missingName, longest, share, keep, onClose, children, notes }: Props) {
  useFocusReturn();
  const id = useId();
  const [naziv, setNaziv] = useState('');
  const [deljena, setDeljena] = useState(false);
  const [problem, setProblem] = useState<{ field: string; message: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (naziv.trim() === '') return setProblem({ field: 'naziv', message: missingName });
    setBusy(true);
    try {
      await keep(naziv, deljena);
    } catch (error) {
      setProblem({ field: (error instanceof ApiError && error.field) || '', message: messageOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog
      visible
      header={title}
      onHide={onClose}
      draggable={false}
      onShow={() => focusFirst(id)}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={onClose} />
          <Button type="submit" form={id} label={accept} loading={busy} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} className={style.dialog} noValidate>
        <Field label={name} required error={problem?.field === 'naziv' ? problem.message : null}>
          {({ invalid, ...control }) => (
            <InputText
              {...control}
              className={invalid ? 'p-invalid' : undefined}
              value={naziv}
              maxLength={longest}
              onChange={({ target }) => setNaziv(target.value)}
            />
          )}
        </Field>
        {children}
        <span className={style.share}>
          <Checkbox inputId={`${id}-deljena`} checked={deljena} onChange={({ checked }) => setDeljena(checked ?? false)} />
          <label htmlFor={`${id}-deljena`}>{share}</label>
        </span>
        {notes}
        {problem && problem.field !== 'naziv' && <p role="alert">{problem.message}</p>}
      </form>
    </Dialog>
  );
}
