// A sheet of content with an optional heading.
import { useId, type ReactNode } from 'react';
import style from './Panel.module.css';

interface Props {
  title?: string;
  actions?: ReactNode;
  /** Tables bring their own padding. */
  flush?: boolean;
  children: ReactNode;
}

export function Panel({ title, actions, flush, children }: Props) {
  const heading = useId();
  return (
    <section className={style.panel} aria-labelledby={title ? heading : undefined}>
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
