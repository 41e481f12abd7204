// A row of a history where there is no room for its columns: what it is of, and what it says.
import type { ReactNode } from 'react';
import { EMPTY } from '../format';
import style from './page.module.css';

export function HistoryCard({ title, columns }: { title: string; columns: readonly { name: string; shown: ReactNode }[] }) {
  return (
    <>
      <strong className={style.changed}>{title}</strong>
      <dl className={style.change}>
        {columns
          .filter(({ shown }) => shown !== EMPTY)
          .map(({ name, shown }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shown}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}
