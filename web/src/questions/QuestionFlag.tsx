// The flag beside a field: how many questions about it are open, with their threads in place.
import { use, useState } from 'react';
import { t } from '../messages';
import { isOpen, QuestionsContext } from './context';
import { QuestionsDialog } from './QuestionsDialog';
import style from './questions.module.css';

const text = t.questions;

export function QuestionFlag({ field, name }: { field: number; name: string }) {
  const open = use(QuestionsContext);
  const [shown, setShown] = useState(false);
  if (!open) return null;
  const about = open.questions.filter(({ poljeID }) => poljeID === field);
  if (about.length === 0 && !open.mayAsk) return null;
  const waiting = about.filter(isOpen).length;
  const [label, title] =
    about.length === 0
      ? [text.aboutField, text.askAbout(name)]
      : waiting > 0
        ? [text.openAbout(waiting), text.flag(name, waiting)]
        : [text.settled, text.flagClosed(name)];
  return (
    <>
      <button
        type="button"
        className={style.flag}
        data-open={waiting > 0}
        data-any={about.length > 0}
        // Tab goes from field to field; whoever asks by keyboard begins at the entry's button.
        tabIndex={about.length > 0 ? undefined : -1}
        aria-label={label}
        title={title}
        onClick={() => setShown(true)}
      >
        <span className={about.length > 0 ? 'pi pi-flag-fill' : 'pi pi-flag'} aria-hidden />
        {waiting > 0 && <span aria-hidden>{waiting}</span>}
      </button>
      {shown && <QuestionsDialog open={open} field={{ id: field, name }} onClose={() => setShown(false)} />}
    </>
  );
}
