// What waits to be checked in a patient's entries: how many findings and questions each has, and the ways to their lists.
import { Link } from 'react-router';
import { t } from '../messages';
import style from './quality.module.css';

const text = t.quality;

interface CheckedEntry {
  nalaza: number;
  upita: number;
}

/** Both lists of the patient in the register; nothing where nothing is open. */
export function ToCheck({ patient, register, entries }: { patient: number; register: number; entries: readonly CheckedEntry[] }) {
  const findings = entries.reduce((sum, { nalaza }) => sum + nalaza, 0);
  const questions = entries.reduce((sum, { upita }) => sum + upita, 0);
  if (findings + questions === 0) return null;
  const of = `pacijent=${patient}&registar=${register}`;
  return (
    <span className={style.toCheck}>
      {findings > 0 && <Link to={`/nalazi?${of}`}>{text.button(findings)}</Link>}
      {questions > 0 && <Link to={`/mojiUpiti?spisak=ustanova&${of}`}>{t.questions.button(questions)}</Link>}
    </span>
  );
}

/** Beside an entry, whose own link leads to them. */
export function EntryMarks({ findings, questions }: { findings: number; questions: number }) {
  return (
    <>
      {findings > 0 && (
        <span className={style.entryMark} data-of="findings" title={text.openAbout(findings)}>
          <span className="pi pi-exclamation-triangle" role="img" aria-label={text.openAbout(findings)} />
          <span aria-hidden>{findings}</span>
        </span>
      )}
      {questions > 0 && (
        <span className={style.entryMark} data-of="questions" title={t.questions.openAbout(questions)}>
          <span className="pi pi-flag-fill" role="img" aria-label={t.questions.openAbout(questions)} />
          <span aria-hidden>{questions}</span>
        </span>
      )}
    </>
  );
}
