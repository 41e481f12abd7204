// All findings of the entry that is open, by one button; nothing where there is none.
import { Button } from 'primereact/button';
import { use, useState } from 'react';
import { t } from '../messages';
import { FindingsContext, isOpen } from './context';
import { FindingsDialog } from './FindingsDialog';

export function EntryFindingsButton() {
  const open = use(FindingsContext);
  const [shown, setShown] = useState(false);
  if (!open || (open.findings.length === 0 && !shown)) return null;
  const waiting = open.findings.filter(isOpen).length;
  return (
    <>
      <Button
        label={t.quality.button(waiting)}
        icon="pi pi-exclamation-triangle"
        outlined
        severity={waiting > 0 ? 'warning' : undefined}
        onClick={() => setShown(true)}
      />
      {shown && <FindingsDialog open={open} field={null} onClose={() => setShown(false)} />}
    </>
  );
}
