// A panel that folds; a heading and a line between the fields.
import { useCallback, useId, useState, type ReactNode } from 'react';
import style from './entry.module.css';
import { useOpenEntry, useWanted } from './form';
import { InfoButton } from './InfoButton';
import { Fold } from './later';
import type { FormField } from '../model/types';

interface PartProps {
  field: FormField;
}

export const Heading = ({ field }: PartProps) => (
  <div className={style.heading}>
    <h2>{field.naziv}</h2>
    {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
  </div>
);

export const Separator = ({ field }: PartProps) => (
  <hr className={style.separator} aria-label={field.ispisujeSeLabela ? field.naziv : undefined} />
);

export function PanelPart({ field, children }: PartProps & { children: ReactNode }) {
  const { store } = useOpenEntry();
  const wanted = useWanted(store);
  const [open, setOpen] = useState(true);
  const [heeded, setHeeded] = useState(wanted);
  const id = useId();
  const show = useCallback(() => setOpen(true), []);
  if (wanted !== heeded) {
    setHeeded(wanted);
    if (wanted?.way.has(field.id)) setOpen(true);
  }
  return (
    <section className={style.panel} aria-labelledby={id}>
      <header className={style.panelHead} data-open={open}>
        <h2>
          <button type="button" aria-expanded={open} aria-controls={`${id}-body`} onClick={() => setOpen(!open)}>
            <span className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden />
            <span id={id}>{field.naziv}</span>
          </button>
        </h2>
        {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
      </header>
      <Fold id={`${id}-body`} className={style.panelBody} open={open} onFound={show}>
        {children}
      </Fold>
    </section>
  );
}
