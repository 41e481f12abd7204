// A dialog of one deed: what is missing is told at its field, and so is what the server refuses; while it is done nothing closes.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { messageOf } from '../api/client';
import { t } from '../messages';
import { focusFirst } from './formFocus';
import { useFocusReturn } from './useFocusReturn';

interface Props {
  title: string;
  /** What the button that does it says. */
  accept: string;
  severity?: 'danger';
  /** There is nothing to do it with. */
  disabled?: boolean;
  className: string | undefined;
  formClassName?: string | undefined;
  /** What is missing; null: it may be done. */
  missing: () => string | null;
  deed: () => Promise<void>;
  onClose: () => void;
  children: (fault: string | null) => ReactNode;
}

export function DeedDialog({
  title,
  accept,
  severity,
  disabled = false,
  className,
  formClassName,
  missing,
  deed,
  onClose,
  children,
}: Props) {
  useFocusReturn();
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    const wrong = missing();
    if (wrong !== null) return setFault(wrong);
    setBusy(true);
    try {
      return await deed();
    } catch (failure) {
      setFault(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={title}
      onHide={onClose}
      className={className}
      draggable={false}
      closeOnEscape={!busy}
      onShow={() => focusFirst(id)}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={accept} loading={busy} disabled={disabled} {...(severity && { severity })} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} className={formClassName} noValidate>
        {children(fault)}
      </form>
    </Dialog>
  );
}
