// A panel whose heading opens and closes it. What is inside stays as it was while closed.
import { useId, useState, type ReactNode } from 'react';
import style from './Panel.module.css';

interface Props {
  title: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  startsClosed?: boolean;
  /** Told on every opening and closing. */
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

export function FoldingPanel({ title, actions, flush, startsClosed = false, onToggle, children }: Props) {
  const [open, setOpen] = useState(!startsClosed);
  const id = useId();
  const toggle = () => {
    setOpen(!open);
    onToggle?.(!open);
  };
  return (
    <section className={style.panel} aria-labelledby={`${id}-title`}>
      <header className={style.header} data-closed={!open}>
        <h2 className={style.foldTitle}>
          <button type="button" className={style.fold} aria-expanded={open} aria-controls={`${id}-body`} onClick={toggle}>
            <span className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden />
            <span id={`${id}-title`}>{title}</span>
          </button>
        </h2>
        {actions}
      </header>
      <div id={`${id}-body`} className={flush ? undefined : style.body} hidden={!open}>
        {children}
      </div>
    </section>
  );
}
