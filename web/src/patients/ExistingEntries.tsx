// Entries that stand where a new one would be: who began each, and the way to it.
import { Link } from 'react-router';
import type { Reply } from '../schema';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import style from './page.module.css';

const text = t.entries;

export function ExistingEntries({ entries }: { entries: Reply<'EntryCount'>['postojeci'] }) {
  if (entries.length === 0) return null;
  return (
    <ul className={style.existing}>
      {entries.map(({ unosID, kreirao, datumKreiranja }) => (
        <li key={unosID}>
          <Link to={entryPath(unosID)}>{text.openExisting}</Link>: {text.existing(kreirao, formatDateTime(datumKreiranja))}
        </li>
      ))}
    </ul>
  );
}
