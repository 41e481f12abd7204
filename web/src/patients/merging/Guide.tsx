// The question mark of a screen: its page of the guide in a few sentences, where one works.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import style from './merging.module.css';

export function Guide({ label, title, text }: { label: string; title: string; text: readonly string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button type="button" icon="pi pi-question-circle" aria-label={label} text severity="secondary" onClick={() => setOpen(true)} />
      {open && (
        <Dialog visible header={title} onHide={() => setOpen(false)} className={style.dialog} draggable={false}>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </Dialog>
      )}
    </>
  );
}
