// The mark beside a field in which rules have found something, with the findings in place.
import { use, useState } from 'react';
import { t } from '../messages';
import { FindingsContext, isOpen, wordsOf } from './context';
import { FindingsDialog } from './FindingsDialog';
import style from './quality.module.css';

const text = t.quality;

export function FindingMark({ field, name }: { field: number; name: string }) {
  const open = use(FindingsContext);
  const [shown, setShown] = useState(false);
  if (!open) return null;
  const about = open.findings.filter(({ poljeID }) => poljeID === field);
  if (about.length === 0) return null;
  const waiting = about.filter(isOpen);
  const [label, title] =
    waiting.length > 0
      ? [text.openAbout(waiting.length), `${text.mark(name, waiting.length)}\n${waiting.map(wordsOf).join('\n')}`]
      : [text.settled, text.markSettled(name)];
  return (
    <>
      <button
        type="button"
        className={style.mark}
        data-severity={waiting.length === 0 ? 'none' : waiting.some(({ tezina }) => tezina === 'greska') ? 'greska' : 'upozorenje'}
        // Tab goes from field to field; by keyboard all findings are behind the entry's button.
        tabIndex={-1}
        aria-label={label}
        title={title}
        onClick={() => setShown(true)}
      >
        <span className={waiting.length > 0 ? 'pi pi-exclamation-triangle' : 'pi pi-check-circle'} aria-hidden />
        {waiting.length > 1 && <span aria-hidden>{waiting.length}</span>}
      </button>
      {shown && <FindingsDialog open={open} field={{ id: field, name }} onClose={() => setShown(false)} />}
    </>
  );
}
