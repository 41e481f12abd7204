// The versions of a report: who, when, which one is live; an older one is looked at, and made live again.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import type { Reply } from '../../schema';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import style from './designer.module.css';

const text = t.reportDesigner;

interface Props {
  design: Reply<'ReportDesign'>;
  /** The version whose texts are in the editors. */
  open: number;
  busy: boolean;
  onOpen: (broj: number) => void;
  onPublish: (broj: number) => void;
}

export function ReportVersions({ design, open, busy, onOpen, onPublish }: Props) {
  const rows = [
    ...design.verzije.map((version) => ({ ...version, title: text.version(version.broj) })),
    ...(design.imaFajl
      ? [{ broj: 0, title: text.fromFile, nacin: 'sql' as const, radnik: design.jasperFajl, vreme: '', napomena: null }]
      : []),
  ];
  if (rows.length === 0) return <p className={style.help}>{text.noVersions}</p>;
  return (
    <ul className={style.versions}>
      {rows.map(({ broj, title, nacin, radnik, vreme, napomena }) => (
        <li key={broj} aria-label={title}>
          <div>
            <strong>{title}</strong>
            {broj === design.objavljena && <Tag severity="success" value={text.live} />}
            {broj === open && <Tag severity="info" value={text.opened} />}
            {nacin === 'jednostavan' && <Tag value={t.simpleReport.simple} />}
            {nacin === 'pretvorenUSql' && <Tag severity="warning" value={t.simpleReport.converted} />}
            <span className={style.help}>{[radnik, vreme && formatDateTime(vreme)].filter(Boolean).join(', ')}</span>
            {napomena && <span>{napomena}</span>}
          </div>
          <div className={style.buttons}>
            <Button label={text.openVersion} text size="small" disabled={busy} onClick={() => onOpen(broj)} />
            {broj !== design.objavljena && (
              <Button
                label={broj < design.objavljena ? text.takeBack : text.publish}
                text
                size="small"
                disabled={busy}
                onClick={() => onPublish(broj)}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
