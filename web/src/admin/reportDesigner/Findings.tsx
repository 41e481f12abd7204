// What is wrong with the texts, each thing with its place: pressed, it is gone to.
import { Message } from 'primereact/message';
import type { Reply } from '../../schema';
import { t } from '../../messages';
import type { Finding } from './types';
import style from './designer.module.css';

const text = t.reportDesigner;

interface Props {
  check: Reply<'ReportCheck'> | null;
  /** The texts were changed after they were checked. */
  stale: boolean;
  /** What to do, while nothing was checked. */
  unchecked?: string;
  goTo: (finding: Finding) => void;
}

export function Findings({ check, stale, unchecked = text.notChecked, goTo }: Props) {
  if (!check) return <p className={style.help}>{unchecked}</p>;
  const list = (title: string, findings: readonly Finding[], kind: 'error' | 'warning') =>
    findings.length > 0 && (
      <section aria-label={title}>
        <h2>{title}</h2>
        <ul className={style.findings} data-kind={kind}>
          {findings.map((finding, i) => (
            <li key={i}>
              <button type="button" onClick={() => goTo(finding)}>
                <span className={style.place}>{text.place(finding.gde, finding.red, finding.kolona)}</span>
                <span>{finding.poruka}</span>
                {finding.savet && <span className={style.advice}>{finding.savet}</span>}
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <div className={style.stack}>
      {stale && <Message severity="info" text={text.stale} />}
      {check.greske.length === 0 && !stale && <Message severity="success" text={text.sound} />}
      {list(text.faults(check.greske.length), check.greske, 'error')}
      {list(text.warnings(check.upozorenja.length), check.upozorenja, 'warning')}
      {check.kolone.length > 0 && (
        <section aria-label={text.columns}>
          <h2>{text.columns}</h2>
          <ul className={style.columns}>
            {check.kolone.map(({ naziv, tip }, i) => (
              <li key={i}>
                <code>{naziv}</code> <span>{tip}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
