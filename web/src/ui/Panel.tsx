// A sheet of content with an optional heading.
import { useId, type ReactNode } from 'react';
import style from './Panel.module.css';

interface Props {
  title?: string;
  actions?: ReactNode;
  /** Tables bring their own padding. */
  flush?: boolean;
  /** A list that opens in it may reach over its edge. */
  overflowing?: boolean;
  children: ReactNode;
}

export function Panel({ title, actions, flush, overflowing, children }: Props) {
  const heading = useId();
  return (
    <section className={style.panel} data-overflowing={overflowing} aria-labelledby={title ? heading : undefined}>
      {(title ?? actions) && (
        <header className={style.header}>
          {title && <h2 id={heading}>{title}</h2>}
          {actions}
        </header>
      )}
      <div className={flush ? undefined : style.body}>{children}</div>
    </section>
  );
}
