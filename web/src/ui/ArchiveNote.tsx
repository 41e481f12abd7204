// From when on a list tells: what is older lies in files of the archive.
import { formatDate } from '../format';
import { t } from '../messages';
import style from './states.module.css';

export function ArchiveNote({ before }: { before: string | null | undefined }) {
  if (!before) return null;
  return (
    <p className={style.archived}>
      <i className="pi pi-box" aria-hidden />
      {t.common.archived(formatDate(before))}
    </p>
  );
}
