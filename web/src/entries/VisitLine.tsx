// The visit that the entry belongs to, or a new one will join: its doctor and its other forms.
import { Link } from 'react-router';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Schema } from '../schema';
import style from './drawing/entry.module.css';

const text = t.entries;

export function VisitLine({ visit: { lekar, obrasci }, isNew }: { visit: Schema<'VisitHead'>; isNew: boolean }) {
  if (obrasci.length === 0) return null;
  return (
    <nav className={style.visit} aria-label={text.visit}>
      <span>{isNew ? text.visitJoined(lekar ?? null) : text.visitForms}</span>
      <ul>
        {obrasci.map(({ unosID, naziv }) => (
          <li key={unosID}>
            <Link to={entryPath(unosID)}>{naziv}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
