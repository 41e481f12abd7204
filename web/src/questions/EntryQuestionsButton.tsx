// All questions of the entry that is open, by one button.
import { Button } from 'primereact/button';
import { use, useState } from 'react';
import { t } from '../messages';
import { isOpen, QuestionsContext } from './context';
import { QuestionsDialog } from './QuestionsDialog';

export function EntryQuestionsButton() {
  const open = use(QuestionsContext);
  const [shown, setShown] = useState(false);
  if (!open || (open.questions.length === 0 && !open.mayAsk)) return null;
  const waiting = open.questions.filter(isOpen).length;
  return (
    <>
      <Button
        label={t.questions.button(waiting)}
        icon="pi pi-flag"
        outlined
        severity={waiting > 0 ? 'warning' : undefined}
        onClick={() => setShown(true)}
      />
      {shown && <QuestionsDialog open={open} field={null} onClose={() => setShown(false)} />}
    </>
  );
}
