// A button of the top bar that opens a small panel below it. Escape, a click elsewhere and a choice in it close it.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import style from './TopBar.module.css';

interface Props {
  button: ReactNode;
  /** Says more than the button shows. */
  label?: string;
  current?: boolean;
  right?: boolean;
  children: ReactNode;
}

export function Disclosure({ button, label, current, right, children }: Props) {
  const [open, setOpen] = useState(false);
  const [openedAt, setOpenedAt] = useState('');
  const { key } = useLocation();
  const panel = useId();
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const shown = open && openedAt === key;

  useEffect(() => {
    if (!shown) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      trigger.current?.focus();
    };
    const chosen = (event: Event) => {
      const choice = (event.target as Element).closest('a, button');
      if (!choice || choice === trigger.current || !root.current?.contains(choice)) return;
      setOpen(false);
      trigger.current?.focus();
    };
    // On the document, so that React has handled the click before the panel goes.
    document.addEventListener('click', chosen);
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('click', chosen);
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
      document.removeEventListener('keydown', escape);
    };
  }, [shown]);

  return (
    <div ref={root} className={style.disclosure}>
      <button
        ref={trigger}
        type="button"
        className={style.item}
        aria-expanded={shown}
        aria-controls={shown ? panel : undefined}
        aria-label={label}
        data-current={current}
        onClick={() => {
          setOpen(!shown);
          setOpenedAt(key);
        }}
      >
        {button}
        <span className={`pi pi-angle-down ${style.caret ?? ''}`} aria-hidden />
      </button>
      {shown && (
        <div id={panel} className={style.panel} data-right={right}>
          {children}
        </div>
      )}
    </div>
  );
}
